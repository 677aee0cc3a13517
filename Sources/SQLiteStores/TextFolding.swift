import ObjectStore
internal import _FoundationICU

/// Writes texts so that comparing bytes compares them as a selector says. One per scan; it keeps its buffers.
///
/// Results are valid until the next call.
final class TextFolding {
    private var source = UnitBuffer()
    private var folded = UnitBuffer()
    private var decomposed = UnitBuffer()
    private let result = ByteBuffer()
    private let normalizer: OpaquePointer?
    private let collators: [SortDescriptor.Selector: OpaquePointer]

    /// Longest text that takes part in an order, in bytes: two texts that differ only later are equal.
    static let limit = 1 << 16

    /// UTF-16 that ICU writes and reads.
    private final class UnitBuffer {
        private(set) var base: UnsafeMutablePointer<UInt16> = .allocate(capacity: 256)
        private(set) var capacity = 256
        var count = 0

        deinit { base.deallocate() }

        /// What was there is lost.
        func reserve(_ wanted: Int) {
            guard wanted > capacity else { return }
            base.deallocate()
            base = .allocate(capacity: wanted)
            capacity = wanted
        }
    }

    init(localeIdentifier: String, selectors: Set<SortDescriptor.Selector>) {
        var status = U_ZERO_ERROR
        normalizer = swift_unorm2_getNFDInstance(&status)
        var collators: [SortDescriptor.Selector: OpaquePointer] = [:]
        for selector in selectors where selector == .localizedStandardCompare || selector == .localizedCaseInsensitiveCompare {
            status = U_ZERO_ERROR
            guard let collator = swift_ucol_open(localeIdentifier, &status), status.rawValue <= 0 else { continue }
            if selector == .localizedStandardCompare {
                swift_ucol_setAttribute(collator, UCOL_NUMERIC_COLLATION, UCOL_ON, &status)
            } else {
                swift_ucol_setAttribute(collator, UCOL_STRENGTH, UCOL_SECONDARY, &status)
            }
            collators[selector] = collator
        }
        self.collators = collators
    }

    deinit { collators.values.forEach { swift_ucol_close($0) } }

    /// Full case folding, then canonical decomposition, as UTF-8: its bytes compare by code point. The text itself where ICU fails.
    func fold(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        guard decode(text), let normalizer else { return text }
        // ICU never makes more than four units of one, in either step.
        folded.reserve(source.count * 4 + 16)
        var status = U_ZERO_ERROR
        let foldedCount = swift_u_strFoldCase(
            folded.base, Int32(truncatingIfNeeded: folded.capacity), source.base, Int32(truncatingIfNeeded: source.count),
            UInt32(U_FOLD_CASE_DEFAULT), &status)
        guard status.rawValue <= 0, foldedCount >= 0, Int(foldedCount) <= folded.capacity else { return text }
        decomposed.reserve(Int(foldedCount) * 4 + 16)
        let count = swift_unorm2_normalize(
            normalizer, folded.base, foldedCount, decomposed.base, Int32(truncatingIfNeeded: decomposed.capacity), &status)
        guard status.rawValue <= 0, count >= 0, Int(count) <= decomposed.capacity else { return text }
        result.count = 0
        let room = Int(count) * 3 + 1
        var length: Int32 = 0
        result.reserve(room).withMemoryRebound(to: CChar.self, capacity: room) { target in
            _ = swift_u_strToUTF8WithSub(
                target, Int32(truncatingIfNeeded: room), &length, decomposed.base, count, 0xFFFD, nil, &status)
        }
        guard status.rawValue <= 0, length >= 0, Int(length) <= room else { return text }
        result.count = Int(length)
        return result.bytes
    }

    /// The collation's sort key, without the zero at its end; the folded text where the locale has no collation.
    func collationKey(_ text: UnsafeRawBufferPointer, _ selector: SortDescriptor.Selector) -> UnsafeRawBufferPointer {
        guard let collator = collators[selector], decode(text) else { return fold(text) }
        result.count = 0
        var room = source.count * 4 + 64
        var length = swift_ucol_getSortKey(
            collator, source.base, Int32(truncatingIfNeeded: source.count), result.reserve(room), Int32(truncatingIfNeeded: room))
        if Int(length) > room {
            room = Int(length)
            length = swift_ucol_getSortKey(
                collator, source.base, Int32(truncatingIfNeeded: source.count), result.reserve(room),
                Int32(truncatingIfNeeded: room))
        }
        result.count = max(0, min(Int(length) - 1, room))
        return result.bytes
    }

    /// UTF-8 to UTF-16; invalid bytes become U+FFFD. False if ICU refuses.
    private func decode(_ text: UnsafeRawBufferPointer) -> Bool {
        source.count = 0
        guard let start = text.baseAddress else { return true }
        source.reserve(text.count + 1)
        let target = source.base
        var position = 0
        for byte in text {
            guard byte < 0x80 else { break }
            target[position] = UInt16(byte)
            position &+= 1
        }
        if position == text.count {
            source.count = position
            return true
        }
        var status = U_ZERO_ERROR
        var length: Int32 = 0
        _ = swift_u_strFromUTF8WithSub(
            target, Int32(truncatingIfNeeded: source.capacity), &length, start.assumingMemoryBound(to: CChar.self),
            Int32(truncatingIfNeeded: text.count), 0xFFFD, nil, &status)
        guard status.rawValue <= 0, length >= 0, Int(length) <= source.capacity else { return false }
        source.count = Int(length)
        return true
    }
}

import Glibc
internal import _FoundationICU

/// Full case folding and canonical decomposition of single scalars, as UTF-8; made in blocks when a scalar of one is first met.
///
/// What it gives for the scalars of a text, one after the other, is what `TextFolding` makes of the whole text: folding looks at
/// single scalars only, and decomposed texts need reordering only where two scalars meet that are both no starters. There, at
/// what is no UTF-8, and beyond the last block it gives up.
final class FoldedScalars {
    /// The UTF-8 of one scalar, or that it has to be folded the plain way.
    private struct Entry {
        /// Fifteen bytes at most; the bytes behind the text are zero.
        var low: UInt64 = 0
        var high: UInt64 = 0

        /// In the last byte: number of bytes, and how the text begins and ends.
        var mark: UInt8 {
            get { UInt8(truncatingIfNeeded: high >> 56) }
            set { high = high & ~(0xFF << 56) | UInt64(newValue) << 56 }
        }
    }

    private static let lengthMask: UInt8 = 0x0F
    private static let beginsWithMark: UInt8 = 0x10
    private static let endsWithMark: UInt8 = 0x20
    private static let isAbsent: UInt8 = 0x80

    /// First scalar that has no block: the end of the supplementary plane that holds letters and symbols.
    private static let end: UInt32 = 0x20000
    private static let blockSize = 64

    private let folding: TextFolding
    /// A plain pointer, as a million texts go through it.
    private let blocks: UnsafeMutablePointer<UnsafeMutablePointer<Entry>?>

    private static let blockCount = Int(FoldedScalars.end) / FoldedScalars.blockSize

    init(_ folding: TextFolding) {
        self.folding = folding
        blocks = .allocate(capacity: FoldedScalars.blockCount)
        blocks.initialize(repeating: nil, count: FoldedScalars.blockCount)
    }

    deinit {
        for number in 0..<FoldedScalars.blockCount { blocks[number]?.deallocate() }
        blocks.deallocate()
    }

    /// So many bytes may be written for a text of so many, the one that a key ends with included.
    static func room(for count: Int) -> Int { count * 8 + 32 }

    /// Writes a text folded, with zeros as 1 1 and ones as 1 2; nil, with anything written, where it has to be folded as a whole.
    /// O(bytes).
    ///
    /// - Returns: where the text ends.
    func write(_ text: UnsafeRawBufferPointer, to start: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8>? {
        guard let base = text.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return start }
        var target = start
        var source = base
        let end = base + text.count
        var afterMark = false
        while source < end {
            // Eight bytes at once, up to the first that is no ASCII or is written as two.
            let left = end - source
            let word = FoldedScalars.word(source, left, after: source - base)
            // A carry out of a byte reaches only those behind it, and such a byte is one of the first.
            let odd = (word | ~(word &+ 0x7E7E_7E7E_7E7E_7E7E)) & 0x8080_8080_8080_8080
            let fromA = word &+ 0x3F3F_3F3F_3F3F_3F3F
            let beyondZ = word &+ 0x2525_2525_2525_2525
            let capitals = fromA & ~beyondZ & 0x8080_8080_8080_8080
            UnsafeMutableRawPointer(target).storeBytes(of: (word | capitals >> 2).littleEndian, as: UInt64.self)
            let plain = min(left, odd.trailingZeroBitCount >> 3)
            if plain > 0 {
                source += plain
                target += plain
                afterMark = false
                guard odd != 0 else { continue }
                guard source < end else { break }
            }
            let byte = source.pointee
            if byte < 0x80 {
                source += 1
                afterMark = false
                target[0] = 1
                target[1] = byte &+ 1
                target += 2
                continue
            }
            guard let scalar = FoldedScalars.scalar(&source, end), scalar < FoldedScalars.end else { return nil }
            let entry = entry(scalar)
            let mark = entry.mark
            if mark & FoldedScalars.isAbsent != 0 || afterMark && mark & FoldedScalars.beginsWithMark != 0 { return nil }
            afterMark = mark & FoldedScalars.endsWithMark != 0
            // Sixteen bytes whatever the length: `room` leaves place for them.
            UnsafeMutableRawPointer(target).storeBytes(of: entry, as: Entry.self)
            target += Int(mark & FoldedScalars.lengthMask)
        }
        return target
    }

    /// The next eight bytes, the first of them the least; where there are fewer, spaces behind them.
    ///
    /// - Parameter before: so many bytes of the text stand before them.
    @inline(__always)
    private static func word(_ source: UnsafePointer<UInt8>, _ left: Int, after before: Int) -> UInt64 {
        if left >= 8 { return UInt64(littleEndian: UnsafeRawPointer(source).loadUnaligned(as: UInt64.self)) }
        let spaces: UInt64 = 0x2020_2020_2020_2020 << UInt64(truncatingIfNeeded: left &* 8)
        if left &+ before >= 8 {
            let last = UInt64(littleEndian: (UnsafeRawPointer(source) + (left - 8)).loadUnaligned(as: UInt64.self))
            return last >> UInt64(truncatingIfNeeded: (8 &- left) &* 8) | spaces
        }
        var word = spaces
        for place in 0..<left { word |= UInt64(source[place]) << UInt64(truncatingIfNeeded: place &* 8) }
        return word
    }

    /// The scalar of two bytes or more that begins here; nil for what is no well-formed UTF-8.
    @inline(__always)
    private static func scalar(_ source: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> UInt32? {
        let first = source[0]
        if first < 0xE0 {
            guard first >= 0xC2, end - source >= 2, source[1] & 0xC0 == 0x80 else { return nil }
            let value = UInt32(first & 0x1F) << 6 | UInt32(source[1] & 0x3F)
            source += 2
            return value
        }
        if first < 0xF0 {
            guard end - source >= 3, source[1] & 0xC0 == 0x80, source[2] & 0xC0 == 0x80 else { return nil }
            let value = UInt32(first & 0x0F) << 12 | UInt32(source[1] & 0x3F) << 6 | UInt32(source[2] & 0x3F)
            guard value >= 0x800, value & 0xF800 != 0xD800 else { return nil }
            source += 3
            return value
        }
        guard first < 0xF5, end - source >= 4, source[1] & 0xC0 == 0x80, source[2] & 0xC0 == 0x80, source[3] & 0xC0 == 0x80 else {
            return nil
        }
        let high = UInt32(first & 0x07) << 18 | UInt32(source[1] & 0x3F) << 12
        let value = high | UInt32(source[2] & 0x3F) << 6 | UInt32(source[3] & 0x3F)
        guard value >= 0x10000 else { return nil }
        source += 4
        return value
    }

    /// Of a scalar before the end.
    @inline(__always)
    private func entry(_ scalar: UInt32) -> Entry {
        let number = Int(scalar) / FoldedScalars.blockSize
        if let block = blocks[number] { return block[Int(scalar) % FoldedScalars.blockSize] }
        return firstEntry(scalar, number)
    }

    @inline(never)
    private func firstEntry(_ scalar: UInt32, _ number: Int) -> Entry {
        let block = UnsafeMutablePointer<Entry>.allocate(capacity: FoldedScalars.blockSize)
        for place in 0..<FoldedScalars.blockSize {
            block[place] = made(UInt32(truncatingIfNeeded: number * FoldedScalars.blockSize + place))
        }
        blocks[number] = block
        return block[Int(scalar) % FoldedScalars.blockSize]
    }

    private func made(_ value: UInt32) -> Entry {
        var entry = Entry()
        entry.mark = FoldedScalars.isAbsent
        guard let scalar = Unicode.Scalar(value) else { return entry }
        let folded = withUnsafeTemporaryAllocation(byteCount: 4, alignment: 1) { room in
            let bytes = Array(String(scalar).utf8)
            room.copyBytes(from: bytes)
            return Array(folding.fold(UnsafeRawBufferPointer(rebasing: room[..<bytes.count])))
        }
        guard folded.count <= 15, !folded.contains(where: { $0 <= 1 }) else { return entry }
        let scalars = String(decoding: folded, as: UTF8.self).unicodeScalars
        withUnsafeMutableBytes(of: &entry) { room in
            room[15] = UInt8(folded.count)
            room.copyBytes(from: folded)
        }
        if let first = scalars.first, swift_u_getCombiningClass(UChar32(first.value)) != 0 {
            entry.mark |= FoldedScalars.beginsWithMark
        }
        if let last = scalars.last, swift_u_getCombiningClass(UChar32(last.value)) != 0 {
            entry.mark |= FoldedScalars.endsWithMark
        }
        return entry
    }
}

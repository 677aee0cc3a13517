import ObjectStore
internal import _FoundationICU

/// Writes texts so that comparing bytes compares them as a selector says. One per thread; it keeps its buffers.
final class TextFolding {
    private var source: [UInt16] = []
    private var folded: [UInt16] = []
    private var decomposed: [UInt16] = []
    /// The last result of `fold` or `collationKey` is the first `count` of these.
    private(set) var bytes: [UInt8] = []
    private(set) var count = 0
    private let normalizer: OpaquePointer?
    private let collators: [SortDescriptor.Selector: OpaquePointer]

    /// Longest text that takes part in an order, in bytes: two texts that differ only later are equal.
    static let limit = 1 << 16

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

    /// Full case folding, then canonical decomposition, as UTF-8: its bytes compare by code point.
    func fold(_ text: UnsafeRawBufferPointer) {
        decode(text)
        var status = U_ZERO_ERROR
        let length = convert(source, &folded) { from, fromCount, to, capacity in
            swift_u_strFoldCase(to, capacity, from, fromCount, UInt32(U_FOLD_CASE_DEFAULT), &status)
        }
        guard let length, let normalizer else { return encode(source[...]) }
        let whole = Array(folded[..<length])
        status = U_ZERO_ERROR
        let final = convert(whole, &decomposed) { from, fromCount, to, capacity in
            swift_unorm2_normalize(normalizer, from, fromCount, to, capacity, &status)
        }
        encode(final.map { decomposed[..<$0] } ?? whole[...])
    }

    /// The collation's sort key, without the zero at its end; the folded text where the locale has no collation.
    func collationKey(_ text: UnsafeRawBufferPointer, _ selector: SortDescriptor.Selector) {
        guard let collator = collators[selector] else { return fold(text) }
        decode(text)
        if bytes.count < 256 { bytes = [UInt8](repeating: 0, count: 256) }
        var length = swift_ucol_getSortKey(collator, source, Int32(source.count), &bytes, Int32(bytes.count))
        if length > bytes.count {
            bytes = [UInt8](repeating: 0, count: Int(length))
            length = swift_ucol_getSortKey(collator, source, Int32(source.count), &bytes, Int32(bytes.count))
        }
        count = max(0, min(Int(length) - 1, bytes.count))
    }

    /// UTF-8 to UTF-16; invalid bytes become U+FFFD.
    private func decode(_ text: UnsafeRawBufferPointer) {
        source.removeAll(keepingCapacity: true)
        if text.allSatisfy({ $0 < 0x80 }) {
            for byte in text { source.append(UInt16(byte)) }
        } else {
            source.append(contentsOf: String(decoding: text, as: UTF8.self).utf16)
        }
    }

    private func encode(_ text: ArraySlice<UInt16>) {
        bytes.removeAll(keepingCapacity: true)
        bytes.append(contentsOf: String(decoding: text, as: UTF16.self).utf8)
        count = bytes.count
    }

    /// Calls an ICU conversion, once more with the room that it asks for; the count written, nil if it failed.
    private func convert(
        _ from: [UInt16], _ to: inout [UInt16], _ body: ([UInt16], Int32, UnsafeMutablePointer<UInt16>?, Int32) -> Int32
    ) -> Int? {
        let room = from.count * 4 + 16
        if to.count < room { to = [UInt16](repeating: 0, count: room) }
        let capacity = to.count
        let count = Int(to.withUnsafeMutableBufferPointer { body(from, Int32(from.count), $0.baseAddress, Int32(capacity)) })
        return count >= 0 && count <= capacity ? count : nil
    }
}

import ObjectStore
internal import _FoundationICU

/// Texts as predicates compare them: whatever their case, whatever their diacritics. One per compiler or connection.
final class PredicateFolding {
    /// How a text is folded: what SQL hands over as a number.
    struct Rule: OptionSet {
        let rawValue: Int

        static let foldsCase = Rule(rawValue: 1)
        static let dropsDiacritics = Rule(rawValue: 2)
        /// Left decomposed, as `caseInsensitiveCompare:` orders texts; else composed, so that `e` is no part of `é`.
        static let decomposed = Rule(rawValue: 4)

        init(rawValue: Int) { self.rawValue = rawValue }

        init(_ options: PredicateOptions, isOrdered: Bool) {
            var rule: Rule = isOrdered ? .decomposed : []
            if options.contains(.caseInsensitive) { rule.insert(.foldsCase) }
            if options.contains(.diacriticInsensitive) { rule.insert(.dropsDiacritics) }
            self = rule
        }
    }

    private let decomposer: OpaquePointer?
    private let composer: OpaquePointer?
    private var result: [UInt8] = []

    init() {
        var status = U_ZERO_ERROR
        decomposer = swift_unorm2_getNFDInstance(&status)
        composer = swift_unorm2_getNFCInstance(&status)
    }

    func fold(_ text: String, _ rule: Rule) -> String {
        var text = text
        return text.withUTF8 { bytes in
            folded(UnsafeRawBufferPointer(bytes), rule) { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// Calls `body` with the folded text, which is valid during the call. A few instructions a byte for ASCII.
    func folded<Result>(_ text: UnsafeRawBufferPointer, _ rule: Rule, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        result.removeAll(keepingCapacity: true)
        if text.allSatisfy({ $0 < 0x80 }) {
            guard rule.contains(.foldsCase) else { return body(text) }
            result.append(contentsOf: text.lazy.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 })
            return result.withUnsafeBytes(body)
        }
        var units = Array(String(decoding: text, as: UTF8.self).utf16)
        if rule.contains(.foldsCase) {
            units = rewritten(units) { source, count, target, room, status in
                swift_u_strFoldCase(target, room, source, count, UInt32(U_FOLD_CASE_DEFAULT), &status)
            }
        }
        units = normalized(units, decomposer)
        if rule.contains(.dropsDiacritics) {
            var bare = String.UnicodeScalarView()
            for scalar in String(decoding: units, as: UTF16.self).unicodeScalars
            where scalar.properties.generalCategory != .nonspacingMark { bare.append(scalar) }
            units = Array(String(bare).utf16)
        }
        if !rule.contains(.decomposed) { units = normalized(units, composer) }
        result.append(contentsOf: String(decoding: units, as: UTF16.self).utf8)
        return result.withUnsafeBytes(body)
    }

    private func normalized(_ units: [UInt16], _ normalizer: OpaquePointer?) -> [UInt16] {
        guard let normalizer else { return units }
        return rewritten(units) { source, count, target, room, status in
            swift_unorm2_normalize(normalizer, source, count, target, room, &status)
        }
    }

    /// What a function of ICU makes of a text; the text itself where it refuses.
    private func rewritten(
        _ units: [UInt16],
        _ body: (UnsafePointer<UInt16>?, Int32, UnsafeMutablePointer<UInt16>?, Int32, inout UErrorCode) -> Int32
    ) -> [UInt16] {
        // ICU never makes more than four units of one; a text of SQLite's greatest length still fits its counts.
        let room = units.count * 4 + 16
        guard let count = Int32(exactly: units.count), let limit = Int32(exactly: room) else { return units }
        var status = U_ZERO_ERROR
        let rewritten = [UInt16](unsafeUninitializedCapacity: room) { target, initialized in
            let length = units.withUnsafeBufferPointer { body($0.baseAddress, count, target.baseAddress, limit, &status) }
            initialized = status.rawValue <= 0 && length >= 0 && Int(length) <= room ? Int(length) : 0
        }
        return status.rawValue <= 0 ? rewritten : units
    }
}

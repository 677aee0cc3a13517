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

    private let normalizer: PredicateNormalizer
    private var result: [UInt8] = []
    /// By rule, what becomes of single scalars.
    private var scalars: [ScalarFolding?] = Array(repeating: nil, count: 8)

    init() { normalizer = PredicateNormalizer() }

    func fold(_ text: String, _ rule: Rule) -> String {
        var text = text
        return text.withUTF8 { bytes in
            folded(UnsafeRawBufferPointer(bytes), rule) { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// Calls `body` with the folded text, which is valid during the call. A few instructions a byte, but for scripts whose marks join.
    func folded<Result>(_ text: UnsafeRawBufferPointer, _ rule: Rule, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        guard !rule.isEmpty else { return body(text) }
        result.removeAll(keepingCapacity: true)
        if Self.isASCII(text) {
            guard rule.contains(.foldsCase), !text.isEmpty else { return body(text) }
            let room = text.count
            result.reserveCapacity(room)
            result.append(contentsOf: repeatElement(0, count: room))
            result.withUnsafeMutableBufferPointer { target in
                for place in 0..<room {
                    let byte = text[place]
                    target[place] = byte &- 0x41 < 26 ? byte | 0x20 : byte
                }
            }
            return result.withUnsafeBytes(body)
        }
        let place = rule.rawValue & 7
        if scalars[place] == nil {
            let normalizer = normalizer
            scalars[place] = ScalarFolding { normalizer.fold(Array(String($0).utf16), rule) }
        }
        if scalars[place]?.append(text, to: &result) != true {
            result = normalizer.fold(Array(String(decoding: text, as: UTF8.self).utf16), rule)
        }
        return result.withUnsafeBytes(body)
    }

    /// Eight bytes at a time.
    private static func isASCII(_ text: UnsafeRawBufferPointer) -> Bool {
        var place = 0
        while place + 8 <= text.count {
            guard text.loadUnaligned(fromByteOffset: place, as: UInt64.self) & 0x8080_8080_8080_8080 == 0 else { return false }
            place += 8
        }
        while place < text.count {
            guard text[place] < 0x80 else { return false }
            place += 1
        }
        return true
    }
}

/// The rules themselves, by ICU, for any text.
final class PredicateNormalizer {
    private let decomposer: OpaquePointer?
    private let composer: OpaquePointer?

    init() {
        var status = U_ZERO_ERROR
        decomposer = swift_unorm2_getNFDInstance(&status)
        composer = swift_unorm2_getNFCInstance(&status)
    }

    /// A text folded, as UTF-8.
    func fold(_ text: [UInt16], _ rule: PredicateFolding.Rule) -> [UInt8] {
        var units = text
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
        return Array(String(decoding: units, as: UTF16.self).utf8)
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

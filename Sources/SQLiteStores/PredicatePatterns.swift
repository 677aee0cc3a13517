internal import _FoundationICU

/// `LIKE`: `*` stands for any characters, `?` for one, a backslash before either for itself.
enum WildcardPattern {
    private enum Part: Equatable {
        case one(Character)
        case any
        case many
    }

    /// - Complexity: O(characters of the text × parts of the pattern) at worst.
    static func matches(_ text: String, _ pattern: String) -> Bool {
        var parts: [Part] = []
        var characters = Array(pattern)[...]
        while let character = characters.popFirst() {
            switch character {
            case "*": if parts.last != .many { parts.append(.many) }
            case "?": parts.append(.any)
            case "\\": parts.append(.one(characters.popFirst() ?? "\\"))
            default: parts.append(.one(character))
            }
        }
        let text = Array(text)
        var place = 0
        var part = 0
        // Where the last `*` may take one character more.
        var retry: (part: Int, place: Int)?
        while place < text.count {
            if part < parts.count, parts[part] == .any || parts[part] == .one(text[place]) {
                place += 1
                part += 1
            } else if part < parts.count, parts[part] == .many {
                retry = (part + 1, place)
                part += 1
            } else if let last = retry {
                retry = (last.part, last.place + 1)
                (part, place) = (last.part, last.place + 1)
            } else {
                return false
            }
        }
        while part < parts.count, parts[part] == .many { part += 1 }
        return part == parts.count
    }
}

/// `MATCHES`: a regular expression of ICU for the whole of a text. It gives up on a text that takes too long.
final class WholeTextPattern {
    enum Outcome {
        case match, noMatch, tooLong
    }

    private let expression: OpaquePointer
    private var units: [UInt16] = []

    /// Steps of ICU's matcher, each about a millisecond, for one text.
    private static let timeLimit: Int32 = 500
    /// Bytes that its backtracking may take.
    private static let stackLimit: Int32 = 8 << 20

    /// Nil if the pattern is not one.
    init?(_ pattern: String, ignoresCase: Bool) {
        // ICU takes no empty pattern; a group of nothing is the same.
        let pattern = Array((pattern.isEmpty ? "(?:)" : pattern).utf16)
        var status = U_ZERO_ERROR
        var place = UParseError()
        let flags = ignoresCase ? UInt32(UREGEX_CASE_INSENSITIVE.rawValue) : 0
        guard let count = Int32(exactly: pattern.count),
            let opened = swift_uregex_open(pattern, count, flags, &place, &status), status.rawValue <= 0
        else { return nil }
        expression = opened
        swift_uregex_setTimeLimit(expression, Self.timeLimit, &status)
        swift_uregex_setStackLimit(expression, Self.stackLimit, &status)
    }

    deinit { swift_uregex_close(expression) }

    func match(_ text: UnsafeRawBufferPointer) -> Outcome {
        units = Array(String(decoding: text, as: UTF8.self).utf16)
        guard let count = Int32(exactly: units.count) else { return .tooLong }
        var status = U_ZERO_ERROR
        // ICU keeps the pointer it is given: it looks at the text in here only.
        let isMatch = units.withUnsafeBufferPointer { text in
            // An empty array may have no address, and ICU wants one.
            var empty: UInt16 = 0
            return withUnsafePointer(to: &empty) { nothing in
                swift_uregex_setText(expression, text.baseAddress ?? nothing, count, &status)
                return swift_uregex_matches(expression, -1, &status) != 0
            }
        }
        guard status.rawValue <= 0 else { return .tooLong }
        return isMatch ? .match : .noMatch
    }
}

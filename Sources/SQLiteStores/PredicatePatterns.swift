import Glibc
internal import _FoundationICU

/// `LIKE`: `*` stands for any characters, `?` for one, a backslash before either for itself.
final class WildcardPattern {
    private enum Part: Equatable {
        case one(Character)
        case any
        case many
    }

    private let parts: [Part]
    /// The same for texts each of whose scalars is a character; nil where the pattern has other characters.
    private let simple: SimplePattern?

    init(_ pattern: String) {
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
        self.parts = parts
        simple = SimplePattern(
            parts.map { part in
                switch part {
                case .one(let character): .bytes(Array(String(character).utf8))
                case .any: .any
                case .many: .many
                }
            })
    }

    /// - Complexity: O(bytes of the text × parts of the pattern) at worst.
    func matches(_ text: UnsafeRawBufferPointer) -> Bool {
        if let simple, SimplePattern.isSimple(text) { return simple.matches(text) }
        return matches(String(decoding: text, as: UTF8.self))
    }

    /// The plain way, by characters.
    func matches(_ text: String) -> Bool {
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

/// A pattern of `LIKE` by bytes, for texts whose scalars are characters each and are written in one way only.
private struct SimplePattern {
    enum Part {
        case bytes([UInt8])
        case any
        case many
    }

    /// Characters that follow each other are one part.
    private var parts: [Part] = []

    init?(_ parts: [Part]) {
        for part in parts {
            guard case .bytes(let bytes) = part else {
                self.parts.append(part)
                continue
            }
            guard bytes.withUnsafeBytes({ Self.isSimple($0) }) else { return nil }
            if case .bytes(let before)? = self.parts.last {
                self.parts[self.parts.count - 1] = .bytes(before + bytes)
            } else {
                self.parts.append(part)
            }
        }
    }

    /// Whether all scalars are of scripts where none joins another and none equals another: not for CR, which joins LF.
    static func isSimple(_ text: UnsafeRawBufferPointer) -> Bool {
        var place = 0
        while place < text.count {
            let byte = text[place]
            if byte < 0x80 {
                guard byte != 0x0D else { return false }
                place += 1
            } else if byte < 0xE0 {
                guard place + 1 < text.count, text[place + 1] & 0xC0 == 0x80 else { return false }
                // Latin letters; Greek and Cyrillic ones, without the marks between and the doubles of ASCII signs.
                switch UInt32(byte & 0x1F) << 6 | UInt32(text[place + 1] & 0x3F) {
                case 0xC0..<0x2B0, 0x388..<0x483, 0x48A..<0x530: place += 2
                default: return false
                }
            } else {
                guard byte < 0xF0, place + 2 < text.count, text[place + 1] & 0xC0 == 0x80, text[place + 2] & 0xC0 == 0x80 else {
                    return false
                }
                // Kana, the ideographs of everyday, and Hangul in whole syllables.
                switch UInt32(byte & 0x0F) << 12 | UInt32(text[place + 1] & 0x3F) << 6 | UInt32(text[place + 2] & 0x3F) {
                case 0x3041..<0x3097, 0x30A1..<0x30FB, 0x4E00..<0x9FA6, 0xAC00..<0xD7A4: place += 3
                default: return false
                }
            }
        }
        return true
    }

    private static func holds(_ text: UnsafeRawBufferPointer, _ bytes: [UInt8], at place: Int) -> Bool {
        guard place + bytes.count <= text.count, let start = text.baseAddress else { return bytes.isEmpty }
        return bytes.withUnsafeBytes { wanted in wanted.baseAddress.map { memcmp($0, start + place, bytes.count) == 0 } ?? true }
    }

    func matches(_ text: UnsafeRawBufferPointer) -> Bool {
        var place = 0
        var part = 0
        // Where the last `*` may take one byte more; that it may stop inside a scalar does no harm, since no part begins there.
        var retry: (part: Int, place: Int)?
        while true {
            if part == parts.count {
                if place == text.count { return true }
            } else {
                switch parts[part] {
                case .many:
                    // Whatever is left is what it stands for.
                    if part + 1 == parts.count { return true }
                    retry = (part + 1, place)
                    part += 1
                    continue
                case .any:
                    if place < text.count, text[place] & 0xC0 != 0x80 {
                        place += text[place] < 0x80 ? 1 : text[place] < 0xE0 ? 2 : 3
                        part += 1
                        continue
                    }
                case .bytes(let bytes):
                    if Self.holds(text, bytes, at: place) {
                        place += bytes.count
                        part += 1
                        continue
                    }
                }
            }
            guard let last = retry, last.place < text.count else { return false }
            retry = (last.part, last.place + 1)
            (part, place) = (last.part, last.place + 1)
        }
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

import Foundation

extension RecognizedContent {
    /// Sixteen bytes with the version and variant of RFC 9562, and not sixteen bytes of text.
    static func uuid(_ head: [UInt8], _ byteCount: Int) -> Kind? {
        guard byteCount == 16, head.count == 16, (0x10...0x8F).contains(head[6]), (0x80...0xBF).contains(head[8]) else {
            return nil
        }
        guard text(head, byteCount: byteCount) == nil else { return nil }
        return head.withUnsafeBytes { bytes in
            // Sixteen bytes, checked above; `uuid_t` is a tuple of bytes and has no alignment.
            .uuid(UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)))
        }
    }

    /// UTF-8 (or UTF-16 with a byte order mark) without control characters other than white space and, now and then, those by which
    /// programs colour and underline what they write: escape, bell and backspace.
    static func text(_ head: [UInt8], byteCount: Int) -> Kind? {
        let isWhole = byteCount == head.count
        guard let text = decoded(head, byteCount: byteCount), !text.isEmpty else { return nil }
        var scalars = 0
        var commands = 0
        let isText = text.unicodeScalars.allSatisfy { scalar in
            scalars += 1
            switch scalar.value {
            case 0x09, 0x0A, 0x0C, 0x0D: return true
            case 0x07, 0x08, 0x1B:
                commands += 1
                return true
            case 0..<0x20, 0x7F..<0xA0: return false
            default: return true
            }
        }
        guard isText, commands * 8 <= scalars else { return nil }
        return .text(format(of: text), excerpt: excerpt(of: text, isWhole: isWhole))
    }

    /// Text in an encoding that is guessed from the bytes.
    static func guessedText(_ head: [UInt8], byteCount: Int) -> Kind? {
        guard let encoding = GuessedText.encoding(of: head, byteCount: byteCount) else { return nil }
        let text = String(decoding: GuessedText.utf8(Data(head), from: encoding), as: UTF8.self)
        return .guessedText(encoding, excerpt: excerpt(of: text, isWhole: byteCount == head.count))
    }

    private static func decoded(_ head: [UInt8], byteCount: Int) -> String? {
        let isWhole = byteCount == head.count
        // An odd number of bytes is no UTF-16, whatever it begins with.
        if byteCount.isMultiple(of: 2), head.starts(with: [0xFE, 0xFF]) || head.starts(with: [0xFF, 0xFE]) {
            var units = UTF16Text.units(of: head.dropFirst(2), bigEndian: head[0] == 0xFE)
            if !isWhole, let last = units.last, (0xD800...0xDBFF).contains(last) { units.removeLast() }
            return String(validating: units, as: UTF16.self)
        }
        var bytes = head[...]
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        if !isWhole {
            // The last character may be cut: drop what of it is there.
            while let last = bytes.last, last & 0xC0 == 0x80 { bytes = bytes.dropLast() }
            if let last = bytes.last, last >= 0xC0 { bytes = bytes.dropLast() }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func format(of text: String) -> TextFormat {
        let start = text.prefix(512).drop(while: \.isWhitespace)
        if start.hasPrefix("<?xml") || start.hasPrefix("<!DOCTYPE") || start.hasPrefix("<plist") {
            return text.contains("<plist") ? .propertyList : .xml
        }
        guard let first = start.first, first == "{" || first == "[" else { return .plain }
        // An OpenStep list starts with a brace as well; JSON goes on with a quote, a bracket or a number.
        guard let next = start.dropFirst().first(where: { !$0.isWhitespace }) else { return .plain }
        if first == "{" { return next == "\"" && !start.contains("\" =") || next == "}" ? .json : .plain }
        return "\"{[]-0123456789tfn".contains(next) ? .json : .plain
    }

    /// The first 60 characters, white space run together.
    private static func excerpt(of text: String, isWhole: Bool) -> String {
        let words = text.prefix(256).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let shown = words.prefix(60)
        let isCut = shown.count < words.count || text.dropFirst(256).first != nil || !isWhole
        return shown + (isCut ? "…" : "")
    }
}

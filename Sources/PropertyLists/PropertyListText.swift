internal import Foundation

/// The text formats' bytes, whatever their encoding, as UTF-8.
enum PropertyListText {
    /// The text without its byte order mark. Throws when it is not text, or in an encoding that is not known.
    static func utf8(from bytes: [UInt8]) throws(PropertyListError) -> [UInt8] {
        let text = try decoded(bytes)
        if let position = text.firstIndex(of: 0) {
            let line = text[..<position].reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
            throw .malformed("a NUL byte", line: line)
        }
        guard text.contains(where: { $0 > 0x20 }) else { throw PropertyListError(cause: .empty) }
        return text
    }

    /// Whether the text begins as XML does.
    static func isMarkup(_ text: [UInt8]) -> Bool {
        guard let first = text.firstIndex(where: { $0 > 0x20 }), text[first] == UInt8(ascii: "<"), first + 1 < text.count else {
            return false
        }
        // `<` also begins the old format's data, whose bytes are in hexadecimal, and whose dictionary can begin with a key `<…`
        // never: what follows tells them apart, but for names made of a–f, which no element of a property list is.
        switch text[first + 1] {
        case UInt8(ascii: "?"), UInt8(ascii: "!"): return true
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
            let name = text[(first + 1)...].prefix { isNameByte($0) }
            return !name.allSatisfy { isHexadecimal($0) }
        default: return false
        }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    private static func decoded(_ bytes: [UInt8]) throws(PropertyListError) -> [UInt8] {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return try validated(Array(bytes[3...])) }
        if bytes.starts(with: [0, 0, 0xFE, 0xFF]) { return try converted(bytes, from: .utf32BigEndian, skipping: 4) }
        if bytes.starts(with: [0xFF, 0xFE, 0, 0]) { return try converted(bytes, from: .utf32LittleEndian, skipping: 4) }
        if bytes.starts(with: [0xFE, 0xFF]) { return try converted(bytes, from: .utf16BigEndian, skipping: 2) }
        if bytes.starts(with: [0xFF, 0xFE]) { return try converted(bytes, from: .utf16LittleEndian, skipping: 2) }
        // Without a mark: a property list begins with an ASCII character, whose other half then is zero.
        if bytes.count >= 4, bytes.count.isMultiple(of: 2) {
            if bytes[0] == 0, bytes[1] != 0, bytes[2] == 0, bytes[3] != 0 {
                return try converted(bytes, from: .utf16BigEndian, skipping: 0)
            }
            if bytes[0] != 0, bytes[1] == 0, bytes[2] != 0, bytes[3] == 0 {
                return try converted(bytes, from: .utf16LittleEndian, skipping: 0)
            }
        }
        guard let name = declaredEncoding(bytes) else { return try validated(bytes) }
        switch name.lowercased() {
        case "utf-8", "utf8", "us-ascii", "ascii": return try validated(bytes)
        case "iso-8859-1", "latin1", "iso_8859-1": return try converted(bytes, from: .isoLatin1, skipping: 0)
        case "iso-8859-2": return try converted(bytes, from: .isoLatin2, skipping: 0)
        case "windows-1252", "cp1252": return try converted(bytes, from: .windowsCP1252, skipping: 0)
        case "macintosh", "macroman", "x-mac-roman": return try converted(bytes, from: .macOSRoman, skipping: 0)
        case "shift_jis", "shift-jis": return try converted(bytes, from: .shiftJIS, skipping: 0)
        case "euc-jp": return try converted(bytes, from: .japaneseEUC, skipping: 0)
        default: throw .malformed("its encoding “\(name)” is not known", line: 1)
        }
    }

    private static func converted(
        _ bytes: [UInt8], from encoding: String.Encoding, skipping mark: Int
    ) throws(PropertyListError) -> [UInt8] {
        guard let text = String(data: Data(bytes[mark...]), encoding: encoding) else {
            throw .malformed("its text is damaged: not in the encoding that its beginning says")
        }
        return Array(text.utf8)
    }

    private static func validated(_ bytes: [UInt8]) throws(PropertyListError) -> [UInt8] {
        if String(validating: bytes, as: UTF8.self) != nil { return bytes }
        // UTF-8 never has a line end inside a character, so the first line that is invalid alone is the one.
        var line = 1
        for part in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            if String(validating: part, as: UTF8.self) == nil { break }
            line += 1
        }
        throw .malformed("not text in UTF-8", line: line)
    }

    /// The `encoding` of an XML declaration in an ASCII-like encoding; nil when there is none.
    private static func declaredEncoding(_ bytes: [UInt8]) -> String? {
        let head = bytes.prefix(256)
        guard head.starts(with: "<?xml".utf8), let end = head.firstIndex(of: UInt8(ascii: ">")) else { return nil }
        let declaration = String(decoding: head[..<end], as: UTF8.self)
        guard let range = declaration.range(of: "encoding") else { return nil }
        let rest = declaration[range.upperBound...].drop { $0 == " " || $0 == "=" }
        guard let quote = rest.first, quote == "\"" || quote == "'" else { return nil }
        return String(rest.dropFirst().prefix { $0 != quote })
    }
}

internal import Foundation

extension OpenStepParser {
    func failure(_ reason: String, line other: Int? = nil) -> PropertyListError { .malformed(reason, line: other ?? line) }

    /// The line of the last character before `position` that is not blank: where something is missing.
    var lastLine: Int {
        var line = self.line
        var index = min(position, text.count) - 1
        while index >= 0, isBlank(text[index]) {
            if text[index] == UInt8(ascii: "\n") { line -= 1 }
            index -= 1
        }
        return line
    }

    /// The character at `position`, for a message.
    var found: String {
        guard position < text.count else { return "the end of the file" }
        guard let scalar = String(decoding: text[position...].prefix(4), as: UTF8.self).unicodeScalars.first else {
            return "nothing"
        }
        return scalar.properties.generalCategory == .control
            ? "character U+" + String(scalar.value, radix: 16, uppercase: true) : "“\(Character(scalar))”"
    }

    /// A key as a message quotes it.
    func shortened(_ key: String) -> String { key.count > 40 ? key.prefix(40) + "…" : key }

    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// Skips blanks, both kinds of comments, and Unicode's line and paragraph separators.
    mutating func skipBlank() throws(PropertyListError) {
        while position < text.count {
            let byte = text[position]
            if isBlank(byte) {
                if byte == UInt8(ascii: "\n") { line += 1 }
                position += 1
            } else if byte == 0xE2, position + 2 < text.count, text[position + 1] == 0x80, text[position + 2] & 0xFE == 0xA8 {
                position += 3
            } else if byte == UInt8(ascii: "/"), position + 1 < text.count, text[position + 1] == UInt8(ascii: "/") {
                while position < text.count, text[position] != UInt8(ascii: "\n"), text[position] != UInt8(ascii: "\r") {
                    position += 1
                }
            } else if byte == UInt8(ascii: "/"), position + 1 < text.count, text[position + 1] == UInt8(ascii: "*") {
                try skipComment()
            } else {
                return
            }
        }
    }

    private mutating func skipComment() throws(PropertyListError) {
        let opened = line
        position += 2
        while position + 1 < text.count {
            if text[position] == UInt8(ascii: "*"), text[position + 1] == UInt8(ascii: "/") {
                position += 2
                return
            }
            if text[position] == UInt8(ascii: "\n") { line += 1 }
            position += 1
        }
        throw failure("the comment that begins in line \(opened) has no end", line: opened)
    }

    private func isBare(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "."), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    /// A quoted or bare string; `expecting` says in a message what belongs here.
    mutating func string(expecting: String) throws(PropertyListError) -> String {
        guard position < text.count else { throw failure("the file ends where \(expecting) belongs") }
        let first = text[position]
        if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") { return try quotedString(quote: first) }
        let start = position
        while position < text.count, isBare(text[position]) { position += 1 }
        guard position > start else {
            // A letter outside ASCII, a sign such as + or @: fine inside quotes only.
            throw failure(
                "\(found) where \(expecting) belongs\(first > 0x7F || first == UInt8(ascii: "+") ? "; such text needs quotes" : "")"
            )
        }
        return String(decoding: text[start..<position], as: UTF8.self)
    }

    private mutating func quotedString(quote: UInt8) throws(PropertyListError) -> String {
        let opened = line
        position += 1
        var bytes: [UInt8] = []
        // Escapes give UTF-16 units; the halves of a pair come as two of them.
        var units: [UInt16] = []
        func flush(_ units: inout [UInt16], into bytes: inout [UInt8]) {
            guard !units.isEmpty else { return }
            bytes.append(contentsOf: String(decoding: units, as: UTF16.self).utf8)
            units.removeAll(keepingCapacity: true)
        }
        while position < text.count {
            let byte = text[position]
            position += 1
            if byte == UInt8(ascii: "\\") {
                guard position < text.count else { break }
                // A backslash before a character outside ASCII stands for that character.
                if text[position] < 0x80 { units.append(escapedUnit()) }
                continue
            }
            flush(&units, into: &bytes)
            if byte == quote { return String(decoding: bytes, as: UTF8.self) }
            if byte == UInt8(ascii: "\n") { line += 1 }
            bytes.append(byte)
        }
        throw failure("the string that begins in line \(opened) has no closing quote", line: opened)
    }

    /// The UTF-16 unit of the escape whose character after the backslash is at `position`.
    private mutating func escapedUnit() -> UInt16 {
        let byte = text[position]
        position += 1
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "7"):
            var code = UInt32(byte - UInt8(ascii: "0"))
            var digits = 1
            while digits < 3, position < text.count, (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(text[position]) {
                code = code << 3 | UInt32(text[position] - UInt8(ascii: "0"))
                position += 1
                digits += 1
            }
            return nextStepUnit(UInt8(truncatingIfNeeded: code))
        case UInt8(ascii: "U"):
            var code: UInt16 = 0
            var digits = 0
            while digits < 4, position < text.count, let digit = JSONEscape.digit(text[position]) {
                code = code << 4 | digit
                position += 1
                digits += 1
            }
            return code
        case UInt8(ascii: "a"): return 0x07
        case UInt8(ascii: "b"): return 0x08
        case UInt8(ascii: "f"): return 0x0C
        case UInt8(ascii: "n"): return 0x0A
        case UInt8(ascii: "r"): return 0x0D
        case UInt8(ascii: "t"): return 0x09
        case UInt8(ascii: "v"): return 0x0B
        case UInt8(ascii: "\n"):
            line += 1
            return 0x0A
        default: return UInt16(byte)
        }
    }

    /// Octal escapes are in the NEXTSTEP encoding.
    private func nextStepUnit(_ byte: UInt8) -> UInt16 {
        guard byte > 0x7F else { return UInt16(byte) }
        return String(data: Data([byte]), encoding: .nextstep)?.utf16.first ?? 0xFFFD
    }
}

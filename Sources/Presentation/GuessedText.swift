package import Foundation

/// Text whose encoding nothing says: what programs older than UTF-8 have left in columns of bytes. A guess, and said to be one.
package enum GuessedText {
    /// The raw value is the name in summaries.
    package enum Encoding: String, Sendable, CaseIterable {
        case latin1 = "Latin-1"
        case windows1252 = "Windows-1252"
        case utf16LittleEndian = "UTF-16LE"
        case utf16BigEndian = "UTF-16BE"
    }

    /// Fewer bytes look like anything.
    private static let leastBytes = 4

    /// The encoding in which the first bytes are text, nil if in none: printable characters and white space alone, of Western
    /// languages, so that letters with accents are few among the others.
    ///
    /// - Parameter byteCount: of the whole value.
    static func encoding(of head: [UInt8], byteCount: Int) -> Encoding? {
        guard head.count >= leastBytes else { return nil }
        return utf16(head, byteCount) ?? single(head)
    }

    private static func single(_ head: [UInt8]) -> Encoding? {
        var high = 0
        var hasWindowsLetters = false
        for byte in head {
            switch byte {
            case 0x09, 0x0A, 0x0C, 0x0D, 0x20..<0x7F: continue
            // Windows-1252 leaves these out.
            case 0x81, 0x8D, 0x8F, 0x90, 0x9D: return nil
            case 0x80..<0xA0: hasWindowsLetters = true
            case 0xA0...0xFF: break
            default: return nil
            }
            high += 1
        }
        // Without any it would be ASCII, which is UTF-8.
        guard high > 0, high * 4 <= head.count else { return nil }
        return hasWindowsLetters ? .windows1252 : .latin1
    }

    /// Every other byte is zero, but for few.
    private static func utf16(_ head: [UInt8], _ byteCount: Int) -> Encoding? {
        guard byteCount.isMultiple(of: 2), head.count >= 2 * leastBytes else { return nil }
        for encoding in [Encoding.utf16LittleEndian, .utf16BigEndian] {
            let units = UTF16Text.units(of: head, bigEndian: encoding == .utf16BigEndian)
            let isPrintable = units.allSatisfy { unit in
                switch unit {
                case 0x09, 0x0A, 0x0C, 0x0D, 0x20..<0x7F, 0xA0..<0xD800, 0xE000..<0xFFFE: true
                default: false
                }
            }
            if isPrintable, units.count(where: { $0 >= 0x80 }) * 4 <= units.count { return encoding }
        }
        return nil
    }

    /// The text in UTF-8; what has no meaning in the encoding becomes replacement characters. O(n).
    package static func utf8(_ bytes: Data, from encoding: Encoding) -> Data {
        switch encoding {
        case .utf16LittleEndian, .utf16BigEndian:
            let units = UTF16Text.units(of: bytes, bigEndian: encoding == .utf16BigEndian)
            return Data(String(decoding: units, as: UTF16.self).utf8)
        case .latin1, .windows1252:
            var text: [UInt8] = []
            text.reserveCapacity(bytes.count + bytes.count / 4)
            for byte in bytes {
                guard byte >= 0x80 else {
                    text.append(byte)
                    continue
                }
                let value = byte < 0xA0 && encoding == .windows1252 ? windowsLetters[Int(byte - 0x80)] : UInt16(byte)
                text.append(contentsOf: Character(Unicode.Scalar(value) ?? "\u{FFFD}").utf8)
            }
            return Data(text)
        }
    }

    /// Windows-1252 from 0x80 to 0x9F.
    private static let windowsLetters: [UInt16] = [
        0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0xFFFD, 0x017D,
        0xFFFD, 0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0xFFFD,
        0x017E, 0x0178,
    ]
}

import Foundation
import PropertyLists
import TestSupport
import Testing

@Suite struct JSONEscapeTests {
    /// What a letter behind a backslash stands for, for all bytes, by Foundation's reader.
    @Test func letters() {
        for byte in UInt8(0)..<0x80 {
            let json = Data([0x22, 0x5C, byte, 0x22])
            let text = (try? JSONSerialization.jsonObject(with: json, options: .fragmentsAllowed)) as? String
            #expect(JSONEscape.byte(for: byte) == text?.utf8.first, "\(byte)")
        }
    }

    @Test func digits() {
        for byte in UInt8.min...UInt8.max {
            let known = Character(Unicode.Scalar(byte)).isASCII ? Character(Unicode.Scalar(byte)).hexDigitValue : nil
            #expect(JSONEscape.digit(byte).map(Int.init) == known, "\(byte)")
        }
        for unit in UInt16.min...UInt16.max {
            let text = JSONEscape.text(of: unit)
            guard text.hasPrefix("\\u"), JSONEscape.unit(text.utf8.dropFirst(2)) == unit else {
                Issue.record("\(text)")
                break
            }
        }
        // Neither signs nor spaces, nor more or fewer digits.
        for text in ["", "1", "123", "12345", "+123", "-123", " 123", "123g", "１２３４"] {
            #expect(JSONEscape.unit(text.utf8) == nil)
        }
    }

    @Test(arguments: [UInt64(1), 2, 3]) func pairs(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<5000 {
            let units = (0..<2).map { _ in UInt16.random(in: 0xD700...0xE100, using: &generator) }
            let text = Array(String(decoding: units, as: UTF16.self).unicodeScalars)
            let isPair = text.count == 1
            #expect(Unicode.Scalar(highSurrogate: units[0], low: units[1]) == (isPair ? text[0] : nil))
        }
    }
}

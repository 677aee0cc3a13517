import ObjectStore
import TestSupport
import Testing

@Suite struct DecimalTextTests {
    private func number(_ text: String, lenient: Bool = false) -> DecimalText.Number? {
        var text = text
        return text.withUTF8 { DecimalText.number($0, lenient: lenient) }
    }

    @Test(
        arguments: [
            ("0", .integer(0)), ("-0", .double(-0.0)), ("12", .integer(12)), ("-9223372036854775808", .integer(.min)),
            ("9223372036854775807", .integer(.max)), ("9223372036854775808", .long(nearest: 9_223_372_036_854_775_808)),
            ("1.10", .double(1.1)), ("1e2", .double(100)), ("0.1234567890123456", .double(0.1234567890123456)),
            ("0.123456789012345678", .long(nearest: 0.123456789012345678)), ("1000000000000000000.0", .double(1e18)),
            ("1e400", .long(nearest: .infinity)), ("-1e400", .long(nearest: -.infinity)), ("1e-400", .long(nearest: 0)),
            ("0e9999999", .double(0)), ("01", nil), ("+1", nil), ("1.", nil), (".5", nil), ("1e", nil), ("", nil), ("-", nil),
            ("1x", nil),
            ("0x10", nil), ("inf", nil), ("nan", nil), (" 1", nil),
        ] as [(String, DecimalText.Number?)])
    func known(text: String, expected: DecimalText.Number?) { #expect(number(text) == expected) }

    @Test func leniently() {
        #expect(number(".5", lenient: true) == .double(0.5) && number("-.5", lenient: true) == .double(-0.5))
        #expect(number(".", lenient: true) == nil && number("-", lenient: true) == nil)
    }

    /// Whatever digits there are: the value is the library's, and it is exact where as many digits as were written come back.
    @Test(arguments: [UInt64(1), 2, 3, 4]) func againstTheLibrary(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<4000 {
            func digits(_ range: ClosedRange<Int>) -> String {
                (0..<Int.random(in: range, using: &generator)).map { _ in String(Int.random(in: 0...9, using: &generator)) }
                    .joined()
            }
            var text = Bool.random(using: &generator) ? "-" : ""
            text += String(Int.random(in: 1...9, using: &generator)) + digits(0...20)
            if Bool.random(using: &generator) { text += "." + digits(1...6) }
            if Int.random(in: 0..<4, using: &generator) == 0 { text += "e" + String(Int.random(in: -30...30, using: &generator)) }
            switch number(text) {
            case .integer(let value)?: #expect(Int64(text) == value)
            case .double(let value)?:
                #expect(Double(text) == value && Int64(text) == nil)
                #expect(text.prefix { $0 != "e" }.filter(\.isNumber).count <= 17 || text.contains("0"))
            case .long(let nearest)?: #expect(Double(text) == nearest && Int64(text) == nil)
            case nil: Issue.record("\(text)")
            }
        }
    }
}

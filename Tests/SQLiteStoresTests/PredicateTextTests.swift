import ObjectStore
import Testing

@testable import SQLiteStores

/// The fast ways of folding and of `LIKE` beside the plain ones.
@Suite struct PredicateTextTests {
    private static let ranges: [Range<UInt32>] = [
        0..<0x80, 0x20..<0x180, 0x80..<0x250, 0x250..<0x600, 0x900..<0xA00, 0x1100..<0x1200, 0x1E00..<0x2000, 0x2000..<0x2200,
        0x3000..<0x3130, 0xAC00..<0xB000, 0xF900..<0x1_0000, 0..<0x1_1000,
    ]

    private static func text(_ most: Int, _ range: Range<UInt32>, _ random: inout SeededGenerator) -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...most, using: &random) {
            if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) { text.append(scalar) }
        }
        return String(text)
    }

    @Test(arguments: 0...7) func foldingAgreesWithTheRule(rule: Int) {
        var random = SeededGenerator(seed: UInt64(rule) + 1)
        let rule = PredicateFolding.Rule(rawValue: rule)
        let folding = PredicateFolding()
        let plain = PredicateNormalizer()
        for range in Self.ranges {
            for _ in 0..<1_000 {
                var text = Self.text(6, range, &random)
                let fast = text.withUTF8 { folding.folded(UnsafeRawBufferPointer($0), rule) { Array($0) } }
                // No rule at all leaves a text as it is.
                let wanted = rule.isEmpty ? Array(text.utf8) : plain.fold(Array(text.utf16), rule)
                let isSame = fast == wanted
                #expect(isSame, "\(text.unicodeScalars.map { String($0.value, radix: 16) })")
            }
        }
    }

    @Test func likeAgreesWithThePlainWay() {
        var random = SeededGenerator(seed: 9)
        let alphabets = ["ab", "abé", "aß東ひ", "aя\u{301}", "ab\r\n", "a한👨‍👩‍👧", "a\u{2126}Ω", ";\u{37E}ʹ\u{374}"].map {
            Array($0.unicodeScalars)
        }
        for round in 0..<40_000 {
            let letters = alphabets[round % alphabets.count]
            func make(_ most: Int, _ others: String) -> String {
                var text = String.UnicodeScalarView()
                for _ in 0..<Int.random(in: 0...most, using: &random) {
                    if let other = others.unicodeScalars.randomElement(using: &random), Bool.random(using: &random) {
                        text.append(other)
                    } else if let letter = letters.randomElement(using: &random) {
                        text.append(letter)
                    }
                }
                return String(text)
            }
            var text = make(8, "")
            let source = make(6, "*?*\\")
            let pattern = WildcardPattern(source)
            let fast = text.withUTF8 { pattern.matches(UnsafeRawBufferPointer($0)) }
            #expect(fast == pattern.matches(text), "\(text.debugDescription) \(source.debugDescription)")
        }
    }
}

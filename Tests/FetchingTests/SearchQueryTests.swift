import Foundation
import TestSupport
import Testing

@testable import Fetching

struct SearchQueryTests {
    /// The rule, with the stand-ins for the bytes that part texts.
    private static func reference(_ text: String) -> [UInt8] { SearchFolding.plainFold(text).utf8.map { max($0, 2) } }

    private static func random(_ length: Int, _ scalars: Range<UInt32>, _ random: inout SeededGenerator) -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<length {
            if let scalar = Unicode.Scalar(UInt32.random(in: scalars, using: &random)) { text.append(scalar) }
        }
        return String(text)
    }

    @Test func tableAgreesWithFoundation() {
        for value in UInt32(0)..<0x250 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            #expect(SearchFolding.fold(String(scalar)) == Self.reference(String(scalar)), "U+\(String(value, radix: 16))")
        }
    }

    @Test func randomTextsAgreeWithFoundation() {
        var random = SeededGenerator(seed: 5)
        for range in [UInt32(0)..<0x250, 0x20..<0x180, 0x60..<0x3000, 0..<0x1_1000] {
            for _ in 0..<2_000 {
                let text = Self.random(Int.random(in: 0...12, using: &random), range, &random)
                #expect(
                    SearchFolding.fold(text) == Self.reference(text), "\(text.unicodeScalars.map { String($0.value, radix: 16) })"
                )
            }
        }
    }

    @Test func matchesAgreeWithAPlainSearch() {
        var random = SeededGenerator(seed: 6)
        let letters = Array("aAäÄbßSé e\u{301}東")
        func text(_ most: Int) -> String {
            String((0..<Int.random(in: 0...most, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a" })
        }
        for _ in 0..<5_000 {
            let (whole, typed) = (text(10), text(4))
            let query = SearchQuery(typed)
            let folded = SearchFolding.plainFold(whole)
            let words = typed.split(separator: " ").map { SearchFolding.plainFold(String($0)) }
            let isHit = words.allSatisfy { Data(folded.utf8).range(of: Data($0.utf8)) != nil || $0.isEmpty }
            #expect(query.matches(whole) == isHit, "\(whole) \(typed)")
            // What is marked is there, and whatever matches has marks.
            let ranges = query.ranges(in: whole)
            if isHit, !query.isEmpty { #expect(!ranges.isEmpty, "\(whole) \(typed)") }
            for range in ranges {
                let part = Data(SearchFolding.fold(String(whole[range])))
                #expect(words.contains { part.range(of: Data($0.utf8)) != nil }, "\(whole) \(typed)")
            }
        }
    }
}

import Fetching
import TestSupport
import Testing

/// CDL's index bar (SPEC section 3), against the rule written out plainly.
struct SectionIndexTests {
    static let alphabet = ["#"] + (0..<26).map { String(UnicodeScalar(UInt8(ascii: "A") + UInt8($0))) }

    /// Where a letter leads, by SPEC's sentence: its own section, else the nearest in its half, else the first or last section.
    static func destination(of letter: String, titles: [String]) -> Int {
        if let own = titles.firstIndex(of: letter) { return own }
        let place = alphabet.firstIndex(of: letter) ?? 0
        let isFirstHalf = letter <= "M"
        let half = isFirstHalf ? "ABCDEFGHIJKL" : "MNOPQRSTUVWXYZ"
        let candidates = half.map(String.init).filter(titles.contains).map { other in
            (letter: other, place: alphabet.firstIndex(of: other) ?? 0)
        }
        guard let nearest = candidates.map({ abs($0.place - place) }).min() else { return isFirstHalf ? 0 : titles.count - 1 }
        let later = candidates.filter { abs($0.place - place) == nearest }.max { $0.place < $1.place }
        return titles.firstIndex(of: later?.letter ?? "") ?? -1
    }

    private func check(_ titles: [String]) {
        let index = SectionIndex(titles: titles, alphabetical: true)
        guard !titles.isEmpty else {
            #expect(index.entries.isEmpty)
            return
        }
        #expect(index.entries.map(\.title) == Self.alphabet)
        for entry in index.entries {
            #expect(entry.section == Self.destination(of: entry.title, titles: titles), "\(entry.title) in \(titles)")
        }
        for (section, title) in titles.enumerated() {
            #expect(index.entry(forSection: section).map { index.entries[$0].title } == title)
        }
    }

    @Test func allSubsetsOfSomeLetters() {
        let letters = ["#", "A", "C", "F", "K", "L", "M", "N", "Q", "Z"]
        for subset in 0..<(1 << letters.count) {
            check(letters.indices.filter { subset >> $0 & 1 == 1 }.map { letters[$0] })
        }
    }

    @Test func randomSubsetsInAnyOrder() {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<2_000 {
            let share = Int.random(in: 0...10, using: &random)
            check(Self.alphabet.filter { _ in Int.random(in: 0..<10, using: &random) < share }.shuffled(using: &random))
        }
    }

    /// What SPEC says in words, by example: K and Q are there.
    @Test func examples() {
        let index = SectionIndex(titles: ["#", "A", "D", "F", "K", "Q"], alphabetical: true)
        let found = Dictionary(uniqueKeysWithValues: index.entries.map { ($0.title, $0.section) })
        // B is as near to A as C to D; E lies between D and F, of which the later counts.
        #expect(found["B"] == 1 && found["C"] == 2 && found["E"] == 3)
        #expect(found["M"] == 4 && found["N"] == 5 && found["Z"] == 5)
        // M has no section, and N to Z do not look before it.
        #expect(SectionIndex(titles: ["A", "L"], alphabetical: true).entries.last?.section == 1)
        #expect(SectionIndex(titles: ["Z", "N"], alphabetical: true).entries.first?.section == 0)
    }

    @Test func lettersOfTitles() {
        let titles: [String?] = [
            nil, "", "123", "apple", "Éclair", "Ångström", "ﬁn", "Ж", "東京", "жук", " x", "\u{301}", "Zebra", "ß", "😀", "\u{0}",
        ]
        let index = SectionIndex(titles: titles, alphabetical: true)
        #expect(index.entries.map(\.title) == Self.alphabet + ["Ж", "東"])
        let letters = titles.indices.map { section in index.entry(forSection: section).map { index.entries[$0].title } ?? "?" }
        #expect(letters == ["#", "#", "#", "A", "E", "A", "F", "Ж", "東", "Ж", "#", "#", "Z", "S", "#", "#"])
        #expect(index.entries.first { $0.title == "Ж" }?.section == 7)
        #expect(index.entries.first { $0.title == "A" }?.section == 3)
    }

    @Test func ownTitlesEachLetterOnce() {
        let index = SectionIndex(
            titles: ["Noble gas", "Alkali", nil, "actinide", "Éa", "", "1", "nonmetal"], alphabetical: false)
        #expect(index.entries.map(\.title) == ["N", "A", "#", "É", "1"])
        #expect(index.entries.map(\.section) == [0, 1, 2, 4, 6])
        #expect((0..<8).map { index.entry(forSection: $0) } == [0, 1, 2, 1, 3, 2, 4, 0])
        #expect(index.entry(forSection: 8) == nil && index.entry(forSection: -1) == nil)
    }

    @Test func typedLetters() {
        let index = SectionIndex(titles: ["A", "Q", "Ж"], alphabetical: true)
        func title(_ typed: Character) -> String? { index.entry(forTyped: typed).map { index.entries[$0].title } }
        #expect(title("q") == "Q" && title("Q") == "Q" && title("É") == "E" && title("ж") == "Ж")
        #expect(title("#") == "#" && title("7") == "#")
        #expect(title("!") == nil && title("東") == nil)
        let own = SectionIndex(titles: ["Noble", "1"], alphabetical: false)
        #expect(own.entry(forTyped: "n") == 0 && own.entry(forTyped: "1") == 1)
        // None among A to L: the first; among M to Z the nearest.
        #expect(own.entry(forTyped: "b") == 0 && own.entry(forTyped: "z") == 0 && own.entry(forTyped: "7") == 1)
        #expect(own.entry(forTyped: " ") == nil && own.entry(forTyped: "東") == nil)
        let several = SectionIndex(titles: ["Noble", "Éa", "Halogen", "Actinide"], alphabetical: false)
        func nearest(_ typed: Character) -> String? { several.entry(forTyped: typed).map { several.entries[$0].title } }
        #expect(nearest("b") == "A" && nearest("c") == "É" && nearest("e") == "É" && nearest("g") == "H" && nearest("k") == "H")
        #expect(nearest("m") == "H" && nearest("z") == "N" && nearest("#") == "A" && nearest("q") == "N")
        let none = SectionIndex(titles: ["Alpha", "Beta"], alphabetical: false)
        #expect(none.entry(forTyped: "z") == 1 && none.entry(forTyped: "k") == 1)
        #expect(SectionIndex(titles: [], alphabetical: false).entry(forTyped: "a") == nil)
    }
}

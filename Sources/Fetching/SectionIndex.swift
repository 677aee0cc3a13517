import Foundation

/// The index of a sectioned list: its letters, and the section that each leads to.
///
/// Made once for a list of sections, in O(sections).
package struct SectionIndex: Sendable, Equatable {
    package struct Entry: Sendable, Equatable {
        package let title: String
        /// Index of the section that the entry leads to.
        package let section: Int
    }

    package let entries: [Entry]
    /// For each section the entry that stands for it.
    private let entryOfSection: [Int]

    /// - Parameters:
    ///   - titles: the sections' titles in order; nil for the section of missing values.
    ///   - alphabetical: whether the whole alphabet is there, `#` and `A` to `Z`, or the sections' own letters only.
    package init(titles: [String?], alphabetical: Bool) {
        let letters = titles.map { Self.letter(of: $0, alphabetical: alphabetical) }
        var firstSection: [String: Int] = [:]
        var ownLetters: [String] = []
        for (section, letter) in letters.enumerated() where firstSection[letter] == nil {
            firstSection[letter] = section
            ownLetters.append(letter)
        }
        var shown = ownLetters
        if alphabetical {
            let outside = ownLetters.filter { !Self.alphabet.contains($0) }
            shown = Self.alphabet + outside
        }
        guard !titles.isEmpty else {
            entries = []
            entryOfSection = []
            return
        }
        let present = Self.alphabet.map { firstSection[$0] != nil }
        entries = shown.enumerated().map { place, letter in
            Entry(
                title: letter,
                section: firstSection[letter] ?? Self.nearest(to: place, present: present).flatMap {
                    firstSection[Self.alphabet[$0]]
                }
                    ?? (place <= Self.lastOfFirstHalf ? 0 : titles.count - 1))
        }
        let places = Dictionary(shown.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        entryOfSection = letters.map { places[$0] ?? 0 }
    }

    /// The entry that stands for a section.
    package func entry(forSection section: Int) -> Int? {
        entryOfSection.indices.contains(section) ? entryOfSection[section] : nil
    }

    /// The entry of a letter as typed; É is found under E. A letter of the alphabet that is not there stands for the nearest, by CDL's
    /// rule; nil for anything else that is not there.
    package func entry(forTyped character: Character) -> Int? {
        let exact = String(character).uppercased()
        if let place = entries.firstIndex(where: { $0.title == exact }) { return place }
        let letter = Self.letter(of: exact, alphabetical: true)
        guard letter != "#" || character == "#" || character.isNumber else { return nil }
        if let place = entries.firstIndex(where: { $0.title == letter }) { return place }
        guard let place = Self.alphabet.firstIndex(of: letter), !entries.isEmpty else { return nil }
        let letters = entries.map { Self.letter(of: $0.title, alphabetical: true) }
        let present = Self.alphabet.map { letters.contains($0) }
        if present[place] { return letters.firstIndex(of: letter) }
        let nearest = Self.nearest(to: place, present: present).flatMap { letters.firstIndex(of: Self.alphabet[$0]) }
        return nearest ?? (place <= Self.lastOfFirstHalf ? 0 : entries.count - 1)
    }

    // MARK: CDL's rule

    private static let alphabet: [String] = ["#"] + (UInt8(ascii: "A")...UInt8(ascii: "Z")).map { String(UnicodeScalar($0)) }
    /// Place of `M`, the last letter that looks among the first half.
    private static let lastOfFirstHalf = 13

    /// The nearest letter that has a section: `#` and `A`–`M` look among `A`–`L`, `N`–`Z` among `M`–`Z`; the later of two equally
    /// near wins. The rule is CDL's.
    private static func nearest(to place: Int, present: [Bool]) -> Int? {
        let half = place <= lastOfFirstHalf ? 1...12 : 13...26
        var best: Int?
        for candidate in half where present[candidate] {
            if best.map({ abs(candidate - place) <= abs($0 - place) }) ?? true { best = candidate }
        }
        return best
    }

    /// The letter that a title is found under.
    ///
    /// In the alphabet: the first letter, upper-cased and without diacritics; a letter of another script is its own; all else is `#`.
    /// Otherwise the title's first character, upper-cased.
    static func letter(of title: String?, alphabetical: Bool) -> String {
        guard let title, let first = title.first else { return "#" }
        if let ascii = first.asciiValue {
            switch ascii {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): return String(UnicodeScalar(ascii - 32))
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): return String(first)
            default: return alphabetical ? "#" : String(first)
            }
        }
        guard alphabetical else { return String(String(first).uppercased().prefix(1)) }
        // A cluster can hold any number of marks: the first scalars are enough to find its letter.
        var start = String.UnicodeScalarView()
        start.append(contentsOf: first.unicodeScalars.prefix(2))
        guard let scalar = String(start).decomposedStringWithCanonicalMapping.uppercased().unicodeScalars.first else {
            return "#"
        }
        return scalar.properties.isAlphabetic ? String(scalar) : "#"
    }
}

/// What is searched for: words that a text has to hold, all of them, in any order, whatever their case and diacritics.
package struct SearchQuery: Sendable, Hashable {
    package let text: String
    /// Each word folded, as UTF-8.
    let words: [[UInt8]]

    package init(_ text: String) {
        self.text = text
        words = text.split(whereSeparator: \.isWhitespace).map { SearchFolding.fold(String($0)) }.filter { !$0.isEmpty }
    }

    /// Nothing is searched for.
    package var isEmpty: Bool { words.isEmpty }

    /// Whether every text that this finds the other finds too, because only letters were added at its end.
    func narrows(_ other: SearchQuery) -> Bool {
        guard words.count >= other.words.count else { return false }
        return zip(words, other.words).allSatisfy { $0.starts(with: $1) }
    }

    /// Whether a text holds all words.
    package func matches(_ text: String) -> Bool {
        let folded = SearchFolding.fold(text)
        return words.allSatisfy { SearchFolding.find($0, in: folded, from: 0) != nil }
    }

    /// Where the words stand in a text, to mark them; looks at its first characters only.
    ///
    /// - Parameter limit: so many characters are looked at.
    package func ranges(in text: String, limit: Int = 1_000) -> [Range<String.Index>] {
        guard !isEmpty else { return [] }
        var folded: [UInt8] = []
        // For each folded byte the character that it comes from.
        var starts: [String.Index] = []
        var index = text.startIndex
        var seen = 0
        while index < text.endIndex, seen < limit {
            let bytes = SearchFolding.fold(String(text[index]))
            folded += bytes
            for _ in bytes { starts.append(index) }
            index = text.index(after: index)
            seen += 1
        }
        var ranges: [Range<String.Index>] = []
        for word in words {
            var from = 0
            while let found = SearchFolding.find(word, in: folded, from: from) {
                let last = found + word.count - 1
                ranges.append(starts[found]..<text.index(after: starts[last]))
                from = found + word.count
            }
        }
        return ranges
    }
}

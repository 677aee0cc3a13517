internal import CMemorySearch
import Foundation

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

/// Texts without regard to case and diacritics, as UTF-8.
enum SearchFolding {
    static func fold(_ text: String) -> [UInt8] {
        var result: [UInt8] = []
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0), to: &result) }
        return result
    }

    /// Foundation's folding: the rule that the fast ways below have to agree with.
    static func plainFold(_ text: String) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    }

    /// First scalar that the table does not have; those below make up the Latin alphabets of Europe.
    private static let tableEnd: UInt32 = 0x250
    /// Scalars from U+0080 on, each folded for itself.
    private static let table: [[UInt8]] = (0x80..<tableEnd).map { value in
        Unicode.Scalar(value).map { Array(plainFold(String($0)).utf8) } ?? []
    }

    /// O(n); a few instructions a byte for Latin text.
    static func append(_ text: UnsafeRawBufferPointer, to result: inout [UInt8]) {
        let start = result.count
        var place = 0
        while place < text.count {
            let byte = text[place]
            if byte < 0x80 {
                // Bytes that part rows and texts are no text.
                result.append(byte &- 0x41 < 26 ? byte | 0x20 : max(byte, 2))
                place += 1
                continue
            }
            guard byte >= 0xC2, byte < 0xE0, place + 1 < text.count, text[place + 1] & 0xC0 == 0x80 else { break }
            let scalar = UInt32(byte & 0x1F) << 6 | UInt32(text[place + 1] & 0x3F)
            guard scalar < tableEnd else { break }
            result.append(contentsOf: table[Int(scalar) - 0x80])
            place += 2
        }
        guard place < text.count else { return }
        result.removeSubrange(start...)
        for byte in plainFold(String(decoding: text, as: UTF8.self)).utf8 { result.append(max(byte, 2)) }
    }

    static func find(_ word: [UInt8], in text: [UInt8], from start: Int) -> Int? {
        guard !word.isEmpty, start + word.count <= text.count else { return nil }
        return text.withUnsafeBytes { text in
            word.withUnsafeBytes { word in
                guard let base = text.baseAddress, let wanted = word.baseAddress,
                    let found = cmemory_find(base + start, text.count - start, wanted, word.count)
                else { return nil }
                return found - base
            }
        }
    }
}

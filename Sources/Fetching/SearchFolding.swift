internal import CMemorySearch
import Foundation
import ObjectStore

/// Texts without regard to case and diacritics, as UTF-8.
enum SearchFolding {
    /// For texts here and there; many texts one after the other are for a `SearchFolder`.
    static func fold(_ text: String) -> [UInt8] {
        var text = text
        return text.withUTF8 { bytes in
            var result: [UInt8] = []
            let bytes = UnsafeRawBufferPointer(bytes)
            if !append(latin: bytes, to: &result) { return plainFold(bytes) }
            return result
        }
    }

    /// Foundation's folding: the rule that the fast ways have to agree with.
    static func plainFold(_ text: String) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    }

    /// By Foundation's folding, with stand-ins for the bytes that part rows and texts.
    static func plainFold(_ text: UnsafeRawBufferPointer) -> [UInt8] {
        plainFold(String(decoding: text, as: UTF8.self)).utf8.map { max($0, 2) }
    }

    /// The same of one scalar.
    static func foldAlone(_ scalar: Unicode.Scalar) -> [UInt8] { plainFold(String(scalar)).utf8.map { max($0, 2) } }

    /// First scalar that the table does not have; those below make up the Latin alphabets of Europe.
    static let tableEnd: UInt32 = 0x250
    /// Scalars from U+0080 on, each folded for itself.
    static let table: [FoldedScalar] = (0x80..<tableEnd).map { FoldedScalar($0, foldAlone) }

    /// Appends a text of the Latin alphabets; false, and what was appended is of no use, for any other.
    private static func append(latin text: UnsafeRawBufferPointer, to result: inout [UInt8]) -> Bool {
        var place = 0
        while place < text.count {
            let byte = text[place]
            if byte < 0x80 {
                result.append(byte &- 0x41 < 26 ? byte | 0x20 : max(byte, 2))
                place += 1
                continue
            }
            guard byte >= 0xC2, byte < 0xE0, place + 1 < text.count, text[place + 1] & 0xC0 == 0x80 else { return false }
            let scalar = UInt32(byte & 0x1F) << 6 | UInt32(text[place + 1] & 0x3F)
            guard scalar < tableEnd else { return false }
            let folded = table[Int(scalar) - 0x80]
            guard !folded.needsContext else { return false }
            for index in 0..<folded.count { result.append(folded[index]) }
            place += 2
        }
        return true
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

/// Folds many texts one after the other and remembers what becomes of each scalar. Not `Sendable`: one for each scan.
final class SearchFolder {
    private var scalars = ScalarFolding { SearchFolding.foldAlone($0) }
    private(set) var result: [UInt8] = []

    /// Folds a text into `result`. O(n), a few instructions a byte but for scripts whose marks join.
    func fold(_ text: UnsafeRawBufferPointer) {
        result.removeAll(keepingCapacity: true)
        if !scalars.append(text, to: &result) { result = SearchFolding.plainFold(text) }
    }
}

internal import CMemorySearch
import Foundation

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

    /// First scalar that the table does not have; those below make up the Latin alphabets of Europe.
    static let tableEnd: UInt32 = 0x250
    /// Scalars from U+0080 on, each folded for itself.
    static let table: [FoldedScalar] = (0x80..<tableEnd).map { FoldedScalar(foldingAlone: $0) }

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

/// What becomes of one scalar whatever stands beside it: up to seven bytes, their number in the lowest byte.
struct FoldedScalar {
    private var packed: UInt64

    /// For scalars that fold in another way beside others, such as marks: then the whole text goes by the plain rule.
    var needsContext: Bool { packed == .max }
    var count: Int { Int(packed & 0xFF) }
    subscript(index: Int) -> UInt8 { UInt8(truncatingIfNeeded: packed >> (8 * UInt64(index + 1))) }

    init(foldingAlone value: UInt32) {
        packed = .max
        guard let scalar = Unicode.Scalar(value), !Self.joins(scalar) else { return }
        let bytes = Array(SearchFolding.plainFold(String(scalar)).utf8)
        guard bytes.count < 8 else { return }
        packed = UInt64(bytes.count)
        for (index, byte) in bytes.enumerated() { packed |= UInt64(max(byte, 2)) << (8 * UInt64(index + 1)) }
    }

    /// Whether it may make one character with what stands before or after it.
    private static func joins(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: return true
        default: break
        }
        switch scalar.value {
        // Hangul in parts, and the marks of half-width kana.
        case 0x1100..<0x1200, 0xA960..<0xA980, 0xD7B0..<0xD800, 0xFF9E...0xFF9F: return true
        default: return scalar.properties.canonicalCombiningClass != .notReordered
        }
    }
}

/// Folds many texts one after the other and remembers what becomes of each scalar. Not `Sendable`: one for each scan.
final class SearchFolder {
    /// What becomes of the scalars of the basic plane, by 256; made when the first of them comes.
    private var pages: [[FoldedScalar]] = Array(repeating: [], count: 256)
    private(set) var result: [UInt8] = []

    /// Folds a text into `result`. O(n), a few instructions a byte but for scripts whose marks join.
    func fold(_ text: UnsafeRawBufferPointer) {
        result.removeAll(keepingCapacity: true)
        var place = 0
        while place < text.count {
            let byte = text[place]
            if byte < 0x80 {
                result.append(byte &- 0x41 < 26 ? byte | 0x20 : max(byte, 2))
                place += 1
                continue
            }
            guard let (value, length) = Self.scalar(text, at: place) else { return foldPlainly(text) }
            let page = Int(value >> 8)
            if pages[page].isEmpty {
                pages[page] = (UInt32(page) << 8..<UInt32(page + 1) << 8).map {
                    $0 >= 0x80 && $0 < SearchFolding.tableEnd
                        ? SearchFolding.table[Int($0) - 0x80] : FoldedScalar(foldingAlone: $0)
                }
            }
            let folded = pages[page][Int(value & 0xFF)]
            guard !folded.needsContext else { return foldPlainly(text) }
            for index in 0..<folded.count { result.append(folded[index]) }
            place += length
        }
    }

    private func foldPlainly(_ text: UnsafeRawBufferPointer) { result = SearchFolding.plainFold(text) }

    /// The scalar of two or three bytes at a place; nil for all others, and for what is no UTF-8.
    private static func scalar(_ text: UnsafeRawBufferPointer, at place: Int) -> (value: UInt32, length: Int)? {
        let byte = text[place]
        guard byte >= 0xC2, place + 1 < text.count, text[place + 1] & 0xC0 == 0x80 else { return nil }
        let second = UInt32(text[place + 1] & 0x3F)
        if byte < 0xE0 { return (UInt32(byte & 0x1F) << 6 | second, 2) }
        guard byte < 0xF0, place + 2 < text.count, text[place + 2] & 0xC0 == 0x80 else { return nil }
        let value = UInt32(byte & 0x0F) << 12 | second << 6 | UInt32(text[place + 2] & 0x3F)
        return value >= 0x800 && !(0xD800..<0xE000).contains(value) ? (value, 3) : nil
    }
}

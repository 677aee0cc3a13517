package import Foundation

/// A text of any length, taken apart as it is read: nothing is counted or copied beforehand.
///
/// A piece is a line without its end, or a part of a line that is very long. Where a piece begins depends on the text
/// around it alone, so that one can go on from any place in either direction.
package struct TextContent: Sendable, Equatable {
    package struct Piece: Sendable, Equatable {
        /// In bytes from the start of the text.
        package let range: Range<Int>
        /// Where the next piece begins; the text's length after the last one.
        package let next: Int
        package let text: String
    }

    /// In UTF-8; what is none is shown as replacement characters.
    package let utf8: Data

    /// Longest piece, in bytes.
    static let longestPiece = 4096
    /// How far before the end of a long piece a space is looked for to end it at.
    private static let slack = 128

    package init(utf8: Data) { self.utf8 = utf8.startIndex == 0 ? utf8 : Data(utf8) }

    /// Length in bytes.
    package var count: Int { utf8.count }

    /// The piece that begins at a place where one does. O(piece).
    package func piece(at start: Int) -> Piece {
        utf8.withUnsafeBytes { bytes in
            let start = max(0, min(start, bytes.count))
            var end = bytes.count
            if start < bytes.count {
                // The first cut after the start: of this block, or of the next one where the start lies behind this one's.
                let block = start / Self.longestPiece + 1
                var cut = Self.cut(bytes, block)
                if cut <= start { cut = Self.cut(bytes, block + 1) }
                end = min(end, cut)
            }
            var next = end
            var position = start
            while position < end {
                if bytes[position] == 0x0A {
                    end = position
                    next = position + 1
                    break
                }
                position += 1
            }
            // A line end right at a cut belongs to the piece before it.
            if next == end, end < bytes.count, bytes[end] == 0x0A { next = end + 1 }
            if next > end, end > start, bytes[end - 1] == 0x0D { end -= 1 }
            let text = String(decoding: UnsafeRawBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
            return Piece(range: start..<end, next: next, text: text)
        }
    }

    /// Where the piece begins that holds a byte. O(piece).
    package func start(ofPieceHolding place: Int) -> Int {
        utf8.withUnsafeBytes { bytes in
            let place = max(0, min(place, bytes.count - 1))
            guard place > 0 else { return 0 }
            let block = place / Self.longestPiece + 1
            let cuts = [Self.cut(bytes, block), Self.cut(bytes, block - 1), Self.cut(bytes, block - 2)]
            var bound = cuts.first { $0 <= place } ?? 0
            // A line end at a cut is the end of the piece before.
            if bound > 0, bound == place, bytes[bound] == 0x0A { bound = cuts.first { $0 < place } ?? 0 }
            var position = place
            while position > bound, bytes[position - 1] != 0x0A { position -= 1 }
            return position
        }
    }

    /// Number of line feeds before a place. O(place).
    package func lineFeeds(before place: Int) -> Int {
        utf8.withUnsafeBytes { bytes in
            bytes[..<max(0, min(place, bytes.count))].reduce(0) { $1 == 0x0A ? $0 &+ 1 : $0 }
        }
    }

    /// Where a line begins, by its number from 0; the last line's start beyond the end. O(n).
    package func start(ofLine line: Int) -> Int {
        utf8.withUnsafeBytes { bytes in
            var start = 0
            var left = line
            var position = 0
            while left > 0, position < bytes.count {
                if bytes[position] == 0x0A, position + 1 < bytes.count {
                    start = position + 1
                    left -= 1
                }
                position += 1
            }
            return start
        }
    }

    /// The place near the end of a block where a line is cut that is too long: after a space, else before an ASCII character, else between
    /// characters.
    private static func cut(_ bytes: UnsafeRawBufferPointer, _ block: Int) -> Int {
        guard block > 0 else { return 0 }
        let (limit, overflow) = block.multipliedReportingOverflow(by: longestPiece)
        guard !overflow, limit < bytes.count else { return bytes.count }
        let lowest = limit - slack
        var position = limit
        while position > lowest {
            if bytes[position - 1] == 0x20, bytes[position] != 0x20 { return position }
            position -= 1
        }
        position = limit
        while position > lowest {
            if bytes[position] < 0x80, bytes[position] > 0x20 { return position }
            position -= 1
        }
        position = limit
        while position > lowest, bytes[position] & 0xC0 == 0x80 { position -= 1 }
        return position
    }
}

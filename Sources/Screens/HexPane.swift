import Foundation
import TerminalUI

/// Bytes as offset, hexadecimal digits and characters; lines are made as they are seen.
struct HexPane: ViewerPane {
    private let bytes: Data
    private var lines = LineWindow()
    private var bytesPerLine = 16
    /// What the last search found, in bytes.
    private var hit: Range<Int>?

    /// Columns of the offset: as many digits as the last one needs, at least eight.
    private let offsetColumns: Int

    init(_ bytes: Data) {
        // Offsets are counted from 0 everywhere.
        self.bytes = bytes.startIndex == 0 ? bytes : Data(bytes)
        offsetColumns = max(8, String(max(0, bytes.count - 1), radix: 16).count)
        countLines()
    }

    // MARK: Layout

    /// Columns of a line with so many bytes: each has two digits and a gap, groups of eight another one, then the characters.
    private func columns(of count: Int) -> Int { offsetColumns + 2 + count * 3 + (count - 1) / 8 + 1 + count }

    mutating func resize(rows: Int, columns: Int) {
        let offset = lines.cursor * bytesPerLine
        let margin = columns > 10 ? 2 : 0
        bytesPerLine = [32, 16, 8, 4, 2].first { self.columns(of: $0) + margin <= columns } ?? 1
        countLines()
        lines.height = max(1, rows)
        lines.moveCursor(to: offset / bytesPerLine)
    }

    private mutating func countLines() { lines.count = max(1, (bytes.count + bytesPerLine - 1) / bytesPerLine) }

    // MARK: Commands

    mutating func perform(_ command: Command) -> PaneOutcome {
        if lines.perform(command) { return .done }
        // What a section is to other screens is a block of 4096 bytes here.
        let block = 4096 / bytesPerLine
        switch command {
        case .toggleSection: _ = lines.perform(.pageDown)
        case .nextSection: lines.moveCursor(to: (lines.cursor / block + 1) * block)
        case .previousSection: lines.moveCursor(to: max(0, lines.cursor - 1) / block * block)
        case .moveLeft: return .back
        case .open, .moveRight, .expandAll, .collapseAll: return .message("nothing to unfold here")
        default: return .ignored
        }
        return .done
    }

    mutating func scroll(by rows: Int) { lines.scroll(by: rows) }

    mutating func click(row: Int, column: Int, isDouble: Bool) { lines.moveCursor(to: lines.top + row) }

    mutating func goTo(_ typed: String) -> String? {
        guard let offset = Self.number(typed) else { return "“\(typed)” is no offset (digits, or hexadecimal ones after 0x)" }
        lines.moveCursor(to: offset / bytesPerLine)
        return nil
    }

    mutating func find(_ text: String, forward: Bool, includesCursor: Bool) -> FindOutcome {
        guard let wanted = Self.bytes(text), !wanted.isEmpty, wanted.count <= bytes.count else {
            hit = nil
            return .none
        }
        let start = min(bytes.count, lines.cursor * bytesPerLine)
        let end = min(bytes.count, start + bytesPerLine)
        let found: Range<Int>?
        if forward {
            // From the hit on where the cursor still stands on it, since a line may have several.
            var from = includesCursor ? start : end
            if !includesCursor, let hit, (start..<end).contains(hit.lowerBound) { from = hit.lowerBound + 1 }
            found = bytes.range(of: wanted, in: from..<bytes.count) ?? bytes.range(of: wanted)
        } else {
            var before = start
            if let hit, (start..<end).contains(hit.lowerBound) { before = hit.lowerBound }
            found =
                bytes.range(of: wanted, options: .backwards, in: 0..<min(bytes.count, before + wanted.count - 1))
                ?? bytes.range(of: wanted, options: .backwards)
        }
        hit = found
        guard let found else { return .none }
        lines.moveCursor(to: found.lowerBound / bytesPerLine)
        return .found
    }

    /// What is searched for: hexadecimal digits after `0x`, else the text's own bytes.
    private static func bytes(_ text: String) -> Data? {
        guard text.hasPrefix("0x") else { return Data(text.utf8) }
        let digits = text.dropFirst(2).compactMap { $0 == " " ? nil : $0.hexDigitValue }
        let pairs = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
        return Data(pairs)
    }

    // MARK: Looks

    func draw(in body: Rect, marking text: String, into buffer: inout CellBuffer) {
        let margin = Chrome.margin(columns: body.columns)
        let hits = visibleHits(of: text)
        for line in lines.visible {
            let row = body.row + line - lines.top
            draw(line, row: row, margin: margin, columns: body.columns - 2 * margin, hits, into: &buffer)
            if line == lines.cursor { buffer.markCursorRow(row) }
        }
    }

    private func range(ofLine line: Int) -> Range<Int> {
        let start = min(bytes.count, line * bytesPerLine)
        return start..<min(bytes.count, start + bytesPerLine)
    }

    /// All hits of which something is in sight, in order. O(bytes in sight).
    private func visibleHits(of text: String) -> [Range<Int>] {
        guard let wanted = Self.bytes(text), !wanted.isEmpty else { return [] }
        let seen = range(ofLine: lines.visible.lowerBound).lowerBound..<range(ofLine: lines.visible.upperBound).lowerBound
        var start = max(0, seen.lowerBound - wanted.count + 1)
        let end = min(bytes.count, seen.upperBound + wanted.count - 1)
        var hits: [Range<Int>] = []
        while start < end, let hit = bytes.range(of: wanted, in: start..<end) {
            hits.append(hit)
            start = hit.upperBound
        }
        // The one that the cursor stands on may overlap one of them.
        if let hit, hit.count == wanted.count { hits.append(hit) }
        return hits
    }

    private func draw(
        _ line: Int, row: Int, margin: Int, columns: Int, _ hits: [Range<Int>], into buffer: inout CellBuffer
    ) {
        guard !bytes.isEmpty else {
            buffer.write("0 bytes", row: row, column: margin, columns: columns, style: Style(.dimmed))
            return
        }
        let end = margin + columns
        func write(_ text: String, at column: Int, _ style: Style) {
            buffer.write(text, row: row, column: column, columns: min(text.utf8.count, end - column), style: style)
        }
        write(Self.hexadecimal(UInt64(line * bytesPerLine), digits: offsetColumns), at: margin, Style(.dimmed))
        let start = margin + offsetColumns + 2
        let characters = start + bytesPerLine * 3 + (bytesPerLine - 1) / 8 + 1
        let range = range(ofLine: line)
        let marked = hits.filter { $0.overlaps(range) }
        for (place, byte) in bytes[range].enumerated() {
            let isHit = marked.contains { $0.contains(range.lowerBound + place) }
            write(
                Self.hexadecimal(UInt64(byte), digits: 2), at: start + place * 3 + place / 8,
                isHit ? Style(.hit) : byte == 0 ? Style(.dimmed) : .text)
            let isPrintable = (0x20..<0x7F).contains(byte)
            write(
                isPrintable ? String(UnicodeScalar(byte)) : ".", at: characters + place,
                isHit ? Style(.hit) : Style(isPrintable ? .accent : .dimmed))
        }
    }

    private static func hexadecimal(_ number: UInt64, digits: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    var lineText: String {
        let range = range(ofLine: lines.cursor)
        return bytes[range].map { Self.hexadecimal(UInt64($0), digits: 2) }.joined(separator: " ")
    }

    var hitMark: [Int] { [lines.cursor, hit?.lowerBound ?? -1] }

    var positionText: String {
        let offset = range(ofLine: lines.cursor).lowerBound
        return "byte \(Chrome.grouped(offset)) of \(Chrome.grouped(bytes.count))"
    }
}

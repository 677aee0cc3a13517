import Fetching
import Foundation
import Presentation
import PropertyLists
package import TerminalUI

extension ViewerScreen {
    package func render(into buffer: inout CellBuffer, status: Status) {
        let trail = breadcrumb.joined(separator: " › ")
        Chrome.drawTitle(trail, trailing: content.map { $0.summary } ?? "", into: &buffer)
        if let notice {
            buffer.write(notice, row: window.row, column: indent, columns: size.columns - indent, style: Style(.failure))
        }
        for offset in 0..<max(0, min(window.rows, rowCount - top)) {
            let row = window.row + offset
            switch mode {
            case .outline: drawOutline(top + offset, row: row, into: &buffer)
            case .text: drawText(top + offset, row: row, into: &buffer)
            case .bytes: drawBytes(top + offset, row: row, into: &buffer)
            }
            if top + offset == cursor { buffer.markCursorRow(row) }
        }
        if let prompt {
            Chrome.drawPrompt(prompt, into: &buffer)
        } else {
            Chrome.drawStatus(status, quiet: quietStatus, hint: "? help", into: &buffer)
        }
    }

    private var indent: Int { size.columns > 10 ? 1 : 0 }

    private var quietStatus: String {
        guard let content else { return notice == nil ? "loading…" : "" }
        if let problem = content.problem { return problem }
        let position = rowCount > window.rows ? "line \(cursor + 1) of \(Chrome.grouped(rowCount))" : ""
        return mode == .bytes && !isOnlyBytes ? position + "  (v back)" : position
    }

    private var isOnlyBytes: Bool { if case .bytes? = content?.form { true } else { false } }

    private func drawOutline(_ place: Int, row: Int, into buffer: inout CellBuffer) {
        guard let outline, outline.rows.indices.contains(place) else { return }
        let shown = outline.rows[place]
        // Deep nesting must leave room for the text.
        let start = indent + min(shown.depth * 2, size.columns / 2)
        guard shown.omitted == 0 else {
            buffer.write("… \(shown.omitted) more", row: row, column: start + 2, columns: size.columns, style: Style(.dimmed))
            return
        }
        if outline.canExpand(place) {
            buffer.write(shown.isExpanded ? "▾" : "▸", row: row, column: start, columns: 1, style: Style(.dimmed))
        }
        var column = start + 2
        if !shown.node.label.isEmpty {
            column +=
                buffer.write(shown.node.label, row: row, column: column, columns: size.columns - column, style: Style(.accent))
                + 2
        }
        let summary = shown.closesCycle ? "↺ " + shown.node.summary : shown.node.summary
        buffer.write(summary, row: row, column: column, columns: size.columns - column, style: Style(role(of: shown.node.kind)))
        markHits(row: row, into: &buffer)
    }

    private func role(of kind: OutlineNode.Kind) -> Style.Role {
        switch kind {
        case .null, .array, .set, .dictionary, .object, .data: .dimmed
        case .unreadable: .failure
        case .boolean, .number, .string, .date: .text
        }
    }

    private func drawText(_ place: Int, row: Int, into buffer: inout CellBuffer) {
        buffer.write(lines[place], row: row, column: indent, columns: size.columns - indent)
        markHits(row: row, into: &buffer)
    }

    /// `0000 0010  48 65 6c 6c …  Hell…`
    private func drawBytes(_ place: Int, row: Int, into buffer: inout CellBuffer) {
        guard let bytes = content?.bytes else { return }
        let first = place * bytesPerRow
        let chunk = [UInt8](bytes.dropFirst(first).prefix(bytesPerRow))
        let digits = bytes.count > 0xFFFF ? 8 : 4
        buffer.write(Self.hexadecimal(first, digits: digits), row: row, column: indent, columns: digits, style: Style(.dimmed))
        let start = indent + digits + 2
        for (place, byte) in chunk.enumerated() {
            let gap = place >= 8 ? 1 : 0
            buffer.write(
                Self.hexadecimal(Int(byte), digits: 2), row: row, column: start + place * 3 + gap, columns: 2,
                style: Style(byte == 0 ? .dimmed : .text))
        }
        let column = start + bytesPerRow * 3 + (bytesPerRow > 8 ? 2 : 1)
        let text = String(decoding: chunk.map { (0x20..<0x7F).contains($0) ? $0 : UInt8(ascii: ".") }, as: UTF8.self)
        buffer.write(text, row: row, column: column, columns: size.columns - column, style: Style(.secondary))
    }

    static func hexadecimal(_ number: Int, digits: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    private func markHits(row: Int, into buffer: inout CellBuffer) {
        guard let query else { return }
        let text = buffer.text(row: row)
        for range in query.ranges(in: text) {
            buffer.restyle(row: row, columns: DisplayText.cells(of: range, in: text, limit: size.columns)) { $0.role = .hit }
        }
    }

    // MARK: Finding

    /// The text of a row, for copying and finding.
    func text(ofRow row: Int) -> String? {
        guard row >= 0, row < rowCount, let content else { return nil }
        switch mode {
        case .outline:
            guard let shown = outline?.rows[row], shown.omitted == 0 else { return nil }
            return [shown.node.label, shown.node.summary].filter { !$0.isEmpty }.joined(separator: "  ")
        case .text: return lines[row]
        case .bytes:
            return content.bytes.dropFirst(row * bytesPerRow).prefix(bytesPerRow)
                .map { Self.hexadecimal(Int($0), digits: 2) }.joined(separator: " ")
        }
    }

    /// Goes to the first hit at or after where the search began.
    mutating func find(_ text: String) -> [Effect] {
        let query = SearchQuery(text)
        self.query = query.isEmpty ? nil : query
        cursor = origin
        guard self.query != nil else { return [] }
        return move(toHitFrom: origin, forward: true)
    }

    mutating func moveToHit(forward: Bool) -> [Effect] {
        guard query != nil else { return [.message("nothing was searched for yet (/)")] }
        return move(toHitFrom: cursor + (forward ? 1 : -1), forward: forward)
    }

    /// Looks at every row once, from a place on and round the end.
    private mutating func move(toHitFrom start: Int, forward: Bool) -> [Effect] {
        guard let query, rowCount > 0 else { return [] }
        if mode == .bytes { return move(toBytesFrom: start, query.text) }
        for step in 0..<rowCount {
            let row = ((start + (forward ? step : -step)) % rowCount + rowCount) % rowCount
            if let text = text(ofRow: row), query.matches(text) {
                cursor = row
                return []
            }
        }
        return [.message("no match for “\(query.text)”")]
    }

    private mutating func move(toBytesFrom start: Int, _ text: String) -> [Effect] {
        guard let bytes = content?.bytes else { return [] }
        let wanted = Data(text.utf8)
        let from = bytes.startIndex + max(0, min(start * bytesPerRow, bytes.count))
        guard let found = bytes.range(of: wanted, in: from..<bytes.endIndex) ?? bytes.range(of: wanted) else {
            return [.message("no such bytes")]
        }
        cursor = (found.lowerBound - bytes.startIndex) / bytesPerRow
        return []
    }
}

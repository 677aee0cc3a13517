import Fetching
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

    var indent: Int { size.columns > 10 ? 1 : 0 }

    private var quietStatus: String {
        guard let content else { return notice == nil ? "loading…" : "" }
        if let query { return "/\(query.text)  (Esc drops the search)" }
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
        buffer.markHits(of: query, row: row)
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
        buffer.markHits(of: query, row: row)
    }

    /// `0000 0010  48 65 6c 6c …  Hell…`
    private func drawBytes(_ place: Int, row: Int, into buffer: inout CellBuffer) {
        guard let bytes = content?.bytes else { return }
        let first = place * bytesPerRow
        let chunk = [UInt8](bytes.dropFirst(first).prefix(bytesPerRow))
        let digits = offsetDigits
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
}

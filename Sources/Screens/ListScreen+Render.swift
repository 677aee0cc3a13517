import Fetching
import IndexPathModel
import ObjectStore
import Presentation
package import TerminalUI

extension ListScreen {
    package func render(into buffer: inout CellBuffer, status: Status) {
        Chrome.drawTitle(
            configuration.title, trailing: phase == .loaded ? countText : isPreview ? "… \(configuration.noun.many)" : "",
            into: &buffer)
        let layout = columnLayout
        if window.row > Chrome.body(of: size).row { drawHeadings(layout, into: &buffer) }
        // Before the rows: the cursor's is marked over the whole width.
        drawIndexBar(into: &buffer)
        if list.rowCount == 0 {
            drawEmpty(into: &buffer)
        } else {
            for offset in 0..<min(window.rows, list.rowCount - top) { drawRow(at: offset, layout, into: &buffer) }
        }
        if let prompt {
            Chrome.drawPrompt(prompt, into: &buffer)
        } else {
            Chrome.drawStatus(status, quiet: quietStatus, hint: keyLabels.hint(.help, "help"), into: &buffer)
        }
    }

    private var quietStatus: String {
        if focusedEntry != nil { return "index: ↑ ↓ or a letter jumps, Enter returns" }
        if phase == .loading { return "loading…" }
        if isPreview, case .failed(let reason) = phase { return "only the beginning of the list is here: \(reason)" }
        // What is out of the ordinary comes first: in a narrow window the end is cut.
        var parts = [filterStatus]
        if showsRawValues { parts.append("(values as stored)") }
        parts.append(configuration.orderLabel)
        return parts.filter { !$0.isEmpty }.joined(separator: "   ")
    }

    /// Columns of the list itself; what the index bar and the gap before it take is left out.
    private var contentColumns: Int {
        if indexBar != nil { return max(0, size.columns - 3) }
        return size.columns > 10 ? size.columns - 1 : size.columns
    }

    private func drawEmpty(into buffer: inout CellBuffer) {
        let text: String
        switch phase {
        case .loading: return
        case .failed(let reason): text = reason
        case .loaded: text = emptyText
        }
        let style: Style = phase == .loaded ? Style(.dimmed) : Style(.failure)
        let indent = min(3, size.columns / 8)
        let lines = DisplayText.wrap(text, columns: max(1, size.columns - indent - 1), maximumLines: window.rows)
        for (offset, line) in lines.prefix(window.rows).enumerated() {
            buffer.write(line, row: window.row + offset, column: indent, columns: size.columns - indent, style: style)
        }
    }

    // MARK: Rows

    private func drawRow(at offset: Int, _ layout: ColumnLayout, into buffer: inout CellBuffer) {
        let position = top + offset
        var row = list.row(at: position)
        if offset == 0, hiddenRows(atTop: top) > 0, case .item(let indexPath) = row { row = .header(indexPath.section) }
        let screenRow = window.row + offset
        switch row {
        case .header(let section): drawHeader(section, row: screenRow, into: &buffer)
        case .item(let indexPath): drawItem(list.item(at: indexPath), layout, row: screenRow, into: &buffer)
        case nil: return
        }
        if position == cursor { buffer.markCursorRow(screenRow) }
    }

    private func drawHeader(_ section: Int, row: Int, into buffer: inout CellBuffer) {
        let style = Style(.sectionHeader)
        let collapsed = list.isSectionCollapsed(section)
        let name = list.backingModel.sectionName(at: section)?.title
        let indent = contentColumns > 10 ? 1 : 0
        buffer.write(collapsed ? "▸" : "▾", row: row, column: indent, columns: contentColumns - indent, style: Style(.dimmed))
        let column = indent + 2
        let count = countText(ofSection: section)
        let room = contentColumns - column
        let showsCount = room > count.count + 3
        buffer.write(
            Self.displayTitle(name), row: row, column: column, columns: showsCount ? room - count.count - 2 : room,
            style: name?.isEmpty ?? true ? Style(.dimmed) : style)
        if showsCount {
            buffer.write(count, row: row, column: contentColumns - count.count, columns: count.count, style: Style(.dimmed))
        }
    }

    private func drawItem(_ key: ObjectKey?, _ layout: ColumnLayout, row: Int, into buffer: inout CellBuffer) {
        let indent = rowIndent
        let room = max(0, contentColumns - indent)
        guard let key, let known = rows.row(for: key) else { return }
        if marks.contains(key), indent > 0 { buffer.write("•", row: row, column: indent - 1, columns: 1, style: Style(.changed)) }
        guard let shown = known else {
            buffer.write("(gone)", row: row, column: indent, columns: room, style: Style(.dimmed))
            return
        }
        if hasHeadings {
            drawColumns(shown, layout, row: row, indent: indent, into: &buffer)
            return
        }
        let textWidth = DisplayText.width(of: shown.text.text, limit: room)
        var detailWidth = shown.details.first.map { DisplayText.width(of: $0.text, limit: room) } ?? 0
        if detailWidth > 0, textWidth + 2 + detailWidth > room {
            // Both shorten; the secondary text keeps what the text leaves, or half.
            detailWidth = min(detailWidth, max(room - textWidth - 2, room / 2 - 1))
            if detailWidth < 4 { detailWidth = 0 }
        }
        let textRoom = detailWidth > 0 ? room - detailWidth - 2 : room
        write(shown.text, .text, row: row, column: indent, columns: textRoom, into: &buffer)
        if detailWidth > 0, let presented = shown.details.first {
            write(presented, .secondary, row: row, column: indent + room - detailWidth, columns: detailWidth, into: &buffer)
        }
    }

    /// Writes a text in one line and marks in it what a search found.
    private func write(
        _ text: PresentedText, _ role: Style.Role, row: Int, column: Int, columns: Int, into buffer: inout CellBuffer
    ) {
        buffer.write(text.text, row: row, column: column, columns: columns, style: Style(text.isPlaceholder ? .dimmed : role))
        guard let query = markedQuery, !text.isPlaceholder else { return }
        for range in query.ranges(in: text.text) {
            let cells = DisplayText.cells(of: range, in: text.text, limit: columns)
            let end = min(cells.upperBound, columns)
            guard cells.lowerBound < end else { continue }
            buffer.restyle(row: row, columns: (column + cells.lowerBound)..<(column + end)) { $0.role = .hit }
        }
    }

    // MARK: Columns

    /// Cells before a row's text.
    private var rowIndent: Int { configuration.hasSections ? (contentColumns > 10 ? 3 : 1) : (contentColumns > 10 ? 1 : 0) }

    private var columnLayout: ColumnLayout {
        let needs = widths.map(\.cells)
        return ColumnLayout(room: contentColumns - rowIndent, text: needs.first ?? 0, columns: Array(needs.dropFirst()))
    }

    private func drawHeadings(_ layout: ColumnLayout, into buffer: inout CellBuffer) {
        var column = rowIndent + layout.text
        for (place, (heading, width)) in zip(configuration.columnHeadings, layout.columns).enumerated() {
            let start = width - DisplayText.width(of: heading, limit: width)
            let isRight = configuration.rightAlignedColumns.contains(place)
            buffer.write(
                heading, row: window.row - 1, column: column + ColumnLayout.gap + (isRight ? start : 0), columns: width,
                style: Style(.dimmed))
            column += width + ColumnLayout.gap
        }
        // That there are more columns than fit.
        guard layout.isCut else { return }
        buffer.write(
            DisplayText.ellipsis, row: window.row - 1, column: size.columns - 1, columns: 1, style: Style(.dimmed))
    }

    private func drawColumns(
        _ shown: ListRow, _ layout: ColumnLayout, row: Int, indent: Int, into buffer: inout CellBuffer
    ) {
        write(shown.text, .text, row: row, column: indent, columns: layout.text, into: &buffer)
        var column = indent + layout.text
        for (place, width) in layout.columns.enumerated() where place < shown.details.count {
            let presented = shown.details[place]
            var start = column + ColumnLayout.gap
            if configuration.rightAlignedColumns.contains(place) {
                start += max(0, width - DisplayText.width(of: presented.text, limit: width))
            }
            write(
                presented, .secondary, row: row, column: start, columns: width - (start - column - ColumnLayout.gap),
                into: &buffer)
            column += width + ColumnLayout.gap
        }
    }

    // MARK: Index bar

    private func drawIndexBar(into buffer: inout CellBuffer) {
        guard let bar = indexBar, let index else { return }
        let current = focusedEntry ?? cursorSection.flatMap { index.entry(forSection: $0) }
        for (offset, slot) in bar.slots.enumerated() {
            let isCurrent = current.map { slot.entries.contains($0) } ?? false
            let text = slot.isDot ? "•" : index.entries[slot.entries.lowerBound].title
            // At the very edge; a wide letter takes the cell before it, too.
            let width = min(2, max(1, DisplayText.width(of: text, limit: 2)))
            buffer.write(
                text, row: window.row + offset, column: size.columns - width, columns: width,
                style: Style(isCurrent ? .indexBarCurrent : .indexBar))
        }
    }
}

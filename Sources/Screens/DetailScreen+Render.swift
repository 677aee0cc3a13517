import Fetching
import ObjectStore
import PlistConfig
import Presentation
package import TerminalUI

extension DetailScreen {
    package func render(into buffer: inout CellBuffer, status: Status) {
        Chrome.drawTitle(
            Chrome.breadcrumb(breadcrumb + [title]), trailing: objectID.entityName, into: &buffer)
        if let notice, contents == nil {
            Chrome.drawProblem(notice, in: window, into: &buffer)
        }
        for offset in 0..<window.rows {
            let line = top + offset
            guard let block = layout.block(atLine: line) else { break }
            draw(block, line: line - block.firstLine, row: window.row + offset, into: &buffer)
            if block.stops > 0 { buffer.markHits(of: finding.query, row: window.row + offset) }
            if layout.lines(ofStop: cursor).contains(line) { buffer.markCursorRow(window.row + offset) }
        }
        if let prompt = finding.prompt { return Chrome.drawPrompt(prompt, into: &buffer) }
        var quiet = contents == nil && notice == nil ? "loading…" : positionText
        if contents != nil, let notice { quiet = notice + " These are its last values." }
        if let query = finding.query { quiet = "/\(query.text)" + keyLabels.apart(.cancel, "drops the search") }
        if showsRawValues { quiet += "  (values as stored)" }
        Chrome.drawStatus(status, quiet: quiet, hint: keyLabels.hint(.help, "help"), into: &buffer)
    }

    /// How far the reader is, where not all fits.
    private var positionText: String {
        guard layout.lineCount > window.rows else { return "" }
        return "lines \(top + 1)–\(min(layout.lineCount, top + window.rows)) of \(Chrome.grouped(layout.lineCount))"
    }

    private func draw(_ block: DetailLayout.Block, line: Int, row: Int, into buffer: inout CellBuffer) {
        switch block.content {
        case .blank: break
        case .sectionTitle(let title):
            buffer.write(title, row: row, column: indent, columns: size.columns - indent, style: Style(.sectionHeader))
        case .row(let detail, let place, let lines, let labelColumns):
            if line == 0, marks.contains(place), indent > 0 {
                buffer.write("•", row: row, column: 0, columns: 1, style: Style(.changed))
            }
            if detail.isCut, detail.type.isMultiLine, line == lines.count - 1 {
                let start = indent + (detail.type.hasSmallLabel ? DetailLayout.valueIndent(labelColumns: labelColumns) : 0)
                let note = keyLabels.hint(.open, "shows the rest")
                buffer.write(note, row: row, column: start, columns: right - start, style: Style(.dimmed))
                return
            }
            draw(
                detail, text: lines.indices.contains(line) ? lines[line] : "", isFirst: line == 0, labelColumns, row: row,
                into: &buffer)
        case .related(let section, let objects):
            guard objects.keys.indices.contains(line) else {
                let place = line - objects.keys.count
                let text = objects.dangling.indices.contains(place) ? objects.dangling[place] : .null
                return drawLink(text, hasDestination: false, row: row, into: &buffer)
            }
            if relatedMarks[section]?.contains(objects.keys[line]) == true, indent > 0 {
                buffer.write("•", row: row, column: 0, columns: 1, style: Style(.changed))
            }
            guard let known = relatedRows[section]?.row(for: objects.keys[line]) else { return }
            drawLink(
                known?.text ?? PresentedText("(gone)", isPlaceholder: true), hasDestination: known?.destination != nil, row: row,
                into: &buffer)
        }
    }

    private var indent: Int { Chrome.margin(columns: size.columns) }
    /// Columns up to the right margin.
    private var right: Int { max(0, size.columns - indent) }

    private func drawLink(_ text: PresentedText, hasDestination: Bool, row: Int, into buffer: inout CellBuffer) {
        let start = indent * 3
        let end = hasDestination ? right - 2 : right
        buffer.write(text.text, row: row, column: start, columns: end - start, style: style(of: text, .text))
        if hasDestination { drawDisclosure(row: row, into: &buffer) }
    }

    private func drawDisclosure(row: Int, into buffer: inout CellBuffer) {
        buffer.write("›", row: row, column: right - 1, columns: 1, style: Style(.dimmed))
    }

    private func style(of text: PresentedText, _ role: Style.Role) -> Style { Style(text.isPlaceholder ? .dimmed : role) }

    private func draw(
        _ detail: DetailRow, text: String, isFirst: Bool, _ labelColumns: Int, row: Int, into buffer: inout CellBuffer
    ) {
        if let reason = detail.unavailable {
            let label = detail.label.map { $0 + "  " } ?? ""
            buffer.write(
                "\(label)(unavailable: \(reason))", row: row, column: indent, columns: right - indent, style: Style(.dimmed))
            return
        }
        switch detail.type {
        case .singleLineValueNoLabel, .multiLineValueNoLabel:
            buffer.write(text, row: row, column: indent, columns: right - indent, style: style(of: detail.value, .text))
        case .singleLineValueSmallLabel, .multiLineValueSmallLabel:
            if isFirst, let label = detail.label {
                let width = DisplayText.width(of: label, limit: labelColumns)
                buffer.write(
                    label, row: row, column: indent + max(0, labelColumns - width), columns: labelColumns, style: Style(.accent))
            }
            let start = indent + DetailLayout.valueIndent(labelColumns: labelColumns)
            buffer.write(text, row: row, column: start, columns: right - start, style: style(of: detail.value, .text))
        case .booleanSwitch: drawSwitch(detail, row: row, into: &buffer)
        case .singleLineValueLargeLabel, .relationship, .custom, .toManyRelationship, .toManyOrderedRelationship:
            let hasDestination = detail.destination != nil
            if hasDestination { drawDisclosure(row: row, into: &buffer) }
            drawLabel(detail, value: text, end: hasDestination ? right - 2 : right, row: row, into: &buffer)
        }
    }

    /// Label at the left, value right-aligned in accent colour before `end`.
    private func drawLabel(_ detail: DetailRow, value: String, end: Int, row: Int, into buffer: inout CellBuffer) {
        let label = detail.label ?? ""
        let room = max(0, end - indent)
        let labelWidth = min(
            DisplayText.width(of: label, limit: room), max(room / 2, room - DisplayText.width(of: value, limit: room) - 2))
        buffer.write(label, row: row, column: indent, columns: labelWidth, style: Style(.text))
        let valueRoom = room - (labelWidth > 0 ? labelWidth + 2 : 0)
        let width = min(DisplayText.width(of: value, limit: max(0, valueRoom)), valueRoom)
        buffer.write(value, row: row, column: end - width, columns: width, style: style(of: detail.value, .accent))
    }

    private func drawSwitch(_ detail: DetailRow, row: Int, into buffer: inout CellBuffer) {
        switch detail.isOn {
        case true?: drawLabel(detail, value: "on ━━●", end: right, row: row, into: &buffer)
        case false?: drawLabel(detail, value: "off ●━━", end: right, row: row, into: &buffer)
        case nil: drawLabel(detail, value: detail.value.text, end: right, row: row, into: &buffer)
        }
    }
}

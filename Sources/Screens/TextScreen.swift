import Fetching
package import TerminalUI

/// Lines of text to read, such as the help.
package struct TextScreen: Screen {
    package let title: String
    /// What is to be read; a line may have a label that stands in a column of its own.
    package struct Line: Sendable, Equatable {
        package var label: String
        package var text: String
        package var isHeading: Bool

        package init(label: String = "", text: String, isHeading: Bool = false) {
            self.label = label
            self.text = text
            self.isHeading = isHeading
        }
    }

    /// A row of the screen: a line, or a part of one that is wrapped.
    struct Row: Sendable {
        let line: Int
        /// Empty where a line goes on.
        let label: String
        let text: String
        /// Whether a section begins here.
        let isHeading: Bool
    }

    let lines: [Line]
    var rows: [Row] = []
    private var labelColumns = 0
    package private(set) var size = Size(rows: 24, columns: 80)
    package var keyLabels = KeyLabels()
    var cursor = 0
    var top = 0
    package var finding = Finding<RowPlace>()

    package init(title: String, lines: [Line]) {
        self.title = title
        self.lines = lines
        wrapLines()
    }

    package var context: KeyContext { .text }

    package mutating func resize(to size: Size) {
        let isOtherWidth = size.columns != self.size.columns
        self.size = size
        if isOtherWidth {
            let line = rows.indices.contains(cursor) ? rows[cursor].line : 0
            wrapLines()
            cursor = rows.firstIndex { $0.line == line } ?? 0
        }
        settle()
    }

    /// Column where texts begin.
    private var textStart: Int { indent + (labelColumns > 0 ? labelColumns + 2 : 0) }
    private var indent: Int { Chrome.margin(columns: size.columns) }

    private mutating func wrapLines() {
        let widest = lines.map { DisplayText.width(of: $0.label, limit: 40) }.max() ?? 0
        labelColumns = min(widest, max(0, size.columns / 2 - 2))
        let room = max(1, size.columns - textStart - indent)
        rows = lines.enumerated().flatMap { number, line in
            let isHeading = line.isHeading
            let labels = DisplayText.wrap(line.label, columns: max(1, labelColumns))
            let texts = isHeading ? [line.text] : DisplayText.wrap(line.text, columns: room)
            return (0..<max(1, labels.count, texts.count)).map { part in
                Row(
                    line: number, label: labels.indices.contains(part) ? labels[part] : "",
                    text: texts.indices.contains(part) ? texts[part] : "", isHeading: isHeading && part == 0)
            }
        }
    }

    package mutating func perform(_ command: Command) -> [Effect] {
        let page = max(1, Chrome.body(of: size).rows - 1)
        switch command {
        case .moveUp: cursor -= 1
        case .moveDown: cursor += 1
        case .pageUp: move(by: -page)
        case .pageDown, .toggleSection: move(by: page)
        case .halfPageUp: move(by: -max(1, page / 2))
        case .halfPageDown: move(by: max(1, page / 2))
        case .moveToStart: cursor = 0
        case .moveToEnd: cursor = rows.count - 1
        case .previousSection: cursor = rows.indices.last { $0 < cursor && rows[$0].isHeading } ?? 0
        case .nextSection: cursor = rows.indices.first { $0 > cursor && rows[$0].isHeading } ?? rows.count - 1
        case .find: beginFind()
        case .goToRow: finding.prompt = Prompt(.goToRow)
        case .nextHit, .previousHit: return moveToHit(forward: command == .nextHit)
        case .moveLeft, .back: return [.back]
        case .copy:
            guard rows.indices.contains(cursor) else { return [] }
            let line = lines[rows[cursor].line]
            return [.copy([line.label, line.text].filter { !$0.isEmpty }.joined(separator: "  "), label: "line")]
        default: break
        }
        settle()
        return []
    }

    package mutating func handle(_ mouse: MouseEvent) -> [Effect] {
        let body = Chrome.body(of: size)
        switch mouse.action {
        case .wheelUp: move(by: -3)
        case .wheelDown: move(by: 3)
        case .press, .doublePress:
            if body.contains(mouse.position) { cursor = top + mouse.position.row - body.row }
        case .drag, .release: break
        }
        settle()
        return []
    }

    private mutating func move(by rows: Int) {
        cursor += rows
        top += rows
    }

    mutating func settle() {
        let height = max(1, Chrome.body(of: size).rows)
        cursor = max(0, min(cursor, rows.count - 1))
        top = max(0, min(top, rows.count - height))
        top = min(max(top, cursor - height + 1), cursor)
        // A heading comes into sight with the first line below it.
        if top == cursor, top > 0, height > 1, rows[top - 1].isHeading { top -= 1 }
    }

    package func render(into buffer: inout CellBuffer, status: Status) {
        Chrome.drawTitle(title, trailing: "", into: &buffer)
        let body = Chrome.body(of: size)
        for offset in 0..<max(0, min(body.rows, rows.count - top)) {
            let shown = rows[top + offset]
            let row = body.row + offset
            if shown.isHeading {
                buffer.write(shown.text, row: row, column: indent, columns: size.columns - indent, style: Style(.sectionHeader))
            } else {
                buffer.write(shown.label, row: row, column: indent, columns: labelColumns, style: Style(.accent))
                buffer.write(shown.text, row: row, column: textStart, columns: size.columns - textStart, style: .text)
                buffer.markHits(of: finding.query, row: row)
            }
            if top + offset == cursor { buffer.markCursorRow(row) }
        }
        if let prompt = finding.prompt { return Chrome.drawPrompt(prompt, into: &buffer) }
        let quiet =
            finding.query.map { "/\($0.text)" + keyLabels.apart(.cancel, "drops the search") } ?? positionText(height: body.rows)
        Chrome.drawStatus(status, quiet: quiet, hint: keyLabels.hint(.back, "back"), into: &buffer)
    }

    /// How far the reader is, where not all fits.
    private func positionText(height: Int) -> String {
        guard rows.count > height else { return "" }
        return "lines \(top + 1)–\(min(rows.count, top + height)) of \(Chrome.grouped(rows.count))"
    }
}

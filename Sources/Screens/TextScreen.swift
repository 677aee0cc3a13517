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

    private let lines: [Line]
    private var size = Size(rows: 24, columns: 80)
    private var cursor = 0
    private var top = 0

    package init(title: String, lines: [Line]) {
        self.title = title
        self.lines = lines
    }

    package var context: KeyContext { .text }
    package var takesKeys: Bool { false }

    package mutating func resize(to size: Size) {
        self.size = size
        settle()
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
        case .moveToEnd: cursor = lines.count - 1
        case .previousSection: cursor = lines.indices.last { $0 < cursor && lines[$0].isHeading } ?? 0
        case .nextSection: cursor = lines.indices.first { $0 > cursor && lines[$0].isHeading } ?? lines.count - 1
        case .moveLeft, .back: return [.back]
        case .copy:
            guard lines.indices.contains(cursor) else { return [] }
            return [
                .copy([lines[cursor].label, lines[cursor].text].filter { !$0.isEmpty }.joined(separator: "  "), label: "line")
            ]
        default: break
        }
        settle()
        return []
    }

    package mutating func handle(_ key: Key) -> [Effect] { [] }

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

    private mutating func settle() {
        let rows = max(1, Chrome.body(of: size).rows)
        cursor = max(0, min(cursor, lines.count - 1))
        top = max(0, min(top, lines.count - rows))
        top = min(max(top, cursor - rows + 1), cursor)
    }

    package func render(into buffer: inout CellBuffer, status: Status) {
        Chrome.drawTitle(title, trailing: "", into: &buffer)
        let body = Chrome.body(of: size)
        let labelColumns = min(lines.map { DisplayText.width(of: $0.label, limit: 40) }.max() ?? 0, size.columns / 2)
        for offset in 0..<max(0, min(body.rows, lines.count - top)) {
            let line = lines[top + offset]
            let row = body.row + offset
            if line.isHeading {
                buffer.write(line.text, row: row, column: 1, columns: size.columns - 1, style: Style(.sectionHeader))
            } else {
                buffer.write(line.label, row: row, column: 1, columns: labelColumns, style: Style(.accent))
                let start = labelColumns > 0 ? labelColumns + 3 : 1
                buffer.write(line.text, row: row, column: start, columns: size.columns - start, style: .text)
            }
            if top + offset == cursor { buffer.markCursorRow(row) }
        }
        Chrome.drawStatus(status, quiet: "", hint: "q back", into: &buffer)
    }
}

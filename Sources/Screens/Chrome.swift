import TerminalUI

/// The first and the last line, which are alike on every screen.
enum Chrome {
    /// What is left for the screen's own rows: all of one row, all but the title of two, else all but both lines.
    static func body(of size: Size) -> Rect {
        switch size.rows {
        case ..<2: Rect(row: 0, column: 0, rows: max(0, size.rows), columns: size.columns)
        case 2: Rect(row: 1, column: 0, rows: 1, columns: size.columns)
        default: Rect(row: 1, column: 0, rows: size.rows - 2, columns: size.columns)
        }
    }

    /// Between the titles of the screens that led here.
    static let breadcrumbSeparator = " › "

    /// The titles of the screens that led here in one. Each is made printable before: a mark at its start would stand on the space.
    static func breadcrumb(_ titles: [String]) -> String {
        titles.map { DisplayText.printable($0) }.joined(separator: breadcrumbSeparator)
    }

    /// A breadcrumb too long for the line loses its start: its end says where the reader is.
    static func drawTitle(_ title: String, trailing: String, into buffer: inout CellBuffer) {
        guard buffer.size.rows >= 2 else { return }
        let isBreadcrumb = title.contains(breadcrumbSeparator)
        drawBar(row: 0, left: title, right: trailing, style: Style(.titleBar), cutsStart: isBreadcrumb, into: &buffer)
    }

    static func drawStatus(_ status: Status, quiet left: String, hint: String, into buffer: inout CellBuffer) {
        guard buffer.size.rows >= 3 else { return }
        let row = buffer.size.rows - 1
        switch status {
        case .quiet: drawBar(row: row, left: left, right: hint, style: Style(.statusBar), into: &buffer)
        case .message(let text):
            let margin = margin(columns: buffer.size.columns)
            // What does not fit in the line begins above it, for as long as it stands: until the next key.
            // The row that the cursor is on stays in sight.
            let cursor = (0..<row).last { buffer.isCursorRow($0) }
            let lines = lines(
                of: text, columns: buffer.size.columns - margin, rows: buffer.size.rows, most: cursor.map { row - $0 } ?? .max)
            drawAbove(lines.dropLast(), row: row, margin: margin, style: Style(.accent), into: &buffer)
            drawBar(row: row, left: lines.last ?? "", right: "", style: Style(.statusBar), into: &buffer)
        case .standing(let text), .progress(let text):
            drawBar(row: row, left: text, right: "", style: Style(.statusBar), into: &buffer)
        }
    }

    /// The margin at either side of a text.
    static func margin(columns: Int) -> Int { columns > 10 ? 1 : 0 }

    /// What could not be had, over as many lines as a rectangle has and it needs.
    static func drawProblem(_ text: String, in rect: Rect, into buffer: inout CellBuffer) {
        draw(problemLines: problemLines(text, columns: rect.columns, rows: rect.rows), in: rect, into: &buffer)
    }

    /// The lines of a problem in a window so wide; the last one is cut where there is no room for more.
    static func problemLines(_ text: String, columns: Int, rows: Int) -> [String] {
        let columns = columns - 2 * margin(columns: columns)
        return cut(DisplayText.wrap(text, columns: max(1, columns), maximumLines: max(0, rows) + 1), to: rows, columns: columns)
    }

    /// Draws them from the top of a rectangle on.
    static func draw(problemLines lines: [String], in rect: Rect, into buffer: inout CellBuffer) {
        let margin = margin(columns: rect.columns)
        for (place, line) in lines.enumerated() {
            buffer.write(
                line, row: rect.row + place, column: rect.column + margin, columns: rect.columns - 2 * margin,
                style: Style(.failure))
        }
    }

    /// A message as lines: one where it fits, else as many as it needs, and as a window can spare that shows something else, too.
    private static func lines(of text: String, columns: Int, rows: Int, most limit: Int = .max) -> [String] {
        guard columns > 0, DisplayText.width(of: text, limit: columns + 1) > columns else { return [text] }
        let most = max(1, min(limit, rows <= 8 ? rows - 1 : rows / 2))
        return cut(DisplayText.wrap(text, columns: columns, maximumLines: most + 1), to: most, columns: columns)
    }

    private static func cut(_ lines: [String], to most: Int, columns: Int) -> [String] {
        guard lines.count > most else { return lines }
        guard most > 0 else { return [] }
        // What follows does not fit, so that the last line ends in an ellipsis.
        let last = lines[most - 1] + " " + lines[most]
        return lines.prefix(most - 1) + [DisplayText.width(of: last, limit: columns + 1) > columns ? last : last + "…"]
    }

    /// Lines of a message that stand above the row of its last one.
    private static func drawAbove(
        _ lines: some Collection<String>, row: Int, margin: Int, style: Style, into buffer: inout CellBuffer
    ) {
        let columns = buffer.size.columns
        for (place, line) in lines.enumerated() where row - lines.count + place >= 0 {
            let row = row - lines.count + place
            buffer.fill(Rect(row: row, column: 0, rows: 1, columns: columns), style: style)
            buffer.write(line, row: row, column: margin, columns: columns - margin, style: style)
        }
    }

    /// Draws a prompt in the last line there is; answers where its cursor stands.
    static func drawPrompt(_ prompt: Prompt, into buffer: inout CellBuffer) {
        guard buffer.size.rows >= 1 else { return }
        let row = buffer.size.rows - 1
        buffer.fill(Rect(row: row, column: 0, rows: 1, columns: buffer.size.columns), style: Style(.statusBar))
        let (text, _) = visible(prompt, columns: buffer.size.columns)
        buffer.write(text, row: row, column: 0, columns: buffer.size.columns, style: Style(.statusBar))
        if prompt.isSelected {
            let start = prompt.label.count
            buffer.restyle(row: row, columns: start..<max(start, DisplayText.width(of: text, limit: buffer.size.columns))) {
                $0.role = .hit
            }
        }
        if let fault = prompt.fault { drawFault(fault, of: text, into: &buffer) }
    }

    /// After the prompt's text where it fits, else in the lines above.
    private static func drawFault(_ fault: String, of text: String, into buffer: inout CellBuffer) {
        let columns = buffer.size.columns
        let row = buffer.size.rows - 1
        let start = DisplayText.width(of: text, limit: columns) + 3
        if start + DisplayText.width(of: fault, limit: columns) < columns {
            buffer.write("← ", row: row, column: start - 2, columns: 2, style: Style(.statusBar))
            buffer.write(fault, row: row, column: start, columns: columns - start - 1, style: Style(.statusBar))
        } else if row >= 1 {
            let lines = lines(of: fault, columns: columns, rows: row)
            drawAbove(lines, row: row, margin: 0, style: Style(.failure), into: &buffer)
        }
    }

    static func typingPosition(of prompt: Prompt, in size: Size) -> Position? {
        guard size.rows >= 1, size.columns >= 1 else { return nil }
        let (_, column) = visible(prompt, columns: size.columns)
        return Position(row: size.rows - 1, column: min(column, size.columns - 1))
    }

    /// The part of a prompt around its cursor that fits, and the cursor's column in it.
    private static func visible(_ prompt: Prompt, columns: Int) -> (text: String, column: Int) {
        let characters = Array(prompt.text)
        let room = max(1, columns - prompt.label.count - 1)
        var start = prompt.cursor
        var width = 0
        while start > 0 {
            let wider = width + DisplayText.width(of: String(characters[start - 1]))
            guard wider <= room else { break }
            start -= 1
            width = wider
        }
        return (prompt.label + String(characters[start...]), prompt.label.count + width)
    }

    private static func drawBar(
        row: Int, left: String, right: String, style: Style, cutsStart: Bool = false, into buffer: inout CellBuffer
    ) {
        let columns = buffer.size.columns
        buffer.fill(Rect(row: row, column: 0, rows: 1, columns: columns), style: style)
        let width = DisplayText.width(of: right, limit: columns)
        let margin = margin(columns: columns)
        var room = columns - margin
        // The right part yields first: it says less.
        if width > 0, width + 2 <= columns - min(12, columns) {
            buffer.write(right, row: row, column: columns - width - 1, columns: width, style: style)
            room = columns - width - 3
        }
        let text = cutsStart ? DisplayText.truncateStart(left, to: max(0, room)) : left
        buffer.write(text, row: row, column: margin, columns: max(0, room), style: style)
    }

    /// `1 object`, `7 objects`, `12,345 objects`.
    static func count(_ number: Int, _ noun: (one: String, many: String)) -> String {
        "\(grouped(number)) \(number == 1 ? noun.one : noun.many)"
    }

    /// What is said of a number that is none of a row; nil for one that is.
    static func outOfRange(_ number: Int, _ count: Int, _ noun: String) -> String? {
        guard !(1...max(1, count)).contains(number) || count == 0 else { return nil }
        return count == 0 ? "there are no \(noun)" : "the \(noun) are numbered from 1 to \(grouped(count))"
    }

    /// Digits in groups of three from five digits on.
    static func grouped(_ number: Int) -> String {
        let digits = Array(String(number))
        guard number > 9_999 else { return String(digits) }
        var text = ""
        for (place, digit) in digits.enumerated() {
            if place > 0, (digits.count - place) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return text
    }
}

extension CellBuffer {
    /// Whether the cursor's row, or a part of it, is here.
    fileprivate func isCursorRow(_ row: Int) -> Bool { (0..<size.columns).contains { self[row, $0]?.style.isCursor == true } }
}

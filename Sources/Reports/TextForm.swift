import Fetching
import PlistConfig
import Presentation

/// What the screens show, unfolded, without cursor, colours and index bar. Lines are as long as they must be: nothing is cut.
struct TextForm: PrintedForm {
    private let measure: TextMeasure
    private let columns: Int
    private let isSectioned: Bool
    private let columnHeadings: [String]
    /// Cells of the widest label of a detail's row.
    private let labelWidth: Int
    private let hasDetails: Bool
    /// Cells of the widest text, and of the widest in each column, as far as they were looked at.
    private var textWidth = 0
    private var columnWidths: [Int]

    init(options: PrintOptions, source: some PrintSource) {
        measure = options.measure
        // A cell at the right stays free, as on the screen.
        columns = max(20, options.columns - 1)
        isSectioned = source.isSectioned
        columnHeadings = source.columnHeadings.map(options.measure.printable)
        columnWidths = columnHeadings.map(options.measure.width)
        hasDetails = options.withDetails
        labelWidth = source.detailLabels.map { options.measure.width(options.measure.printable($0)) }.max() ?? 0
    }

    func beginning(of source: any PrintSource) -> String {
        let count = source.sections.reduce(0) { $0 + $1.count }
        let title = measure.line(" " + measure.printable(source.title), counted(count, source), columns: columns) + "\n"
        if count == 0 { return title + (source.emptyReason.map { indent + measure.printable($0) + "\n" } ?? "") }
        return columnHeadings.isEmpty ? title : title + inColumns(indent, columnHeadings)
    }

    /// `7 objects`, or `3 of 7 match`, as on the screen.
    private func counted(_ count: Int, _ source: any PrintSource) -> String {
        if let total = source.total { return "\(TextForm.grouped(count)) of \(TextForm.grouped(total)) match" }
        return "\(TextForm.grouped(count)) \(count == 1 ? source.noun.one : source.noun.many)"
    }

    // MARK: Columns

    /// Columns are as wide as the rows that are looked at before the first is printed.
    var rowsToFit: Int { columnHeadings.isEmpty ? 0 : ListPrinter.largestBatch }

    mutating func fit(_ row: PrintedRow) {
        textWidth = max(textWidth, fitting(row.text.text))
        for (place, detail) in row.details.enumerated() where columnWidths.indices.contains(place) {
            columnWidths[place] = max(columnWidths[place], fitting(detail.text))
        }
    }

    /// The width that a text asks for; none that is wider than a line: its own row alone is out of line then, not every row.
    private func fitting(_ text: String) -> Int {
        let width = measure.width(measure.printable(text))
        return width > columns ? 0 : width
    }

    /// Where the texts are narrow, they have the first half of the line, and the columns share the other.
    private func inColumns(_ text: String, _ details: [String]) -> String {
        let half = columns / 2
        let share = max(8, (columns - half) / max(1, details.count))
        var start = max(half, measure.width(indent) + textWidth + 2)
        var line = text
        var used = measure.width(line)
        for (place, detail) in details.enumerated() {
            if !detail.isEmpty {
                let gap = max(start - used, 2)
                line += String(repeating: " ", count: gap) + detail
                used += gap + measure.width(detail)
            }
            start += max(share, (columnWidths.indices.contains(place) ? columnWidths[place] : 0) + 2)
        }
        return line + "\n"
    }

    func append(_ section: PrintedSection, to bytes: inout [UInt8]) {
        guard isSectioned else { return }
        let title = section.title.map { $0.isEmpty ? "\"\"" : measure.printable($0) } ?? "(none)"
        bytes.append(contentsOf: measure.line(" ▾ " + title, TextForm.grouped(section.count), columns: columns).utf8)
        bytes.append(UInt8(ascii: "\n"))
    }

    func append(_ row: PrintedRow, _ section: [UInt8], to bytes: inout [UInt8]) {
        bytes.append(contentsOf: lines(of: row).utf8)
    }

    private func lines(of row: PrintedRow) -> String {
        let text = indent + measure.printable(row.text.text)
        let details = row.details.map { measure.printable($0.text) }
        var lines =
            columnHeadings.isEmpty ? measure.line(text, details.first ?? "", columns: columns) + "\n" : inColumns(text, details)
        guard hasDetails else { return lines }
        for section in row.shownDetail { append(section, to: &lines) }
        return lines
    }

    /// A section of a detail, below its object's line.
    private func append(_ section: PrintedDetail, to lines: inout String) {
        let margin = indent + "    "
        if let title = section.title, !title.isEmpty { lines += margin + measure.printable(title) + "\n" }
        switch section.body {
        case .rows(let rows):
            for row in rows {
                var start = margin
                if let label = row.label.map(measure.printable), !label.isEmpty {
                    start += label + String(repeating: " ", count: max(0, labelWidth - measure.width(label)) + 2)
                }
                let shown = row.isOn.map { $0 ? "on" : "off" } ?? row.value.text
                let value = row.unavailable.map { "(unavailable: \($0))" } ?? shown
                // A line feed breaks the line in multi-line rows only.
                let isBroken = row.type.isMultiLine && row.unavailable == nil
                let texts = isBroken ? value.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) : [value[...]]
                let space = String(repeating: " ", count: measure.width(start))
                for (place, text) in texts.enumerated() where place == 0 || place < texts.count - 1 || !text.isEmpty {
                    lines += (place == 0 ? start : text.isEmpty ? "" : space) + measure.printable(String(text)) + "\n"
                }
            }
        case .related(let texts):
            for text in texts.isEmpty ? [.null] : texts { lines += "\(margin)  \(measure.printable(text.text))\n" }
        }
    }

    private var indent: String { isSectioned ? "   " : " " }

    /// Digits in groups of three from five digits on, as on the screen.
    static func grouped(_ number: Int) -> String {
        let digits = String(number)
        guard number > 9_999 else { return digits }
        var text = ""
        for (place, digit) in digits.enumerated() {
            if place > 0, (digits.count - place) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return text
    }
}

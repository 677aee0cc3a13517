import ObjectStore
import Presentation

/// What the list screen shows, unfolded, without cursor, colours and index bar. Lines are as long as they must be: nothing is cut.
struct TextForm: PrintedForm {
    private let measure: TextMeasure
    private let columns: Int
    private let isSectioned: Bool
    private let columnHeadings: [String]
    private let detailLabels: [String]
    private let hasDetails: Bool

    init(options: PrintOptions, source: some PrintSource) {
        measure = options.measure
        // A cell at the right stays free, as on the screen.
        columns = max(20, options.columns - 1)
        isSectioned = source.isSectioned
        columnHeadings = source.columnHeadings.map(options.measure.printable)
        hasDetails = options.withDetails
        let labels = source.detailKeyPaths.map(options.measure.printable)
        let widest = labels.map(options.measure.width).max() ?? 0
        detailLabels = labels.map { $0 + String(repeating: " ", count: widest - options.measure.width($0)) }
    }

    func beginning(of source: any PrintSource) -> String {
        let count = source.sections.reduce(0) { $0 + $1.count }
        let counted = "\(TextForm.grouped(count)) \(count == 1 ? source.noun.one : source.noun.many)"
        let title = measure.line(" " + measure.printable(source.title), counted, columns: columns) + "\n"
        return columnHeadings.isEmpty ? title : title + inColumns(indent, columnHeadings)
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
        for (label, value) in zip(detailLabels, row.detailValues) {
            lines += "\(indent)    \(label)  \(measure.printable(TextForm.text(value)))\n"
        }
        return lines
    }

    private var indent: String { isSectioned ? "   " : " " }

    /// Columns begin at fixed places, since the widest text is not known before the last row is read: the text has the first half.
    private func inColumns(_ text: String, _ details: [String]) -> String {
        let half = columns / 2
        let width = max(8, (columns - half) / max(1, details.count))
        var line = text
        for (place, detail) in details.enumerated() where !detail.isEmpty {
            let start = half + place * width
            let used = measure.width(line)
            line += String(repeating: " ", count: max(place == 0 || used < start ? start - used : 2, 2)) + detail
        }
        return line + "\n"
    }

    /// A detail's value as data; NULL and the empty string as on the screen.
    private static func text(_ value: Value) -> String {
        switch value {
        case .null: PresentedText.null.text
        case .string(""): PresentedText.emptyString.text
        case .danglingReference(let entityName, let key): "(no \(entityName) \(key))"
        default: PrintedValue.field(value)
        }
    }

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

import Fetching
import PlistConfig
import Presentation
import TerminalUI

/// How the lines of a detail stand at some width.
///
/// It knows two measures: screen lines, and stops, which are what the cursor moves over: a row is one stop of as many lines as its
/// value needs, each object of a to-many relationship is a stop of one line. Finding either is logarithmic in the number of rows;
/// the objects of a to-many relationship are not counted out.
struct DetailLayout: Sendable, Equatable {
    enum Content: Sendable, Equatable {
        case blank
        case sectionTitle(String)
        /// A row and the lines of its value.
        case row(DetailRow, place: DetailPlace, lines: [String], labelColumns: Int)
        /// The objects of a to-many section, and what stands for those that are not there; one line that says so where there are none.
        case related(section: Int, RelatedObjects)
    }

    struct Block: Sendable, Equatable {
        let content: Content
        let firstLine: Int
        let lines: Int
        let firstStop: Int
        let stops: Int
    }

    private(set) var blocks: [Block] = []
    private(set) var lineCount = 0
    private(set) var stopCount = 0

    init() {}

    init(_ contents: DetailContents, columns: Int) {
        for (number, section) in contents.sections.enumerated() {
            if number > 0 { append(.blank, lines: 1, stops: 0) }
            var title = section.title
            if title == nil, case .related(let objects) = section.body { title = objects.label }
            if let title, !title.isEmpty { append(.sectionTitle(title), lines: 1, stops: 0) }
            switch section.body {
            case .rows(let rows):
                let labelColumns = Self.labelColumns(of: rows, columns: columns)
                for (place, row) in rows.enumerated() {
                    let lines = Self.lines(of: row, labelColumns: labelColumns, columns: columns)
                    append(
                        .row(row, place: DetailPlace(section: number, row: place), lines: lines, labelColumns: labelColumns),
                        lines: max(1, lines.count), stops: 1)
                }
            case .related(let objects):
                let count = max(1, objects.keys.count + objects.dangling.count)
                append(.related(section: number, objects), lines: count, stops: count)
            }
        }
    }

    private mutating func append(_ content: Content, lines: Int, stops: Int) {
        blocks.append(Block(content: content, firstLine: lineCount, lines: lines, firstStop: stopCount, stops: stops))
        lineCount += lines
        stopCount += stops
    }

    // MARK: Finding

    /// The block of a screen line, 0-based.
    func block(atLine line: Int) -> Block? {
        guard line >= 0, line < lineCount else { return nil }
        return blocks[partition { $0.firstLine + $0.lines <= line }]
    }

    /// The block of a stop, 0-based.
    func block(ofStop stop: Int) -> Block? {
        guard stop >= 0, stop < stopCount else { return nil }
        return blocks[partition { $0.firstStop + $0.stops <= stop }]
    }

    func lines(ofStop stop: Int) -> Range<Int> {
        guard let block = block(ofStop: stop) else { return 0..<0 }
        if case .related = block.content {
            let line = block.firstLine + stop - block.firstStop
            return line..<(line + 1)
        }
        return block.firstLine..<(block.firstLine + block.lines)
    }

    /// The stop on a screen line, else the next one below, else the last.
    func stop(atOrAfterLine line: Int) -> Int {
        guard let block = block(atLine: max(0, line)) else { return max(0, stopCount - 1) }
        if case .related = block.content { return block.firstStop + max(0, line) - block.firstLine }
        return min(block.firstStop, max(0, stopCount - 1))
    }

    private func partition(_ isBefore: (Block) -> Bool) -> Int {
        var low = 0
        var high = blocks.count - 1
        while low < high {
            let middle = (low + high) / 2
            if isBefore(blocks[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    // MARK: Looks

    /// Columns before a value: those of the labels and a gap.
    static func valueIndent(labelColumns: Int) -> Int { labelColumns > 0 ? labelColumns + 2 : 0 }

    /// Column of labels: as wide as the widest, at most a third of the line; none where a value would have no room beside them.
    private static func labelColumns(of rows: [DetailRow], columns: Int) -> Int {
        guard columns > 10 else { return 0 }
        let widest =
            rows.filter { $0.type.hasSmallLabel }.map { DisplayText.width(of: $0.label ?? "", limit: columns) }.max() ?? 0
        return min(widest, max(0, columns / 3))
    }

    private static func lines(of row: DetailRow, labelColumns: Int, columns: Int) -> [String] {
        guard row.unavailable == nil, row.type.isMultiLine else { return [row.value.text] }
        let used =
            2 * Chrome.margin(columns: columns)
            + (row.type == .multiLineValueSmallLabel ? valueIndent(labelColumns: labelColumns) : 0)
        let lines = DisplayText.wrap(row.value.text, columns: max(1, columns - used))
        // Below a value that goes on, a line that says so.
        return (lines.isEmpty ? [""] : lines) + (row.isCut ? [""] : [])
    }
}

extension DetailDescription.RowType {
    /// Whether the label stands right-aligned before the value.
    var hasSmallLabel: Bool { self == .singleLineValueSmallLabel || self == .multiLineValueSmallLabel }
}

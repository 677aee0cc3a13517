import Fetching
import ObjectStore
import Presentation
import TerminalUI

/// How wide a column is: as its widest text that was seen, or its heading.
///
/// It grows only, so that columns stand still, until the text that made it so wide is there no more.
struct ColumnWidth: Sendable {
    private let heading: Int
    /// In cells.
    private(set) var cells: Int
    /// Whose text it is as wide as; nil for the heading.
    private(set) var widest: ObjectKey?

    /// Wider than this no text needs to be; how wide it is shown is a matter of the room there is.
    private static let most = 200

    init(heading: String) {
        self.heading = DisplayText.width(of: heading, limit: Self.most)
        cells = self.heading
    }

    mutating func widen(for text: String, of key: ObjectKey) {
        let width = DisplayText.width(of: text, limit: Self.most)
        guard width > cells else { return }
        (cells, widest) = (width, key)
    }

    /// Whether a text is the widest no more, though its object is what the column is as wide as.
    func isNarrowed(by text: String?, of key: ObjectKey) -> Bool {
        widest == key && text.map { DisplayText.width(of: $0, limit: Self.most) < cells } != false
    }

    mutating func reset() { (cells, widest) = (heading, nil) }
}

/// How the columns of a list share a line.
struct ColumnLayout: Equatable {
    /// In cells, the gaps not counted.
    let text: Int
    let columns: [Int]
    /// Whether columns had to be left out.
    let isCut: Bool

    /// Before each column.
    static let gap = 2
    /// A column narrower than this, and than its texts, is left out.
    private static let narrowest = 4

    /// Each gets what it needs; where there is not room enough the widest shrink first. Columns for which nothing is left are left
    /// out, the last one first. What is over belongs to the text.
    ///
    /// - Parameters:
    ///   - room: cells there are.
    ///   - needs: widths of the text and of the columns.
    init(room: Int, text: Int, columns needs: [Int]) {
        let room = max(0, room)
        // The text may keep a third, whatever the columns need.
        let textFloor = min(max(text, 1), max(8, room / 3))
        var floors: [Int] = []
        var left = room - textFloor
        for need in needs {
            let floor = min(need, Self.narrowest)
            guard left >= Self.gap + floor else { break }
            floors.append(floor)
            left -= Self.gap + floor
        }
        let shown = floors.count
        isCut = shown < needs.count
        let forTexts = room - shown * Self.gap
        let wanted = [text] + needs.prefix(shown)
        let least = [textFloor] + floors
        func widths(cappedAt cap: Int) -> [Int] { zip(wanted, least).map { max($1, min($0, cap)) } }
        // The largest cap under which all fit: the floors do.
        var low = 0
        var high = max(room, 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if widths(cappedAt: middle).reduce(0, +) <= forTexts { low = middle } else { high = middle - 1 }
        }
        var widths = widths(cappedAt: low)
        var over = max(0, forTexts - widths.reduce(0, +))
        // Cells that do not go round: to the first ones that lack some.
        for place in widths.indices where over > 0 && widths[place] < wanted[place] {
            widths[place] += 1
            over -= 1
        }
        self.columns = Array(widths.dropFirst())
        self.text = max(0, forTexts - columns.reduce(0, +))
    }
}

extension ListScreen {
    /// Widths of the text, first, and of the columns, before anything was seen.
    static func widths(for configuration: ListConfiguration) -> [ColumnWidth] {
        ([""] + configuration.columnHeadings).map(ColumnWidth.init(heading:))
    }

    /// How wide each column is.
    var columnWidths: ArraySlice<ColumnWidth> { widths.dropFirst() }

    /// What a row shows in a column; the text is the first one.
    private static func text(of row: ListRow, in column: Int) -> String? {
        if column == 0 { return row.text.text }
        return row.details.indices.contains(column - 1) ? row.details[column - 1].text : nil
    }

    /// Takes note of how wide the texts of rows are that came; nil where the object is gone.
    mutating func fitColumns(to loaded: [ObjectKey: ListRow?]) {
        guard hasHeadings else { return }
        for column in widths.indices {
            let texts = loaded.mapValues { $0.flatMap { Self.text(of: $0, in: column) } }
            if texts.contains(where: { widths[column].isNarrowed(by: $0.value, of: $0.key) }) {
                fitColumn(column) { _ in true }
            }
            for case (let key, let text?) in texts { widths[column].widen(for: text, of: key) }
        }
    }

    /// Makes the columns narrower that were as wide as objects that are gone.
    mutating func fitColumns(without gone: ContiguousArray<ObjectKey>) {
        guard hasHeadings, !gone.isEmpty else { return }
        for column in widths.indices {
            guard let widest = widths[column].widest, gone.containsAscending(widest) else { continue }
            fitColumn(column) { !gone.containsAscending($0) }
        }
    }

    /// Makes all columns as wide as their headings; rows are about to be read again.
    mutating func resetColumns() {
        for column in widths.indices { widths[column].reset() }
    }

    /// Makes the columns of another arrangement: rows that are known are not read anew for it.
    mutating func refitColumns() {
        widths = Self.widths(for: configuration)
        guard hasHeadings else { return }
        for column in widths.indices { fitColumn(column) { _ in true } }
    }

    /// As wide as the widest of the rows that are known. O(rows in the cache).
    private mutating func fitColumn(_ column: Int, _ isThere: (ObjectKey) -> Bool) {
        widths[column].reset()
        for (key, row) in rows.known where isThere(key) {
            if let text = Self.text(of: row, in: column) { widths[column].widen(for: text, of: key) }
        }
    }
}

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

    private static let most = 40

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

extension ListScreen {
    /// Takes note of how wide the texts of rows are that came; nil where the object is gone.
    mutating func fitColumns(to loaded: [ObjectKey: ListRow?]) {
        guard hasHeadings else { return }
        for column in columnWidths.indices {
            let texts = loaded.mapValues { $0.flatMap { $0.details.indices.contains(column) ? $0.details[column].text : nil } }
            if texts.contains(where: { columnWidths[column].isNarrowed(by: $0.value, of: $0.key) }) {
                fitColumn(column) { _ in true }
            }
            for case (let key, let text?) in texts { columnWidths[column].widen(for: text, of: key) }
        }
    }

    /// Makes the columns narrower that were as wide as objects that are gone.
    mutating func fitColumns(without gone: ContiguousArray<ObjectKey>) {
        guard hasHeadings, !gone.isEmpty else { return }
        for column in columnWidths.indices {
            guard let widest = columnWidths[column].widest, gone.containsAscending(widest) else { continue }
            fitColumn(column) { !gone.containsAscending($0) }
        }
    }

    /// Makes all columns as wide as their headings; rows are about to be read again.
    mutating func resetColumns() {
        for column in columnWidths.indices { columnWidths[column].reset() }
    }

    /// As wide as the widest of the rows that are known. O(rows in the cache).
    private mutating func fitColumn(_ column: Int, _ isThere: (ObjectKey) -> Bool) {
        columnWidths[column].reset()
        for (key, row) in rows.known where row.details.indices.contains(column) && isThere(key) {
            columnWidths[column].widen(for: row.details[column].text, of: key)
        }
    }
}

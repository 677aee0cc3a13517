import Fetching
import TerminalUI

extension CellBuffer {
    /// Marks where the words of a query stand in a row that is drawn already.
    mutating func markHits(of query: SearchQuery?, row: Int) {
        guard let query else { return }
        let text = text(row: row)
        for range in query.ranges(in: text) {
            restyle(row: row, columns: DisplayText.cells(of: range, in: text, limit: size.columns)) { $0.role = .hit }
        }
    }
}

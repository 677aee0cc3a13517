/// One cell of the screen.
package struct Cell: Sendable, Hashable {
    /// A printable grapheme cluster of one spacing scalar; empty in the cell that a wide cluster to its left covers.
    package var text: String
    package var style: Style

    package init(_ text: String = " ", _ style: Style = .text) {
        self.text = text
        self.style = style
    }
}

/// A screen as a value: what a frame shows, cell by cell.
///
/// Writing outside is clipped, never a trap.
package struct CellBuffer: Sendable, Equatable {
    package private(set) var size: Size
    package private(set) var cells: [Cell]
    /// Pictures that the terminal draws above the cells.
    package var graphics: [PlacedGraphic] = []

    package init(size: Size) {
        self.size = Size(rows: max(0, size.rows), columns: max(0, size.columns))
        cells = Array(repeating: Cell(), count: self.size.rows * self.size.columns)
    }

    package subscript(row: Int, column: Int) -> Cell? {
        guard row >= 0, column >= 0, row < size.rows, column < size.columns else { return nil }
        return cells[row * size.columns + column]
    }

    /// Replaces one cell; outside, nothing happens. The writing functions see to wide clusters.
    mutating func setCell(_ cell: Cell, row: Int, column: Int) {
        guard row >= 0, column >= 0, row < size.rows, column < size.columns else { return }
        cells[row * size.columns + column] = cell
    }
}

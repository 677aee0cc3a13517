/// Rows and columns of a screen or a part of it, in cells.
package struct Size: Sendable, Hashable {
    package var rows: Int
    package var columns: Int

    package init(rows: Int, columns: Int) {
        self.rows = rows
        self.columns = columns
    }
}

/// A cell's place, 0-based from the top left.
package struct Position: Sendable, Hashable {
    package var row: Int
    package var column: Int

    package init(row: Int, column: Int) {
        self.row = row
        self.column = column
    }
}

/// A part of the screen, in cells.
package struct Rect: Sendable, Hashable {
    package var row: Int
    package var column: Int
    package var rows: Int
    package var columns: Int

    package init(row: Int, column: Int, rows: Int, columns: Int) {
        self.row = row
        self.column = column
        self.rows = rows
        self.columns = columns
    }

    package init(_ size: Size) { self.init(row: 0, column: 0, rows: size.rows, columns: size.columns) }

    package var endRow: Int { row + rows }
    package var endColumn: Int { column + columns }

    package func contains(_ position: Position) -> Bool {
        (row..<endRow).contains(position.row) && (column..<endColumn).contains(position.column)
    }
}

extension CellBuffer {
    /// Writes text in one line: printable, cut with `…` to `columns` and to the buffer's edge.
    ///
    /// - Parameters:
    ///   - column: where the text begins; what lies left of the buffer is clipped.
    ///   - columns: the most cells it may take.
    /// - Returns: how many cells it took, from `column` on.
    /// - Complexity: O(`columns`), whatever the text's length.
    @discardableResult
    package mutating func write(_ text: String, row: Int, column: Int, columns: Int, style: Style = .text) -> Int {
        guard row >= 0, row < size.rows, columns > 0, column < size.columns, column > -1_000_000 else { return 0 }
        let room = min(columns, size.columns - column)
        var used = 0
        // A cluster that fills the room to its end, held back until it is known that nothing follows.
        var last: DisplayCluster?
        var overflows = false
        DisplayText.forEachCluster(in: text) { cluster, _ in
            guard last == nil, used + cluster.width <= room else {
                overflows = true
                return false
            }
            if used + cluster.width == room {
                last = cluster
            } else {
                put(cluster, row: row, column: column + used, style: style)
                used += cluster.width
            }
            return true
        }
        guard let end = overflows ? DisplayCluster(DisplayText.ellipsis, width: 1) : last else { return used }
        put(end, row: row, column: column + used, style: style)
        return used + end.width
    }

    /// Fills a part with one character, a space if not said otherwise.
    ///
    /// - Parameter character: takes one cell, else a space is used.
    package mutating func fill(_ rect: Rect, with character: Character = " ", style: Style = .text) {
        let cluster = DisplayText.cluster(character)
        let text = cluster.width == 1 ? cluster.first.text : " "
        let columns = clipped(rect.column, rect.columns, to: size.columns)
        guard !columns.isEmpty else { return }
        for row in clipped(rect.row, rect.rows, to: size.rows) {
            // Only at the edges can half of a wide cluster remain.
            put(text, width: 1, row: row, column: columns.lowerBound, style: style)
            put(text, width: 1, row: row, column: columns.upperBound - 1, style: style)
            for column in columns { setCell(Cell(text, style), row: row, column: column) }
        }
    }

    /// Changes the styles of cells in a row; a wide cluster that is touched changes whole.
    package mutating func restyle(row: Int, columns: Range<Int>, _ change: (inout Style) -> Void) {
        guard row >= 0, row < size.rows else { return }
        var range = columns.clamped(to: 0..<size.columns)
        guard !range.isEmpty else { return }
        if isCovered(row, range.lowerBound), range.lowerBound > 0 { range = range.lowerBound - 1..<range.upperBound }
        if isCovered(row, range.upperBound) { range = range.lowerBound..<range.upperBound + 1 }
        for column in range {
            guard var cell = self[row, column] else { continue }
            change(&cell.style)
            setCell(cell, row: row, column: column)
        }
    }

    /// Makes a row the cursor's, over the whole width if not said otherwise.
    package mutating func markCursorRow(_ row: Int, from start: Int = 0, to end: Int = .max) {
        restyle(row: row, columns: max(0, start)..<max(0, start, min(end, size.columns))) { $0.isCursor = true }
    }

    /// Copies another buffer into this one, clipped.
    package mutating func draw(_ other: CellBuffer, row: Int, column: Int) {
        for line in 0..<other.size.rows {
            for place in 0..<other.size.columns {
                guard let cell = other[line, place], !cell.text.isEmpty else { continue }
                let width = other[line, place + 1]?.text.isEmpty == true ? 2 : 1
                put(cell.text, width: width, row: row + line, column: column + place, style: cell.style)
            }
        }
    }

    private mutating func put(_ cluster: DisplayCluster, row: Int, column: Int, style: Style) {
        put(cluster.first.text, width: cluster.first.width, row: row, column: column, style: style)
        guard !cluster.rest.isEmpty else { return }
        var column = column + cluster.first.width
        for piece in cluster.rest {
            put(piece.text, width: piece.width, row: row, column: column, style: style)
            column += piece.width
        }
    }

    /// Puts one piece into its cells; what is left of a wide cluster that it half covers becomes a space, and so does a wide
    /// piece of which only half is inside.
    private mutating func put(_ text: String, width: Int, row: Int, column: Int, style: Style) {
        guard row >= 0, row < size.rows, column < size.columns, column + width > 0 else { return }
        let last = column + width - 1
        if column > 0, isCovered(row, column) { blank(row, column - 1) }
        if isCovered(row, last + 1) { blank(row, last + 1) }
        if width == 1 {
            setCell(Cell(text, style), row: row, column: column)
        } else if column < 0 {
            setCell(Cell(" ", style), row: row, column: 0)
        } else if last >= size.columns {
            setCell(Cell(" ", style), row: row, column: column)
        } else {
            setCell(Cell(text, style), row: row, column: column)
            setCell(Cell("", style), row: row, column: last)
        }
    }

    /// Whether the cell shows the right half of a wide cluster.
    private func isCovered(_ row: Int, _ column: Int) -> Bool { self[row, column]?.text.isEmpty == true }

    private mutating func blank(_ row: Int, _ column: Int) {
        guard let cell = self[row, column] else { return }
        setCell(Cell(" ", cell.style), row: row, column: column)
    }

    private func clipped(_ start: Int, _ length: Int, to limit: Int) -> Range<Int> {
        guard length > 0, start < limit else { return 0..<0 }
        let (end, overflows) = start.addingReportingOverflow(length)
        let lower = max(0, start)
        return lower..<max(lower, overflows ? limit : min(limit, end))
    }
}

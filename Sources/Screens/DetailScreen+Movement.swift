import TerminalUI

// Where the cursor goes and what the window shows then.
extension DetailScreen {
    private var lastTop: Int { max(0, layout.lineCount - max(1, window.rows)) }

    mutating func moveCursor(to stop: Int, top: Int? = nil) {
        cursor = stop
        if let top { self.top = top }
        settle()
    }

    /// One stop down; a value taller than the window is read to its end first.
    mutating func moveDown() {
        let lines = layout.lines(ofStop: cursor)
        if lines.upperBound > top + window.rows {
            top += 1
        } else {
            cursor += 1
        }
        settle()
    }

    mutating func moveUp() {
        let lines = layout.lines(ofStop: cursor)
        if lines.lowerBound < top, lines.count > window.rows {
            top -= 1
        } else if cursor == 0 {
            // The title above the first row comes into view.
            top = 0
        } else {
            cursor -= 1
        }
        settle()
    }

    mutating func page(by rows: Int) {
        let old = (cursor: cursor, top: top)
        // Of a value taller than the window the part in sight counts.
        let line = max(top, layout.lines(ofStop: cursor).lowerBound) + rows
        top = max(0, min(top + rows, lastTop))
        cursor = line < 0 ? 0 : layout.stop(atOrAfterLine: line)
        settle()
        // The end of a tall value, or a title in a low window, may have brought everything back to where it was.
        guard cursor == old.cursor, top == old.top else { return }
        if rows < 0 { moveUp() } else { moveDown() }
    }

    /// Scrolls the window; the cursor comes along only where it would leave it.
    mutating func scroll(by rows: Int) {
        top = max(0, min(top + rows, lastTop))
        let lines = layout.lines(ofStop: cursor)
        if lines.upperBound <= top { cursor = layout.stop(atOrAfterLine: top) }
        while cursor > 0, layout.lines(ofStop: cursor).lowerBound >= top + max(1, window.rows) { cursor -= 1 }
        settle()
    }

    /// To the first stop of the next section, or of this one, else of the one before.
    mutating func moveToSection(forward: Bool) {
        let starts = layout.blocks.indices.compactMap { place -> Int? in
            let block = layout.blocks[place]
            guard block.stops > 0 else { return nil }
            let isFirst = place == 0 || layout.blocks[place - 1].stops == 0
            return isFirst ? block.firstStop : nil
        }
        let target = forward ? starts.first { $0 > cursor } : starts.last { $0 < cursor }
        moveCursor(to: target ?? (forward ? layout.stopCount - 1 : 0))
    }

    /// Brings the cursor into the detail and the window to the cursor.
    mutating func settle() {
        cursor = max(0, min(cursor, layout.stopCount - 1))
        top = max(0, min(top, lastTop))
        let lines = layout.lines(ofStop: cursor)
        let rows = max(1, window.rows)
        guard !lines.isEmpty else { return }
        if lines.count >= rows {
            // Some part of a value taller than the window is in sight.
            top = max(lines.lowerBound, min(top, lines.upperBound - rows))
        } else {
            if lines.upperBound > top + rows { top = lines.upperBound - rows }
            if lines.lowerBound < top { top = lines.lowerBound }
            // The title of its section is shown with a section's first row, where there is room.
            if lines.lowerBound == top, top > 0, rows > lines.count, layout.block(atLine: top - 1)?.stops == 0 { top -= 1 }
        }
        top = min(top, lastTop)
    }
}

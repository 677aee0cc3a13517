internal import CNcurses
package import TerminalUI

extension NcursesTerminal {
    package func present(_ buffer: CellBuffer, cursor: Position?) {
        guard buffer.size == size else { return }
        let painted = gatheringFrame { show(buffer, cursor: cursor) }
        write(painted.frame + painted.result)
    }

    /// Paints by curses; what has to follow it to the terminal.
    private func show(_ buffer: CellBuffer, cursor: Position?) -> [UInt8] {
        let columns = size.columns
        forgetPairsInTime()
        let isWhole = painted == nil
        var overlays: [UInt8] = []
        let changesGraphics = isWhole || buffer.graphics != shownGraphics
        if changesGraphics { withdrawGraphics() }
        // All of it is blank then, and blank cells need not be painted.
        if isWhole { werase(tl_stdscr()) }
        for row in 0..<size.rows {
            let cells = buffer.cells[row * columns..<(row + 1) * columns]
            // Curses compares cell by cell what the terminal shows; this only spares it the rows that are as they were.
            if let painted, painted.size == size, painted.cells[row * columns..<(row + 1) * columns] == cells { continue }
            // What curses does not know to be there has to go.
            if overlaidRows.remove(row) != nil { wredrawln(tl_stdscr(), Int32(row), 1) }
            paint(cells, row: row, onBlank: isWhole)
            appendOverlay(of: cells, row: row, to: &overlays)
        }
        painted = buffer
        place(cursor, in: buffer)
        wnoutrefresh(tl_stdscr())
        doupdate()
        if changesGraphics {
            shownGraphics = buffer.graphics
            for placed in shownGraphics { overlays += Self.bytes(of: placed) }
        }
        // The cursor stays where curses has put it.
        return overlays.isEmpty ? [] : Array("\u{1B}7".utf8) + overlays + Array("\u{1B}8".utf8)
    }

    private func paint(_ cells: ArraySlice<Cell>, row: Int, onBlank: Bool) {
        var style: Style?
        var attributes = attr_t()
        var pair: Int32 = 0
        var scalars: [UInt32] = []
        for (column, cell) in cells.enumerated() where !cell.text.isEmpty {
            if cell.style != style {
                style = cell.style
                (attributes, pair) = look(of: theme.attributes(for: cell.style))
            }
            if onBlank, attributes == 0, pair == 0, cell.text == " " { continue }
            scalars.removeAll(keepingCapacity: true)
            if paintsOnlyASCII, !cell.text.utf8.allSatisfy({ $0 < 0x80 }) {
                let width = cells.count > column + 1 && cells[cells.startIndex + column + 1].text.isEmpty ? 2 : 1
                let stand = PlainCharacters.standIn(for: cell.text)
                for offset in 0..<width { tl_put(Int32(row), Int32(column + offset), [stand], 1, attributes, pair) }
                continue
            }
            for scalar in cell.text.unicodeScalars { scalars.append(scalar.value) }
            tl_put(Int32(row), Int32(column), scalars, Int32(scalars.count), attributes, pair)
        }
    }

    /// Where nothing is typed the cursor is hidden, and still stands on the cursor's row: screen readers and braille displays
    /// follow it, and some terminals cannot hide it.
    private func place(_ cursor: Position?, in buffer: CellBuffer) {
        if let cursor, Rect(size).contains(cursor) {
            curs_set(1)
            wmove(tl_stdscr(), Int32(cursor.row), Int32(cursor.column))
            return
        }
        curs_set(0)
        let row = buffer.cells.firstIndex { $0.style.isCursor }.map { $0 / max(1, size.columns) } ?? size.rows - 1
        wmove(tl_stdscr(), Int32(row), 0)
    }

    /// Curses' attributes and colour pair, which is made when it is first needed.
    private func look(of attributes: TerminalAttributes) -> (attr_t, Int32) {
        var mask = attr_t()
        if attributes.isBold { mask |= tl_bold() }
        if attributes.isDim { mask |= tl_dim() }
        if attributes.isUnderlined { mask |= tl_underline() }
        if attributes.isReverse { mask |= tl_reverse() }
        let colors = Pair(foreground: attributes.foreground ?? -1, background: attributes.background ?? -1)
        return (mask, pair(for: colors))
    }

    /// A picture may need a pair for each of its cells: before they run out all are made anew, and so is the screen.
    private func forgetPairsInTime() {
        let most = Int(min(tl_color_pairs(), 32767))
        guard most > 1000, pairs.count + size.rows * size.columns >= most, pairs.count > most / 2 else { return }
        reset_color_pairs()
        pairs = [:]
        invalidate()
    }

    private func pair(for colors: Pair) -> Int32 {
        guard colors != Pair(foreground: -1, background: -1) else { return 0 }
        if let pair = pairs[colors.number] { return pair }
        // Without the terminal's own colours curses takes white on black for them.
        let foreground = colors.foreground < 0 && !hasDefaultColors ? 7 : colors.foreground
        let background = colors.background < 0 && !hasDefaultColors ? 0 : colors.background
        let number = Int32(pairs.count + 1)
        guard number < min(tl_color_pairs(), 32767), foreground < tl_colors(), background < tl_colors(),
            init_extended_pair(number, foreground, background) == OK
        else { return 0 }
        pairs[colors.number] = number
        return number
    }
}

/// What a terminal that knows only ASCII gets.
enum PlainCharacters {
    static func standIn(for text: String) -> UInt32 {
        let plain: Unicode.Scalar =
            switch text {
            case "…": "~"
            case "▾": "v"
            case "▸": ">"
            case "•", "●", "◆": "*"
            case "·": "."
            case "—", "–", "─", "━": "-"
            case "│", "┃", "▏", "▕": "|"
            case "↑": "^"
            case "↓": "v"
            case "←", "‹", "«": "<"
            case "→", "›", "»": ">"
            case "‘", "’": "'"
            case "“", "”": "\""
            case "×": "x"
            case "\u{A0}", "\u{202F}": " "
            default: "?"
            }
        return plain.value
    }
}

extension CellBuffer: CustomStringConvertible {
    /// What a row shows, trailing blanks included; empty outside.
    package func text(row: Int) -> String {
        guard row >= 0, row < size.rows else { return "" }
        return cells[row * size.columns..<(row + 1) * size.columns].reduce(into: "") { $0 += $1.text }
    }

    /// The rows without trailing blanks, joined by line feeds.
    package var description: String { snapshot() }

    /// The rows without trailing blanks, joined by line feeds.
    package func snapshot() -> String { (0..<size.rows).map { trimmed(text(row: $0)) }.joined(separator: "\n") }

    /// Each row as `snapshot` has it, and under it, after `>` for the cursor's cells or `|`, a letter for each cell's role.
    ///
    /// `|` and no more is a row all in `Role.text`. Letters: see `Style.Role.letter`.
    package func styledSnapshot() -> String {
        (0..<size.rows).map { row in
            trimmed(text(row: row)) + "\n" + styles(row: row)
        }.joined(separator: "\n")
    }

    /// The letters of a row's roles, trailing `.` trimmed: `>` before them where the whole row is the cursor's, `|` where none
    /// of it is; otherwise `~`, and the cursor's cells are upper-cased (`.` becomes `:`).
    package func styles(row: Int) -> String {
        guard row >= 0, row < size.rows else { return "" }
        let styles = cells[row * size.columns..<(row + 1) * size.columns].map(\.style)
        let cursorCells = styles.filter(\.isCursor).count
        let isMixed = cursorCells > 0 && cursorCells < styles.count
        let letters = styles.map { style -> String in
            guard isMixed, style.isCursor else { return String(style.role.letter) }
            return style.role == .text ? ":" : String(style.role.letter).uppercased()
        }.joined()
        return (isMixed ? "~" : cursorCells > 0 ? ">" : "|") + trimmed(letters, of: ".")
    }

    private func trimmed(_ text: String, of blank: Character = " ") -> String {
        var text = text[...]
        while text.last == blank { text.removeLast() }
        return String(text)
    }
}

extension Style.Role {
    /// The role in styled snapshots.
    package var letter: Character {
        switch self {
        case .text: "."
        case .titleBar: "t"
        case .statusBar: "b"
        case .sectionHeader: "s"
        case .secondary: "2"
        case .accent: "a"
        case .dimmed: "d"
        case .indexBar: "i"
        case .indexBarCurrent: "c"
        case .warning: "w"
        case .failure: "f"
        case .hit: "h"
        case .changed: "m"
        }
    }
}

import TerminalUI

/// A cursor over numbered lines, and the window in which it stays.
struct LineWindow: Sendable, Equatable {
    /// Both 0-based.
    private(set) var cursor = 0
    private(set) var top = 0
    /// How many lines there are.
    var count = 0 { didSet { settle() } }
    /// How many are seen at once.
    var height = 1 { didSet { settle() } }

    /// The lines in sight.
    var visible: Range<Int> { top..<max(top, min(count, top + height)) }

    /// - Returns: whether the command was one that moves.
    mutating func perform(_ command: Command) -> Bool {
        let page = max(1, height - 1)
        switch command {
        case .moveUp: cursor -= 1
        case .moveDown: cursor += 1
        case .pageUp: move(by: -page)
        case .pageDown: move(by: page)
        case .halfPageUp: move(by: -max(1, page / 2))
        case .halfPageDown: move(by: max(1, page / 2))
        case .moveToStart: cursor = 0
        case .moveToEnd: cursor = count - 1
        default: return false
        }
        settle()
        return true
    }

    /// Moves cursor and window together.
    private mutating func move(by lines: Int) {
        cursor += lines
        top += lines
    }

    /// Puts the cursor on a line, the nearest there is.
    mutating func moveCursor(to line: Int) {
        cursor = line
        settle()
    }

    /// Scrolls the window; the cursor comes along only where it would leave it.
    mutating func scroll(by lines: Int) {
        top = max(0, min(top + lines, count - height))
        cursor = max(top, min(cursor, top + height - 1))
        settle()
    }

    private mutating func settle() {
        let height = max(1, height)
        cursor = max(0, min(cursor, count - 1))
        top = max(0, min(top, count - height))
        top = min(max(top, cursor - height + 1), cursor)
    }
}

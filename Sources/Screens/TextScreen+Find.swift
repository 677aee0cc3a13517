package import Fetching
import TerminalUI

// Finding: the cursor goes to the next row that holds the words.
extension TextScreen: FindingScreen {
    /// The cursor's row and the one at the top of the window.
    package struct Place: Sendable {
        var cursor: Int
        var top: Int
    }

    package var place: Place {
        get { Place(cursor: cursor, top: top) }
        set {
            (cursor, top) = (newValue.cursor, newValue.top)
            settle()
        }
    }

    package mutating func goTo(rowNumber number: Int) {
        cursor = number - 1
        settle()
    }

    /// Looks at every line once, from the cursor's row on and round the end: a line that is wrapped is one, found at its first row.
    package mutating func moveCursor(toHitOf query: SearchQuery, forward: Bool, includesCursor: Bool) -> FindOutcome {
        let start = includesCursor ? cursor : cursor + (forward ? 1 : -1)
        for step in 0..<rows.count {
            let place = ((start + (forward ? step : -step)) % rows.count + rows.count) % rows.count
            let number = rows[place].line
            guard place == 0 || rows[place - 1].line != number, query.matches(lines[number].label + " " + lines[number].text)
            else { continue }
            let isSame = rows.indices.contains(cursor) && rows[cursor].line == number
            cursor = place
            settle()
            return isSame && !includesCursor ? .noOther : .found
        }
        return .none
    }
}

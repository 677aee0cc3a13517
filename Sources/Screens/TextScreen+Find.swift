package import Fetching
import TerminalUI

// Finding: the cursor goes to the next row that holds the words.
extension TextScreen: RowFindingScreen {
    /// Looks at every line once, from the cursor's row on and round the end: a line that is wrapped is one, found at its first row.
    package mutating func moveCursor(toHitOf query: SearchQuery, forward: Bool, includesCursor: Bool) -> FindOutcome {
        for place in SearchedRows(of: rows.count, from: cursor, forward: forward, includesCursor: includesCursor) {
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

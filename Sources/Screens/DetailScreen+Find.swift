package import Fetching
import ObjectStore
import Presentation
import TerminalUI

// Finding: the cursor goes to the next line whose label or value holds the words.
extension DetailScreen: FindingScreen {
    /// The cursor's stop and the line at the top of the window.
    package var place: RowPlace {
        get { RowPlace(cursor: cursor, top: top) }
        set { moveCursor(to: newValue.cursor, top: newValue.top) }
    }

    /// Lines are counted as the last line of the screen counts them: one without a row leads to the next that has one.
    package mutating func goTo(rowNumber number: Int) {
        let line = min(number, layout.lineCount) - 1
        moveCursor(to: layout.stop(atOrAfterLine: line))
        // Of a value of many lines the one that is meant comes into sight.
        if line < top || line >= top + max(1, window.rows) { moveCursor(to: cursor, top: line) }
    }

    /// Looks at every stop once, from the cursor on and round the end. Of related objects those count whose texts were seen.
    package mutating func moveCursor(toHitOf query: SearchQuery, forward: Bool, includesCursor: Bool) -> FindOutcome {
        let former = cursor
        for stop in SearchedRows(of: layout.stopCount, from: cursor, forward: forward, includesCursor: includesCursor) {
            guard let line = hit(atStop: stop, query) else { continue }
            moveCursor(to: stop)
            // In a value taller than the window the line with the hit comes into sight.
            if line < top || line >= top + window.rows { moveCursor(to: stop, top: line - window.rows / 2) }
            return stop == former && !includesCursor ? .noOther : .found
        }
        return .none
    }

    package var noHitNote: String { hasUnread ? " in the lines read so far" : "" }

    /// The screen line of a hit in a stop; nil without one.
    private func hit(atStop stop: Int, _ query: SearchQuery) -> Int? {
        guard let block = layout.block(ofStop: stop) else { return nil }
        switch block.content {
        case .blank, .sectionTitle: return nil
        case .row(let row, _, let lines, _):
            let value = row.unavailable ?? row.value.text
            guard query.matches([row.label ?? "", value].joined(separator: " ")) else { return nil }
            return block.firstLine + (lines.firstIndex { query.matches($0) } ?? 0)
        case .related(let section, let objects):
            let place = stop - block.firstStop
            guard objects.keys.indices.contains(place), let known = relatedRows[section]?.row(for: objects.keys[place]),
                let row = known, query.matches(row.text.text)
            else { return nil }
            return block.firstLine + place
        }
    }

    /// Whether there are related objects whose texts were not asked for.
    private var hasUnread: Bool {
        layout.blocks.contains { block in
            guard case .related(let section, let objects) = block.content else { return false }
            return objects.keys.contains { relatedRows[section]?.row(for: $0) == nil }
        }
    }
}

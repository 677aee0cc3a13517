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

    package var lineCount: Int? { layout.lineCount }

    /// Lines are counted as the last line of the screen counts them: one without a row leads to the next that has one.
    package mutating func goTo(rowNumber number: Int) {
        let line = min(number, layout.lineCount) - 1
        moveCursor(to: layout.stop(atOrAfterLine: line))
        // Of a value of many lines the one that is meant comes into sight.
        if line < top || line >= top + max(1, window.rows) { moveCursor(to: cursor, top: line) }
    }

    /// Looks at every stop once, from the cursor on and round the end. Related objects whose texts were not seen are read for it, in
    /// the background.
    package mutating func moveCursor(toHitOf query: SearchQuery, forward: Bool, includesCursor: Bool) -> FindOutcome {
        let stops = SearchedRows(of: layout.stopCount, from: cursor, forward: forward, includesCursor: includesCursor)
        return search(
            UnreadSearch(query: query, forward: forward, former: includesCursor ? nil : cursor, stops: stops))
    }

    /// A search that has come to lines whose texts are not there.
    struct UnreadSearch: Sendable {
        let query: SearchQuery
        let forward: Bool
        /// The stop from which another hit is wanted; nil where it counts itself.
        let former: Int?
        /// What is to be looked at behind the lines that are being read.
        var stops: SearchedRows
        /// The lines that are being read, and the first stop of their section.
        var reading: (lines: RelatedSearch, firstStop: Int)?
        var isAsked = false
    }

    private mutating func search(_ search: UnreadSearch) -> FindOutcome {
        var search = search
        unread = nil
        while let stop = search.stops.next() {
            if let lines = unreadLines(atStop: stop, search) {
                search.stops.skip(lines.lines.places.count - 1)
                search.reading = lines
                search.isAsked = false
                unread = search
                return .searching
            }
            if let line = hit(atStop: stop, search.query) { return moveCursor(toHitAt: stop, line: line, of: search) }
        }
        return .none
    }

    private mutating func moveCursor(toHitAt stop: Int, line: Int, of search: UnreadSearch) -> FindOutcome {
        moveCursor(to: stop)
        // In a value taller than the window the line with the hit comes into sight.
        if line < top || line >= top + window.rows { moveCursor(to: stop, top: line - window.rows / 2) }
        return stop == search.former ? .noOther : .found
    }

    /// The lines from a stop on, in the search's direction, of a to-many section where the stop's own text is not there.
    private func unreadLines(atStop stop: Int, _ search: UnreadSearch) -> (lines: RelatedSearch, firstStop: Int)? {
        guard let block = layout.block(ofStop: stop), case .related(let section, let objects) = block.content else { return nil }
        let place = stop - block.firstStop
        guard objects.keys.indices.contains(place), relatedRows[section]?.row(for: objects.keys[place]) == nil else { return nil }
        let most = search.stops.remaining + 1
        let places =
            search.forward
            ? place..<min(objects.keys.count, place + most) : max(0, place + 1 - most)..<(place + 1)
        let lines = RelatedSearch(
            search.query, section: section, keys: objects.keys, places: places, forward: search.forward)
        return (lines, block.firstStop)
    }

    /// What has to be read for a search; for one that was dropped a request for nothing, which takes the place of what is running.
    mutating func takeSearchRequest() -> DataRequest.Kind? {
        guard let search = unread, let reading = search.reading else { return nil }
        guard search.query == finding.query else {
            unread = nil
            return search.isAsked
                ? .relatedHit(RelatedSearch(search.query, section: reading.lines.section, keys: [], places: 0..<0, forward: true))
                : nil
        }
        guard !search.isAsked else { return nil }
        unread?.isAsked = true
        return .relatedHit(reading.lines)
    }

    mutating func receive(_ lines: RelatedSearch, hit place: Int?) -> [Effect] {
        guard let search = unread, let reading = search.reading, reading.lines == lines, search.query == finding.query else {
            return []
        }
        let outcome: FindOutcome
        if let place {
            let stop = reading.firstStop + place
            unread = nil
            outcome = moveCursor(toHitAt: stop, line: layout.lines(ofStop: stop).lowerBound, of: search)
        } else {
            outcome = self.search(search)
        }
        return effects(of: outcome, search.query, forward: search.forward)
    }

    /// The lines of a search are not what they were: it begins again from where the reader is.
    mutating func searchAnew() -> [Effect] {
        guard let search = unread, search.query == finding.query else { return [] }
        let outcome = moveCursor(toHitOf: search.query, forward: search.forward, includesCursor: search.former == nil)
        return effects(of: outcome, search.query, forward: search.forward)
    }

    /// Of values that go on beyond what is here of them, that is what was searched.
    package var noHitNote: String {
        let isCut = layout.blocks.contains { block in
            if case .row(let row, _, _, _) = block.content { row.isCut } else { false }
        }
        return isCut ? " in what is shown; \(keyLabels.hint(.open, "shows the rest")) of a long value" : ""
    }

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
            guard let text = text(atPlace: place, of: objects, section: section), query.matches(text) else { return nil }
            return block.firstLine + place
        }
    }

    private func text(atPlace place: Int, of objects: RelatedObjects, section: Int) -> String? {
        guard objects.keys.indices.contains(place) else {
            let dangling = place - objects.keys.count
            return objects.dangling.indices.contains(dangling) ? objects.dangling[dangling].text : nil
        }
        guard let known = relatedRows[section]?.row(for: objects.keys[place]), let row = known else { return nil }
        return row.text.text
    }
}

import Fetching
import ObjectStore
import Presentation
package import TerminalUI

// Finding: the cursor goes to the next line whose label or value holds the words.
extension DetailScreen {
    package var takesKeys: Bool { prompt != nil }
    package var typingPosition: Position? { prompt.flatMap { Chrome.typingPosition(of: $0, in: size) } }

    mutating func beginFind() {
        prompt = Prompt(.find)
        origin = (cursor, top)
    }

    package mutating func handle(_ key: Key) -> [Effect] {
        guard var editing = prompt else { return [] }
        let outcome = editing.handle(key)
        prompt = outcome == .editing ? editing : nil
        guard outcome == .cancelled else { return find(editing.text) }
        query = nil
        moveCursor(to: origin.cursor, top: origin.top)
        return []
    }

    package mutating func handle(paste text: String) -> [Effect] {
        prompt?.insert(text)
        guard let prompt else { return [] }
        return find(prompt.text)
    }

    package mutating func undo() -> Bool {
        guard query != nil else { return false }
        query = nil
        return true
    }

    /// Goes to the first hit at or after where the search began.
    private mutating func find(_ text: String) -> [Effect] {
        let query = SearchQuery(text)
        self.query = query.isEmpty ? nil : query
        moveCursor(to: origin.cursor, top: origin.top)
        return move(toHitFrom: cursor, forward: true)
    }

    mutating func moveToHit(forward: Bool) -> [Effect] {
        guard query != nil else { return [.message("nothing was searched for yet\(keyLabels.aside(.find))")] }
        return move(toHitFrom: cursor + (forward ? 1 : -1), forward: forward)
    }

    /// Looks at every stop once, from one on and round the end. Of related objects those count whose texts were seen.
    private mutating func move(toHitFrom start: Int, forward: Bool) -> [Effect] {
        guard let query else { return [] }
        let count = layout.stopCount
        for step in 0..<count {
            let stop = ((start + (forward ? step : -step)) % count + count) % count
            guard let line = hit(atStop: stop, query) else { continue }
            moveCursor(to: stop)
            // In a value taller than the window the line with the hit comes into sight.
            if line < top || line >= top + window.rows { moveCursor(to: stop, top: line - window.rows / 2) }
            return []
        }
        return [.message("no match for “\(query.text)”" + (hasUnread ? " in the lines read so far" : ""))]
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

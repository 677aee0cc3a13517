import Fetching
package import TerminalUI

// Finding: the cursor goes to the next row that holds the words.
extension TextScreen {
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
        (cursor, top) = origin
        settle()
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
        (cursor, top) = origin
        settle()
        return move(toHitFrom: cursor, forward: true)
    }

    mutating func moveToHit(forward: Bool) -> [Effect] {
        guard query != nil else { return [.message("nothing was searched for yet\(keyLabels.aside(.find))")] }
        return move(toHitFrom: cursor + (forward ? 1 : -1), forward: forward)
    }

    /// Looks at every line once, from a row's on and round the end: a line that is wrapped is one, found at its first row.
    private mutating func move(toHitFrom start: Int, forward: Bool) -> [Effect] {
        guard let query else { return [] }
        for step in 0..<rows.count {
            let place = ((start + (forward ? step : -step)) % rows.count + rows.count) % rows.count
            let number = rows[place].line
            guard place == 0 || rows[place - 1].line != number, query.matches(lines[number].label + " " + lines[number].text)
            else { continue }
            cursor = place
            settle()
            return []
        }
        return [.message("no match for “\(query.text)”")]
    }
}

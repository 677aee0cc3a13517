import Fetching
import IndexPathModel
import ObjectStore
import TerminalUI

// Find as you type: the list narrows to the hits.
extension ListScreen {
    /// A search in force.
    struct Find: Sendable {
        var query: SearchQuery
        /// What it found; nil until the answer is there.
        var matches: ListMatches?
        /// What the list was before it narrowed; nil while it is whole.
        var whole: Whole?
        /// Where the reader was among the hits, where the search goes on in a newer list.
        var kept: KeptHits?
    }

    /// The reader's place among hits, and which of their sections were folded.
    struct KeptHits: Sendable {
        var place: ListPlace
        /// The hits as they were.
        var model: ListContents.Model
        var collapsedSectionNames: Set<SectionName>
    }

    /// The list without a search: what dropping it brings back.
    struct Whole: Sendable {
        var list: List
        var objects: List
        var index: SectionIndex?
        var cursor: Int
        var top: Int
        /// What `total` was.
        var total: Int?
    }

    /// Whether only hits are shown.
    package var isNarrowed: Bool { find?.whole != nil }

    /// The whole list, whatever is shown of it.
    var wholeList: List { find?.whole?.list ?? list }

    // MARK: The prompt

    mutating func beginFind() -> [Effect] {
        prompt = Prompt(.find, text: isNarrowed ? find?.query.text ?? "" : "", isSelected: true)
        // Letters typed after a key that was refused would be commands: the prompt is there, and says why it finds nothing.
        guard configuration.isSearchable else {
            prompt?.fault = Self.noText
            return []
        }
        // While somebody types they can be read, if they have not been yet.
        needsSearchTexts = true
        return []
    }

    /// Begins with a search (`--search`).
    package mutating func search(for text: String) { changeQuery(to: SearchQuery(text)) }

    /// Keys of the prompt that are the list's: the cursor moves while one types.
    mutating func handleFind(_ key: Key) -> Bool {
        switch key {
        case Key(.up): move(.moveUp)
        case Key(.down): move(.moveDown)
        case Key(.pageUp): move(.pageUp)
        case Key(.pageDown): move(.pageDown)
        default: return false
        }
        return true
    }

    private static var noText: String { "this list has no stored text to search in" }

    /// The text of the prompt has changed.
    mutating func changeQuery(to query: SearchQuery) {
        guard configuration.isSearchable else {
            prompt?.fault = Self.noText
            return
        }
        guard !query.isEmpty else { return dropFind() }
        guard query != find?.query else { return }
        if find == nil { find = Find(query: query) }
        find?.query = query
        find?.kept = nil
        needsMatches = true
    }

    /// Drops a search that is to go on in a list that has come.
    mutating func suspendFind() -> Find? {
        guard let find else { return nil }
        var kept = find.kept
        if isNarrowed {
            kept = KeptHits(
                place: place, model: list.backingModel, collapsedSectionNames: list.collapsedSectionNames)
        }
        dropFind()
        lastMatches = nil
        return Find(query: find.query, kept: kept)
    }

    mutating func resumeFind(_ suspended: Find?) {
        guard let suspended else { return }
        changeQuery(to: suspended.query)
        find?.kept = suspended.kept
    }

    /// Brings back the whole list with cursor and folds as they were.
    mutating func dropFind() {
        needsMatches = false
        guard let dropped = find else { return }
        find = nil
        lastQuery = dropped.query
        lastMatches = dropped.matches
        guard let whole = dropped.whole else { return }
        restore(whole)
    }

    // MARK: The answer

    mutating func receive(_ matches: ListMatches) {
        guard var find, matches.query == find.query else { return }
        let position = wholePosition
        if find.whole == nil {
            find.whole = Whole(list: list, objects: objects, index: index, cursor: cursor, top: top, total: total)
        }
        find.matches = matches
        let kept = find.kept
        find.kept = nil
        self.find = find
        let model = matches.contents.model
        list = List(
            backingModel: model, collapsedSectionNames: kept?.collapsedSectionNames ?? [], showsHeaders: configuration.hasSections
        )
        objects = List(backingModel: model, collapsedSectionNames: [], showsHeaders: false)
        index = configuration.wantsIndexBar ? matches.contents.index : nil
        if indexBar == nil { focusedEntry = nil }
        if let kept { return moveCursor(to: survivor(of: kept.place, from: kept.model, in: matches.contents)) }
        top = 0
        // The cursor stays on its object if that is a hit, else it is on the first one.
        let number = position.flatMap { matches.number(ofHitAt: $0) } ?? 0
        if case .item(let hit) = objects.row(at: number) { cursor = list.position(of: hit) ?? 0 } else { cursor = 0 }
        settle()
    }

    /// Place of the cursor's object in the list without the search, 0-based; nil on a header.
    private var wholePosition: Int? {
        guard case .item(let indexPath) = cursorRow, let position = objects.position(of: indexPath) else { return nil }
        guard let find, find.whole != nil, let hits = find.matches?.positions else { return position }
        return hits.indices.contains(position) ? Int(hits[position]) : nil
    }

    // MARK: From hit to hit

    /// To the next or the previous hit; in the whole list its section unfolds for it.
    mutating func moveToHit(forward: Bool) -> [Effect] {
        if isNarrowed {
            guard let position = cursorPosition else {
                return [.message(find.map { "no match for “\($0.query.text)”" } ?? "no further hit")]
            }
            let target = position + (forward ? 1 : -1)
            guard case .item(let indexPath) = objects.row(at: target) else { return [.message("no further hit")] }
            moveCursor(toObjectAt: indexPath)
            return []
        }
        guard let matches = lastMatches, let query = lastQuery else {
            return [.message("nothing was searched for yet\(keyLabels.aside(.find))")]
        }
        guard !matches.positions.isEmpty else { return [.message("no match for “\(query.text)”")] }
        let here = cursorPosition ?? 0
        let isOnHeader = cursorKey == nil
        let after = firstHit(in: matches.positions, atOrAfter: forward && !isOnHeader ? here + 1 : here)
        var place = forward ? after : after - 1
        var effects: [Effect] = []
        if !matches.positions.indices.contains(place) {
            effects = [.message(forward ? "from the first hit again" : "from the last hit again")]
            place = forward ? 0 : matches.positions.count - 1
        }
        if case .item(let indexPath) = objects.row(at: Int(matches.positions[place])) { moveCursor(toObjectAt: indexPath) }
        return effects
    }

    /// Number of the object under the cursor, 0-based; on a header that of its section's first.
    private var cursorPosition: Int? {
        switch cursorRow {
        case .item(let indexPath): objects.position(of: indexPath)
        case .header(let section): objects.position(of: IndexPath(section: section, row: 0))
        case nil: nil
        }
    }

    private func firstHit(in positions: ContiguousArray<UInt32>, atOrAfter position: Int) -> Int {
        var low = 0
        var high = positions.count
        while low < high {
            let middle = (low + high) / 2
            if Int(positions[middle]) < position { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The query whose hits are marked.
    var markedQuery: SearchQuery? { find?.query ?? lastQuery }
}

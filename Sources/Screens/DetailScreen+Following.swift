import Fetching
import ObjectStore
import TerminalUI

// The cursor stays on what it was on, and that stays on its line of the window, when values or objects come and go above it.
extension DetailScreen {
    /// What the cursor is on.
    enum Anchor {
        case row(DetailPlace)
        /// An object of a to-many section, by its place there; the section's objects say what came after it.
        case related(section: Int, objects: RelatedObjects, place: Int)
    }

    var anchor: Anchor? {
        guard let block = layout.block(ofStop: cursor) else { return nil }
        switch block.content {
        case .row(_, let place, _, _): return .row(place)
        case .related(let section, let objects):
            return .related(section: section, objects: objects, place: cursor - block.firstStop)
        case .blank, .sectionTitle: return nil
        }
    }

    /// Takes another layout of the same object.
    func stop(of anchor: Anchor) -> Int? {
        for block in layout.blocks {
            switch (block.content, anchor) {
            case (.row(_, let place, _, _), .row(let wanted)) where place == wanted: return block.firstStop
            case (.related(let section, let objects), .related(let wanted, let old, let place)) where section == wanted:
                return block.firstStop + Self.place(of: place, of: old, in: objects)
            default: continue
            }
        }
        return nil
    }

    /// Where the object at a place is now; one that has gone gives way to the next that is still there, else to the one before.
    /// O(objects).
    private static func place(of place: Int, of old: RelatedObjects, in new: RelatedObjects) -> Int {
        guard old.keys.indices.contains(place) else { return 0 }
        if let same = new.keys.firstIndex(of: old.keys[place]) { return same }
        var places: [ObjectKey: Int] = [:]
        for (index, key) in new.keys.enumerated() { places[key] = index }
        if let next = old.keys[place...].lazy.compactMap({ places[$0] }).first { return next }
        return old.keys[..<place].reversed().lazy.compactMap { places[$0] }.first ?? 0
    }

    /// Lays the same object's new contents out.
    mutating func show(following contents: DetailContents) {
        let anchor = anchor
        let line = layout.lines(ofStop: cursor).lowerBound
        self.contents = contents
        layout = DetailLayout(contents, columns: size.columns)
        if let stop = anchor.flatMap({ stop(of: $0) }) {
            cursor = stop
            // With the cursor the window moves, unless it shows the beginning as well.
            if top > 0 { top = max(0, top + layout.lines(ofStop: stop).lowerBound - line) }
        }
        settle()
    }
}

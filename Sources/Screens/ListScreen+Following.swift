import Fetching
import IndexPathModel
import ObjectStore

// The list follows the store: what changed is marked, nothing the reader looks at moves away.
extension ListScreen {
    package mutating func follow() {
        guard phase == .loaded else {
            _ = reload()
            return
        }
        filter?.isWholeStale = true
        generation += 1
        needsList = true
        awaitsList = true
        followed = filter == nil ? wholeList.backingModel : filter?.whole?.list.backingModel
        rows.markStale()
    }

    package mutating func clearMarks() -> Bool {
        guard !marks.isEmpty else { return false }
        marks = []
        return true
    }

    /// Rows that came after the store changed: marks those that are new or not what they were.
    mutating func receiveRows(_ loaded: [ObjectKey: ListRow?]) {
        let changed = rows.store(loaded)
        for case .some(let row) in loaded.values { widenColumns(for: row) }
        guard let followed else { return }
        marks.formUnion(changed)
        for key in loaded.keys where !followed.contains(identifier: key) { marks.insert(key) }
    }

    /// What came of the store's change, for the last line; nil where as many objects are there as before.
    func changeText(from old: ListContents.Model, to new: ListContents.Model) -> String? {
        // Counts of a narrowed list say nothing of the store.
        guard filter == nil else { return nil }
        let difference = new.numberOfItems - old.numberOfItems
        guard difference != 0 else { return nil }
        let count = Chrome.count(abs(difference), configuration.noun)
        return "the store has changed: \(count) \(difference > 0 ? "more" : "fewer")"
    }
}

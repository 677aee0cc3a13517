import Fetching
import IndexPathModel
package import ObjectStore

// The list follows the store: what changed is marked, nothing the reader looks at moves away.
extension ListScreen {
    /// A list of so many objects goes the whole road of the controllers, whose updates cost a look at each row: some milliseconds.
    /// A longer one is replaced by names of sections alone, so that the loop never waits; what changed in it the source has found
    /// out in the background.
    static var mostByController: Int { 20_000 }

    package mutating func follow() {
        guard phase == .loaded else {
            _ = reload()
            return
        }
        filter?.isWholeStale = true
        generation += 1
        needsList = true
        awaitsList = true
        followed = filter == nil ? wholeList.backingModel : (filter?.isStart == true ? list : filter?.whole?.list)?.backingModel
        rows.markStale()
    }

    /// The schema has changed, and the list means in the new one what it meant before.
    package mutating func follow(in schema: Schema) {
        if configuration.schema != nil { configuration.schema = schema }
        follow()
    }

    /// A mark stays for one to two of the browser's periods, so that a store that keeps changing does not leave all rows marked.
    package mutating func clearMarks() -> Bool {
        guard !marks.isEmpty else { return false }
        marks = freshMarks
        freshMarks = []
        return true
    }

    private mutating func mark(_ keys: some Sequence<ObjectKey>) {
        marks.formUnion(keys)
        freshMarks.formUnion(keys)
    }

    /// Rows that came after the store changed: marks those that are new or not what they were.
    mutating func receiveRows(_ loaded: [ObjectKey: ListRow?]) {
        let changed = rows.store(loaded)
        for case .some(let row) in loaded.values { widenColumns(for: row) }
        guard followed != nil else { return }
        mark(changed)
    }

    // MARK: The model

    /// Puts a fetched model in the place of the list's by the road of SPEC section 5: plain model, delegate, collapsible model with
    /// the sections expanded that were and still exist, updates.
    mutating func replaceModel(with model: ListContents.Model, startsOpen: Bool) {
        guard max(model.numberOfItems, list.backingModel.numberOfItems) <= Self.mostByController else {
            list = list.replacingBackingModel(with: model, startsOpen: startsOpen, showsHeaders: configuration.hasSections)
            return
        }
        // No longer than the update: controllers belong to one thread, a screen is a value.
        let controller = IndexPathController<ObjectKey, ObjectKey>(identifier: { $0 }, isEqual: nil)
        controller.dataModel = list
        let folds = CollapsibleController(controller)
        folds.startsOpen = startsOpen
        folds.showsHeaders = configuration.hasSections
        folds.singleExpandedSection = configuration.singleExpandedSection
        var inserted: [ObjectKey] = []
        let observation = controller.observe { updates in
            inserted = updates.insertedItems.map(\.item) + updates.movedItems.map(\.item)
        }
        controller.fetchDidReturn(model: model)
        withExtendedLifetime(observation) {}
        if let followedList = folds.dataModel { list = followedList }
        if followed != nil { mark(inserted) }
    }

    // MARK: What is said of it

    /// Marks what changed between two lists, and says how much; nil where nothing did, or where a filter is on: counts of a
    /// narrowed list say nothing of the store.
    mutating func noteChanges(from old: ListContents.Model, to contents: ListContents) -> String? {
        guard let changes = contents.changes ?? changesByKeys(from: old, to: contents.model) else {
            let difference = contents.model.numberOfItems - old.numberOfItems
            return filter == nil ? Self.text(inserted: max(0, difference), changed: 0, deleted: max(0, -difference)) : nil
        }
        mark(changes.inserted)
        mark(changes.changed)
        guard filter == nil else { return nil }
        return Self.text(inserted: changes.inserted.count, changed: changes.changed.count, deleted: changes.deletedCount)
    }

    /// What came and went, where the source does not know: for short lists only.
    private func changesByKeys(from old: ListContents.Model, to new: ListContents.Model) -> RowChanges? {
        guard max(old.numberOfItems, new.numberOfItems) <= Self.mostByController else { return nil }
        let before = Set(old.items)
        let inserted = ContiguousArray(new.items.filter { !before.contains($0) }.sorted())
        return RowChanges(inserted: inserted, deletedCount: old.numberOfItems - (new.numberOfItems - inserted.count))
    }

    /// `3 new, 2 changed, 1 gone`; nil for nothing.
    private static func text(inserted: Int, changed: Int, deleted: Int) -> String? {
        let parts = [(inserted, "new"), (changed, "changed"), (deleted, "gone")].filter { $0.0 > 0 }.map { count, what in
            "\(Chrome.grouped(count)) \(what)"
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

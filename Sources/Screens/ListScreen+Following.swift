import Fetching
import IndexPathModel
package import ObjectStore

// The list follows the store: what changed is marked, nothing the reader looks at moves away.
extension ListScreen {
    /// A list of so many objects goes the whole road of the controllers, whose updates cost a look at each row: some milliseconds.
    /// So does a longer one of which the source knows how it differs from the one before: then they cost a look at what differs.
    /// Any other is replaced by names of sections alone, so that the loop never waits.
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
        changedEntities = (0, 0, [])
        needsCounts = false
        // While another predicate's list is on its way there is nothing to compare it with.
        followed = filter?.isShown == false ? nil : wholeList.backingModel
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
        freshMarks = RowMarks()
        return true
    }

    /// - Parameter keys: ascending.
    private mutating func mark(_ keys: ContiguousArray<ObjectKey>) {
        marks.insert(keys)
        freshMarks.insert(keys)
    }

    /// Rows that came after the store changed: marks those that are new or not what they were.
    /// Of entities it says how many are not what they were: their counts come with the rows.
    mutating func receiveRows(_ loaded: [ObjectKey: ListRow?]) -> [Effect] {
        var loaded = loaded
        if awaitsList, followed != nil {
            // The list that is on its way may have these no more: until then they are what they were.
            rows.fail(loaded.filter { $0.value == nil }.map(\.key))
            loaded = loaded.filter { $0.value != nil }
        }
        let changed = rows.store(loaded)
        fitColumns(to: loaded)
        guard followed != nil else { return [] }
        mark(ContiguousArray(changed.sorted()))
        guard configuration.opens == .entities, !changed.isEmpty else { return [] }
        changedEntities?.changed.formUnion(changed)
        return textOfEntities.map { [.message($0)] } ?? []
    }

    /// What is said of the list of entities; rows of those that are gone are not counted as changed. O(entities).
    private var textOfEntities: String? {
        guard let said = changedEntities else { return nil }
        let changed = list.backingModel.items.count { said.changed.contains($0) }
        return Self.text(inserted: said.inserted, changed: changed, deleted: said.deleted)
    }

    // MARK: The model

    /// Puts a fetched model in the place of the list's by the road of SPEC section 5: plain model, delegate, collapsible model with
    /// the sections expanded that were and still exist, updates.
    mutating func replaceModel(
        with model: ListContents.Model, startsOpen: Bool, differences: IndexPathDifferences<ObjectKey, ObjectKey>? = nil
    ) {
        let known = differences.flatMap { $0.isBetween(list.backingModel, model) ? $0 : nil }
        guard known != nil || max(model.numberOfItems, list.backingModel.numberOfItems) <= Self.mostByController else {
            list = list.replacingBackingModel(with: model, startsOpen: startsOpen, showsHeaders: configuration.hasSections)
            return
        }
        // No longer than the update: controllers belong to one thread, a screen is a value.
        let controller = IndexPathController<ObjectKey, ObjectKey>(dataModel: list, identifier: { $0 }, isEqual: nil)
        let folds = CollapsibleController(controller)
        folds.startsOpen = startsOpen
        folds.showsHeaders = configuration.hasSections
        folds.singleExpandedSection = configuration.singleExpandedSection
        var inserted: [ObjectKey] = []
        let observation = controller.observe { updates in
            inserted = updates.insertedItems.map(\.item) + updates.movedItems.map(\.item)
        }
        if let known { controller.fetchDidReturn(known) } else { controller.fetchDidReturn(model: model) }
        withExtendedLifetime(observation) {}
        if let followedList = folds.dataModel { list = followedList }
        if followed != nil { mark(ContiguousArray(inserted.sorted())) }
    }

    /// A place whose object is gone becomes that of the next object in its section that is still there, else of its header; where
    /// that is gone too, of the next section's header, or of the last row where there is none.
    ///
    /// - Parameter old: the list that the place is in; `contents` is what takes its place.
    mutating func survivor(
        of place: ListPlace, from old: ListContents.Model, in contents: ListContents
    ) -> ListPlace {
        numberAfterGone = nil
        let model = contents.model
        if let lost = lostPlace, lost.key.map({ model.indexPath(ofObject: $0) != nil }) == true {
            lostPlace = nil
            return lost
        }
        guard let after = objectOrHeader(after: place, from: old, in: contents) else { return place }
        // A part of a file that is being written anew: it may all come back.
        let lost = old.numberOfItems - model.numberOfItems
        if lostPlace == nil, after.key != place.key, lost > 1, lost >= old.numberOfItems / 10 { lostPlace = place }
        let name = SectionName(after.sectionTitle)
        guard after.key == nil, model.numberOfItems > 0, old.section(named: name) != nil else { return after }
        if configuration.hasSections, model.section(named: name) != nil { return after }
        return neighbour(ofSection: name, of: after, from: old, in: model)
    }

    /// A place whose object is gone becomes that of the next object in its section that is still there, else of its header, be that
    /// there or not; nil where the object is not in the list that the place is of.
    private func objectOrHeader(
        after place: ListPlace, from old: ListContents.Model, in contents: ListContents
    ) -> ListPlace? {
        guard let key = place.key else { return place }
        let model = contents.model
        let name = SectionName(place.sectionTitle)
        /// Whether an object of a row of the place's section is there still.
        func isThere(_ key: ObjectKey, _ row: Int) -> Bool {
            // Who knows what went need not look for it: in a long list that is a pass over it.
            if let changes = contents.changes { return !changes.deleted.containsAscending(key) }
            return model.indexPath(ofObject: key, near: row, inSectionNamed: name) != nil
        }
        if isThere(key, place.rowInSection) { return place }
        guard let gone = old.indexPath(ofObject: key, near: place.rowInSection, inSectionNamed: name) else { return nil }
        var place = place
        place.key = nil
        place.sectionTitle = old.sectionName(at: gone.section)?.title
        // Each look may be a pass: a few are enough to stay near.
        let looks = contents.changes == nil && model.numberOfItems > 100_000 ? 50 : 10_000
        for row in (gone.row + 1)..<(gone.row + 1 + looks) {
            guard let next = old.item(at: IndexPath(section: gone.section, row: row)) else { break }
            guard isThere(next, row) else { continue }
            place.key = next
            break
        }
        return place
    }

    /// The header of the first section that stood after one that is gone and is still there, else the last row. O(sections).
    private mutating func neighbour(
        ofSection name: SectionName, of place: ListPlace, from old: ListContents.Model, in model: ListContents.Model
    ) -> ListPlace {
        var place = place
        place.rowInSection = 0
        let later = old.section(named: name).map { ($0 + 1)..<max($0 + 1, old.numberOfSections) } ?? 0..<0
        let next = later.lazy.compactMap { old.sectionName(at: $0) }.first { model.section(named: $0) != nil }
        if configuration.hasSections, let next, let section = model.section(named: next) {
            place.key = nil
            place.sectionTitle = next.title
            numberAfterGone = (0..<section).reduce(0) { $0 + (model.numberOfRows(inSection: $1) ?? 0) }
        } else {
            place.key = model.items.last
            place.sectionTitle = model.sectionName(at: model.numberOfSections - 1)?.title
            numberAfterGone = model.numberOfItems
        }
        return place
    }

    // MARK: What is said of it

    /// Marks what changed between two lists, and says how much; nil where nothing did. Where a filter is on, it is said of what the
    /// filter leaves.
    mutating func noteChanges(from old: ListContents.Model, to contents: ListContents) -> String? {
        guard let changes = contents.changes ?? changesByKeys(from: old, to: contents.model) else {
            let difference = contents.model.numberOfItems - old.numberOfItems
            return Self.text(inserted: max(0, difference), changed: 0, deleted: max(0, -difference))
        }
        mark(changes.inserted)
        mark(changes.changed)
        if configuration.opens == .entities {
            changedEntities = (changes.inserted.count, changes.deleted.count, changedEntities?.changed ?? [])
            return textOfEntities
        }
        return Self.text(inserted: changes.inserted.count, changed: changes.changed.count, deleted: changes.deleted.count)
    }

    /// What came and went, where the source does not know: for short lists only.
    private func changesByKeys(from old: ListContents.Model, to new: ListContents.Model) -> RowChanges? {
        guard max(old.numberOfItems, new.numberOfItems) <= Self.mostByController else { return nil }
        let before = Set(old.items)
        let after = Set(new.items)
        return RowChanges(
            inserted: ContiguousArray(after.subtracting(before).sorted()),
            deleted: ContiguousArray(before.subtracting(after).sorted()))
    }

    /// `3 new, 2 changed, 1 gone`; nil for nothing.
    static func text(inserted: Int, changed: Int, deleted: Int) -> String? {
        let parts = [(inserted, "new"), (changed, "changed"), (deleted, "gone")].filter { $0.0 > 0 }.map { count, what in
            "\(Chrome.grouped(count)) \(what)"
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

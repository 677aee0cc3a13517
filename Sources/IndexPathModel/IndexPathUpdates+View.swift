/// Updates as a view with rows takes them: a batch of deletions, insertions and moves, then rows to paint again.
///
/// Places before the batch are the old model's, places after it and those of reloaded rows the new model's.
public struct ViewUpdates: Hashable, Sendable {
    /// A section or row that goes from one place to another.
    public struct Move<Place: Hashable & Sendable>: Hashable, Sendable {
        /// The place before the batch.
        public let from: Place
        /// The place after the batch.
        public let to: Place
    }

    /// Sections to delete, with their rows.
    public var deletedSections: [Int] = []
    /// Sections to insert; the view asks the new model for their rows.
    public var insertedSections: [Int] = []
    /// Sections to move, with their rows.
    public var movedSections: [Move<Int>] = []
    /// Rows to delete.
    public var deletedRows: [IndexPath] = []
    /// Rows to insert.
    public var insertedRows: [IndexPath] = []
    /// Rows to move.
    public var movedRows: [Move<IndexPath>] = []
    /// Rows to paint again after the batch.
    public var reloadedRows: [IndexPath] = []
}

extension IndexPathUpdates {
    /// These updates for a view.
    ///
    /// A row that moves out of a deleted section is an insertion, for the deletion took it along; one that moves into an inserted
    /// section is a deletion, for the insertion brings it. Modified rows are reloaded where they are visible, except those that come
    /// with an inserted section or are inserted, which are painted anyway.
    ///
    /// - Parameter isVisible: whether the row at a place of the new model is on the screen.
    /// - Complexity: O(updates).
    public func viewUpdates(isVisible: (IndexPath) -> Bool = { _ in true }) -> ViewUpdates {
        let deleted = Set(deletedSections.map(\.section))
        let inserted = Set(insertedSections.map(\.section))
        var updates = ViewUpdates()
        updates.deletedSections = deletedSections.map(\.section)
        updates.insertedSections = insertedSections.map(\.section)
        updates.movedSections = movedSections.map { ViewUpdates.Move(from: $0.from, to: $0.to) }
        updates.deletedRows = deletedItems.map(\.indexPath)
        updates.insertedRows = insertedItems.map(\.indexPath)
        for move in movedItems {
            switch (deleted.contains(move.from.section), inserted.contains(move.to.section)) {
            case (false, false): updates.movedRows.append(ViewUpdates.Move(from: move.from, to: move.to))
            case (false, true): updates.deletedRows.append(move.from)
            case (true, false): updates.insertedRows.append(move.to)
            case (true, true): break
            }
        }
        updates.deletedRows.sort()
        updates.insertedRows.sort()
        updates.reloadedRows = modifiedItems.filter {
            !inserted.contains($0.to.section) && !deleted.contains($0.from.section) && isVisible($0.to)
        }.map(\.to)
        return updates
    }
}

/// Which rows differ between two plain models, where whoever made the new one of the old one knows it.
///
/// Rows that are not mentioned are in both models and equal, in sections of one name, and stand in each section in the same order.
/// So the updates between the models, or between collapsible models over them, cost a look at the rows that are mentioned.
public struct IndexPathDifferences<Item: Sendable, Identifier: Hashable & Sendable>: Sendable {
    /// The model before.
    public let oldModel: IndexPathDataModel<Item, Identifier>
    /// The model after.
    public let newModel: IndexPathDataModel<Item, Identifier>
    /// Positions in the old model, counted from 0 through all sections, of rows that are no more or were taken out; ascending.
    public let removed: ContiguousArray<Int>
    /// Positions in the new model of rows that were not there or were put in; ascending.
    public let inserted: ContiguousArray<Int>

    /// The differences between two models.
    ///
    /// A row that has changed is mentioned on both sides, also where it stands where it stood.
    public init(
        from oldModel: IndexPathDataModel<Item, Identifier>, to newModel: IndexPathDataModel<Item, Identifier>,
        removed: ContiguousArray<Int>, inserted: ContiguousArray<Int>
    ) {
        self.oldModel = oldModel
        self.newModel = newModel
        self.removed = removed
        self.inserted = inserted
    }

    /// Whether these are the differences between two models, or models over the same items.
    ///
    /// - Complexity: O(1).
    public func isBetween(
        _ oldModel: IndexPathDataModel<Item, Identifier>, _ newModel: IndexPathDataModel<Item, Identifier>
    ) -> Bool {
        self.oldModel.storage === oldModel.storage && self.newModel.storage === newModel.storage
    }
}

extension ModelComparison {
    /// Takes the rows that differ from those who know them; false where they are not of these models, or do not fit.
    ///
    /// - Complexity: O(sections + differences): for each difference one hash and expected about one comparison, and O(log sections)
    ///   comparisons of numbers.
    mutating func takeRows(
        from differences: IndexPathDifferences<Item, Identifier>, isEqual: ((Item, Item) -> Bool)?
    ) -> Bool {
        guard differences.isBetween(old, new), let removed = old.rows(at: differences.removed),
            let inserted = new.rows(at: differences.inserted)
        else { return false }
        // Of each section of the new model, the rows that are not mentioned: as many as the old one has.
        var counts = (0..<new.numberOfSections).map { new.numberOfRows(inSection: $0) ?? 0 }
        for row in inserted { counts[row.section] -= 1 }
        var left = (0..<old.numberOfSections).map { old.numberOfRows(inSection: $0) ?? 0 }
        for row in removed { left[row.section] -= 1 }
        for section in left.indices {
            if let place = sections.newPlaces[section] {
                counts[place] -= left[section]
            } else if left[section] != 0 {
                return false
            }
        }
        // A section folded in one and open in the other does not fit, nor does what was counted wrongly.
        guard counts.allSatisfy({ $0 == 0 }) else { return false }
        oldRows = removed
        newRows = inserted
        pairRows(isEqual: isEqual)
        staysOnlyInGaps = true
        return true
    }
}

extension IndexPathDataModel {
    /// Where the rows at positions of the storage are shown, those of folded sections left out; nil if the positions do not ascend.
    fileprivate func rows(at positions: ContiguousArray<Int>) -> ContiguousArray<IndexPath>? {
        var rows = ContiguousArray<IndexPath>()
        rows.reserveCapacity(positions.count)
        var last = -1
        for position in positions {
            guard position > last, position < storage.offsets.total else { return nil }
            last = position
            if let row = indexPath(ofPosition: position) { rows.append(row) }
        }
        return rows
    }
}

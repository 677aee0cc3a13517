/// The comparison of two models: which sections and rows belong together, and which of them stay where they are.
@usableFromInline
struct ModelComparison<Item: Sendable, Identifier: Hashable & Sendable> {
    @usableFromInline let old: IndexPathDataModel<Item, Identifier>
    @usableFromInline let new: IndexPathDataModel<Item, Identifier>
    @usableFromInline let sections: KeyPairing
    /// The old rows between the first and the last difference of their section, and all of deleted sections, from the top.
    @usableFromInline var oldRows = ContiguousArray<IndexPath>()
    /// The new rows between the first and the last difference of their section, and all of inserted sections, from the top.
    @usableFromInline var newRows = ContiguousArray<IndexPath>()
    /// Which of `oldRows` and `newRows` belong together.
    @usableFromInline var rows = KeyPairing(oldCount: 0, oldKey: { $0 }, newCount: 0, newKey: { $0 })
    /// Where the two versions of an item are not equal.
    @usableFromInline var modified = ContiguousArray<(from: IndexPath, to: IndexPath)>()
    /// Whether rows that stay are between `oldRows` and between `newRows`: what stays among these must not pass one of those.
    @usableFromInline var staysOnlyInGaps = false

    @usableFromInline
    init(old: IndexPathDataModel<Item, Identifier>, new: IndexPathDataModel<Item, Identifier>) {
        self.old = old
        self.new = new
        sections = KeyPairing(old.sectionNames, new.sectionNames)
    }

    /// Finds the rows that belong together, and among them the modified ones.
    @inlinable
    mutating func compareRows(isEqual: ((Item, Item) -> Bool)?) {
        var oldBetween = ContiguousArray<Range<Int>>(repeating: 0..<0, count: old.numberOfSections)
        for section in 0..<old.numberOfSections {
            oldBetween[section] = 0..<(old.positions(inSection: section)?.count ?? 0)
        }
        for section in 0..<new.numberOfSections {
            guard let newPositions = new.positions(inSection: section) else { continue }
            var newBetween = 0..<newPositions.count
            if let oldSection = sections.oldPlaces[section], let oldPositions = old.positions(inSection: oldSection) {
                let same = compareEnds(
                    from: oldSection, oldPositions, to: section, newPositions, isEqual: isEqual)
                oldBetween[oldSection] = same.first..<(oldPositions.count - same.last)
                newBetween = same.first..<(newPositions.count - same.last)
            }
            for row in newBetween { newRows.append(IndexPath(section: section, row: row)) }
        }
        for section in 0..<old.numberOfSections {
            for row in oldBetween[section] { oldRows.append(IndexPath(section: section, row: row)) }
        }
        pairRows(isEqual: isEqual)
    }

    /// Finds which of `oldRows` and `newRows` belong together, and among them the modified ones.
    @inlinable
    mutating func pairRows(isEqual: ((Item, Item) -> Bool)?) {
        rows = KeyPairing(
            oldCount: oldRows.count, oldKey: { old.identifier(at: oldRows[$0]) },
            newCount: newRows.count, newKey: { new.identifier(at: newRows[$0]) })
        guard let isEqual else { return }
        for (place, to) in newRows.enumerated() {
            guard let from = rows.oldPlaces[place].map({ oldRows[$0] }),
                let oldItem = old.item(at: from), let newItem = new.item(at: to), !isEqual(oldItem, newItem)
            else { continue }
            modified.append((from, to))
        }
        modified.sort { $0.to < $1.to }
    }

    /// How many rows at the beginning and at the end of a section have the same identifiers in the same order.
    @inlinable
    mutating func compareEnds(
        from oldSection: Int, _ oldPositions: Range<Int>, to newSection: Int, _ newPositions: Range<Int>,
        isEqual: ((Item, Item) -> Bool)?
    ) -> (first: Int, last: Int) {
        let shorter = min(oldPositions.count, newPositions.count)
        // Folding: the very same rows, of which none needs a look.
        if old.storage === new.storage, oldPositions.lowerBound == newPositions.lowerBound { return (shorter, 0) }
        let (oldItems, newItems) = (old.storage.items, new.storage.items)
        let (oldIdentify, newIdentify) = (old.storage.identify, new.storage.identify)
        var first = 0
        while first < shorter {
            let oldItem = oldItems[oldPositions.lowerBound + first]
            let newItem = newItems[newPositions.lowerBound + first]
            guard oldIdentify(oldItem) == newIdentify(newItem) else { break }
            if let isEqual, !isEqual(oldItem, newItem) {
                modified.append((IndexPath(section: oldSection, row: first), IndexPath(section: newSection, row: first)))
            }
            first += 1
        }
        var last = 0
        while last < shorter - first {
            let oldItem = oldItems[oldPositions.upperBound - 1 - last]
            let newItem = newItems[newPositions.upperBound - 1 - last]
            guard oldIdentify(oldItem) == newIdentify(newItem) else { break }
            last += 1
            if let isEqual, !isEqual(oldItem, newItem) {
                modified.append(
                    (
                        IndexPath(section: oldSection, row: oldPositions.count - last),
                        IndexPath(section: newSection, row: newPositions.count - last)
                    ))
            }
        }
        return (first, last)
    }

    /// Which new sections left their place among the sections that are in both models.
    var movedSections: ContiguousArray<(from: Int, to: Int)> {
        let kept = sections.oldPlaces.indices.compactMap { to in sections.oldPlaces[to].map { (from: $0, to: to) } }
        let stays = LongestIncreasing.membership(of: ContiguousArray(kept.map(\.from)))
        return ContiguousArray(zip(kept, stays).filter { !$0.1 }.map(\.0))
    }

    /// The places in `newRows` of the rows that come from another section or left their place among the others of their section.
    var movedRows: ContiguousArray<Int> {
        var moved = ContiguousArray<Int>()
        var place = 0
        let oldGaps = staysOnlyInGaps ? Self.gaps(oldRows) : []
        let newGaps = staysOnlyInGaps ? Self.gaps(newRows) : []
        while place < newRows.count {
            let section = newRows[place].section
            let oldSection = sections.oldPlaces[section]
            var staying = ContiguousArray<Int>()
            var stayingFrom = ContiguousArray<Int>()
            var crossing = ContiguousArray<Int>()
            while place < newRows.count, newRows[place].section == section {
                if let oldPlace = rows.oldPlaces[place] {
                    let from = oldRows[oldPlace]
                    if from.section == oldSection, !staysOnlyInGaps || oldGaps[oldPlace] == newGaps[place] {
                        staying.append(place)
                        stayingFrom.append(from.row)
                    } else {
                        crossing.append(place)
                    }
                }
                place += 1
            }
            let stays = LongestIncreasing.membership(of: stayingFrom)
            crossing.append(contentsOf: staying.indices.lazy.filter { !stays[$0] }.map { staying[$0] })
            moved.append(contentsOf: crossing.sorted())
        }
        return moved
    }

    /// How many rows stand before each of some, from the top, in its section that are not among them.
    private static func gaps(_ rows: ContiguousArray<IndexPath>) -> ContiguousArray<Int> {
        var gaps = ContiguousArray<Int>()
        gaps.reserveCapacity(rows.count)
        var section = -1
        var before = 0
        for row in rows {
            if row.section != section { (section, before) = (row.section, 0) }
            gaps.append(row.row - before)
            before += 1
        }
        return gaps
    }
}

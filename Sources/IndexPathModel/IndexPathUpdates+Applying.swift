extension IndexPathUpdates {
    /// The new model, made of the old one by these updates alone: a plain model with the sections and rows that the new one shows.
    ///
    /// Rows that are not mentioned keep the old model's items, so the result is equal to the new model as far as `isEqual` sees.
    ///
    /// - Returns: nil if the updates do not fit `model`, which then is not the old one.
    /// - Complexity: O(sections + rows).
    public func apply(to model: some SectionedDataModel<Item, Identifier>) -> IndexPathDataModel<Item, Identifier>? {
        let old = model.displayedModel
        guard var sections = placedSections(of: old), let remaining = remainingRows(of: old) else { return nil }
        var arriving = [[(row: Int, item: Item)]](repeating: [], count: sections.count)
        for (item, indexPath) in insertedItems.map({ ($0.item, $0.indexPath) }) + movedItems.map({ ($0.item, $0.to) }) {
            guard arriving.indices.contains(indexPath.section) else { return nil }
            arriving[indexPath.section].append((indexPath.row, item))
        }
        for section in sections.indices {
            // An inserted section brings all its rows; what moves into it only leaves its old place.
            guard let from = sections[section].from else { continue }
            arriving[section].sort { $0.row < $1.row }
            var rest = remaining[from][...]
            var items = sections[section].info.items
            for (row, item) in arriving[section] {
                let before = row - items.count
                guard before >= 0, before <= rest.count else { return nil }
                items.append(contentsOf: rest.prefix(before))
                rest = rest.dropFirst(before)
                items.append(item)
            }
            items.append(contentsOf: rest)
            sections[section].info.items = items
        }
        for modification in modifiedItems {
            let (section, row) = (modification.to.section, modification.to.row)
            guard sections.indices.contains(section), sections[section].info.items.indices.contains(row) else { return nil }
            sections[section].info.items[row] = modification.item
        }
        for modification in modifiedSections {
            guard sections.indices.contains(modification.section) else { return nil }
            sections[modification.section].info.indexTitle = modification.indexTitle
        }
        let identify = newModel.displayedModel.storage.identify
        let result = IndexPathDataModel(sections: sections.map(\.info), identifier: identify)
        // A model that shows no section at all.
        return sections.isEmpty ? IndexPathDataModel(result.storage, collapsed: [false]) : result
    }

    /// The new model's sections in order, the inserted ones with their rows, the others without and with their old place; nil if the
    /// updates do not fit.
    private func placedSections(of old: IndexPathDataModel<Item, Identifier>) -> [(info: SectionInfo<Item>, from: Int?)]? {
        let count = old.numberOfSections - deletedSections.count + insertedSections.count
        guard count >= 0 else { return nil }
        var placed = [(info: SectionInfo<Item>, from: Int?)?](repeating: nil, count: count)
        var isTaken = [Bool](repeating: false, count: old.numberOfSections)
        for deletion in deletedSections {
            guard old.sectionName(at: deletion.section) == deletion.name else { return nil }
            isTaken[deletion.section] = true
        }
        for insertion in insertedSections {
            guard placed.indices.contains(insertion.section) else { return nil }
            placed[insertion.section] = (insertion.info, nil)
        }
        for move in movedSections {
            guard old.sectionName(at: move.from) == move.name, placed.indices.contains(move.to) else { return nil }
            isTaken[move.from] = true
            placed[move.to] = (SectionInfo(name: move.name, indexTitle: old.indexTitle(at: move.from)), move.from)
        }
        var rest = isTaken.indices.lazy.filter { !isTaken[$0] }.makeIterator()
        for section in placed.indices where placed[section] == nil {
            guard let from = rest.next(), let name = old.sectionName(at: from) else { return nil }
            placed[section] = (SectionInfo(name: name, indexTitle: old.indexTitle(at: from)), from)
        }
        guard rest.next() == nil else { return nil }
        return placed.compactMap { $0 }
    }

    /// The old sections' rows without those that go; nil if the updates do not fit.
    private func remainingRows(of old: IndexPathDataModel<Item, Identifier>) -> [[Item]]? {
        var goes = (0..<old.numberOfSections).map { section in
            [Bool](repeating: false, count: old.numberOfRows(inSection: section) ?? 0)
        }
        for (item, indexPath) in deletedItems.map({ ($0.item, $0.indexPath) }) + movedItems.map({ ($0.item, $0.from) }) {
            guard old.item(at: indexPath) != nil, old.identifier(at: indexPath) == newModel.identifier(of: item) else {
                return nil
            }
            goes[indexPath.section][indexPath.row] = true
        }
        return goes.indices.map { section in
            guard let items = old.items(inSection: section) else { return [] }
            return zip(items, goes[section]).filter { !$0.1 }.map(\.0)
        }
    }
}

extension IndexPathUpdates {
    /// Writes down what a comparison found.
    @usableFromInline
    mutating func report(_ comparison: ModelComparison<Item, Identifier>) {
        let (old, new) = (comparison.old, comparison.new)
        reportSections(comparison)
        for (place, indexPath) in comparison.oldRows.enumerated()
        where comparison.rows.newPlaces[place] == nil && comparison.sections.newPlaces[indexPath.section] != nil {
            if let item = old.item(at: indexPath) { deletedItems.append(Deletion(item: item, indexPath: indexPath)) }
        }
        for (place, indexPath) in comparison.newRows.enumerated()
        where comparison.rows.oldPlaces[place] == nil && comparison.sections.oldPlaces[indexPath.section] != nil {
            if let item = new.item(at: indexPath) { insertedItems.append(Insertion(item: item, indexPath: indexPath)) }
        }
        for place in comparison.movedRows {
            let to = comparison.newRows[place]
            guard let from = comparison.rows.oldPlaces[place].map({ comparison.oldRows[$0] }), let item = new.item(at: to) else {
                continue
            }
            movedItems.append(Move(item: item, from: from, to: to))
        }
        for (from, to) in comparison.modified {
            guard let oldItem = old.item(at: from), let item = new.item(at: to) else { continue }
            modifiedItems.append(Modification(oldItem: oldItem, item: item, from: from, to: to))
        }
    }

    private mutating func reportSections(_ comparison: ModelComparison<Item, Identifier>) {
        let (old, new) = (comparison.old, comparison.new)
        for (section, place) in comparison.sections.newPlaces.enumerated() where place == nil {
            if let name = old.sectionName(at: section) {
                deletedSections.append(SectionDeletion(name: name, section: section))
            }
        }
        for (section, place) in comparison.sections.oldPlaces.enumerated() {
            if let place {
                let indexTitle = new.indexTitle(at: section)
                if let name = new.sectionName(at: section), old.indexTitle(at: place) != indexTitle {
                    modifiedSections.append(SectionModification(name: name, section: section, indexTitle: indexTitle))
                }
            } else if let info = new.sectionInfo(at: section) {
                insertedSections.append(SectionInsertion(info: info, section: section))
            }
        }
        for (from, to) in comparison.movedSections {
            if let name = new.sectionName(at: to) { movedSections.append(SectionMove(name: name, from: from, to: to)) }
        }
    }
}

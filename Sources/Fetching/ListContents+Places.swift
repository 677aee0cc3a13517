package import IndexPathModel
package import ObjectStore

extension IndexPathDataModel where Item == ObjectKey, Identifier == ObjectKey {
    /// So many objects are looked up by the model's table; beyond, making that table would cost more than looking through the keys.
    private static var mostByTable: Int { 100_000 }

    /// Where an object stands; nil if it is not in the list.
    ///
    /// For single look-ups on the loop's thread, which may not wait for a table of ten million keys (a second): a pass over them
    /// takes some milliseconds. O(1) for short lists, else O(objects) comparisons of numbers.
    package func indexPath(ofObject key: ObjectKey) -> IndexPath? {
        guard numberOfItems > Self.mostByTable else { return indexPath(forIdentifier: key) }
        guard let position = items.firstIndex(of: key) else { return nil }
        let flat = CollapsibleDataModel(backingModel: self, collapsedSectionNames: [], showsHeaders: false)
        guard case .item(let indexPath) = flat.row(at: position) else { return nil }
        return indexPath
    }

    /// So many objects before and after a place are near it.
    private static var nearby: Int { 20_000 }

    /// As `indexPath(ofObject:)`, for an object that stands most likely near a row of a section, as it does in a list of which little
    /// has changed. O(sections), where it is not near O(objects).
    package func indexPath(ofObject key: ObjectKey, near row: Int, inSectionNamed name: SectionName) -> IndexPath? {
        guard numberOfItems > Self.mostByTable else { return indexPath(forIdentifier: key) }
        let flat = CollapsibleDataModel(backingModel: self, collapsedSectionNames: [], showsHeaders: false)
        let section = section(named: name) ?? 0
        let last = max(0, (numberOfRows(inSection: section) ?? 0) - 1)
        let start = flat.position(of: IndexPath(section: section, row: Swift.min(Swift.max(0, row), last))) ?? 0
        let items = items
        let around = Swift.max(0, start - Self.nearby)..<Swift.min(items.count, start + Self.nearby)
        guard let position = items[around].firstIndex(of: key) else { return indexPath(ofObject: key) }
        guard case .item(let indexPath) = flat.row(at: position) else { return nil }
        return indexPath
    }
}

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
}

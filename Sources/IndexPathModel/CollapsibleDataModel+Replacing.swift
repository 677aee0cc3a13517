/// A new backing model in the place of the old one; the folds are kept by section name.
///
/// - Complexity: O(sections of both models): one comparison of names a section where both models have the same sections in the same
///   order, else expected one hash and two comparisons.
extension CollapsibleDataModel {
    /// The model over `backingModel` with those sections expanded that were expanded and still exist; the rest is collapsed.
    ///
    /// The library's own rule (TLIndexPathTools' collapsible controller).
    ///
    /// - Parameter showsHeaders: whether the new model has headers; nil for "as this one".
    public func replacingBackingModel(
        with backingModel: IndexPathDataModel<Item, Identifier>, showsHeaders: Bool? = nil
    ) -> CollapsibleDataModel {
        replacingBackingModel(with: backingModel, startsOpen: false, showsHeaders: showsHeaders)
    }

    /// The model over `backingModel` with those sections expanded that were expanded and still exist, and, if `startsOpen`, those
    /// whose names the old backing model did not have; the rest is collapsed.
    ///
    /// - Parameters:
    ///   - startsOpen: whether a section that was not there before is expanded.
    ///   - showsHeaders: whether the new model has headers; nil for "as this one".
    public func replacingBackingModel(
        with backingModel: IndexPathDataModel<Item, Identifier>, startsOpen: Bool, showsHeaders: Bool? = nil
    ) -> CollapsibleDataModel {
        let old = self.backingModel.storage
        let names = backingModel.storage.sectionNames
        var collapsed = ContiguousArray<Bool>()
        collapsed.reserveCapacity(names.count)
        // Where the next name most likely is: after the last one found.
        var expected = 0
        for name in names {
            let found: Int?
            if old.hasOnlyFalseSection {
                found = nil
            } else if expected < old.sectionNames.count, old.sectionNames[expected] == name {
                found = expected
            } else {
                found = old.section(named: name)
            }
            if let found {
                collapsed.append(self.collapsed[found])
                expected = found + 1
            } else {
                collapsed.append(!startsOpen)
            }
        }
        return CollapsibleDataModel(
            backingModel: backingModel, collapsed: collapsed, showsHeaders: showsHeaders ?? self.showsHeaders)
    }
}

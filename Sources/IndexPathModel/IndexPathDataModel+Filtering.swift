extension IndexPathDataModel {
    /// The rows that `isIncluded` lets through, in their sections; a section without any of them is not in it.
    ///
    /// - Complexity: O(sections + rows): one call of `isIncluded` a row.
    public func filtered(_ isIncluded: (Item) -> Bool) -> IndexPathDataModel {
        var sections: [SectionInfo<Item>] = []
        for section in 0..<numberOfSections {
            let items = (self.items(inSection: section) ?? []).filter(isIncluded)
            guard !items.isEmpty, let name = sectionName(at: section) else { continue }
            sections.append(SectionInfo(name: name, indexTitle: indexTitle(at: section), items: items))
        }
        return IndexPathDataModel(sections: sections, identifier: storage.identify)
    }

    /// The rows sorted inside their sections; rows of which none stands before the other keep their order.
    ///
    /// - Complexity: O(sections + n log n) calls of `areInIncreasingOrder` for the n rows of each section.
    public func sorted(by areInIncreasingOrder: (Item, Item) -> Bool) -> IndexPathDataModel {
        let sections = (0..<numberOfSections).compactMap { section in
            sectionInfo(at: section).map { info in
                SectionInfo(
                    name: info.name, indexTitle: info.indexTitle, items: info.items.stablySorted(by: areInIncreasingOrder))
            }
        }
        return IndexPathDataModel(sections: sections, identifier: storage.identify)
    }

    /// A model that says there is nothing: some blank rows, then one that says so. For `controller(_:willUpdate:with:)`
    /// (TLIndexPathTools: the "no results" model).
    ///
    /// - Parameters:
    ///   - blankRows: how many blank rows stand above.
    ///   - blank: the item of the blank row of a number, counted from 0; each needs an identifier of its own.
    ///   - noResults: the item of the row that says there is nothing.
    public static func emptyResult(
        blankRows: Int, blank: (Int) -> Item, noResults: Item, identifier: @escaping @Sendable (Item) -> Identifier?
    ) -> IndexPathDataModel {
        let items = (0..<max(0, blankRows)).map(blank) + [noResults]
        return IndexPathDataModel(sections: [SectionInfo(name: .unnamed, items: items)], identifier: identifier)
    }
}

extension Array {
    /// The elements sorted; those of which none stands before the other keep their order.
    func stablySorted(by areInIncreasingOrder: (Element, Element) -> Bool) -> [Element] {
        enumerated().sorted { left, right in
            if areInIncreasingOrder(left.element, right.element) { return true }
            if areInIncreasingOrder(right.element, left.element) { return false }
            return left.offset < right.offset
        }.map(\.element)
    }
}

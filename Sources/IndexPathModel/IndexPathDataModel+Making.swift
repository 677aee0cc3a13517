extension IndexPathDataModel {
    /// A model of items that need not be sorted by section.
    ///
    /// Sections stand in the order in which the items first meet them; items of one section that are apart come together and keep
    /// their relative order. An item without identifier, or with an identifier that an earlier one has, is left out and reported by
    /// `itemsWithoutIdentifier` and `duplicates`. No items give one empty section with the sentinel name.
    ///
    /// - Parameters:
    ///   - sectionName: an item's section value, nil for the sentinel; without it all items are in the sentinel's section.
    ///   - identifier: what makes an item itself: the same in all its versions, and in no other item.
    /// - Complexity: O(items): a call of each closure, at most one hash and expected less than one comparison of identifiers an
    ///   item; a hash of a section name only where the section is not that of the item before.
    @inlinable
    public init(
        items: some Sequence<Item>, sectionName: ((Item) -> String?)? = nil, identifier: @escaping @Sendable (Item) -> Identifier?
    ) {
        var given = ContiguousArray<Item>()
        var unidentified = ContiguousArray<Item>()
        given.reserveCapacity(items.underestimatedCount)
        for item in items {
            if identifier(item) == nil { unidentified.append(item) } else { given.append(item) }
        }
        var table: PositionTable? = PositionTable.make(count: given.count) { identifier(given[$0]) }
        var leftOut = ContiguousArray<Item>()
        if let duplicates = table?.duplicates, !duplicates.isEmpty {
            var kept = ContiguousArray<Item>()
            var next = 0
            for duplicate in duplicates {
                kept.append(contentsOf: given[next..<duplicate])
                leftOut.append(given[duplicate])
                next = duplicate + 1
            }
            kept.append(contentsOf: given[next...])
            given = kept
            table = nil
        }
        guard let sectionName else {
            self.init(
                ModelStorage(
                    items: given, sectionNames: [.unnamed], lengths: [given.count], leftOut: leftOut, unidentified: unidentified,
                    identifierTable: table, identify: identifier))
            return
        }
        var grouping = SectionGrouping(capacity: given.count)
        for item in given { grouping.append(SectionName(sectionName(item))) }
        if let places = grouping.places {
            var placed = given
            for (position, place) in places.enumerated() { placed[place] = given[position] }
            given = placed
            table = nil
        }
        self.init(
            ModelStorage(
                items: given, sectionNames: grouping.names, lengths: grouping.lengths, leftOut: leftOut,
                unidentified: unidentified, identifierTable: table, identify: identifier))
    }

    /// A model of sections given outright, which may be empty and may have index titles.
    ///
    /// An item whose identifier an earlier one has is kept, but looking for the identifier finds the first; `duplicates` reports it.
    /// An item without identifier is left out. Where two sections have one name, both are kept and looking for the name finds the
    /// first. No sections give one empty section with the sentinel name.
    ///
    /// - Complexity: O(sections + items): one call of the closure an item.
    @inlinable
    public init(sections: some Sequence<SectionInfo<Item>>, identifier: @escaping @Sendable (Item) -> Identifier?) {
        var items = ContiguousArray<Item>()
        var unidentified = ContiguousArray<Item>()
        var names = ContiguousArray<SectionName>()
        var indexTitles = ContiguousArray<String?>()
        var lengths = ContiguousArray<Int>()
        for section in sections {
            let start = items.count
            for item in section.items {
                if identifier(item) == nil { unidentified.append(item) } else { items.append(item) }
            }
            names.append(section.name)
            indexTitles.append(section.indexTitle)
            lengths.append(items.count - start)
        }
        self.init(
            ModelStorage(
                items: items, sectionNames: names, indexTitles: indexTitles, lengths: lengths, unidentified: unidentified,
                identify: identifier))
    }

    /// A model of a long list that is already in order: the items, section after section, and each section's length.
    ///
    /// The array is shared, not copied, and nothing is done to a single item. Duplicates are kept as by `init(sections:identifier:)`,
    /// and found only when `duplicates` or an identifier is asked for. Lengths are cut off where the items end; items beyond the last
    /// section are in no section. Sections of one name, side by side or not, are not merged: that is the caller's matter.
    ///
    /// - Complexity: O(sections); no operation on an item.
    @inlinable
    public init(
        items: ContiguousArray<Item>, sections: [(name: SectionName, indexTitle: String?, count: Int)],
        identifier: @escaping @Sendable (Item) -> Identifier?
    ) {
        var names = ContiguousArray<SectionName>()
        var indexTitles = ContiguousArray<String?>()
        var lengths = ContiguousArray<Int>()
        for section in sections {
            if section.indexTitle != nil, indexTitles.isEmpty {
                indexTitles = ContiguousArray(repeating: nil, count: names.count)
            }
            if section.indexTitle != nil || !indexTitles.isEmpty { indexTitles.append(section.indexTitle) }
            names.append(section.name)
            lengths.append(section.count)
        }
        self.init(
            ModelStorage(items: items, sectionNames: names, indexTitles: indexTitles, lengths: lengths, identify: identifier))
    }
}

extension IndexPathDataModel where Item == Identifier {
    /// A model of items that are their own identifiers. As `init(items:sectionName:identifier:)`.
    @inlinable
    public init(items: some Sequence<Item>, sectionName: ((Item) -> String?)? = nil) {
        self.init(items: items, sectionName: sectionName, identifier: { $0 })
    }

    /// A model of sections of items that are their own identifiers. As `init(sections:identifier:)`.
    @inlinable
    public init(sections: some Sequence<SectionInfo<Item>>) {
        self.init(sections: sections, identifier: { $0 })
    }

    /// A model of a long list of identifiers that is already in order. As `init(items:sections:identifier:)`.
    @inlinable
    public init(
        identifiers: ContiguousArray<Item>, sections: [(name: SectionName, indexTitle: String?, count: Int)]
    ) {
        self.init(items: identifiers, sections: sections, identifier: { $0 })
    }
}

extension IndexPathDataModel where Item: Identifiable, Identifier == Item.ID {
    /// A model of items that know their identifiers. As `init(items:sectionName:identifier:)`.
    @inlinable
    public init(items: some Sequence<Item>, sectionName: ((Item) -> String?)? = nil) {
        self.init(items: items, sectionName: sectionName, identifier: { $0.id })
    }

    /// A model of sections of items that know their identifiers. As `init(sections:identifier:)`.
    @inlinable
    public init(sections: some Sequence<SectionInfo<Item>>) {
        self.init(sections: sections, identifier: { $0.id })
    }
}

/// An immutable list of items in sections, with look-ups both ways between index path, item, identifier and section.
///
/// Sections are known by name and items by identifier. A model is a value: it is copied in O(1), it never changes, and it may be
/// used from any thread. Nothing that is asked of it traps: what is not there is nil.
///
/// The identifiers' look-up table is made once, by the first call that looks for an identifier: O(items), one call of the
/// identifier closure and one hash an item, 6 bytes an item. All other look-ups need no table.
///
/// Named and behaving as `TLIndexPathDataModel`.
public struct IndexPathDataModel<Item: Sendable, Identifier: Hashable & Sendable>: Sendable {
    @usableFromInline let storage: ModelStorage<Item, Identifier>
    /// Which sections' rows are folded away; nil where none are. The sections stay.
    @usableFromInline let collapsed: ContiguousArray<Bool>?
    /// How many sections there are, counted from 0: all of the storage's or, in a collapsible model without items, none.
    public let numberOfSections: Int
    /// How many rows there are in all sections.
    public let numberOfItems: Int

    @usableFromInline
    init(_ storage: ModelStorage<Item, Identifier>) {
        self.storage = storage
        self.collapsed = nil
        self.numberOfSections = storage.offsets.count
        self.numberOfItems = storage.offsets.total
    }

    /// The same items with the rows of some sections folded away; no section at all where there is no item.
    @usableFromInline
    init(_ storage: ModelStorage<Item, Identifier>, collapsed: ContiguousArray<Bool>) {
        self.storage = storage
        let isEmpty = storage.offsets.total == 0
        self.collapsed = collapsed
        self.numberOfSections = isEmpty ? 0 : storage.offsets.count
        var hidden = 0
        for section in collapsed.indices where collapsed[section] {
            hidden += storage.offsets.range(of: section)?.count ?? 0
        }
        self.numberOfItems = storage.offsets.total - hidden
    }

    /// The positions in the storage of the section's rows, nil if there is no such section.
    @inlinable
    func positions(inSection section: Int) -> Range<Int>? {
        guard section < numberOfSections, let range = storage.offsets.range(of: section) else { return nil }
        if let collapsed, collapsed[section] { return range.lowerBound..<range.lowerBound }
        return range
    }

    /// The position in the storage of the row at `indexPath`, nil if there is no such row.
    @inlinable
    func position(at indexPath: IndexPath) -> Int? {
        guard let range = positions(inSection: indexPath.section), indexPath.row >= 0, indexPath.row < range.count else {
            return nil
        }
        return range.lowerBound + indexPath.row
    }

    /// Where the item at `position` of the storage is shown, nil if its section is folded.
    @inlinable
    func indexPath(ofPosition position: Int) -> IndexPath? {
        guard let section = storage.offsets.section(containing: position),
            let range = positions(inSection: section), range.contains(position)
        else { return nil }
        return IndexPath(section: section, row: position - range.lowerBound)
    }
}

// MARK: - Sections

extension IndexPathDataModel {
    /// How many rows `section` has, nil if there is no such section.
    ///
    /// - Complexity: O(1).
    @inlinable
    public func numberOfRows(inSection section: Int) -> Int? { positions(inSection: section)?.count }

    /// The name of `section`, nil if there is no such section.
    ///
    /// - Complexity: O(1).
    public func sectionName(at section: Int) -> SectionName? {
        section >= 0 && section < numberOfSections ? storage.sectionNames[section] : nil
    }

    /// The title of `section`: its name, nil for the sentinel and where there is no such section.
    ///
    /// - Complexity: O(1).
    public func sectionTitle(at section: Int) -> String? { sectionName(at: section)?.title }

    /// The title that `section` has in an index bar, nil where it was given none and where there is no such section.
    ///
    /// - Complexity: O(1).
    public func indexTitle(at section: Int) -> String? {
        guard section >= 0, section < numberOfSections, section < storage.indexTitles.count else { return nil }
        return storage.indexTitles[section]
    }

    /// The section called `name`, the first where there are several, nil if there is none.
    ///
    /// - Complexity: O(1): one hash, expected at most two comparisons; the first call makes the names' table, O(sections).
    public func section(named name: SectionName) -> Int? {
        guard let section = storage.section(named: name), section < numberOfSections else { return nil }
        return section
    }

    /// The sections' names, in order.
    ///
    /// - Complexity: O(1), or O(sections) if there is no section to show.
    public var sectionNames: ContiguousArray<SectionName> {
        numberOfSections == storage.sectionNames.count ? storage.sectionNames : []
    }

    /// The items of `section`, in order, sharing the model's storage and therefore its indices; nil if there is no such section.
    ///
    /// - Complexity: O(1).
    @inlinable
    public func items(inSection section: Int) -> ArraySlice<Item>? {
        positions(inSection: section).map { storage.items[$0] }
    }

    /// Name, index title and items of `section`; nil if there is no such section.
    ///
    /// - Complexity: O(rows of the section).
    public func sectionInfo(at section: Int) -> SectionInfo<Item>? {
        guard let name = sectionName(at: section), let items = items(inSection: section) else { return nil }
        return SectionInfo(name: name, indexTitle: indexTitle(at: section), items: Array(items))
    }
}

// MARK: - Items

extension IndexPathDataModel {
    /// The item of the row at `indexPath`, nil if there is no such row.
    ///
    /// - Complexity: O(1).
    @inlinable
    public func item(at indexPath: IndexPath) -> Item? { position(at: indexPath).map { storage.items[$0] } }

    /// The identifier of the row at `indexPath`, nil if there is no such row.
    ///
    /// - Complexity: O(1).
    @inlinable
    public func identifier(at indexPath: IndexPath) -> Identifier? {
        position(at: indexPath).flatMap { storage.identify(storage.items[$0]) }
    }

    /// The identifier that this model's rule gives to an item, which need not be in it; nil if it has none.
    @inlinable
    public func identifier(of item: Item) -> Identifier? { storage.identify(item) }

    /// Makes the identifiers' look-up table now, so that the first look-up by identifier need not; on a worker, for instance.
    ///
    /// - Complexity: O(items) the first time in all models over these items, then O(1).
    @inlinable
    public func prepareForLookUp() { _ = storage.identifiers }

    /// Where the item with `identifier` is, nil if it is not among the rows.
    ///
    /// - Complexity: one hash, expected at most two comparisons of identifiers, O(log sections) comparisons of numbers. The first
    ///   call makes the table: O(items).
    @inlinable
    public func indexPath(forIdentifier identifier: Identifier) -> IndexPath? {
        storage.position(of: identifier).flatMap { indexPath(ofPosition: $0) }
    }

    /// Where the item with the identifier of `item` is, nil if it is not among the rows. Complexity as `indexPath(forIdentifier:)`.
    @inlinable
    public func indexPath(forItem item: Item) -> IndexPath? {
        storage.identify(item).flatMap { indexPath(forIdentifier: $0) }
    }

    /// This model's item with `identifier`, nil if it is not among the rows. Complexity as `indexPath(forIdentifier:)`.
    @inlinable
    public func item(forIdentifier identifier: Identifier) -> Item? {
        guard let position = storage.position(of: identifier), indexPath(ofPosition: position) != nil else { return nil }
        return storage.items[position]
    }

    /// Whether a row has `identifier`. Complexity as `indexPath(forIdentifier:)`.
    @inlinable
    public func contains(identifier: Identifier) -> Bool { indexPath(forIdentifier: identifier) != nil }

    /// Whether a row has the identifier of `item`. Complexity as `indexPath(forIdentifier:)`.
    @inlinable
    public func contains(_ item: Item) -> Bool { indexPath(forItem: item) != nil }

    /// This model's version of an item that comes from another model; nil if it has none. Complexity as `indexPath(forIdentifier:)`.
    @inlinable
    public func currentVersion(of item: Item) -> Item? { storage.identify(item).flatMap { self.item(forIdentifier: $0) } }

    /// All rows' items, in order.
    ///
    /// - Complexity: O(1) where the model has the storage for itself and nothing is folded, else O(items).
    public var items: ContiguousArray<Item> {
        if collapsed == nil, storage.items.count == numberOfItems { return storage.items }
        var shown = ContiguousArray<Item>()
        shown.reserveCapacity(numberOfItems)
        for section in 0..<numberOfSections {
            if let positions = positions(inSection: section) { shown.append(contentsOf: storage.items[positions]) }
        }
        return shown
    }
}

// MARK: - What was wrong with the items

extension IndexPathDataModel {
    /// The items whose identifier was already there, in the order in which they were given.
    ///
    /// In a model made from plain items they were left out. In one made from sections they are rows like any other, but looking for
    /// their identifier finds the first with it. Folding changes nothing here.
    ///
    /// - Complexity: O(duplicates); in a model made from sections the first call makes the table: O(items).
    public var duplicates: ContiguousArray<Item> {
        storage.leftOut + ContiguousArray(storage.identifiers.duplicates.map { storage.items[$0] })
    }

    /// The items that were left out because they have no identifier, in the order in which they were given.
    public var itemsWithoutIdentifier: ContiguousArray<Item> { storage.unidentified }
}

extension IndexPathDataModel: Equatable where Item: Equatable {
    /// Whether both show the same sections (names and index titles) with equal items.
    ///
    /// - Complexity: O(sections + items); O(1) for copies of one model.
    public static func == (left: IndexPathDataModel, right: IndexPathDataModel) -> Bool {
        guard left.numberOfSections == right.numberOfSections, left.numberOfItems == right.numberOfItems else { return false }
        if left.storage === right.storage, left.collapsed == right.collapsed { return true }
        return (0..<left.numberOfSections).allSatisfy { section in
            left.sectionName(at: section) == right.sectionName(at: section)
                && left.indexTitle(at: section) == right.indexTitle(at: section)
                && left.items(inSection: section) == right.items(inSection: section)
        }
    }
}

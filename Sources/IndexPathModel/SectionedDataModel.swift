/// Any model that shows rows in sections: a plain one, a collapsible one, a tree.
///
/// What a model shows is a plain `IndexPathDataModel`; every look-up asks that one. So a controller takes them all, and the updates
/// between any two of them are known.
public protocol SectionedDataModel<Item, Identifier>: Sendable {
    /// What a row stands for.
    associatedtype Item: Sendable
    /// What makes an item itself in all its versions.
    associatedtype Identifier: Hashable & Sendable

    /// The sections and rows that are shown. Sharing, not copying, the items: getting it is O(1).
    var displayedModel: IndexPathDataModel<Item, Identifier> { get }
}

extension IndexPathDataModel: SectionedDataModel {
    /// The model itself.
    @inlinable public var displayedModel: IndexPathDataModel<Item, Identifier> { self }
}

extension SectionedDataModel {
    /// How many sections there are, counted from 0.
    @inlinable public var numberOfSections: Int { displayedModel.numberOfSections }

    /// How many rows there are in all sections.
    @inlinable public var numberOfItems: Int { displayedModel.numberOfItems }

    /// How many rows `section` has, nil if there is no such section.
    @inlinable public func numberOfRows(inSection section: Int) -> Int? { displayedModel.numberOfRows(inSection: section) }

    /// The sections' names, in order.
    public var sectionNames: ContiguousArray<SectionName> { displayedModel.sectionNames }

    /// The name of `section`, nil if there is no such section.
    @inlinable public func sectionName(at section: Int) -> SectionName? { displayedModel.sectionName(at: section) }

    /// The title of `section`: its name, nil for the sentinel and where there is no such section.
    @inlinable public func sectionTitle(at section: Int) -> String? { displayedModel.sectionTitle(at: section) }

    /// The title that `section` has in an index bar, nil where it was given none and where there is no such section.
    @inlinable public func indexTitle(at section: Int) -> String? { displayedModel.indexTitle(at: section) }

    /// The section called `name`, the first where there are several, nil if there is none.
    @inlinable public func section(named name: SectionName) -> Int? { displayedModel.section(named: name) }

    /// The items of `section` that are shown, in order; nil if there is no such section.
    @inlinable public func items(inSection section: Int) -> ArraySlice<Item>? { displayedModel.items(inSection: section) }

    /// The item of the row at `indexPath`, nil if there is no such row.
    @inlinable public func item(at indexPath: IndexPath) -> Item? { displayedModel.item(at: indexPath) }

    /// The identifier of the row at `indexPath`, nil if there is no such row.
    @inlinable public func identifier(at indexPath: IndexPath) -> Identifier? { displayedModel.identifier(at: indexPath) }

    /// The identifier that this model's rule gives to an item, which need not be in it; nil if it has none.
    @inlinable public func identifier(of item: Item) -> Identifier? { displayedModel.identifier(of: item) }

    /// Where the item with `identifier` is, nil if it is not among the rows.
    @inlinable public func indexPath(forIdentifier identifier: Identifier) -> IndexPath? {
        displayedModel.indexPath(forIdentifier: identifier)
    }

    /// Where the item with the identifier of `item` is, nil if it is not among the rows.
    @inlinable public func indexPath(forItem item: Item) -> IndexPath? { displayedModel.indexPath(forItem: item) }

    /// This model's item with `identifier`, nil if it is not among the rows.
    @inlinable public func item(forIdentifier identifier: Identifier) -> Item? {
        displayedModel.item(forIdentifier: identifier)
    }

    /// Whether a row has `identifier`.
    @inlinable public func contains(identifier: Identifier) -> Bool { displayedModel.contains(identifier: identifier) }

    /// Whether a row has the identifier of `item`.
    @inlinable public func contains(_ item: Item) -> Bool { displayedModel.contains(item) }

    /// This model's version of an item that comes from another model; nil if it has none among its rows.
    @inlinable public func currentVersion(of item: Item) -> Item? { displayedModel.currentVersion(of: item) }
}

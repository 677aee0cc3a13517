/// What models over the same items share: the items in order, the sections, and the look-up tables, made when first needed.
@usableFromInline
final class ModelStorage<Item: Sendable, Identifier: Hashable & Sendable>: Sendable {
    /// All items, section after section; those beyond `offsets.total` belong to no section.
    @usableFromInline let items: ContiguousArray<Item>
    @usableFromInline let sectionNames: ContiguousArray<SectionName>
    /// The sections' index titles; empty where no section has any.
    @usableFromInline let indexTitles: ContiguousArray<String?>
    @usableFromInline let offsets: SectionOffsets
    @usableFromInline let identify: @Sendable (Item) -> Identifier?
    /// Items that were given but left out, because their identifier was already there.
    @usableFromInline let leftOut: ContiguousArray<Item>
    /// Items that were given but left out, because they have no identifier.
    @usableFromInline let unidentified: ContiguousArray<Item>
    @usableFromInline let identifierTable: LazyPositionTable
    @usableFromInline let nameTable: LazyPositionTable

    /// No sections at all become one empty section with the sentinel name (TLIndexPathTools).
    @usableFromInline
    init(
        items: ContiguousArray<Item>, sectionNames: ContiguousArray<SectionName>, indexTitles: ContiguousArray<String?> = [],
        lengths: ContiguousArray<Int>, leftOut: ContiguousArray<Item> = [], unidentified: ContiguousArray<Item> = [],
        identifierTable: PositionTable? = nil, identify: @escaping @Sendable (Item) -> Identifier?
    ) {
        self.items = items
        self.sectionNames = sectionNames.isEmpty ? [.unnamed] : sectionNames
        self.indexTitles = indexTitles
        self.offsets = sectionNames.isEmpty ? SectionOffsets(lengths: [0]) : SectionOffsets(lengths: lengths, limit: items.count)
        self.identify = identify
        self.leftOut = leftOut
        self.unidentified = unidentified
        self.identifierTable = LazyPositionTable(identifierTable)
        self.nameTable = LazyPositionTable()
    }

    /// Whether the only section is the sentinel that stands for "no sections": it was never shown where sections fold.
    @usableFromInline var hasOnlyFalseSection: Bool { offsets.total == 0 && sectionNames == [.unnamed] }

    /// The table of the identifiers; the first call makes it.
    @inlinable var identifiers: PositionTable {
        identifierTable.value { PositionTable.make(count: offsets.total) { identify(items[$0]) } }
    }

    /// The position of the first item with `identifier` among all items, nil if there is none.
    @inlinable
    func position(of identifier: Identifier) -> Int? {
        identifiers.position(of: identifier) { identify(items[$0]) }
    }

    /// The first section called `name`, nil if there is none.
    @usableFromInline
    func section(named name: SectionName) -> Int? {
        nameTable.value { PositionTable.make(count: sectionNames.count) { sectionNames[$0] } }
            .position(of: name) { sectionNames[$0] }
    }
}

/// A data model whose sections can be folded away: a backing model, and which of its sections are expanded.
///
/// A collapsed section stays, with its name and index title, and has no rows; every look-up sees only the rows that are left. A
/// backing model without items shows no section. Folding gives a new model that shares the backing model's items and tables.
///
/// The model also knows the *screen rows*: its headers and rows as one flat sequence, counted from 0, as a list paints them.
///
/// Named and behaving as `TLCollapsibleDataModel`, except for the false section that one shows for an empty backing model.
public struct CollapsibleDataModel<Item: Sendable, Identifier: Hashable & Sendable>: SectionedDataModel {
    /// The model with all rows.
    public let backingModel: IndexPathDataModel<Item, Identifier>
    /// The sections, and the rows of the expanded ones.
    public let displayedModel: IndexPathDataModel<Item, Identifier>
    /// Whether sections have headers. Without headers nothing could unfold a section, so none is ever collapsed.
    public let showsHeaders: Bool
    /// Which of the backing model's sections are collapsed, by section.
    let collapsed: ContiguousArray<Bool>
    /// Where each section's screen rows begin.
    let screenOffsets: SectionOffsets

    /// A model with these sections of `backingModel` expanded, by number.
    init(backingModel: IndexPathDataModel<Item, Identifier>, collapsed: ContiguousArray<Bool>, showsHeaders: Bool) {
        let backing = backingModel.collapsed == nil ? backingModel : IndexPathDataModel(backingModel.storage)
        let collapsed = showsHeaders ? collapsed : ContiguousArray(repeating: false, count: collapsed.count)
        let displayed = IndexPathDataModel(backing.storage, collapsed: collapsed)
        let header = showsHeaders ? 1 : 0
        self.backingModel = backing
        self.displayedModel = displayed
        self.showsHeaders = showsHeaders
        self.collapsed = collapsed
        self.screenOffsets = SectionOffsets(
            lengths: ContiguousArray(
                (0..<displayed.numberOfSections).lazy.map { section in
                    header + (displayed.positions(inSection: section)?.count ?? 0)
                }))
    }

    /// A model over `backingModel` with the sections of these names expanded and all others collapsed.
    ///
    /// Names that the backing model does not have are forgotten. Nothing said means nothing expanded.
    ///
    /// - Complexity: O(sections): one hash a section if any name is given.
    public init(
        backingModel: IndexPathDataModel<Item, Identifier>, expandedSectionNames: Set<SectionName> = [], showsHeaders: Bool = true
    ) {
        let names = backingModel.storage.sectionNames
        let collapsed =
            expandedSectionNames.isEmpty
            ? ContiguousArray(repeating: true, count: names.count)
            : ContiguousArray(names.lazy.map { !expandedSectionNames.contains($0) })
        self.init(backingModel: backingModel, collapsed: collapsed, showsHeaders: showsHeaders)
    }

    /// A model over `backingModel` with those sections expanded of which `isExpanded` says so, and all others collapsed.
    ///
    /// - Complexity: O(sections).
    public init(
        backingModel: IndexPathDataModel<Item, Identifier>, showsHeaders: Bool = true, isExpanded: (_ section: Int) -> Bool
    ) {
        var collapsed = ContiguousArray<Bool>()
        collapsed.reserveCapacity(backingModel.storage.sectionNames.count)
        for section in backingModel.storage.sectionNames.indices { collapsed.append(!isExpanded(section)) }
        self.init(backingModel: backingModel, collapsed: collapsed, showsHeaders: showsHeaders)
    }

    /// A model over `backingModel` with the sections of these names collapsed and all others expanded.
    ///
    /// - Complexity: O(sections): one hash a section if any name is given.
    public init(
        backingModel: IndexPathDataModel<Item, Identifier>, collapsedSectionNames: Set<SectionName>, showsHeaders: Bool = true
    ) {
        let names = backingModel.storage.sectionNames
        let collapsed =
            collapsedSectionNames.isEmpty
            ? ContiguousArray(repeating: false, count: names.count)
            : ContiguousArray(names.lazy.map { collapsedSectionNames.contains($0) })
        self.init(backingModel: backingModel, collapsed: collapsed, showsHeaders: showsHeaders)
    }

    /// The names of the sections that are expanded.
    ///
    /// - Complexity: O(sections).
    public var expandedSectionNames: Set<SectionName> { names(collapsed: false) }

    /// The names of the sections that are collapsed.
    ///
    /// - Complexity: O(sections).
    public var collapsedSectionNames: Set<SectionName> { names(collapsed: true) }

    private func names(collapsed wanted: Bool) -> Set<SectionName> {
        var names: Set<SectionName> = []
        if backingModel.storage.hasOnlyFalseSection { return names }
        for section in collapsed.indices where collapsed[section] == wanted {
            names.insert(backingModel.storage.sectionNames[section])
        }
        return names
    }

    /// Whether `section` is collapsed; false if there is no such section.
    ///
    /// - Complexity: O(1).
    public func isSectionCollapsed(_ section: Int) -> Bool {
        section >= 0 && section < numberOfSections && collapsed[section]
    }

    /// How many rows `section` has when it is expanded, nil if there is no such section.
    ///
    /// - Complexity: O(1).
    public func numberOfBackingRows(inSection section: Int) -> Int? {
        section < numberOfSections ? backingModel.numberOfRows(inSection: section) : nil
    }
}

extension CollapsibleDataModel: Equatable where Item: Equatable {
    /// Whether both have equal backing models, the same sections collapsed, and both or neither headers.
    ///
    /// - Complexity: O(sections + items); O(sections) for models over one backing model.
    public static func == (left: CollapsibleDataModel, right: CollapsibleDataModel) -> Bool {
        left.showsHeaders == right.showsHeaders && left.collapsed == right.collapsed && left.backingModel == right.backingModel
    }
}

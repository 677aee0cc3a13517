/// What changed between two models: sections by name, items by identifier.
///
/// Places before the update are those of the old model, places after it those of the new one. Sections and rows that are not
/// mentioned keep their order and fill the places that the others leave free, as in a table view's batch update. So the updates are
/// exact: `apply(to:)` makes the new model of the old one. They are also the fewest: no fewer sections, and within the sections no
/// fewer rows, could be moved.
///
/// Where several sections have one name, or several rows one identifier, the first of the old goes with the first of the new, the
/// second with the second.
///
/// Named and behaving as `TLIndexPathUpdates`; moves out of deleted and into inserted sections are told as they are.
public struct IndexPathUpdates<Item: Sendable, Identifier: Hashable & Sendable>: Sendable {
    /// A section that is no more; its rows are not reported one by one.
    public struct SectionDeletion: Hashable, Sendable {
        /// Its name.
        public let name: SectionName
        /// Where it was.
        public let section: Int
    }

    /// A section that was not there; its rows are not reported one by one.
    public struct SectionInsertion: Sendable {
        /// Its name, index title and all its rows, those that come from other sections too.
        public let info: SectionInfo<Item>
        /// Where it is.
        public let section: Int
    }

    /// A section that left its place among the others.
    public struct SectionMove: Hashable, Sendable {
        /// Its name.
        public let name: SectionName
        /// Where it was.
        public let from: Int
        /// Where it is.
        public let to: Int
    }

    /// A section whose index title is another.
    public struct SectionModification: Hashable, Sendable {
        /// Its name.
        public let name: SectionName
        /// Where it is.
        public let section: Int
        /// Its index title now.
        public let indexTitle: String?
    }

    /// A row that is no more, in a section that is still there.
    public struct Deletion: Sendable {
        /// The old model's item.
        public let item: Item
        /// Where it was.
        public let indexPath: IndexPath
    }

    /// A row that was not there, in a section that was.
    public struct Insertion: Sendable {
        /// The new model's item.
        public let item: Item
        /// Where it is.
        public let indexPath: IndexPath
    }

    /// A row that went to another section or left its place among the others of its section.
    public struct Move: Sendable {
        /// The new model's version of the item.
        public let item: Item
        /// Where it was; its section may be a deleted one.
        public let from: IndexPath
        /// Where it is; its section may be an inserted one.
        public let to: IndexPath
    }

    /// A row whose item is not equal to what it was; it may have moved too.
    public struct Modification: Sendable {
        /// The old model's version of the item.
        public let oldItem: Item
        /// The new model's version of the item.
        public let item: Item
        /// Where it was.
        public let from: IndexPath
        /// Where it is.
        public let to: IndexPath
    }

    /// The model before.
    public let oldModel: any SectionedDataModel<Item, Identifier>
    /// The model after.
    public let newModel: any SectionedDataModel<Item, Identifier>
    /// The sections that are no more, from the top.
    public internal(set) var deletedSections: [SectionDeletion] = []
    /// The sections that were not there, from the top.
    public internal(set) var insertedSections: [SectionInsertion] = []
    /// The sections that left their place, from the top of the new model.
    public internal(set) var movedSections: [SectionMove] = []
    /// The sections whose index title is another, from the top of the new model.
    public internal(set) var modifiedSections: [SectionModification] = []
    /// The rows that are no more, from the top of the old model.
    public internal(set) var deletedItems: [Deletion] = []
    /// The rows that were not there, from the top of the new model.
    public internal(set) var insertedItems: [Insertion] = []
    /// The rows that left their place, from the top of the new model.
    public internal(set) var movedItems: [Move] = []
    /// The rows whose item is not equal to what it was, from the top of the new model.
    public internal(set) var modifiedItems: [Modification] = []

    /// Whether the models differ at all.
    public var hasChanges: Bool {
        !(deletedSections.isEmpty && insertedSections.isEmpty && movedSections.isEmpty && modifiedSections.isEmpty
            && deletedItems.isEmpty && insertedItems.isEmpty && movedItems.isEmpty && modifiedItems.isEmpty)
    }

    /// What changed from `oldModel` to `newModel`.
    ///
    /// - Parameter isEqual: whether two versions of an item, the old one first, count as the same; nil if they always do.
    /// - Complexity: O(sections + rows): in each section one comparison of identifiers for each row before the first and after the
    ///   last difference; for each row between, one hash and expected about one comparison; O(k log k) comparisons of numbers for the
    ///   k rows between that stay in their section. At most one call of `isEqual` a row. Between models over the same items, as
    ///   folding makes them, no row that is in both is looked at.
    @inlinable
    public init(
        from oldModel: some SectionedDataModel<Item, Identifier>, to newModel: some SectionedDataModel<Item, Identifier>,
        isEqual: ((Item, Item) -> Bool)?
    ) {
        self.oldModel = oldModel
        self.newModel = newModel
        var comparison = ModelComparison(old: oldModel.displayedModel, new: newModel.displayedModel)
        comparison.compareRows(isEqual: isEqual)
        report(comparison)
    }

    /// What changed from `oldModel` to `newModel`, where it is known which rows of the plain models below them differ. As
    /// `init(from:to:isEqual:)`, except that more rows than need be may count as moved: those that are not mentioned stay.
    ///
    /// - Parameters:
    ///   - differences: what are not those of these models is not used.
    ///   - isEqual: is asked of mentioned rows only.
    /// - Complexity: O(sections + differences): for each of these one hash and expected about one comparison, and O(log sections)
    ///   comparisons of numbers.
    public init(
        from oldModel: some SectionedDataModel<Item, Identifier>, to newModel: some SectionedDataModel<Item, Identifier>,
        differences: IndexPathDifferences<Item, Identifier>?, isEqual: ((Item, Item) -> Bool)?
    ) {
        self.oldModel = oldModel
        self.newModel = newModel
        var comparison = ModelComparison(old: oldModel.displayedModel, new: newModel.displayedModel)
        let isKnown = differences.map { comparison.takeRows(from: $0, isEqual: isEqual) } ?? false
        if !isKnown { comparison.compareRows(isEqual: isEqual) }
        report(comparison)
    }
}

extension IndexPathUpdates where Item: Equatable {
    /// What changed from `oldModel` to `newModel`; an item whose versions are not equal is modified. As `init(from:to:isEqual:)`.
    @inlinable
    public init(
        from oldModel: some SectionedDataModel<Item, Identifier>, to newModel: some SectionedDataModel<Item, Identifier>
    ) {
        self.init(from: oldModel, to: newModel, isEqual: { $0 == $1 })
    }
}

extension IndexPathUpdates where Item == Identifier {
    /// What changed from `oldModel` to `newModel`, whose items are nothing but their identifiers, so that none is ever modified. As
    /// `init(from:to:isEqual:)`.
    @inlinable
    public init(
        from oldModel: some SectionedDataModel<Item, Identifier>, to newModel: some SectionedDataModel<Item, Identifier>
    ) {
        self.init(from: oldModel, to: newModel, isEqual: nil)
    }
}

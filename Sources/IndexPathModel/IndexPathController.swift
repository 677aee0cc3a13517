/// Holds the model that a list shows, and tells what changes when another takes its place.
///
/// Items, a data model and a fetch's result all go one road: the delegate may replace the new model, then the updates are computed,
/// then the delegate and the observers hear of them. A model set while that happens goes the same road afterwards.
///
/// A controller is not `Sendable`: it belongs to one thread. Models and updates may go to any.
///
/// Named and behaving as `TLIndexPathController`.
public final class IndexPathController<Item: Sendable, Identifier: Hashable & Sendable> {
    /// An item's section value, nil for the sentinel: how `items` and fetched items are put into sections.
    public let sectionName: (@Sendable (Item) -> String?)?
    /// What makes an item itself: how `items` and fetched items are identified.
    public let identifier: @Sendable (Item) -> Identifier?
    /// Whether two versions of an item count as the same; nil if they always do.
    public let isEqual: ((Item, Item) -> Bool)?
    /// May replace new models and hears of updates.
    public weak var delegate: (any IndexPathControllerDelegate<Item, Identifier>)?

    /// The model whose rows the delegate and the observers have last heard of. Differs from `dataModel` while an update waits.
    public private(set) var announcedDataModel: any SectionedDataModel<Item, Identifier>
    /// A model that was set and not yet announced.
    private var waitingDataModel: (any SectionedDataModel<Item, Identifier>)?
    private var isAnnouncing = false
    private var batchDepth = 0
    private var observers: [Int: (IndexPathUpdates<Item, Identifier>) -> Void] = [:]
    private var lastObserver = 0
    private var fetched: FetchedResult?
    /// A fetch's result that came while fetches were ignored.
    private var ignoredFetch: FetchedResult?
    /// What differs between two models, where a fetch knew it; used for an update between just these.
    private var knownDifferences: IndexPathDifferences<Item, Identifier>?

    private enum FetchedResult {
        case items([Item])
        case model(IndexPathDataModel<Item, Identifier>)
    }

    /// A controller with an empty model, or with one that nobody has to hear of.
    ///
    /// - Parameters:
    ///   - dataModel: what a list shows already; nil for nothing.
    ///   - sectionName: an item's section value; without it all items are in the sentinel's section.
    ///   - identifier: what makes an item itself in all its versions.
    ///   - isEqual: whether two versions of an item, the old one first, count as the same; nil if they always do.
    public init(
        dataModel: (any SectionedDataModel<Item, Identifier>)? = nil, sectionName: (@Sendable (Item) -> String?)? = nil,
        identifier: @escaping @Sendable (Item) -> Identifier?, isEqual: ((Item, Item) -> Bool)?
    ) {
        self.sectionName = sectionName
        self.identifier = identifier
        self.isEqual = isEqual
        self.announcedDataModel = dataModel ?? IndexPathDataModel<Item, Identifier>(items: [], identifier: identifier)
    }

    // MARK: - The model

    /// The model set last; setting one updates, unless updates wait.
    public var dataModel: any SectionedDataModel<Item, Identifier> {
        get { waitingDataModel ?? announcedDataModel }
        set {
            waitingDataModel = newValue
            announceIfPossible()
        }
    }

    /// The rows' items, in order; setting them makes a model by `sectionName` and `identifier`.
    public var items: [Item] {
        get { Array(dataModel.displayedModel.items) }
        set { dataModel = model(of: newValue) }
    }

    private func model(of items: [Item]) -> IndexPathDataModel<Item, Identifier> {
        IndexPathDataModel(items: items, sectionName: sectionName, identifier: identifier)
    }

    // MARK: - Waiting

    /// Makes one update of all that `body` sets: from the model before the batch to the one set last. Batches may be nested.
    public func performBatchUpdates<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        batchDepth += 1
        defer {
            batchDepth -= 1
            announceIfPossible()
        }
        return try body()
    }

    /// Whether updates wait. When that ends, one update leads to the model set last.
    public var isPaused = false {
        didSet { announceIfPossible() }
    }

    // MARK: - Fetches

    /// Takes the items of a fetch, in the order of the fetch; filtered and sorted in memory where that is set.
    public func fetchDidReturn(items: [Item]) { take(.items(items)) }

    /// Takes the model of a fetch; in-memory filter and sort work inside its sections, and sections without hits go.
    public func fetchDidReturn(model: IndexPathDataModel<Item, Identifier>) { take(.model(model)) }

    /// Takes the model of a fetch that was made of the one before, whose update then costs a look at what differs. As
    /// `fetchDidReturn(model:)` in all else; where a filter, a sort or another model came between, all rows are compared.
    public func fetchDidReturn(_ differences: IndexPathDifferences<Item, Identifier>) {
        knownDifferences = differences
        take(.model(differences.newModel))
    }

    /// Whether the results of fetches are not shown. When that ends, the last one that came meanwhile is.
    public var ignoresFetchedResultsChanges = false {
        didSet {
            guard !ignoresFetchedResultsChanges, let missed = ignoredFetch else { return }
            ignoredFetch = nil
            take(missed)
        }
    }

    /// Which fetched items are shown; nil for all. Setting it shows the last fetch anew.
    public var inMemoryFilter: ((Item) -> Bool)? {
        didSet { showFetched() }
    }

    /// Whether one fetched item stands before another; nil for the order of the fetch. Setting it shows the last fetch anew.
    public var inMemorySort: ((Item, Item) -> Bool)? {
        didSet { showFetched() }
    }

    private func take(_ result: FetchedResult) {
        if ignoresFetchedResultsChanges {
            ignoredFetch = result
        } else {
            fetched = result
            showFetched()
        }
    }

    private func showFetched() {
        switch fetched {
        case nil: break
        case .items(var items):
            if let inMemoryFilter { items = items.filter(inMemoryFilter) }
            if let inMemorySort { items = items.stablySorted(by: inMemorySort) }
            dataModel = model(of: items)
        case .model(var model):
            if let inMemoryFilter { model = model.filtered(inMemoryFilter) }
            if let inMemorySort { model = model.sorted(by: inMemorySort) }
            dataModel = model
        }
    }

    // MARK: - Announcing

    /// Calls `body` after each update, until the observation that is returned goes.
    public func observe(
        _ body: @escaping (IndexPathUpdates<Item, Identifier>) -> Void
    ) -> IndexPathControllerObservation {
        lastObserver += 1
        let number = lastObserver
        observers[number] = body
        return IndexPathControllerObservation { [weak self] in self?.observers[number] = nil }
    }

    /// The one road for every new model.
    private func announceIfPossible() {
        guard !isAnnouncing else { return }
        isAnnouncing = true
        defer { isAnnouncing = false }
        while batchDepth == 0, !isPaused, let newModel = waitingDataModel {
            waitingDataModel = nil
            let oldModel = announcedDataModel
            let taken = delegate?.controller(self, willUpdate: oldModel, with: newModel) ?? newModel
            announcedDataModel = taken
            let updates = IndexPathUpdates(from: oldModel, to: taken, differences: knownDifferences, isEqual: isEqual)
            knownDifferences = nil
            delegate?.controller(self, didUpdate: updates)
            for (_, observer) in observers.sorted(by: { $0.key < $1.key }) { observer(updates) }
        }
    }
}

extension IndexPathController where Item: Equatable {
    /// A controller with an empty model; an item whose versions are not equal is modified. As `init(sectionName:identifier:isEqual:)`.
    public convenience init(
        sectionName: (@Sendable (Item) -> String?)? = nil, identifier: @escaping @Sendable (Item) -> Identifier?
    ) {
        self.init(sectionName: sectionName, identifier: identifier, isEqual: { $0 == $1 })
    }
}

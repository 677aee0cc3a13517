/// Hears of the updates of an index-path controller, and may replace a new model before it counts.
public protocol IndexPathControllerDelegate<Item, Identifier>: AnyObject {
    /// What a row stands for.
    associatedtype Item: Sendable
    /// What makes an item itself in all its versions.
    associatedtype Identifier: Hashable & Sendable

    /// A new model is about to take the place of the old one.
    ///
    /// - Returns: the model to take instead; nil for the new one. This is where a list folds sections or shows that there is nothing.
    func controller(
        _ controller: IndexPathController<Item, Identifier>, willUpdate oldModel: any SectionedDataModel<Item, Identifier>,
        with newModel: any SectionedDataModel<Item, Identifier>
    ) -> (any SectionedDataModel<Item, Identifier>)?

    /// A new model has taken the place of the old one; a list shows the updates. Called too where nothing changed.
    func controller(_ controller: IndexPathController<Item, Identifier>, didUpdate updates: IndexPathUpdates<Item, Identifier>)
}

extension IndexPathControllerDelegate {
    /// Takes the new model as it is.
    public func controller(
        _ controller: IndexPathController<Item, Identifier>, willUpdate oldModel: any SectionedDataModel<Item, Identifier>,
        with newModel: any SectionedDataModel<Item, Identifier>
    ) -> (any SectionedDataModel<Item, Identifier>)? { nil }

    /// Does nothing.
    public func controller(
        _ controller: IndexPathController<Item, Identifier>, didUpdate updates: IndexPathUpdates<Item, Identifier>
    ) {}
}

/// Keeps a closure informed of a controller's updates for as long as it lives.
public final class IndexPathControllerObservation {
    private let end: () -> Void

    init(end: @escaping () -> Void) { self.end = end }

    deinit { end() }
}

/// Loads children for a tree controller.
public protocol TreeControllerDelegate<Item, Identifier>: AnyObject {
    /// What a row stands for.
    associatedtype Item: Sendable
    /// What makes an item itself in all its versions.
    associatedtype Identifier: Hashable & Sendable

    /// An item whose children are still to be loaded is being expanded.
    ///
    /// - Returns: the item's new version, with its children; nil if they come later, by `TreeController.replace(_:)`.
    func controller(_ controller: TreeController<Item, Identifier>, willExpand item: Item) -> Item?

    /// An item was folded or unfolded.
    func controller(_ controller: TreeController<Item, Identifier>, didChangeItem item: Item, collapsed: Bool)
}

extension TreeControllerDelegate {
    /// Does nothing.
    public func controller(_ controller: TreeController<Item, Identifier>, didChangeItem item: Item, collapsed: Bool) {}
}

/// Folds and unfolds the items of an outline, set through an index-path controller.
///
/// Named and behaving as `TLTreeTableViewController`, without its view.
public final class TreeController<Item: Sendable, Identifier: Hashable & Sendable> {
    /// The controller through which every outline goes.
    public let indexPathController: IndexPathController<Item, Identifier>
    /// Loads children, and hears of folding.
    public weak var delegate: (any TreeControllerDelegate<Item, Identifier>)?

    /// A controller of the folds of `indexPathController`'s outline.
    public init(_ indexPathController: IndexPathController<Item, Identifier>) {
        self.indexPathController = indexPathController
    }

    /// The outline; nil while the controller's model is none. Setting one updates.
    public var dataModel: TreeDataModel<Item, Identifier>? {
        get { indexPathController.dataModel as? TreeDataModel<Item, Identifier> }
        set { if let newValue { indexPathController.dataModel = newValue } }
    }

    /// Folds or unfolds the item at `indexPath`; the delegate loads its children where they are still to be loaded. A leaf, or a row
    /// that there is not, changes nothing.
    public func toggleItem(at indexPath: IndexPath) {
        guard let model = dataModel, let item = model.item(at: indexPath), let identifier = model.identifier(of: item),
            let disclosure = model.disclosure(at: indexPath), disclosure != .leaf
        else { return }
        var changed = model.toggling(identifier)
        if disclosure == .collapsed, model.needsChildren(at: indexPath),
            let newVersion = delegate?.controller(self, willExpand: item)
        {
            changed = changed.replacing(newVersion)
        }
        dataModel = changed
        delegate?.controller(
            self, didChangeItem: changed.item(forIdentifier: identifier) ?? item, collapsed: disclosure == .expanded)
    }

    /// Hands in a new version of an item, with the children that were loaded meanwhile.
    public func replace(_ newVersion: Item) {
        if let model = dataModel { dataModel = model.replacing(newVersion) }
    }
}

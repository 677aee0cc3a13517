/// Hears of the folding of sections and of the updates of the list.
public protocol CollapsibleControllerDelegate<Item, Identifier>: AnyObject {
    /// What a row stands for.
    associatedtype Item: Sendable
    /// What makes an item itself in all its versions.
    associatedtype Identifier: Hashable & Sendable

    /// A section was folded or unfolded.
    func controller(
        _ controller: CollapsibleController<Item, Identifier>, didChangeSection section: Int, collapsed: Bool)

    /// A new model has taken the place of the old one; a list shows the updates.
    func controller(_ controller: CollapsibleController<Item, Identifier>, didUpdate updates: IndexPathUpdates<Item, Identifier>)
}

extension CollapsibleControllerDelegate {
    /// Does nothing.
    public func controller(
        _ controller: CollapsibleController<Item, Identifier>, didChangeSection section: Int, collapsed: Bool
    ) {}

    /// Does nothing.
    public func controller(
        _ controller: CollapsibleController<Item, Identifier>, didUpdate updates: IndexPathUpdates<Item, Identifier>
    ) {}
}

/// Folds and unfolds the sections of an index-path controller's model, whose delegate it becomes.
///
/// A plain model that the controller is given becomes the backing model of a collapsible one; a model that is collapsible already
/// passes.
///
/// Named and behaving as `TLCollapsibleTableViewController`, without its view.
public final class CollapsibleController<Item: Sendable, Identifier: Hashable & Sendable>: IndexPathControllerDelegate {
    /// The controller through which every model goes.
    public let indexPathController: IndexPathController<Item, Identifier>
    /// Hears of folding and of updates.
    public weak var delegate: (any CollapsibleControllerDelegate<Item, Identifier>)?
    /// Whether unfolding a section collapses all others.
    public var singleExpandedSection = false
    /// Whether a section that was not there before is expanded. The library's own rule is that it is not.
    public var startsOpen = false
    /// Whether sections have headers.
    public var showsHeaders = true
    /// Whether the list scrolls so that as much as fits of an unfolded section is visible.
    public var optimizesScrollOnExpand = true

    /// A controller of the folds of `indexPathController`, whose model is taken as it is.
    public init(_ indexPathController: IndexPathController<Item, Identifier>) {
        self.indexPathController = indexPathController
        indexPathController.delegate = self
        indexPathController.dataModel = indexPathController.dataModel
    }

    /// The collapsible model; nil only while the controller waits with a plain one.
    public var dataModel: CollapsibleDataModel<Item, Identifier>? {
        indexPathController.dataModel as? CollapsibleDataModel<Item, Identifier>
    }

    /// Folds or unfolds `section`: what a tap on its header does. Without such a section nothing happens.
    public func toggleSection(_ section: Int) {
        guard let model = dataModel else { return }
        set(model.togglingSection(section, singleExpandedSection: singleExpandedSection), instead: model)
    }

    /// Expands all sections.
    public func expandAllSections() {
        if let model = dataModel { set(model.expandingAllSections(), instead: model) }
    }

    /// Collapses all sections.
    public func collapseAllSections() {
        if let model = dataModel { set(model.collapsingAllSections(), instead: model) }
    }

    /// Where to scroll after unfolding `section`: the first screen row to show of a list that shows `height` from `first` on.
    public func firstPosition(afterExpanding section: Int, from first: Int, height: Int) -> Int {
        guard optimizesScrollOnExpand, let model = dataModel else { return first }
        return model.firstPosition(showingSection: section, from: first, height: height)
    }

    private func set(
        _ model: CollapsibleDataModel<Item, Identifier>, instead old: CollapsibleDataModel<Item, Identifier>
    ) {
        let changed = (0..<model.numberOfSections).filter { model.isSectionCollapsed($0) != old.isSectionCollapsed($0) }
        guard !changed.isEmpty else { return }
        indexPathController.dataModel = model
        for section in changed {
            delegate?.controller(self, didChangeSection: section, collapsed: model.isSectionCollapsed(section))
        }
    }

    // MARK: - IndexPathControllerDelegate

    /// Makes a plain model collapsible: expanded is what was expanded and still exists, and what is new if lists start open; nothing
    /// if the old model was not collapsible, or, if lists start open, everything.
    public func controller(
        _ controller: IndexPathController<Item, Identifier>, willUpdate oldModel: any SectionedDataModel<Item, Identifier>,
        with newModel: any SectionedDataModel<Item, Identifier>
    ) -> (any SectionedDataModel<Item, Identifier>)? {
        if newModel is CollapsibleDataModel<Item, Identifier> { return nil }
        let backing = newModel.displayedModel
        if let old = oldModel as? CollapsibleDataModel<Item, Identifier> {
            return old.replacingBackingModel(with: backing, startsOpen: startsOpen, showsHeaders: showsHeaders)
        }
        return startsOpen
            ? CollapsibleDataModel(backingModel: backing, collapsedSectionNames: [], showsHeaders: showsHeaders)
            : CollapsibleDataModel(backingModel: backing, showsHeaders: showsHeaders)
    }

    /// Passes the updates on.
    public func controller(
        _ controller: IndexPathController<Item, Identifier>, didUpdate updates: IndexPathUpdates<Item, Identifier>
    ) {
        delegate?.controller(self, didUpdate: updates)
    }
}

/// Wraps anything as an item: for lists of things that have neither identifier nor section value (TLIndexPathTools:
/// `TLIndexPathItem`).
public struct IndexPathItem<Identifier: Hashable & Sendable, Content: Sendable>: Sendable {
    /// What makes the item itself; without one it is left out.
    public var identifier: Identifier?
    /// The section value; nil for the sentinel.
    public var sectionName: String?
    /// What kind of row shows the item, in terms of who paints it.
    public var cellIdentifier: String?
    /// What the row stands for.
    public var content: Content

    /// An item around `content`.
    public init(identifier: Identifier?, sectionName: String? = nil, cellIdentifier: String? = nil, content: Content) {
        self.identifier = identifier
        self.sectionName = sectionName
        self.cellIdentifier = cellIdentifier
        self.content = content
    }
}

extension IndexPathItem: Equatable where Content: Equatable {}

extension IndexPathDataModel {
    /// A model of wrapped items. As `init(items:sectionName:identifier:)`.
    ///
    /// - Parameter sectionName: a wrapped thing's section value; where it is nil, the wrapper's own counts.
    public init<Content>(
        items: some Sequence<Item>, sectionName: ((Content) -> String?)? = nil
    ) where Item == IndexPathItem<Identifier, Content> {
        self.init(
            items: items, sectionName: { sectionName?($0.content) ?? $0.sectionName }, identifier: { $0.identifier })
    }
}

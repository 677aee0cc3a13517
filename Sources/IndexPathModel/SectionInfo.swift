/// One section given outright: its name, the title it has in an index bar, and its items, of which there may be none.
public struct SectionInfo<Item: Sendable>: Sendable {
    /// The section's name.
    public var name: SectionName
    /// What an index bar shows for the section; nil where it shows nothing.
    public var indexTitle: String?
    /// The section's items, in order.
    public var items: [Item]

    /// A section called `name` with `items`.
    public init(name: SectionName, indexTitle: String? = nil, items: [Item] = []) {
        self.name = name
        self.indexTitle = indexTitle
        self.items = items
    }
}

extension SectionInfo: Equatable where Item: Equatable {}

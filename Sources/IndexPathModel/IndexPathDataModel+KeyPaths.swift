extension IndexPathDataModel {
    /// A model of items whose section value and identifier are at key paths. As `init(items:sectionName:identifier:)`.
    public init(
        items: some Sequence<Item>, sectionNameKeyPath: KeyPath<Item, String?>?,
        identifierKeyPath: any KeyPath<Item, Identifier> & Sendable
    ) {
        self.init(
            items: items, sectionName: sectionNameKeyPath.map { path in { $0[keyPath: path] } },
            identifier: { $0[keyPath: identifierKeyPath] })
    }

    /// A model of items whose section value and identifier are at key paths. As `init(items:sectionName:identifier:)`.
    public init(
        items: some Sequence<Item>, sectionNameKeyPath: KeyPath<Item, String>,
        identifierKeyPath: any KeyPath<Item, Identifier> & Sendable
    ) {
        self.init(
            items: items, sectionName: { $0[keyPath: sectionNameKeyPath] }, identifier: { $0[keyPath: identifierKeyPath] })
    }

    /// A model of items whose identifier, where they have one, is at a key path. As `init(items:sectionName:identifier:)`.
    public init(
        items: some Sequence<Item>, sectionNameKeyPath: KeyPath<Item, String?>?,
        identifierKeyPath: any KeyPath<Item, Identifier?> & Sendable
    ) {
        self.init(
            items: items, sectionName: sectionNameKeyPath.map { path in { $0[keyPath: path] } },
            identifier: { $0[keyPath: identifierKeyPath] })
    }
}

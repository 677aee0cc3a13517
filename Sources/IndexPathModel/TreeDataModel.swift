/// An outline: items that have children, flattened depth first into the rows of a data model.
///
/// Children come from a closure, asked for expanded items only: nil means a leaf, an empty list children that are still to be
/// loaded. When they are, `replacing(_:)` hands in the new version of the item. An item whose identifier is already among the rows is
/// left out with all below it, so a graph with cycles is shown as a tree and ends.
///
/// Sections are those of the roots; what is below a root stands in its section.
///
/// Named and behaving as `TLTreeDataModel`.
public struct TreeDataModel<Item: Sendable, Identifier: Hashable & Sendable>: SectionedDataModel {
    /// The roots and the rows below the expanded ones.
    public let displayedModel: IndexPathDataModel<Item, Identifier>
    /// How deep each row is, by position.
    private let levels: ContiguousArray<Int>
    /// Where each section's rows begin in `levels`.
    private let offsets: SectionOffsets
    private let roots: [SectionInfo<Item>]
    private let identify: @Sendable (Item) -> Identifier?
    private let children: @Sendable (Item) -> [Item]?
    /// Versions of items that were handed in.
    private let versions: [Identifier: Item]
    /// The identifiers that are not as `startsOpen` says.
    private let exceptions: Set<Identifier>
    private let startsOpen: Bool

    /// An outline in one section in which all is expanded except the items of these identifiers.
    ///
    /// - Parameters:
    ///   - roots: the items at level 0.
    ///   - identifier: what makes an item itself, anywhere in the outline.
    ///   - children: an item's children; nil for a leaf, an empty list where they are still to be loaded.
    /// - Complexity: O(rows): a call of each closure, a hash and expected about one comparison a row.
    public init(
        roots: [Item], collapsedIdentifiers: Set<Identifier>, identifier: @escaping @Sendable (Item) -> Identifier?,
        children: @escaping @Sendable (Item) -> [Item]?
    ) {
        self.init(
            sections: [SectionInfo(name: .unnamed, items: roots)], collapsedIdentifiers: collapsedIdentifiers,
            identifier: identifier, children: children)
    }

    /// An outline in one section in which all is collapsed except the items of these identifiers. As
    /// `init(roots:collapsedIdentifiers:identifier:children:)`.
    public init(
        roots: [Item], expandedIdentifiers: Set<Identifier> = [], identifier: @escaping @Sendable (Item) -> Identifier?,
        children: @escaping @Sendable (Item) -> [Item]?
    ) {
        self.init(
            sections: [SectionInfo(name: .unnamed, items: roots)], expandedIdentifiers: expandedIdentifiers,
            identifier: identifier, children: children)
    }

    /// An outline in sections in which all is expanded except the items of these identifiers. As
    /// `init(roots:collapsedIdentifiers:identifier:children:)`.
    public init(
        sections: [SectionInfo<Item>], collapsedIdentifiers: Set<Identifier>,
        identifier: @escaping @Sendable (Item) -> Identifier?, children: @escaping @Sendable (Item) -> [Item]?
    ) {
        self.init(
            roots: sections, identify: identifier, children: children, versions: [:], exceptions: collapsedIdentifiers,
            startsOpen: true)
    }

    /// An outline in sections in which all is collapsed except the items of these identifiers. As
    /// `init(roots:collapsedIdentifiers:identifier:children:)`.
    public init(
        sections: [SectionInfo<Item>], expandedIdentifiers: Set<Identifier> = [],
        identifier: @escaping @Sendable (Item) -> Identifier?, children: @escaping @Sendable (Item) -> [Item]?
    ) {
        self.init(
            roots: sections, identify: identifier, children: children, versions: [:], exceptions: expandedIdentifiers,
            startsOpen: false)
    }

    private init(
        roots: [SectionInfo<Item>], identify: @escaping @Sendable (Item) -> Identifier?,
        children: @escaping @Sendable (Item) -> [Item]?, versions: [Identifier: Item], exceptions: Set<Identifier>,
        startsOpen: Bool
    ) {
        var levels = ContiguousArray<Int>()
        var seen: Set<Identifier> = []
        var sections: [SectionInfo<Item>] = []
        for root in roots {
            var section = SectionInfo<Item>(name: root.name, indexTitle: root.indexTitle)
            // What is still to come, the next one last; no recursion, so any depth will do.
            var coming = root.items.reversed().map { (item: $0, level: 0) }
            while let (given, level) = coming.popLast() {
                guard let identifier = identify(given), seen.insert(identifier).inserted else { continue }
                let item = versions[identifier] ?? given
                section.items.append(item)
                levels.append(level)
                guard exceptions.contains(identifier) != startsOpen, let below = children(item) else { continue }
                coming.append(contentsOf: below.reversed().lazy.map { (item: $0, level: level + 1) })
            }
            sections.append(section)
        }
        self.displayedModel = IndexPathDataModel(sections: sections, identifier: { identify($0) })
        self.levels = levels
        self.offsets = SectionOffsets(lengths: ContiguousArray(sections.map(\.items.count)))
        self.roots = roots
        self.identify = identify
        self.children = children
        self.versions = versions
        self.exceptions = exceptions
        self.startsOpen = startsOpen
    }

    private func with(versions: [Identifier: Item]? = nil, exceptions: Set<Identifier>? = nil) -> TreeDataModel {
        TreeDataModel(
            roots: roots, identify: identify, children: children, versions: versions ?? self.versions,
            exceptions: exceptions ?? self.exceptions, startsOpen: startsOpen)
    }
}

// MARK: - Rows

extension TreeDataModel {
    /// What can be done with a row.
    public enum Disclosure: Hashable, Sendable {
        /// It has no children.
        case leaf
        /// Its children are not shown.
        case collapsed
        /// Its children are shown, or will be when they are loaded.
        case expanded
    }

    /// How deep the row at `indexPath` is, a root being at level 0; nil if there is no such row.
    ///
    /// - Complexity: O(1).
    public func level(at indexPath: IndexPath) -> Int? {
        guard let range = offsets.range(of: indexPath.section), indexPath.row >= 0, indexPath.row < range.count else {
            return nil
        }
        return levels[range.lowerBound + indexPath.row]
    }

    /// Whether the row at `indexPath` is a leaf, collapsed or expanded; nil if there is no such row.
    ///
    /// - Complexity: O(1): one call of the children closure and one hash.
    public func disclosure(at indexPath: IndexPath) -> Disclosure? {
        guard let item = item(at: indexPath), let identifier = identify(item) else { return nil }
        if children(item) == nil { return .leaf }
        return isCollapsed(identifier) ? .collapsed : .expanded
    }

    /// Whether the row at `indexPath` has children that are still to be loaded; false if there is no such row.
    public func needsChildren(at indexPath: IndexPath) -> Bool {
        item(at: indexPath).flatMap(children)?.isEmpty == true
    }

    /// The row of which the row at `indexPath` is a child; nil for a root and if there is no such row.
    ///
    /// - Complexity: O(rows between the two).
    public func parent(of indexPath: IndexPath) -> IndexPath? {
        guard let level = level(at: indexPath), level > 0 else { return nil }
        for row in (0..<indexPath.row).reversed() {
            let above = IndexPath(section: indexPath.section, row: row)
            if let other = self.level(at: above), other < level { return above }
        }
        return nil
    }

    /// Whether an item with `identifier` does not show its children; it need not be among the rows.
    public func isCollapsed(_ identifier: Identifier) -> Bool { exceptions.contains(identifier) == startsOpen }
}

// MARK: - Folding and loading

/// Each gives a new model. Complexity as making one.
extension TreeDataModel {
    /// The outline with the item of `identifier` expanded. Its children, where still to be loaded, come with `replacing(_:)`.
    public func expanding(_ identifier: Identifier) -> TreeDataModel {
        isCollapsed(identifier) ? with(exceptions: exceptions.symmetricDifference([identifier])) : self
    }

    /// The outline with the items of all these identifiers expanded, which need not be among the rows.
    public func expanding(contentsOf identifiers: some Sequence<Identifier>) -> TreeDataModel {
        let collapsed = identifiers.filter { isCollapsed($0) }
        return collapsed.isEmpty ? self : with(exceptions: exceptions.symmetricDifference(collapsed))
    }

    /// The outline with the item of `identifier` collapsed; what is expanded below it stays so for the next time.
    public func collapsing(_ identifier: Identifier) -> TreeDataModel {
        isCollapsed(identifier) ? self : with(exceptions: exceptions.symmetricDifference([identifier]))
    }

    /// The outline with the item of `identifier` collapsed if it was expanded, and the reverse.
    public func toggling(_ identifier: Identifier) -> TreeDataModel {
        isCollapsed(identifier) ? expanding(identifier) : collapsing(identifier)
    }

    /// The outline with another version of an item, known by its identifier, in the place of the one there was: this is how children
    /// that were still to be loaded come in.
    public func replacing(_ newVersion: Item) -> TreeDataModel {
        guard let identifier = identify(newVersion) else { return self }
        var versions = self.versions
        versions[identifier] = newVersion
        return with(versions: versions)
    }
}

import IndexPathModel
import PropertyLists

/// An outline's rows and folds: a tree data model of entries, each of which is its own identifier.
///
/// The model is a value, as the screens are, so that a search that is given up brings back what was; it is changed here and not
/// through a `TreeController`, which is a reference.
struct OutlineModel: Sendable {
    typealias Tree = TreeDataModel<OutlineEntry, ObjectIdentifier>

    private(set) var tree: Tree
    let root: OutlineEntry

    /// Most rows that unfolding everything makes.
    static let mostRows = 20_000
    /// Deepest level that unfolding everything opens, since cycles and chains of objects have no end.
    static let deepestLevel = 100
    /// An outline of so many rows opens unfolded.
    private static let rowsAtOnce = 60

    init(_ node: OutlineNode) {
        root = OutlineEntry(root: node)
        // Small outlines show all they have, large ones their first level.
        tree = Self.tree(root, expanding: [ObjectIdentifier(root)])
        let (entries, isComplete) = entries(atMost: Self.rowsAtOnce)
        if isComplete { tree = tree.expanding(contentsOf: entries) }
    }

    private static func tree(_ root: OutlineEntry, expanding identifiers: Set<ObjectIdentifier>) -> Tree {
        Tree(
            roots: [root], expandedIdentifiers: identifiers, identifier: { ObjectIdentifier($0) },
            children: { $0.isFoldable ? $0.children : nil })
    }

    // MARK: Rows

    var rowCount: Int { tree.numberOfItems }

    /// The entry of a row, 0-based. O(1).
    func entry(atRow row: Int) -> OutlineEntry? { tree.item(at: IndexPath(section: 0, row: row)) }

    /// The level of a row; the root is at 0. O(1).
    func level(atRow row: Int) -> Int { tree.level(at: IndexPath(section: 0, row: row)) ?? 0 }

    /// The row of an entry that is to be seen. O(1) after the first time, which is O(rows).
    func row(of entry: OutlineEntry) -> Int? { tree.indexPath(forItem: entry)?.row }

    /// The row under whose branch a row stands. O(rows between the two).
    func parentRow(ofRow row: Int) -> Int? { tree.parent(of: IndexPath(section: 0, row: row))?.row }

    func isUnfolded(_ entry: OutlineEntry) -> Bool { entry.isFoldable && !tree.isCollapsed(ObjectIdentifier(entry)) }

    // MARK: Folding; each O(rows)

    mutating func unfold(_ entry: OutlineEntry) {
        if entry.isFoldable { tree = tree.expanding(ObjectIdentifier(entry)) }
    }

    mutating func fold(_ entry: OutlineEntry) { tree = tree.collapsing(ObjectIdentifier(entry)) }

    /// Unfolds all, level by level, but nothing that closes a cycle.
    ///
    /// - Returns: false if there are more rows than are made.
    mutating func unfoldAll() -> Bool {
        let (entries, isComplete) = entries(atMost: Self.mostRows)
        tree = tree.expanding(contentsOf: entries)
        return isComplete
    }

    /// Folds everything but the root.
    mutating func foldAll() { tree = Self.tree(root, expanding: isUnfolded(root) ? [ObjectIdentifier(root)] : []) }

    /// The entries to unfold, level by level, for at most so many rows.
    private func entries(atMost mostRows: Int) -> (Set<ObjectIdentifier>, isComplete: Bool) {
        var found: Set<ObjectIdentifier> = []
        var isComplete = true
        var made = 0
        var level = [root]
        while !level.isEmpty, isComplete {
            var next: [OutlineEntry] = []
            for entry in level where entry.isFoldable && !entry.closesCycle {
                guard made + entry.childCount <= mostRows, entry.level < Self.deepestLevel else {
                    isComplete = false
                    continue
                }
                let children = entry.children
                made += children.count
                found.insert(ObjectIdentifier(entry))
                next += children
            }
            level = next
        }
        return (found, isComplete)
    }

    /// Unfolds all above the entry at a path, so that it is a row; nil if there is no such entry.
    mutating func reveal(_ path: [Int]) -> OutlineEntry? {
        var entry = root
        var above: Set<ObjectIdentifier> = []
        for position in path {
            let children = entry.children
            guard children.indices.contains(position) else { return nil }
            above.insert(ObjectIdentifier(entry))
            entry = children[position]
        }
        tree = tree.expanding(contentsOf: above)
        return entry
    }
}

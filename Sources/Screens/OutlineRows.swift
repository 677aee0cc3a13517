import PropertyLists

/// An outline as rows that fold: the nodes in sight, depth first.
///
/// Children are made when their parent unfolds. A node that closes a cycle can be unfolded like any other, one level at a time.
struct OutlineRows: Sendable {
    struct Row: Sendable {
        let node: OutlineNode
        let depth: Int
        var isExpanded: Bool
        /// Whether an ancestor is the same object.
        let closesCycle: Bool
        /// Where children were left out: so many.
        let omitted: Int
    }

    private(set) var rows: [Row] = []

    /// Children shown of one node; the rest is counted.
    private static let mostChildren = 10_000
    /// Rows and depth to which "expand all" goes.
    private static let mostRows = 20_000
    private static let mostDepth = 64

    init(_ root: OutlineNode) {
        rows = [Row(node: root, depth: 0, isExpanded: false, closesCycle: false, omitted: 0)]
        expand(at: 0)
    }

    /// Whether a row has children to show.
    func canExpand(_ row: Int) -> Bool { rows.indices.contains(row) && rows[row].omitted == 0 && rows[row].node.childCount > 0 }

    /// O(rows) to move those below, and the children.
    mutating func expand(at place: Int) {
        guard canExpand(place), !rows[place].isExpanded else { return }
        rows[place].isExpanded = true
        rows.insert(contentsOf: children(ofRowAt: place), at: place + 1)
    }

    mutating func collapse(at place: Int) {
        guard rows.indices.contains(place), rows[place].isExpanded else { return }
        rows[place].isExpanded = false
        let depth = rows[place].depth
        let end = rows[(place + 1)...].firstIndex { $0.depth <= depth } ?? rows.endIndex
        rows.removeSubrange((place + 1)..<end)
    }

    mutating func collapseAll() {
        guard !rows.isEmpty else { return }
        collapse(at: 0)
    }

    /// Unfolds everything but cycles, up to a bound; answers whether that was all.
    mutating func expandAll() -> Bool {
        var place = 0
        while place < rows.count {
            guard rows.count < Self.mostRows else { return false }
            if !rows[place].isExpanded, canExpand(place), !rows[place].closesCycle {
                if rows[place].depth >= Self.mostDepth { return false }
                expand(at: place)
            }
            place += 1
        }
        return true
    }

    /// The row of the parent; nil at the top.
    func parent(of place: Int) -> Int? {
        guard rows.indices.contains(place) else { return nil }
        let depth = rows[place].depth
        return rows[..<place].lastIndex { $0.depth < depth }
    }

    private func children(ofRowAt place: Int) -> [Row] {
        let row = rows[place]
        var ancestors: Set<Int> = []
        var current: Int? = place
        while let ancestor = current {
            if let identity = rows[ancestor].node.identity { ancestors.insert(identity) }
            current = parent(of: ancestor)
        }
        let shown = min(row.node.childCount, Self.mostChildren)
        var children = row.node.children(in: 0..<shown).map { child in
            Row(
                node: child, depth: row.depth + 1, isExpanded: false,
                closesCycle: child.identity.map { ancestors.contains($0) } ?? false, omitted: 0)
        }
        if shown < row.node.childCount {
            children.append(
                Row(
                    node: row.node, depth: row.depth + 1, isExpanded: false, closesCycle: false,
                    omitted: row.node.childCount - shown)
            )
        }
        return children
    }
}

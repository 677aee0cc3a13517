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

    /// Unfolds everything but cycles, up to a bound; answers whether that was all. O(rows) in one pass.
    mutating func expandAll() -> Bool {
        var unfolded: [Row] = []
        // The rows still to come, the next one last.
        var pending = Array(rows.reversed())
        var path: [Int?] = []
        var isWhole = true
        while var row = pending.popLast() {
            path.removeSubrange(min(row.depth, path.count)...)
            path.append(row.node.identity)
            if !row.isExpanded, row.omitted == 0, row.node.childCount > 0, !row.closesCycle {
                if row.depth < Self.mostDepth, unfolded.count + pending.count < Self.mostRows {
                    row.isExpanded = true
                    pending += Self.children(of: row, ancestors: Set(path.compactMap { $0 })).reversed()
                } else {
                    isWhole = false
                }
            }
            unfolded.append(row)
        }
        rows = unfolded
        return isWhole
    }

    /// The row of the parent; nil at the top.
    func parent(of place: Int) -> Int? {
        guard rows.indices.contains(place) else { return nil }
        let depth = rows[place].depth
        return rows[..<place].lastIndex { $0.depth < depth }
    }

    private func children(ofRowAt place: Int) -> [Row] { Self.children(of: rows[place], ancestors: identities(upFrom: place)) }

    /// What tells a row and those above it from other objects.
    private func identities(upFrom place: Int) -> Set<Int> {
        var identities: Set<Int> = []
        var current: Int? = place
        while let ancestor = current {
            if let identity = rows[ancestor].node.identity { identities.insert(identity) }
            current = parent(of: ancestor)
        }
        return identities
    }

    private static func children(of row: Row, ancestors: Set<Int>) -> [Row] {
        let shown = min(row.node.childCount, mostChildren)
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

    // MARK: Finding

    /// Nodes that are folded away and looked at in one search.
    private static let mostSearched = 20_000

    /// The place of the next hit in depth-first order, from a row on and round the end; what is folded over it unfolds.
    ///
    /// - Parameter includesStart: whether the row itself may be the hit.
    /// - Complexity: O(rows), and some thousands of nodes that are folded away.
    mutating func moveToHit(from start: Int, includesStart: Bool, forward: Bool, _ isHit: (OutlineNode) -> Bool) -> Int? {
        guard rows.indices.contains(start) else { return nil }
        var budget = Self.mostSearched
        for step in 0...rows.count {
            let place = ((forward ? start + step : start - step) % rows.count + rows.count) % rows.count
            let row = rows[place]
            let isOwn = (step > 0 || includesStart) && row.omitted == 0 && isHit(row.node)
            if forward, isOwn { return place }
            // Forward a row's descendants come after it, backward before it.
            let looksInside = forward ? step < rows.count : step > 0
            if looksInside, !row.isExpanded, row.omitted == 0, !row.closesCycle,
                let path = Self.hit(
                    in: row.node, ancestors: identities(upFrom: place), depth: row.depth, last: !forward, &budget, isHit)
            {
                return unfold(path, below: place)
            }
            if isOwn { return place }
        }
        return nil
    }

    /// Positions of the children that lead to the first or the last hit below a node.
    private static func hit(
        in node: OutlineNode, ancestors: Set<Int>, depth: Int, last: Bool, _ budget: inout Int, _ isHit: (OutlineNode) -> Bool
    ) -> [Int]? {
        guard node.childCount > 0, depth < mostDepth, budget > 0 else { return nil }
        let children = node.children(in: 0..<min(node.childCount, mostChildren))
        for place in children.indices {
            let number = last ? children.count - 1 - place : place
            let child = children[number]
            budget -= 1
            guard budget > 0 else { return nil }
            let isOwn = isHit(child)
            if isOwn, !last { return [number] }
            let closesCycle = child.identity.map { ancestors.contains($0) } ?? false
            if !closesCycle {
                let below = child.identity.map { ancestors.union([$0]) } ?? ancestors
                if let path = hit(in: child, ancestors: below, depth: depth + 1, last: last, &budget, isHit) {
                    return [number] + path
                }
            }
            if isOwn { return [number] }
        }
        return nil
    }

    private mutating func unfold(_ path: [Int], below place: Int) -> Int {
        var place = place
        for number in path {
            expand(at: place)
            // What has just unfolded is folded itself, so its rows stand one after the other.
            place += 1 + number
        }
        return place
    }
}

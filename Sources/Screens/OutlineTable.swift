import PropertyLists

/// The nodes of an outline that were seen so far, and which of them are unfolded.
///
/// A node is known by its number in the table: where an object of an archive stands in several places, each place is a node of its
/// own, so that cycles can be walked as far as one likes. Children are made when their parent is unfolded.
struct OutlineTable: Sendable {
    struct Entry: Sendable {
        let node: OutlineNode
        /// The children that it stands for, where a node has so many that they come in parts; nil for a node itself.
        let part: Range<Int>?
        let parent: Int?
        let level: Int
        /// Numbers of the children, once they were made.
        var children: Range<Int>?

        /// How many children the entry has, in parts or not.
        var positions: Range<Int> { part ?? 0..<node.childCount }
        var isFoldable: Bool { part != nil || node.childCount > 0 }
    }

    private(set) var entries: [Entry]
    private var unfolded: Set<Int> = []
    /// The numbers of the entries that are rows, from the top.
    private(set) var rows: [Int] = [0]

    /// A node with more children than this has them in parts of so many.
    static let longestPart = 1_000
    /// Most rows that unfolding everything makes.
    static let mostRows = 20_000
    /// Deepest level that unfolding everything opens, since cycles and chains of objects have no end.
    static let deepestLevel = 100
    /// An outline of so many rows opens unfolded.
    private static let rowsAtOnce = 60

    init(_ root: OutlineNode) {
        entries = [Entry(node: root, part: nil, parent: nil, level: 0)]
        // Small outlines show all they have, large ones their first level.
        if unfoldAll(under: 0, mostRows: Self.rowsAtOnce) { return }
        entries.removeSubrange(1...)
        entries[0].children = nil
        unfolded = []
        rows = [0]
        unfold(0)
    }

    /// A table of one entry, to make its children.
    init(only entry: Entry) {
        entries = [Entry(node: entry.node, part: entry.part, parent: nil, level: entry.level)]
    }

    func isUnfolded(_ number: Int) -> Bool { unfolded.contains(number) }

    func row(of number: Int) -> Int? { rows.firstIndex(of: number) }

    // MARK: Children

    /// The numbers of an entry's children, made if need be. O(children), of which a node has at most `longestPart`.
    mutating func children(of number: Int) -> Range<Int> {
        if let known = entries[number].children { return known }
        let entry = entries[number]
        let start = entries.count
        let positions = entry.positions
        if positions.count <= Self.longestPart {
            for child in entry.node.children(in: positions) {
                entries.append(Entry(node: child, part: nil, parent: number, level: entry.level + 1))
            }
        } else {
            for part in Self.parts(of: positions) {
                entries.append(Entry(node: entry.node, part: part, parent: number, level: entry.level + 1))
            }
        }
        entries[number].children = start..<entries.count
        return start..<entries.count
    }

    private static func parts(of positions: Range<Int>) -> [Range<Int>] {
        var size = longestPart
        while positions.count / size >= longestPart { size *= longestPart }
        return stride(from: positions.lowerBound, to: positions.upperBound, by: size).map {
            $0..<min($0 + size, positions.upperBound)
        }
    }

    /// Whether the node has the identity of one of those above it.
    func closesCycle(_ number: Int) -> Bool {
        guard let identity = entries[number].node.identity, entries[number].part == nil else { return false }
        var above = entries[number].parent
        while let place = above {
            if entries[place].part == nil, entries[place].node.identity == identity { return true }
            above = entries[place].parent
        }
        return false
    }

    // MARK: Folding

    mutating func unfold(_ number: Int) {
        guard entries[number].isFoldable, unfolded.insert(number).inserted else { return }
        _ = children(of: number)
        guard let row = row(of: number) else { return }
        rows.insert(contentsOf: visibleDescendants(of: number), at: row + 1)
    }

    mutating func fold(_ number: Int) {
        guard unfolded.remove(number) != nil, let row = row(of: number) else { return }
        let level = entries[number].level
        let end = rows[(row + 1)...].firstIndex { entries[$0].level <= level } ?? rows.count
        rows.removeSubrange((row + 1)..<end)
    }

    /// The rows under an unfolded entry, depth first.
    private func visibleDescendants(of number: Int) -> [Int] {
        var found: [Int] = []
        var coming = (entries[number].children ?? 0..<0).reversed().map { $0 }
        while let next = coming.popLast() {
            found.append(next)
            if unfolded.contains(next), let children = entries[next].children { coming.append(contentsOf: children.reversed()) }
        }
        return found
    }

    /// Unfolds an entry and all below it, level by level, but nothing that closes a cycle.
    ///
    /// - Returns: false if there were more rows than are made.
    @discardableResult
    mutating func unfoldAll(under number: Int = 0, mostRows: Int = Self.mostRows) -> Bool {
        var isComplete = true
        var made = 0
        var level = [number]
        while !level.isEmpty, isComplete {
            var next: [Int] = []
            for place in level where entries[place].isFoldable && !closesCycle(place) {
                guard made + min(entries[place].positions.count, Self.longestPart) <= mostRows,
                    entries[place].level < Self.deepestLevel
                else {
                    isComplete = false
                    continue
                }
                let children = children(of: place)
                made += children.count
                unfolded.insert(place)
                next += children
            }
            level = next
        }
        rows = [0] + (unfolded.contains(0) ? visibleDescendants(of: 0) : [])
        return isComplete
    }

    /// Folds everything but the root.
    mutating func foldAll() {
        unfolded = unfolded.contains(0) ? [0] : []
        rows = [0] + (unfolded.contains(0) ? visibleDescendants(of: 0) : [])
    }

    /// Unfolds all above an entry, so that it is a row.
    mutating func reveal(_ number: Int) {
        var above: [Int] = []
        var place = entries[number].parent
        while let parent = place {
            above.append(parent)
            place = entries[parent].parent
        }
        for parent in above.reversed() { unfold(parent) }
    }
}

import PropertyLists
import Synchronization

/// A row of an outline: a node in one of its places, or a part of a node that has very many children.
///
/// Where an object of an archive stands in several places, each place is an entry of its own, known by its identity, so that cycles
/// can be walked as far as one likes.
final class OutlineEntry: Sendable {
    /// A node's place under those above it.
    final class Place: Sendable {
        let above: Place?
        /// Among its siblings, 0-based.
        let position: Int
        /// The node's own; nil for a part.
        let identity: Int?

        init(above: Place?, position: Int, identity: Int?) {
            self.above = above
            self.position = position
            self.identity = identity
        }
    }

    let node: OutlineNode
    /// The children that it stands for, where a node has so many that they come in parts; nil for a node itself.
    let part: Range<Int>?
    let level: Int
    let place: Place
    private let kept = Mutex<[OutlineEntry]?>(nil)

    /// A node with more children than this has them in parts of so many.
    static let longestPart = 1_000

    init(root node: OutlineNode) {
        self.node = node
        part = nil
        level = 0
        place = Place(above: nil, position: 0, identity: node.identity)
    }

    private init(_ node: OutlineNode, part: Range<Int>?, under parent: OutlineEntry, position: Int) {
        self.node = node
        self.part = part
        level = parent.level + 1
        place = Place(above: parent.place, position: position, identity: part == nil ? node.identity : nil)
    }

    var isFoldable: Bool { part != nil || node.childCount > 0 }
    /// How many children there are, parts counted as one each.
    var childCount: Int {
        let count = (part ?? 0..<node.childCount).count
        return count <= Self.longestPart ? count : Self.parts(of: part ?? 0..<node.childCount).count
    }

    /// The children, made when they are first asked for and kept from then on. O(children), of which an entry has about
    /// `longestPart` at most.
    var children: [OutlineEntry] {
        kept.withLock { kept in
            if let kept { return kept }
            let made = makeChildren()
            kept = made
            return made
        }
    }

    /// The children, for one who only passes by: made anew unless they are there.
    var passingChildren: [OutlineEntry] { kept.withLock { $0 } ?? makeChildren() }

    private func makeChildren() -> [OutlineEntry] {
        let positions = part ?? 0..<node.childCount
        guard positions.count > Self.longestPart else {
            return node.children(in: positions).enumerated().map {
                OutlineEntry($0.element, part: nil, under: self, position: $0.offset)
            }
        }
        return Self.parts(of: positions).enumerated().map {
            OutlineEntry(node, part: $0.element, under: self, position: $0.offset)
        }
    }

    private static func parts(of positions: Range<Int>) -> [Range<Int>] {
        var size = longestPart
        while positions.count / size >= longestPart { size *= longestPart }
        return stride(from: positions.lowerBound, to: positions.upperBound, by: size).map {
            $0..<min($0 + size, positions.upperBound)
        }
    }

    /// Whether the node has the identity of one of those above it.
    var closesCycle: Bool {
        guard let identity = place.identity else { return false }
        var above = place.above
        while let ancestor = above {
            if ancestor.identity == identity { return true }
            above = ancestor.above
        }
        return false
    }

    /// The position of each branch among its siblings, from the root's children on.
    var path: [Int] {
        var path: [Int] = []
        var current = place
        while let above = current.above {
            path.append(current.position)
            current = above
        }
        return path.reversed()
    }
}

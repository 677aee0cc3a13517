package import PropertyLists

/// Where a node stands in an outline, so that it is found again when the value has become another one.
package struct OutlinePlace: Sendable, Equatable {
    struct Step: Sendable, Equatable {
        var label: String
        /// Among the node's siblings, 0-based.
        var position: Int
    }

    /// From the root's children on.
    private(set) var steps: [Step] = []

    /// So many siblings are looked through for one that stands elsewhere now.
    private static let mostSiblings = 10_000

    /// The place of an entry below a root.
    init(of entry: OutlineEntry, below root: OutlineEntry) {
        var current = root
        for position in entry.path {
            let children = current.children
            guard children.indices.contains(position) else { return }
            let first = current.part?.lowerBound ?? 0
            current = children[position]
            if current.part == nil { steps.append(Step(label: current.node.label, position: first + position)) }
        }
    }

    /// The node at this place of another version of the outline: the same keys lead to it, indexes by their numbers; nil if there
    /// is none. A look at some thousand siblings a step at most.
    package func node(below root: OutlineNode) -> OutlineNode? {
        var node = root
        for step in steps {
            if let same = node.children(in: step.position..<(step.position + 1)).first, same.label == step.label {
                node = same
            } else if let moved = node.children(in: 0..<Self.mostSiblings).first(where: { $0.label == step.label }) {
                node = moved
            } else {
                return nil
            }
        }
        return node
    }
}

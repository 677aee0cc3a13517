/// All entries of an outline in the order in which they stand, forwards or backwards, folded or not, each branch's children made as
/// it is reached; what closes a cycle has none.
struct OutlineWalk {
    private struct Level {
        var entries: [OutlineEntry]
        var position: Int
    }

    private var levels: [Level]

    /// - Parameter path: where to begin; beyond the end of a branch, where that ends.
    init(_ root: OutlineEntry, at path: [Int] = []) {
        levels = [Level(entries: [root], position: 0)]
        for position in path {
            let children = current.passingChildren
            guard children.indices.contains(position) else { return }
            levels.append(Level(entries: children, position: position))
        }
    }

    /// The end of an outline.
    static func end(of root: OutlineEntry) -> OutlineWalk {
        var walk = OutlineWalk(root)
        walk.descendToTheEnd()
        return walk
    }

    /// There is always one: the root's level goes last and never.
    var current: OutlineEntry {
        let level = levels[levels.count - 1]
        return level.entries[level.position]
    }

    private var canDescend: Bool {
        current.isFoldable && !current.closesCycle && levels.count <= OutlineModel.deepestLevel
    }

    /// - Returns: false at the end, where it stays.
    mutating func moveForward() -> Bool {
        if canDescend {
            let children = current.passingChildren
            if !children.isEmpty {
                levels.append(Level(entries: children, position: 0))
                return true
            }
        }
        guard let place = levels.lastIndex(where: { $0.position + 1 < $0.entries.count }) else { return false }
        levels.removeSubrange((place + 1)...)
        levels[place].position += 1
        return true
    }

    /// - Returns: false at the root, where it stays.
    mutating func moveBackward() -> Bool {
        guard levels.count > 1 else { return false }
        if levels[levels.count - 1].position > 0 {
            levels[levels.count - 1].position -= 1
            descendToTheEnd()
        } else {
            levels.removeLast()
        }
        return true
    }

    private mutating func descendToTheEnd() {
        while canDescend {
            let children = current.passingChildren
            guard !children.isEmpty else { return }
            levels.append(Level(entries: children, position: children.count - 1))
        }
    }
}

/// For each object of a request a number that is another one, but for one chance in 2⁶⁴, when one of some values is another.
package struct RowVersions: Sendable, Equatable {
    /// Ascending, each once.
    package private(set) var keys: ContiguousArray<ObjectKey> = []
    package private(set) var versions: ContiguousArray<UInt64> = []

    package init() {}

    /// Takes the next object; one whose key is not beyond the last one's is left out. O(1) amortised.
    package mutating func append(_ key: ObjectKey, version: UInt64) {
        if let last = keys.last, last >= key { return }
        keys.append(key)
        versions.append(version)
    }

    /// The objects that are in both and not what they were, and those that are in one only. O(objects of both).
    package func changes(since old: RowVersions) -> RowChanges {
        var changes = RowChanges()
        var here = 0
        var there = 0
        while here < keys.count, there < old.keys.count {
            let key = keys[here]
            let other = old.keys[there]
            if key == other {
                if versions[here] != old.versions[there] { changes.changed.append(key) }
                here += 1
                there += 1
            } else if key < other {
                changes.inserted.append(key)
                here += 1
            } else {
                changes.deleted.append(other)
                there += 1
            }
        }
        changes.inserted.append(contentsOf: keys[here...])
        changes.deleted.append(contentsOf: old.keys[there...])
        return changes
    }
}

/// What has become of the objects of a request.
package struct RowChanges: Sendable, Equatable {
    /// Ascending.
    package var inserted: ContiguousArray<ObjectKey> = []
    /// Ascending.
    package var changed: ContiguousArray<ObjectKey> = []
    /// Ascending.
    package var deleted: ContiguousArray<ObjectKey> = []

    package init(
        inserted: ContiguousArray<ObjectKey> = [], changed: ContiguousArray<ObjectKey> = [],
        deleted: ContiguousArray<ObjectKey> = []
    ) {
        self.inserted = inserted
        self.changed = changed
        self.deleted = deleted
    }
}

extension ContiguousArray<ObjectKey> {
    /// Whether an ascending array has this key. O(log keys).
    package func containsAscending(_ key: ObjectKey) -> Bool {
        var low = startIndex
        var high = endIndex
        while low < high {
            let middle = low + (high - low) / 2
            if self[middle] < key { low = middle + 1 } else { high = middle }
        }
        return low < endIndex && self[low] == key
    }
}

/// For each object of a request a number that is another one, but for one chance in 2³², when one of some values is another.
///
/// Five bytes an object where keys are near each other, as in most tables.
package struct RowVersions: Sendable, Equatable {
    /// How far each key is from the one before; 0: it is the next of `apart`.
    private var steps: ContiguousArray<UInt8> = []
    private var apart: ContiguousArray<ObjectKey> = []
    private var versions: ContiguousArray<UInt32> = []
    private var last: ObjectKey?
    /// What the store knows of the ranges of the keys at the same time; nil: nothing. Not a part of what is compared.
    package var ranges: KeyRangeVersions?

    package init() {}

    package static func == (left: RowVersions, right: RowVersions) -> Bool {
        left.steps == right.steps && left.apart == right.apart && left.versions == right.versions
    }

    package var count: Int { steps.count }

    /// Ascending, each once. O(objects).
    package var keys: ContiguousArray<ObjectKey> {
        var keys: ContiguousArray<ObjectKey> = []
        var reader = Reader(self)
        while let key = reader.key {
            keys.append(key)
            reader.advance()
        }
        return keys
    }

    /// Makes room for as many objects as another one has.
    package mutating func reserve(as other: RowVersions) {
        steps.reserveCapacity(other.count + other.count / 64)
        versions.reserveCapacity(other.count + other.count / 64)
    }

    /// Takes the next object; one whose key is not beyond the last one's is left out. O(1) amortised.
    package mutating func append(_ key: ObjectKey, version: UInt64) {
        var step: UInt8 = 0
        if let last {
            guard key > last else { return }
            step = UInt8(exactly: UInt64(bitPattern: key &- last)) ?? 0
        }
        if step == 0 { apart.append(key) }
        steps.append(step)
        versions.append(UInt32(truncatingIfNeeded: version))
        last = key
    }

    /// The versions after some ranges of keys have been read again, and what has changed there.
    ///
    /// - Parameters:
    ///   - ranges: ascending, none touching another.
    ///   - read: gives the versions of the objects that are in a range now.
    /// - Complexity: O(objects) additions of small numbers, and the reading.
    package func replacing(
        _ ranges: [ClosedRange<ObjectKey>], _ read: (ClosedRange<ObjectKey>) throws(StoreError) -> RowVersions
    ) throws(StoreError) -> (versions: RowVersions, changes: RowChanges) {
        var new = RowVersions()
        new.reserve(as: self)
        var changes = RowChanges()
        var reader = Reader(self)
        for range in ranges {
            new.take(from: &reader) { $0 < range.lowerBound }
            var before = RowVersions()
            before.take(from: &reader) { $0 <= range.upperBound }
            let now = try read(range)
            changes.append(now.changes(since: before))
            var other = Reader(now)
            new.take(from: &other) { _ in true }
        }
        new.take(from: &reader) { _ in true }
        return (new, changes)
    }

    /// Takes objects over from where a reader stands, as long as their keys are wanted.
    private mutating func take(from reader: inout Reader, while isWanted: (ObjectKey) -> Bool) {
        guard let key = reader.key, isWanted(key) else { return }
        append(key, version: UInt64(reader.version))
        // What follows stands as far from its neighbours as it did: steps and versions are copied as they are.
        let start = reader.place + 1
        let startApart = reader.placeApart
        reader.advance()
        var end = key
        while let key = reader.key, isWanted(key) {
            end = key
            reader.advance()
        }
        guard reader.place > start else { return }
        let rows = reader.rows
        steps.append(contentsOf: rows.steps[start..<reader.place])
        versions.append(contentsOf: rows.versions[start..<reader.place])
        // The one that the reader stands on is not taken.
        let isApart = reader.key != nil && rows.steps[reader.place] == 0
        apart.append(contentsOf: rows.apart[startApart..<(reader.placeApart - (isApart ? 1 : 0))])
        last = end
    }

    /// Object after object.
    private struct Reader {
        let rows: RowVersions
        /// Nil behind the last.
        var key: ObjectKey?
        private(set) var place = 0
        /// Behind the last of `apart` that was used.
        private(set) var placeApart = 0

        init(_ rows: RowVersions) {
            self.rows = rows
            key = rows.apart.first
            placeApart = 1
        }

        var version: UInt32 { rows.versions[place] }

        mutating func advance() {
            place += 1
            guard let before = key, place < rows.steps.count else { return key = nil }
            let step = rows.steps[place]
            if step > 0 {
                key = before &+ ObjectKey(step)
            } else {
                key = rows.apart[placeApart]
                placeApart += 1
            }
        }
    }

    /// The objects that are in both and not what they were, and those that are in one only. O(objects of both).
    package func changes(since old: RowVersions) -> RowChanges {
        var changes = RowChanges()
        var here = Reader(self)
        var there = Reader(old)
        while let key = here.key, let other = there.key {
            if key == other {
                if here.version != there.version { changes.changed.append(key) }
                here.advance()
                there.advance()
            } else if key < other {
                changes.inserted.append(key)
                here.advance()
            } else {
                changes.deleted.append(other)
                there.advance()
            }
        }
        while let key = here.key {
            changes.inserted.append(key)
            here.advance()
        }
        while let key = there.key {
            changes.deleted.append(key)
            there.advance()
        }
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

    package var count: Int { inserted.count + changed.count + deleted.count }

    /// Takes what has become of objects whose keys are beyond the others'.
    mutating func append(_ other: RowChanges) {
        inserted += other.inserted
        changed += other.changed
        deleted += other.deleted
    }
}

/// What a request's objects have become since they were fetched.
package struct FollowedObjects: Sendable {
    /// What tells them apart from what comes later.
    package var versions: RowVersions
    package var changes: RowChanges
    /// The objects as a fetch would find them now; nil where they have to be fetched.
    package var patch: PatchedObjects?

    package init(versions: RowVersions, changes: RowChanges, patch: PatchedObjects? = nil) {
        self.versions = versions
        self.changes = changes
        self.patch = patch
    }
}

/// Fetched objects that were made of those before: what is not mentioned stands in its section in the order in which it stood.
package struct PatchedObjects: Sendable {
    package var objects: FetchedObjects
    /// Places among the keys before of those that went or were taken out, ascending.
    package var removed: ContiguousArray<Int>
    /// Places among the keys of those that came or were put in, ascending.
    package var inserted: ContiguousArray<Int>

    package init(objects: FetchedObjects, removed: ContiguousArray<Int>, inserted: ContiguousArray<Int>) {
        self.objects = objects
        self.removed = removed
        self.inserted = inserted
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

import ObjectStore

/// Objects whose rows are marked. A million of them cost no more than one: each change of the store brings its own ascending keys.
struct RowMarks: Sendable {
    private var changes: [ContiguousArray<ObjectKey>] = []

    var isEmpty: Bool { changes.isEmpty }

    /// O(changes · log objects).
    func contains(_ key: ObjectKey) -> Bool { changes.contains { $0.containsAscending(key) } }

    /// - Parameter keys: ascending.
    mutating func insert(_ keys: ContiguousArray<ObjectKey>) {
        if !keys.isEmpty { changes.append(keys) }
    }
}

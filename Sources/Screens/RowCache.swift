import ObjectStore

/// Texts of the rows that are on screen or near it; bounded.
struct RowCache<Row: Sendable>: Sendable {
    private enum Entry: Sendable {
        case requested
        /// Nil where the object is gone.
        case row(Row?)
    }

    private var entries: [ObjectKey: Entry] = [:]
    /// Rows kept before the cache starts anew, some hundred screens.
    private static var limit: Int { 8_000 }

    /// Nil while the row is not known.
    func row(for key: ObjectKey) -> Row?? {
        guard case .row(let row) = entries[key] else { return nil }
        return .some(row)
    }

    /// The keys among these that nobody has asked for yet; from now on they count as asked for.
    mutating func takeMissing(_ keys: [ObjectKey]) -> [ObjectKey] {
        let missing = keys.filter { entries[$0] == nil }
        guard !missing.isEmpty else { return [] }
        if entries.count + missing.count > Self.limit {
            let near = Set(keys)
            entries = entries.filter { near.contains($0.key) }
        }
        for key in missing { entries[key] = .requested }
        return missing
    }

    mutating func store(_ rows: [ObjectKey: Row?]) {
        for (key, row) in rows { entries[key] = .row(row) }
    }

    /// Lets them be asked for again.
    mutating func forget(_ keys: [ObjectKey]) {
        for key in keys { entries[key] = nil }
    }

    mutating func removeAll() { entries = [:] }
}

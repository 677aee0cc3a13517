import ObjectStore

/// Texts of the rows that are on screen or near it; bounded.
///
/// That rows can be compared is asked where it is needed: at the start of the program the runtime would look it up for the type.
struct RowCache<Row: Sendable>: Sendable {
    private enum Entry: Sendable {
        case requested
        /// Nil where the object is gone.
        case row(Row?)
        /// Known from before the store changed; shown until the new one is there.
        case stale(Row?)
        case renewing(Row?)
    }

    private var entries: [ObjectKey: Entry] = [:]
    /// Rows kept before the cache starts anew, some hundred screens.
    private static var limit: Int { 8_000 }

    /// Nil while the row is not known.
    func row(for key: ObjectKey) -> Row?? {
        switch entries[key] {
        case .row(let row), .stale(let row), .renewing(let row): .some(row)
        case .requested, nil: nil
        }
    }

    /// All rows that are known and there, in no order.
    var known: some Sequence<(key: ObjectKey, row: Row)> {
        entries.lazy.compactMap { key, entry in
            switch entry {
            case .row(let row?), .stale(let row?), .renewing(let row?): (key, row)
            case .row(nil), .stale(nil), .renewing(nil), .requested: nil
            }
        }
    }

    /// The keys among these that nobody has asked for yet; from now on they count as asked for.
    mutating func takeMissing(_ keys: [ObjectKey]) -> [ObjectKey] {
        let missing = keys.filter { key in
            switch entries[key] {
            case nil, .stale: true
            case .requested, .row, .renewing: false
            }
        }
        guard !missing.isEmpty else { return [] }
        if entries.count + missing.count > Self.limit {
            let near = Set(keys)
            entries = entries.filter { near.contains($0.key) }
        }
        for key in missing {
            if case .stale(let row) = entries[key] { entries[key] = .renewing(row) } else { entries[key] = .requested }
        }
        return missing
    }

    /// Takes rows that have come; answers the keys of those that were known and are not what they were.
    @discardableResult
    mutating func store(_ rows: [ObjectKey: Row?]) -> Set<ObjectKey> where Row: Equatable {
        var changed: Set<ObjectKey> = []
        for (key, row) in rows {
            if case .renewing(let old) = entries[key], old != row { changed.insert(key) }
            entries[key] = .row(row)
        }
        return changed
    }

    /// Takes note of rows that could not be read: what is known of them stays.
    mutating func fail(_ keys: [ObjectKey]) {
        for key in keys {
            switch entries[key] {
            case .row(let row), .stale(let row), .renewing(let row): entries[key] = .row(row)
            case .requested, nil: entries[key] = .row(nil)
            }
        }
    }

    /// The store has changed: every row is asked for again when it is seen, and shows what it was until then.
    mutating func markStale() {
        entries = entries.compactMapValues { entry in
            switch entry {
            case .row(let row), .stale(let row), .renewing(let row): .stale(row)
            case .requested: nil
            }
        }
    }

    mutating func removeAll() { entries = [:] }
}

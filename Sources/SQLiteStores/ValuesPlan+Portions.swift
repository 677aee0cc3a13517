import ObjectStore

// SQLite gives at most so many columns, and joins at most so many tables, in one statement; an entity may have more of both.
extension ValuesPlan {
    /// SQLite's limit is 2000 columns; an object may take two.
    private static let mostPaths = 500
    /// SQLite's limit is 64 tables, among them the one of the keys and the entity's own.
    private static let mostJoins = 50

    /// Key paths that are read by one statement each; one portion for none.
    static func portions(of keyPaths: [ObjectKeyPath]) -> [Range<Int>] {
        var portions: [Range<Int>] = []
        var start = 0
        var joins = 0
        for (place, path) in keyPaths.enumerated() {
            let own = path.relationships.count
            if place - start >= mostPaths || (place > start && joins + own > mostJoins) {
                portions.append(start..<place)
                start = place
                joins = 0
            }
            joins += own
        }
        portions.append(start..<keyPaths.count)
        return portions
    }
}

extension SQLiteObjectStore {
    /// Rows put together from portions of their values; nil for a row that is gone from one, and nil where a portion is.
    static func joined(
        _ portions: [Range<Int>], count: Int, _ read: (Range<Int>) throws(StoreError) -> [[Value]?]?
    ) throws(StoreError) -> [[Value]?]? {
        var answer = [[Value]?](repeating: [], count: count)
        for portion in portions {
            guard let part = try read(portion) else { return nil }
            for place in answer.indices {
                guard let more = part.indices.contains(place) ? part[place] : nil else {
                    answer[place] = nil
                    continue
                }
                answer[place]?.append(contentsOf: more)
            }
        }
        return answer
    }
}

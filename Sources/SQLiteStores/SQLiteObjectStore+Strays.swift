package import ObjectStore

extension SQLiteObjectStore {
    /// Rows of a table that one reading looks through: it stays short.
    private static let rowsAtOnce = 4000

    /// Looks for rows of no entity in the tables that were too large for it when the store was opened. O(rows), in short readings.
    package func lateWarnings(progress: FetchProgress) throws(StoreError) -> [String] {
        var warnings: [String] = []
        for strays in mapping.straysForLater {
            if let warning = strays.warning(count: try count(strays, progress)) { warnings.append(warning) }
        }
        return warnings
    }

    private func count(_ strays: StrayRows, _ progress: FetchProgress) throws(StoreError) -> Int64 {
        let sql = """
            SELECT count(*), max(pk), total(stray) FROM (SELECT Z_PK AS pk, (\(strays.condition)) AS stray
            FROM main.\(strays.table.quoted) WHERE Z_PK > ?1 ORDER BY Z_PK LIMIT \(Self.rowsAtOnce))
            """
        var found = 0.0
        var last = Int64.min
        while true {
            guard !progress.isCancelled else { throw StoreError(file: name, cause: .cancelled) }
            let after = last
            let part = try show { connection throws(StoreError) -> (rows: Int64, last: Int64, strays: Double) in
                let statement = try connection.statement(sql)
                defer { statement.reset() }
                statement.bind(after, at: 1)
                guard try statement.step() else { return (0, after, 0) }
                return (statement.integer(0), statement.integer(1), statement.double(2))
            }
            found += part.strays
            guard part.rows == Self.rowsAtOnce, part.last > last else { break }
            last = part.last
        }
        return Int64(exactly: found) ?? 0
    }
}

package import ObjectStore

/// Rows of a table that may belong to no entity.
struct StrayRows: Sendable, Equatable {
    let table: String
    /// Of the rows in question.
    let condition: String
    /// The entity with which they are listed: the root of those in the table.
    let entityName: String
    /// Whether an index finds them.
    let isIndexed: Bool

    /// The sentence that says so; nil for none.
    func warning(count: Int64) -> String? {
        guard count > 0 else { return nil }
        let subject = count == 1 ? "1 row of \(table) belongs" : "\(count) rows of \(table) belong"
        let rest = count == 1 ? "it is listed as “\(entityName)”" : "they are listed as “\(entityName)”"
        return "\(subject) to no entity by Z_ENT: \(rest), but Core Data would not show \(count == 1 ? "it" : "them")."
    }
}

// Core Data shows no row whose `Z_ENT` is NULL or the number of no entity of its table. Nothing is to be hidden here: such rows are
// listed with the table's root entity, and it is said how many there are.
extension CoreDataStoreReader {
    /// From this width of the keys on a table without an index on `Z_ENT` is looked through only for a report, which reads all of it,
    /// or once there is nothing else to do.
    private static let largestLookedThrough: Int64 = 200_000

    /// A sentence for each table that has rows of no entity; tables that take long are left for later.
    func strayWarnings(_ mapping: StoreMapping) -> (warnings: [String], later: [StrayRows]) {
        var warnings: [String] = []
        var later: [StrayRows] = []
        for strays in strayRows(mapping) {
            guard strays.isIndexed || options.readsOneState || !isLarge(strays.table) else {
                later.append(strays)
                continue
            }
            let sql = "SELECT count(*) FROM main.\(strays.table.quoted) WHERE \(strays.condition)"
            let count = (try? connection.rows(sql) { $0.integer(0) })?.first ?? 0
            if let warning = strays.warning(count: count) { warnings.append(warning) }
        }
        return (warnings, later)
    }

    private func strayRows(_ mapping: StoreMapping) -> [StrayRows] {
        var families: [Int64: [Int64]] = [:]
        let byNumber = Dictionary(rows.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
        for row in rows {
            var top = row
            var steps = 0
            while let next = byNumber[top.superNumber], next.number != top.number, steps < rows.count {
                top = next
                steps += 1
            }
            families[top.number, default: []].append(row.number)
        }
        return rows.compactMap { row in
            guard let numbers = families[row.number]?.sorted(), mapping.schema.entity(named: row.name)?.isSystem == false,
                case .table(let table, _)? = mapping.entities[row.name]?.source, catalog.table(table)?.column("Z_ENT") != nil,
                let first = numbers.first, let last = numbers.last
            else { return nil }
            let hasIndex =
                catalog.table(table)?.indexes.contains { !$0.isPartial && $0.columns.first?.uppercased() == "Z_ENT" } == true
            let isIndexed = hasIndex && numbers.count <= 50
            let condition: String
            if isIndexed {
                // Each part is looked up in the index.
                let gaps = zip(numbers, numbers.dropFirst()).map { "(Z_ENT > \($0) AND Z_ENT < \($1))" }
                condition = (["Z_ENT IS NULL", "Z_ENT < \(first)", "Z_ENT > \(last)"] + gaps).joined(separator: " OR ")
            } else {
                condition = "Z_ENT IS NULL OR Z_ENT NOT IN (\(numbers.map(String.init).joined(separator: ", ")))"
            }
            return StrayRows(table: table, condition: condition, entityName: row.name, isIndexed: isIndexed)
        }
    }

    /// By the width of its keys; true where that is not known.
    private func isLarge(_ table: String) -> Bool {
        let name = "main." + table.quoted
        let sql = "SELECT (SELECT min(Z_PK) FROM \(name)), (SELECT max(Z_PK) FROM \(name))"
        guard let range = try? connection.rows(sql, { ($0.integer(0), $0.integer(1)) }).first else { return true }
        let (width, overflow) = range.1.subtractingReportingOverflow(range.0)
        return overflow || width >= Self.largestLookedThrough
    }
}

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

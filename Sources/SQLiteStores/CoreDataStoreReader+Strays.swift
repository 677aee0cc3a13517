import ObjectStore

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

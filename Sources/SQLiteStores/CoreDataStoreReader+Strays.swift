import ObjectStore

// Core Data shows no row whose `Z_ENT` is NULL or the number of no entity of its table. Nothing is to be hidden here: such rows are
// listed with the table's root entity, and it is said how many there are.
extension CoreDataStoreReader {
    /// From this width of the keys on a table without an index on `Z_ENT` is looked through only for a report, which reads all of it.
    private static let largestLookedThrough: Int64 = 200_000

    /// A sentence for each table that has rows of no entity.
    func strayWarnings(_ mapping: StoreMapping) -> [String] {
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
            guard let numbers = families[row.number], mapping.schema.entity(named: row.name)?.isSystem == false,
                case .table(let table, _)? = mapping.entities[row.name]?.source, catalog.table(table)?.column("Z_ENT") != nil,
                let count = strayCount(in: table, besides: numbers.sorted()), count > 0
            else { return nil }
            let subject = count == 1 ? "1 row of \(table) belongs" : "\(count) rows of \(table) belong"
            let rest = count == 1 ? "it is listed as “\(row.name)”" : "they are listed as “\(row.name)”"
            return "\(subject) to no entity by Z_ENT: \(rest), but Core Data would not show \(count == 1 ? "it" : "them")."
        }
    }

    /// Nil where it is not known.
    private func strayCount(in table: String, besides numbers: [Int64]) -> Int64? {
        guard let first = numbers.first, let last = numbers.last else { return nil }
        let name = "main." + table.quoted
        let isIndexed =
            catalog.table(table)?.indexes.contains { !$0.isPartial && $0.columns.first?.uppercased() == "Z_ENT" } == true
        let condition: String
        if isIndexed, numbers.count <= 50 {
            // Each part is looked up in the index.
            let gaps = zip(numbers, numbers.dropFirst()).map { "(Z_ENT > \($0) AND Z_ENT < \($1))" }
            condition = (["Z_ENT IS NULL", "Z_ENT < \(first)", "Z_ENT > \(last)"] + gaps).joined(separator: " OR ")
        } else {
            if !options.readsOneState {
                let sql = "SELECT (SELECT min(Z_PK) FROM \(name)), (SELECT max(Z_PK) FROM \(name))"
                guard let range = try? connection.rows(sql, { ($0.integer(0), $0.integer(1)) }).first else { return nil }
                let (width, overflow) = range.1.subtractingReportingOverflow(range.0)
                guard !overflow, width < Self.largestLookedThrough else { return nil }
            }
            condition = "Z_ENT IS NULL OR Z_ENT NOT IN (\(numbers.map(String.init).joined(separator: ", ")))"
        }
        return (try? connection.rows("SELECT count(*) FROM \(name) WHERE \(condition)") { $0.integer(0) })?.first
    }
}

import Foundation
package import ObjectStore

extension SQLiteObjectStore {
    /// One statement for all paths that give one value, and one more for each path that gives a list.
    ///
    /// Values come whole, however long they are: a caller asks for what it shows. O(keys) look-ups by key.
    package func values(
        at keyPaths: [ObjectKeyPath], of keys: [ObjectKey], in entityName: String, as form: ValueForm
    ) throws(StoreError) -> [[Value]?] {
        let plan = try ValuesPlan(keyPaths, entityName, mapping, file: name)
        let reader = ValueReader(form: form, timeZone: options.timeZone, externalDataFolder: mapping.externalDataFolder)
        var answer: [[Value]?] = []
        answer.reserveCapacity(keys.count)
        var start = 0
        while start < keys.count {
            // So many at once that a reading transaction stays short.
            let end = min(keys.count, start + 1000)
            let part = Array(keys[start..<end])
            do throws(StoreError) {
                answer += try show { connection throws(StoreError) in try plan.values(of: part, connection, reader) }
            } catch {
                guard case .corrupt = error.cause else { throw error }
                answer += try damagedValues(at: keyPaths, of: part, in: entityName, reader)
            }
            start = end
        }
        return answer
    }
}

/// The statements that read values for keys.
struct ValuesPlan {
    private struct List {
        var position: Int
        var sql: String
        var column: KeyPathCompiler.Column
    }

    private let sql: String
    private var singles: [(position: Int, column: KeyPathCompiler.Column, index: Int32, number: Int32?)] = []
    private var lists: [List] = []
    private let sources: [RowSource]
    private let width: Int

    init(_ keyPaths: [ObjectKeyPath], _ entityName: String, _ mapping: StoreMapping, file: String) throws(StoreError) {
        var compiler = KeyPathCompiler(mapping, file: file, root: "t0")
        let resolved = mapping.schema.entity(named: entityName)?.name ?? entityName
        let entity = try compiler.entityMapping(resolved)
        compiler.use(entity.source)
        // The keys come as one JSON array, so that one statement serves any number of them, in their order.
        let rows = "json_each(?1) k CROSS JOIN \(entity.source.sql) t0 ON t0.\(entity.source.key) = k.value"
        let condition = KeyPathCompiler.condition(entity.filter, "t0", byScan: true).map { " WHERE " + $0 } ?? ""
        let listCondition = KeyPathCompiler.condition(entity.filter, "t0", byScan: true).map { " AND " + $0 } ?? ""
        var columns = ["k.key"]
        var allSources: [RowSource] = []
        width = keyPaths.count
        for (position, path) in keyPaths.enumerated() {
            if path.isToMany {
                var own = KeyPathCompiler(mapping, file: file, root: "t0", prefix: "l")
                let steps = try own.steps(path)
                let firstToMany = steps.firstIndex { $0.relationship.isToMany } ?? 0
                let alias = try own.join(steps[..<firstToMany], from: "t0")
                let chain = try own.chain(steps[firstToMany...], from: alias)
                let column = try own.ending(path, chain.alias)
                var number = "NULL"
                if case .object(_, _, let numberSQL?) = column.shape { number = numberSQL }
                let sql =
                    "SELECT k.key, \(column.sql), \(number) FROM \(rows) \(own.joins.joined(separator: " "))"
                    + " JOIN \(chain.from) WHERE \(chain.condition)\(listCondition) ORDER BY k.key, \(chain.order.joined(separator: ", "))"
                lists.append(List(position: position, sql: sql, column: column))
                allSources += own.sources
                continue
            }
            let column = try compiler.column(path)
            columns.append(column.sql)
            let index = Int32(truncatingIfNeeded: columns.count - 1)
            var number: Int32?
            if case .object(_, _, let numberSQL?) = column.shape {
                columns.append(numberSQL)
                number = Int32(truncatingIfNeeded: columns.count - 1)
            }
            singles.append((position, column, index, number))
        }
        sources = compiler.sources + allSources
        sql = "SELECT \(columns.joined(separator: ", ")) FROM \(rows) \(compiler.joins.joined(separator: " "))\(condition)"
    }

    func values(of keys: [ObjectKey], _ connection: Connection, _ reader: ValueReader) throws(StoreError) -> [[Value]?] {
        try connection.prepare(sources)
        let json = "[" + keys.map(String.init).joined(separator: ",") + "]"
        var answer = [[Value]?](repeating: nil, count: keys.count)
        let statement = try connection.statement(sql)
        defer { statement.reset() }
        statement.bind(json, at: 1)
        while try statement.step() {
            guard let row = Int(exactly: statement.integer(0)), answer.indices.contains(row) else { continue }
            var values = [Value](repeating: .null, count: width)
            for single in singles {
                if case .object(let entityName, let numbers, _) = single.column.shape {
                    values[single.position] = reader.object(
                        statement, single.index, number: single.number, entityName: entityName, numbers: numbers)
                } else {
                    values[single.position] = reader.value(statement, single.index, single.column)
                }
            }
            for list in lists { values[list.position] = .list([]) }
            answer[row] = values
        }
        for list in lists { try add(list, json, connection, reader, &answer) }
        return answer
    }

    private func add(
        _ list: List, _ json: String, _ connection: Connection, _ reader: ValueReader, _ answer: inout [[Value]?]
    ) throws(StoreError) {
        let statement = try connection.statement(list.sql)
        defer { statement.reset() }
        statement.bind(json, at: 1)
        var current = -1
        var items: [Value] = []
        func finish() {
            if answer.indices.contains(current) { answer[current]?[list.position] = .list(items) }
            items = []
        }
        while try statement.step() {
            let row = Int(exactly: statement.integer(0)) ?? -1
            if row != current {
                finish()
                current = row
            }
            if case .object(let entityName, let numbers, _) = list.column.shape {
                items.append(reader.object(statement, 1, number: 2, entityName: entityName, numbers: numbers))
            } else {
                items.append(reader.value(statement, 1, list.column))
            }
        }
        finish()
    }
}

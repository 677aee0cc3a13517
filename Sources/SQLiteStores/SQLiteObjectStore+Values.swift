import Foundation
package import ObjectStore
import Synchronization

extension SQLiteObjectStore {
    /// One statement for all paths that give one value, and one more for each path that gives a list.
    ///
    /// Values come whole, however long they are: a caller asks for what it shows. O(keys) look-ups by key.
    package func values(
        at keyPaths: [ObjectKeyPath], of keys: [ObjectKey], in entityName: String, as form: ValueForm
    ) throws(StoreError) -> [[Value]?] {
        let portions = ValuesPlan.portions(of: keyPaths)
        guard portions.count <= 1 else {
            return try Self.joined(portions, count: keys.count) { portion throws(StoreError) in
                try values(at: Array(keyPaths[portion]), of: keys, in: entityName, as: form)
            } ?? []
        }
        let plan = try ValuesPlan(keyPaths, entityName, mapping, file: name)
        let reader = ValueReader(form: form, timeZone: options.timeZone, externalDataFolder: mapping.externalDataFolder)
        var answer: [[Value]?] = []
        answer.reserveCapacity(keys.count)
        var start = 0
        while start < keys.count {
            let end = min(keys.count, start + Self.keysAtOnce)
            let part = keys[start..<end]
            do throws(StoreError) {
                answer += try show { connection throws(StoreError) in try plan.values(of: part, connection, reader).values }
            } catch {
                guard case .corrupt = error.cause else { throw error }
                answer += try damagedValues(at: keyPaths, of: Array(part), in: entityName, reader)
            }
            start = end
        }
        return answer
    }

    /// So many at once that a reading transaction stays short.
    static let keysAtOnce = 1000

    /// From so many keys on the order in which they are looked up makes a difference.
    private static let manyKeys = 2048

    /// Looks many keys up in their order, so that a page of the file is read once for all of its rows, by two readers.
    package func values(
        at keyPaths: [ObjectKeyPath], of keys: [ObjectKey], in entityName: String, as form: ValueForm, upTo most: Int
    ) throws(StoreError) -> [[Value]?]? {
        do throws(StoreError) {
            return try undamagedValues(at: keyPaths, of: keys, in: entityName, as: form, upTo: most)
        } catch {
            // A thousand at a time, going around what is damaged.
            guard case .corrupt = error.cause else { throw error }
            return keys.count > Self.keysAtOnce ? nil : try values(at: keyPaths, of: keys, in: entityName, as: form)
        }
    }

    private func undamagedValues(
        at keyPaths: [ObjectKeyPath], of keys: [ObjectKey], in entityName: String, as form: ValueForm, upTo most: Int
    ) throws(StoreError) -> [[Value]?]? {
        let portions = ValuesPlan.portions(of: keyPaths)
        guard portions.count <= 1 else {
            return try Self.joined(portions, count: keys.count) { portion throws(StoreError) in
                try undamagedValues(
                    at: Array(keyPaths[portion]), of: keys, in: entityName, as: form, upTo: most / portions.count)
            }
        }
        let plan = try ValuesPlan(keyPaths, entityName, mapping, file: name)
        let reader = ValueReader(form: form, timeZone: options.timeZone, externalDataFolder: mapping.externalDataFolder)
        // What has to be numbered or copied first is so on one connection.
        guard keys.count >= Self.manyKeys, !plan.needsPreparation else {
            return try show { connection throws(StoreError) in try plan.values(of: keys, connection, reader, upTo: most) }
        }
        let sorted = zip(keys, keys.indices).sorted { $0.0 < $1.0 }
        let found = try source.perform { readers throws(StoreError) in
            try readers.scan { connections throws(StoreError) -> [[[Value]?]?] in
                let count = connections.count
                return try Self.each(connections) { part, connection throws(StoreError) in
                    let places = sorted[(sorted.count * part / count)..<(sorted.count * (part + 1) / count)]
                    return try plan.values(of: places.map(\.0), connection, reader, upTo: most / count)
                }
            }
        }
        var answer = [[Value]?](repeating: nil, count: keys.count)
        var place = 0
        for part in found {
            guard let part else { return nil }
            for values in part where place < sorted.count {
                answer[sorted[place].1] = values
                place += 1
            }
        }
        return answer
    }

    /// Some work at once on several connections, none longer than a short reading may last.
    private static func each<Part: Sendable>(
        _ connections: [Connection], _ body: @Sendable (Int, Connection) throws(StoreError) -> Part
    ) throws(StoreError) -> [Part] {
        let results = Mutex<[Int: Result<Part, StoreError>]>([:])
        LongWork.perform(iterations: connections.count) { part in
            let connection = connections[part]
            connection.watch(nil, seconds: 10)
            defer { connection.watch(nil) }
            let result = Result { () throws(StoreError) in try body(part, connection) }
            results.withLock { $0[part] = result }
        }
        var parts: [Part] = []
        for part in connections.indices {
            guard let result = results.withLock({ $0[part] }) else { continue }
            parts.append(try result.get())
        }
        return parts
    }
}

/// The statements that read values for keys.
struct ValuesPlan: Sendable {
    private struct List: Sendable {
        var position: Int
        var sql: String
        var column: KeyPathCompiler.Column
    }

    /// A path that gives one value, and the columns of the statement that it is read from.
    private struct Single: Sendable {
        var position: Int
        var column: KeyPathCompiler.Column
        var index: Int32
        /// The column that says an object's entity, or what a value is in its source.
        var number: Int32?
        /// Where the keys stand that lead nowhere, in the order of the path.
        var references: [(index: Int32, entityName: String)] = []
    }

    private let sql: String
    private var singles: [Single] = []
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
        var places: [String: Int32] = [:]
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
                if let sourceSQL = column.sourceSQL { number = sourceSQL }
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
            if let sourceSQL = column.sourceSQL {
                columns.append(sourceSQL)
                number = Int32(truncatingIfNeeded: columns.count - 1)
            }
            var single = Single(position: position, column: column, index: index, number: number)
            for reference in try compiler.references(of: path) {
                // Paths through one relationship share it.
                if places[reference.sql] == nil {
                    columns.append(reference.sql)
                    places[reference.sql] = Int32(truncatingIfNeeded: columns.count - 1)
                }
                if let place = places[reference.sql] { single.references.append((place, reference.entityName)) }
            }
            singles.append(single)
        }
        sources = compiler.sources + allSources
        sql = "SELECT \(columns.joined(separator: ", ")) FROM \(rows) \(compiler.joins.joined(separator: " "))\(condition)"
    }

    /// Whether a temporary table must be made first.
    var needsPreparation: Bool { sources.contains { $0.preparation != nil } }

    /// The values for any number of keys, a transaction for each thousand; nil once they have more than `most` bytes.
    func values(
        of keys: [ObjectKey], _ connection: Connection, _ reader: ValueReader, upTo most: Int
    ) throws(StoreError) -> [[Value]?]? {
        var answer: [[Value]?] = []
        answer.reserveCapacity(keys.count)
        var bytes = 0
        var start = 0
        while start < keys.count {
            let end = min(keys.count, start + SQLiteObjectStore.keysAtOnce)
            let part = try values(of: keys[start..<end], connection, reader, upTo: most - bytes)
            bytes += part.bytes
            guard bytes <= most else { return nil }
            answer += part.values
            start = end
        }
        return answer
    }

    /// The values for some keys, and how many bytes their texts and data have; it stops when these are more than `most`.
    func values(
        of keys: ArraySlice<ObjectKey>, _ connection: Connection, _ reader: ValueReader, upTo most: Int = .max
    ) throws(StoreError) -> (values: [[Value]?], bytes: Int) {
        try connection.prepare(sources)
        let json = "[" + keys.map(String.init).joined(separator: ",") + "]"
        var answer = [[Value]?](repeating: nil, count: keys.count)
        var bytes = 0
        let statement = try connection.statement(sql)
        defer { statement.reset() }
        statement.bind(json, at: 1)
        while try statement.step() {
            guard let row = Int(exactly: statement.integer(0)), answer.indices.contains(row) else { continue }
            var values = [Value](repeating: .null, count: width)
            for single in singles {
                if case .object(let entityName, let numbers, _) = single.column.shape {
                    values[single.position] = reader.object(
                        statement.row, single.index, number: single.number, entityName: entityName, numbers: numbers)
                } else {
                    values[single.position] = reader.value(
                        statement.row, single.index, source: single.number, single.column)
                }
                guard values[single.position] == .null else { continue }
                for reference in single.references where !statement.isNull(reference.index) {
                    values[single.position] = .danglingReference(
                        entityName: reference.entityName, key: statement.row.text(reference.index))
                    break
                }
            }
            for list in lists { values[list.position] = .list([]) }
            for value in values { bytes += value.byteCount }
            answer[row] = values
            guard bytes <= most else { return (answer, bytes) }
        }
        for list in lists where bytes <= most { try add(list, json, connection, reader, upTo: most, &bytes, &answer) }
        return (answer, bytes)
    }

    private func add(
        _ list: List, _ json: String, _ connection: Connection, _ reader: ValueReader, upTo most: Int, _ bytes: inout Int,
        _ answer: inout [[Value]?]
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
                items.append(reader.object(statement.row, 1, number: 2, entityName: entityName, numbers: numbers))
            } else {
                items.append(reader.value(statement.row, 1, source: 2, list.column))
            }
            bytes += items.last?.byteCount ?? 0
            guard bytes <= most else { return }
        }
        finish()
    }
}

extension Value {
    /// Bytes of a text or of data; lists are counted as they are made.
    fileprivate var byteCount: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .data(let bytes): bytes.count
        case .source(let text): text.utf8.count
        case .list(let values): values.reduce(0) { $0 + $1.byteCount + 8 }
        default: 0
        }
    }
}

import Foundation
package import ObjectStore

extension SQLiteObjectStore {
    /// `x-coredata://STORE-UUID/Entity/p7`, or `Table/key`: the primary or a unique key without NULL, else the rowid; for rows
    /// without either, their position.
    package func uri(of object: ObjectID) -> String {
        if let identifier = mapping.storeIdentifier {
            let entityName = (try? concreteEntityName(of: object)) ?? object.entityName
            return "x-coredata://\(identifier)/\(entityName)/p\(object.key)"
        }
        let columns = mapping.entities[object.entityName]?.identifyingColumns ?? []
        let plain = "\(object.entityName)/\(object.key)"
        guard !columns.isEmpty, let entity = mapping.entities[object.entityName] else { return plain }
        let sql =
            "SELECT \(columns.map { "t0." + $0.quoted }.joined(separator: ", ")) FROM \(entity.source.sql) t0"
            + " WHERE t0.\(entity.source.key) = ?1"
        let parts = try? show { connection throws(StoreError) -> [String]? in
            try connection.prepare([entity.source])
            let statement = try connection.statement(sql)
            defer { statement.reset() }
            statement.bind(object.key, at: 1)
            guard try statement.step() else { return nil }
            guard !columns.indices.contains(where: { statement.isNull(Int32(truncatingIfNeeded: $0)) }) else {
                return [Self.rowidText(object.key)]
            }
            return columns.enumerated().map { index, column in
                statement.keyText(Int32(truncatingIfNeeded: index), isUntyped: entity.untypedColumns.contains(column))
            }
        }
        guard let parts = parts ?? nil else { return plain }
        return "\(object.entityName)/" + parts.joined(separator: ",")
    }

    /// In the order of the keys, thousands at a time, where rows must be looked up for it at all.
    package func uris(of keys: [ObjectKey], in entityName: String) -> ObjectURIs {
        guard let entity = mapping.entities[entityName] else { return one(keys, entityName) }
        let columns = mapping.storeIdentifier == nil ? entity.identifyingColumns : entity.filter.map { [$0.column] } ?? []
        let store = mapping.storeIdentifier.map { "x-coredata://\($0)/" } ?? ""
        guard !columns.isEmpty else { return .keyed(prefix: store.isEmpty ? "\(entityName)/" : "\(store)\(entityName)/p") }
        let rows = "json_each(?1) k CROSS JOIN \(entity.source.sql) t0 ON t0.\(entity.source.key) = k.value"
        let sql = "SELECT k.key, \(columns.map { "t0." + $0.quoted }.joined(separator: ", ")) FROM \(rows)"
        let sorted = zip(keys, keys.indices).sorted { $0.0 < $1.0 }
        var texts = [String](repeating: "", count: keys.count)
        var start = 0
        while start < sorted.count {
            let part = sorted[start..<min(sorted.count, start + Self.keysAtOnce)]
            start += part.count
            let found = try? show { connection throws(StoreError) -> [String?] in
                try connection.prepare([entity.source])
                var found = [String?](repeating: nil, count: part.count)
                let statement = try connection.statement(sql)
                defer { statement.reset() }
                statement.bind("[" + part.map { String($0.0) }.joined(separator: ",") + "]", at: 1)
                while try statement.step() {
                    guard let row = Int(exactly: statement.integer(0)), found.indices.contains(row) else { continue }
                    if let filter = entity.filter, mapping.storeIdentifier != nil {
                        found[row] = statement.isNull(1) ? nil : filter.entityNames[statement.integer(1)]
                    } else {
                        let hasNull = columns.indices.contains { statement.isNull(Int32(truncatingIfNeeded: $0 + 1)) }
                        let parts = columns.enumerated().map { index, column in
                            statement.keyText(
                                Int32(truncatingIfNeeded: index + 1), isUntyped: entity.untypedColumns.contains(column))
                        }
                        found[row] = hasNull ? Self.rowidText(part[part.startIndex + row].0) : parts.joined(separator: ",")
                    }
                }
                return found
            }
            for (place, (key, position)) in part.enumerated() {
                let name = found.flatMap { $0[place] }
                texts[position] =
                    store.isEmpty ? "\(entityName)/" + (name ?? String(key)) : "\(store)\(name ?? entityName)/p\(key)"
            }
        }
        return .texts(texts)
    }

    /// What stands in the place of a key with NULL in it; no number, which may be another row's key.
    private static func rowidText(_ key: ObjectKey) -> String { "rowid:\(key)" }

    private func one(_ keys: [ObjectKey], _ entityName: String) -> ObjectURIs {
        .texts(keys.map { uri(of: ObjectID(entityName: entityName, key: $0)) })
    }

    package func concreteEntityName(of object: ObjectID) throws(StoreError) -> String {
        guard let entity = mapping.entities[object.entityName], let filter = entity.filter else { return object.entityName }
        let sql = "SELECT t0.\(filter.column.quoted) FROM \(entity.source.sql) t0 WHERE t0.\(entity.source.key) = ?1"
        return try show { connection throws(StoreError) in
            let statement = try connection.statement(sql)
            defer { statement.reset() }
            statement.bind(object.key, at: 1)
            guard try statement.step(), !statement.isNull(0) else { return object.entityName }
            return filter.entityNames[statement.integer(0)] ?? object.entityName
        }
    }
}

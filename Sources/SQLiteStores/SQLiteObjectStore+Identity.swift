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
            return columns.indices.map { statement.keyText(Int32(truncatingIfNeeded: $0)) }
        }
        guard let parts = parts ?? nil else { return plain }
        return "\(object.entityName)/" + parts.joined(separator: ",")
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

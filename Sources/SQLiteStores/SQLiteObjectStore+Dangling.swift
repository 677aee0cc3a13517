package import ObjectStore

extension SQLiteObjectStore {
    /// So many are named; who keeps more has other troubles.
    private static let mostDangling = 100

    package func danglingReferences(of relationshipName: String, from object: ObjectID) -> [Value] {
        guard let scope = try? RelatedScope(object, relationshipName, mapping, file: name), !scope.pairColumns.isEmpty,
            let relationship = mapping.schema.entity(named: object.entityName)?.relationship(named: relationshipName),
            let destination = mapping.entities[relationship.destinationEntityName]
        else { return [] }
        let columns = scope.pairColumns.map { "b." + $0.quoted }
        let sql = """
            SELECT \(KeyPathCompiler.keyText(columns)) FROM \(scope.from) WHERE \(scope.condition)
            AND \(columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND "))
            AND NOT EXISTS (SELECT 1 FROM \(destination.source.sql) t0 WHERE \(scope.join))
            \(scope.order.map { "ORDER BY \($0)" } ?? "") LIMIT \(Self.mostDangling)
            """
        let keys = try? show { connection throws(StoreError) -> [String] in
            try connection.prepare([scope.source, destination.source])
            let statement = try connection.statement(sql)
            defer { statement.reset() }
            statement.bind(object.key, at: 3)
            var keys: [String] = []
            while try statement.step() { keys.append(statement.row.text(0)) }
            return keys
        }
        return (keys ?? []).map { .danglingReference(entityName: relationship.destinationEntityName, key: $0) }
    }
}

import ObjectStore

/// Guesses the properties of a Core Data store that has no model, from tables, columns, indexes and values.
///
/// What the store does not prove is left as the integer that it is.
struct CoreDataInference {
    typealias EntityRow = CoreDataStoreReader.EntityRow

    let rows: [EntityRow]
    let catalog: Catalog
    let connection: Connection

    /// The properties of every root entity; its sub-entities have the same, for nothing tells whose they are.
    struct Result {
        fileprivate(set) var properties: [String: Properties] = [:]

        func add(to entity: inout Entity, _ mapping: inout EntityMapping, root: String) {
            guard let found = properties[root] else { return }
            entity.attributes = found.attributes.map {
                Attribute(name: $0.name, type: $0.mapping.type, columnName: $0.mapping.column)
            }
            for attribute in found.attributes { mapping.attributes[attribute.name] = attribute.mapping }
            entity.relationships = found.relationships.map(\.relationship)
            for item in found.relationships { mapping.relationships[item.relationship.name] = item.mapping }
        }
    }

    struct Properties {
        var attributes: [(name: String, mapping: AttributeMapping)] = []
        var relationships: [(relationship: Relationship, mapping: RelationshipMapping)] = []

        func has(_ name: String) -> Bool {
            attributes.contains { $0.name == name } || relationships.contains { $0.relationship.name == name }
        }
    }

    private struct ToOne {
        var owner: EntityRow
        var column: String
        var destination: EntityRow
        var order: String?
    }

    func infer(_ builder: CoreDataSchemaBuilder) throws(StoreError) -> Result {
        var result = Result()
        var toOnes: [ToOne] = []
        let roots = rows.filter { builder.root($0) == $0 }
        for root in roots {
            guard let table = builder.table(root) else { continue }
            var properties = Properties()
            for column in table.columns where !isReserved(column.name, table) {
                if let (owner, _) = ownerWithoutInverse(column.name, builder) {
                    // Belongs to the owner's side: added below, when all attributes are known.
                    _ = owner
                    continue
                }
                if column.name.count > 1, let destination = try destination(of: column, in: table, root, builder) {
                    let order = table.column("Z_FOK_" + column.name.dropFirst())?.name
                    toOnes.append(ToOne(owner: root, column: column.name, destination: destination, order: order))
                    continue
                }
                let type = CoreDataInference.type(column.declaredType)
                properties.attributes.append(
                    (
                        propertyName(column.name),
                        AttributeMapping(column: column.name, type: type, externalStorage: type == .binary ? .recognised : .never)
                    ))
            }
            result.properties[root.name] = properties
        }
        for toOne in toOnes { add(toOne, toOnes, &result, builder) }
        addWithoutInverse(&result, roots, builder)
        addJoinTables(&result, builder)
        return result
    }

    // MARK: Names and types

    private func isReserved(_ column: String, _ table: Catalog.Table) -> Bool {
        let name = column.uppercased()
        if ["Z_PK", "Z_ENT", "Z_OPT"].contains(name) { return true }
        if name.hasPrefix("Z_FOK_") { return true }
        return twinOf(column, table) != nil
    }

    /// `Z6_FOLDER1` → `ZFOLDER1`, if there is such a column.
    private func twinOf(_ column: String, _ table: Catalog.Table) -> (column: String, number: Int64)? {
        guard let parts = CoreDataSchemaBuilder.numbered(column, prefix: "Z"), parts.name.hasPrefix("_"),
            let found = table.column("Z" + parts.name.dropFirst())
        else { return nil }
        return (found.name, parts.number)
    }

    /// A column's name without its Z, in lower case: the real case is lost.
    private func propertyName(_ column: String) -> String {
        (column.hasPrefix("Z") && column.count > 1 ? String(column.dropFirst()) : column).lowercased()
    }

    static func type(_ declared: String) -> AttributeType {
        switch declared.uppercased() {
        case "INTEGER": .int64
        case "DECIMAL": .decimal
        case "FLOAT": .double
        case "TIMESTAMP": .date
        case "BLOB": .binary
        default: .string
        }
    }

    private func lowerFirst(_ name: String) -> String { name.prefix(1).lowercased() + name.dropFirst() }

    // MARK: To-one

    private func destination(
        of column: Catalog.Column, in table: Catalog.Table, _ owner: EntityRow, _ builder: CoreDataSchemaBuilder
    ) throws(StoreError) -> EntityRow? {
        guard column.declaredType.uppercased() == "INTEGER", !builder.isSystem(owner) else { return nil }
        for other in table.columns {
            if let twin = twinOf(other.name, table), twin.column == column.name, let entity = builder.rowsByNumber[twin.number] {
                return entity
            }
        }
        let isIndexed = hasIndex(column.name, table)
        guard isIndexed || !storeHasIndexes else { return nil }
        let candidates = rows.filter { !builder.isSystem($0) && builder.table($0) != nil }
        let named = candidates.map { ($0, similarity(propertyName(column.name), $0.name, owner: owner.name)) }.filter { $0.1 > 0 }
        if let best = named.map(\.1).max(), best > (isIndexed ? 0 : 1) {
            let winners = named.filter { $0.1 == best }.map(\.0)
            var fitting: [(EntityRow, Int)] = []
            for winner in winners {
                guard let target = builder.table(winner), let count = try sample(column.name, table, all: target) else {
                    continue
                }
                fitting.append((winner, count))
            }
            if fitting.count == 1, let only = fitting.first, only.1 > 0 || best > 1 { return only.0 }
            if fitting.count > 1 { return nil }
        }
        guard isIndexed, !unlikely.contains(propertyName(column.name)) else { return nil }
        var fitting: [EntityRow] = []
        for root in candidates where builder.root(root) == root {
            guard let target = builder.table(root), let count = try sample(column.name, table, all: target), count > 1 else {
                continue
            }
            fitting.append(root)
        }
        return fitting.count == 1 ? fitting.first : nil
    }

    /// Names of indexed integers that are numbers rather than keys.
    private var unlikely: Set<String> {
        [
            "order", "index", "sortorder", "position", "rank", "count", "number", "id", "identifier", "type", "state", "status",
            "kind",
        ]
    }

    /// Core Data makes an index of this name for every to-one.
    private func hasIndex(_ column: String, _ table: Catalog.Table) -> Bool {
        table.indexes.contains { $0.columns.count == 1 && $0.columns[0] == column && $0.name == "\(table.name)_\(column)_INDEX" }
    }

    private var storeHasIndexes: Bool { catalog.tables.contains { !$0.indexes.isEmpty && $0.name.hasPrefix("Z") } }

    /// 0: nothing in common; 2: the column is called like the entity, or like what the owner's name lacks to it; 1: it ends so.
    private func similarity(_ column: String, _ entity: String, owner: String) -> Int {
        let name = CoreDataSchemaBuilder.withoutDigits(column)
        let wanted = entity.lowercased()
        if name == wanted || name == wanted + "s" || name + "s" == wanted || owner.lowercased() + name == wanted { return 2 }
        guard name.count >= 3, wanted.count >= 3 else { return 0 }
        return wanted.hasSuffix(name) || (name.hasSuffix(wanted) && wanted.count >= 4) ? 1 : 0
    }

    /// How many different values a sample of the column has, nil if one of them is no key of the target.
    private func sample(_ column: String, _ table: Catalog.Table, all target: Catalog.Table) throws(StoreError) -> Int? {
        guard target.column("Z_PK") != nil else { return nil }
        let name = column.quoted
        let values =
            "(SELECT DISTINCT \(name) AS v FROM (SELECT \(name) FROM main.\(table.name.quoted) WHERE \(name) IS NOT NULL LIMIT 2000))"
        let sql =
            "SELECT count(*), coalesce(sum(NOT EXISTS (SELECT 1 FROM main.\(target.name.quoted) d WHERE d.Z_PK = s.v)), 0) FROM \(values) s"
        let counts = try connection.rows(sql) { (Int(truncatingIfNeeded: $0.integer(0)), $0.integer(1)) }.first
        guard let counts, counts.1 == 0 else { return nil }
        return counts.0
    }

    private func add(_ toOne: ToOne, _ all: [ToOne], _ result: inout Result, _ builder: CoreDataSchemaBuilder) {
        let name = propertyName(toOne.column)
        let target = builder.root(toOne.destination).name
        let isAlone = all.filter { $0.owner == toOne.owner && builder.root($0.destination).name == target }.count == 1
        var back = lowerFirst(toOne.owner.name)
        if !isAlone || result.properties[target]?.has(back) == true || (target == toOne.owner.name && back == name) {
            back += "By" + name.prefix(1).uppercased() + name.dropFirst()
        }
        result.properties[toOne.owner.name]?.relationships.append(
            (
                Relationship(name: name, destinationEntityName: toOne.destination.name, isToMany: false, inverseName: back),
                .foreignKey([toOne.column], destination: nil)
            ))
        result.properties[target]?.relationships.append(
            (
                Relationship(
                    name: back, destinationEntityName: toOne.owner.name, isToMany: true, isOrdered: toOne.order != nil,
                    inverseName: name),
                .inverse([toOne.column], owner: nil, order: toOne.order)
            ))
    }

    // MARK: To-many

    private func ownerWithoutInverse(_ column: String, _ builder: CoreDataSchemaBuilder) -> (EntityRow, String)? {
        guard let parts = CoreDataSchemaBuilder.numbered(column, prefix: "Z"), !parts.name.hasPrefix("_"),
            let owner = builder.rowsByNumber[parts.number]
        else { return nil }
        return (owner, parts.name.lowercased())
    }

    private func addWithoutInverse(_ result: inout Result, _ roots: [EntityRow], _ builder: CoreDataSchemaBuilder) {
        for destination in roots {
            guard let table = builder.table(destination) else { continue }
            for column in table.columns where !isReserved(column.name, table) {
                guard let (owner, name) = ownerWithoutInverse(column.name, builder) else { continue }
                let ownerRoot = builder.root(owner).name
                guard result.properties[ownerRoot]?.has(name) == false else { continue }
                let order = table.column("Z_FOK_" + column.name.dropFirst())?.name
                result.properties[ownerRoot]?.relationships.append(
                    (
                        Relationship(
                            name: name, destinationEntityName: destination.name, isToMany: true, isOrdered: order != nil),
                        .inverse([column.name], owner: nil, order: order)
                    ))
            }
        }
    }

    private func addJoinTables(_ result: inout Result, _ builder: CoreDataSchemaBuilder) {
        for table in catalog.tables where table.kind == .table && CoreDataSchemaBuilder.numbered(table.name, prefix: "Z_") != nil
        {
            let columns = table.columns.filter { !$0.name.hasPrefix("Z_FOK_") }
            guard columns.count == 2, let first = side(columns[0].name),
                let second = side(columns[1].name) ?? side(columns[0].name)
            else { continue }
            let isReflexive = side(columns[1].name) == nil
            addSide(first, columns[0].name, owner: second, columns[1].name, table, &result, builder)
            if !isReflexive { addSide(second, columns[1].name, owner: first, columns[0].name, table, &result, builder) }
        }
    }

    private func side(_ column: String) -> (number: Int64, name: String)? { CoreDataSchemaBuilder.numbered(column, prefix: "Z_") }

    /// The column `Z_4CREATEDENTRIES` holds keys of entity 4, the destinations of `createdEntries`.
    private func addSide(
        _ side: (number: Int64, name: String), _ column: String, owner: (number: Int64, name: String), _ ownerColumn: String,
        _ table: Catalog.Table, _ result: inout Result, _ builder: CoreDataSchemaBuilder
    ) {
        guard let destination = builder.rowsByNumber[side.number], let ownerEntity = builder.rowsByNumber[owner.number] else {
            return
        }
        let root = builder.root(ownerEntity).name
        let name = side.name.lowercased()
        guard result.properties[root]?.has(name) == false else { return }
        let order = table.column("Z_FOK_" + column.dropFirst(2))?.name
        result.properties[root]?.relationships.append(
            (
                Relationship(
                    name: name, destinationEntityName: destination.name, isToMany: true, isOrdered: order != nil,
                    inverseName: owner.name.lowercased()),
                .joinTable(
                    table.name, owner: [ownerColumn], ownerColumns: nil, destination: [column], destinationColumns: nil,
                    order: order)
            ))
    }
}

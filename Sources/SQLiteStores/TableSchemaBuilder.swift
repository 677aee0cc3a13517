import ObjectStore

/// Makes a schema of the tables and views of any SQLite database (SPEC section 6).
struct TableSchemaBuilder {
    let connection: Connection
    let catalog: Catalog

    private(set) var entities: [Entity] = []
    private(set) var mappings: [String: EntityMapping] = [:]
    private var warnings: [String] = []

    init(connection: Connection, catalog: Catalog) {
        self.connection = connection
        self.catalog = catalog
    }

    static func mapping(_ connection: Connection, _ catalog: Catalog) throws(StoreError) -> StoreMapping {
        var builder = TableSchemaBuilder(connection: connection, catalog: catalog)
        for (identifier, table) in catalog.tables.enumerated() { try builder.add(table, identifier) }
        var relationships = TableRelationships(catalog: catalog, entities: builder.entities, mappings: builder.mappings)
        relationships.build()
        let entities = relationships.entities
        return StoreMapping(
            schema: Schema(
                entities: entities.filter { !$0.isSystem } + entities.filter(\.isSystem), origin: .inferred,
                warnings: Array(builder.warnings.prefix(200))),
            entities: relationships.mappings)
    }

    private mutating func add(_ table: Catalog.Table, _ identifier: Int) throws(StoreError) {
        let kind = table.kind == .view ? "view" : "table"
        if let fault = table.fault {
            warnings.append("The \(kind) “\(table.name)” cannot be read: \(fault).")
            return
        }
        var columns = table.columns.filter { !$0.isHidden }
        guard !columns.isEmpty else { return }
        var entity = Entity(name: table.name, tableName: table.name, isSystem: table.kind == .shadow)
        let source: RowSource
        do throws(StoreError) {
            // Compiling is enough to know: nothing runs.
            columns = try readable(columns, of: table)
            source = try self.source(table, columns, identifier)
        } catch {
            warnings.append("The \(kind) “\(table.name)” cannot be read: \(error.problem).")
            return
        }
        var mapping = EntityMapping(source: source)
        let types = ColumnTypes(connection).types(of: columns, in: table)
        for (column, type) in zip(columns, types) {
            let name = column.name.isEmpty ? TableSchemaBuilder.nameForNone(among: columns) : column.name
            entity.attributes.append(Attribute(name: name, type: type.type, columnName: column.name))
            mapping.attributes[name] = AttributeMapping(column: column.name, type: type.type, dates: type.dates)
        }
        mapping.identifyingColumns = TableSchemaBuilder.identifyingColumns(table, source)
        mapping.untypedColumns = Set(columns.filter { TableSchemaBuilder.isUntyped($0.declaredType) }.map(\.name))
        entities.append(entity)
        mappings[entity.name] = mapping
    }

    /// What a column with an empty name is called: no key path can be empty. There is one such column at most.
    private static func nameForNone(among columns: [Catalog.Column]) -> String {
        var taken = Set(columns.map { $0.name.lowercased() })
        return uniqueName("value", &taken)
    }

    /// Whether a column keeps each value's own type, so that 1 and '1' are two values (SQLite's column affinity BLOB).
    private static func isUntyped(_ declaredType: String) -> Bool {
        let type = declaredType.uppercased()
        return type.isEmpty || !["INT", "CHAR", "CLOB", "TEXT"].contains { type.contains($0) } && type.contains("BLOB")
    }

    /// Leaves out generated columns whose expressions cannot be compiled here.
    private mutating func readable(_ columns: [Catalog.Column], of table: Catalog.Table) throws(StoreError) -> [Catalog.Column] {
        var result: [Catalog.Column] = []
        for column in columns {
            if column.isGenerated {
                do throws(StoreError) {
                    _ = try Statement(connection, "SELECT \(column.name.quoted) FROM main.\(table.name.quoted)")
                } catch {
                    warnings.append("The column “\(table.name).\(column.name)” cannot be read: \(error.problem).")
                    continue
                }
            }
            result.append(column)
        }
        return result
    }

    // MARK: Keys

    private func source(
        _ table: Catalog.Table, _ columns: [Catalog.Column], _ identifier: Int
    ) throws(StoreError) -> RowSource {
        let names = columns.map(\.name)
        if table.kind == .view {
            _ = try Statement(connection, "SELECT * FROM main.\(table.name.quoted)")
            return .numberedRows(table: table.name, columns: names, identifier: identifier)
        }
        if table.isWithoutRowid, table.kind == .table {
            return .numberedKeys(table: table.name, columns: table.primaryKey, identifier: identifier)
        }
        guard let name = TableSchemaBuilder.rowidName(table) else {
            return .numberedRows(table: table.name, columns: names, identifier: identifier)
        }
        do throws(StoreError) {
            _ = try Statement(connection, "SELECT \(name.quoted) FROM main.\(table.name.quoted)")
            return .table(table.name, key: name)
        } catch {
            // A virtual table without rowids, or without its module; the latter fails again.
            _ = try Statement(connection, "SELECT * FROM main.\(table.name.quoted)")
            return .numberedRows(table: table.name, columns: names, identifier: identifier)
        }
    }

    /// A name under which the rowid is not hidden by a column; else the column that is the rowid; else nil.
    static func rowidName(_ table: Catalog.Table) -> String? {
        let taken = Set(table.columns.map { $0.name.lowercased() })
        return ["rowid", "_rowid_", "oid"].first { !taken.contains($0) } ?? rowidAlias(table)
    }

    /// The INTEGER PRIMARY KEY, which is the rowid by another name; one with an index of its own (DESC) is not.
    static func rowidAlias(_ table: Catalog.Table) -> String? {
        let key = table.columns.filter { $0.primaryKeyPosition > 0 }
        guard !table.isWithoutRowid, table.kind == .table, key.count == 1, let column = key.first,
            column.declaredType.uppercased() == "INTEGER",
            !table.indexes.contains(where: { $0.isPrimaryKey })
        else { return nil }
        return column.name
    }

    /// The primary key, else a unique key that is never NULL; none where the rowid itself is the key.
    ///
    /// SQLite takes NULL, any number of times, in primary keys of tables with a rowid: such a row goes by its rowid.
    static func identifyingColumns(_ table: Catalog.Table, _ source: RowSource) -> [String] {
        guard table.kind == .table, rowidAlias(table) == nil else { return [] }
        if !table.primaryKey.isEmpty { return table.primaryKey }
        // SQLite names the latest index first.
        let unique = table.indexes.last { index in
            index.isUnique && !index.isPartial && !index.columns.isEmpty
                && index.columns.allSatisfy { table.column($0)?.isNotNull == true }
        }
        return unique?.columns ?? []
    }
}

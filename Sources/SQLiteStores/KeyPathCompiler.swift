import ObjectStore

/// Turns key paths into SQL: to-one relationships into joins, operators on to-many into sub-selects.
///
/// One compiler makes one statement; paths that cross the same relationships share the joins.
struct KeyPathCompiler {
    /// What a path reads, as expressions of the statement.
    struct Column: Sendable, Equatable {
        enum Shape: Sendable, Equatable {
            case attribute(AttributeMapping)
            /// A number that SQL computes.
            case computed
            /// The key of an object, and its number among the entities where the row says so.
            case object(entityName: String, numbers: [Int64: String], numberSQL: String?)
        }

        var sql: String
        var shape: Shape
        var derivation: ObjectKeyPath.Derivation?
        /// JSON of what the value is, where `sql` only says how it is compared; NULL elsewhere. Nil: `sql` always is the value.
        var sourceSQL: String?

        /// What is told apart as different values: texts as they are shown, numbers by their digits.
        var distinctSQL: String {
            guard let sourceSQL else { return sql }
            return "CASE WHEN typeof(\(sql)) = 'text' THEN \(sql) ELSE ifnull(\(sourceSQL), \(sql)) END"
        }
    }

    let mapping: StoreMapping
    let file: String
    /// The alias of the row that paths start from.
    let root: String
    /// Joins so far, in order.
    private(set) var joins: [String] = []
    /// Sources whose temporary tables must be there.
    private(set) var sources: [RowSource] = []
    private var aliases: [String: String] = [:]
    /// What tells of a joined row, by its alias, that it is not there though a foreign key leads to it.
    private var references: [String: Reference] = [:]
    private var count = 0
    private let prefix: String
    /// Whether it pays to index the columns of to-many relationships that have no index: where many objects are looked at.
    let indexesRelationships: Bool

    init(
        _ mapping: StoreMapping, file: String, root: String, prefix: String = "j", indexesRelationships: Bool = false
    ) {
        self.indexesRelationships = indexesRelationships
        self.mapping = mapping
        self.file = file
        self.root = root
        self.prefix = prefix
    }

    mutating func use(_ source: RowSource) { sources.append(source) }

    private mutating func newAlias() -> String {
        count += 1
        return prefix + String(count)
    }

    func entityMapping(_ name: String) throws(StoreError) -> EntityMapping {
        guard let found = mapping.entities[name] else {
            throw StoreError(
                file: file,
                cause: .unknownEntity(name, nearest: nearestName(to: name, among: mapping.schema.entities.map(\.name))))
        }
        return found
    }

    // MARK: One value

    /// The value at a path that crosses no to-many, or crosses one into an operator.
    ///
    /// - Throws: `unknownKeyPath` for a path that gives a list, and for one that the tables do not show.
    mutating func column(_ path: ObjectKeyPath) throws(StoreError) -> Column {
        let steps = try self.steps(path)
        let firstToMany = steps.firstIndex { $0.relationship.isToMany } ?? steps.count
        let alias = try join(steps[..<firstToMany], from: root)
        if firstToMany < steps.count {
            switch path.ending {
            case .count, .aggregate: return try aggregate(path, steps[firstToMany...], from: alias)
            case .attribute, .object, .members, .memberCount: throw StoreError(file: file, cause: .unknownKeyPath(path.text))
            }
        }
        return try ending(path, alias)
    }

    /// The column that a path ends in, on a row that is already there.
    mutating func ending(_ path: ObjectKeyPath, _ alias: String) throws(StoreError) -> Column {
        let entity = try entityMapping(path.destinationEntityName)
        switch path.ending {
        case .attribute(let name):
            guard let attribute = entity.attributes[name] else {
                return Column(sql: "NULL", shape: .computed, derivation: path.derivation)
            }
            return Column(
                sql: "\(alias).\(attribute.column.quoted)", shape: .attribute(attribute), derivation: path.derivation,
                sourceSQL: path.derivation == nil ? attribute.sourceColumn.map { "\(alias).\($0.quoted)" } : nil)
        case .object:
            return Column(
                sql: "\(alias).\(entity.source.key)",
                shape: .object(
                    entityName: path.destinationEntityName, numbers: entity.filter?.entityNames ?? [:],
                    numberSQL: entity.filter.map { "\(alias).\($0.column.quoted)" }))
        case .memberCount(let name):
            let list = entity.attributes[name].map { KeyPathCompiler.list($0, alias) } ?? "NULL"
            return Column(sql: "ifnull(json_array_length(\(list)), 0)", shape: .computed)
        case .members(let name):
            guard entity.attributes[name] != nil else { return Column(sql: "NULL", shape: .computed) }
            // As booleans are written among other values.
            let member = KeyPathCompiler.members(alias)
            return Column(
                sql: "CASE \(member).type WHEN 'true' THEN 'YES' WHEN 'false' THEN 'NO' ELSE \(member).value END",
                shape: .computed)
        case .count, .aggregate: throw StoreError(file: file, cause: .unknownKeyPath(path.text))
        }
    }

    // MARK: Foreign keys that lead nowhere

    /// A foreign key on a path.
    struct Reference: Sendable, Equatable {
        /// The key as stored, shortened; NULL where it is NULL, or leads to a row.
        var sql: String
        /// Of the row that should be there.
        var entityName: String
    }

    /// The foreign keys of the to-one relationships that a path begins with, once they are joined.
    func references(of path: ObjectKeyPath) throws(StoreError) -> [Reference] {
        var alias = root
        var found: [Reference] = []
        for step in try steps(path) {
            guard !step.relationship.isToMany, let next = aliases[alias + "." + step.name] else { break }
            if let reference = references[next] { found.append(reference) }
            alias = next
        }
        return found
    }

    private static func reference(_ step: Step, _ alias: String, _ next: String) -> Reference? {
        guard case .foreignKey(let columns, _)? = step.mapping else { return nil }
        let key = keyText(columns.map { "\(alias).\($0.quoted)" })
        return Reference(
            sql: "CASE WHEN \(next).\(step.destination.source.key) IS NULL THEN \(key) END",
            entityName: step.relationship.destinationEntityName)
    }

    /// A key of some columns as text, shortened; NULL where one of them is.
    static func keyText(_ columns: [String]) -> String {
        columns.map { "CASE typeof(\($0)) WHEN 'blob' THEN quote(substr(\($0), 1, 32)) ELSE substr(\($0), 1, 64) END" }
            .joined(separator: " || ',' || ")
    }

    // MARK: Members of lists

    /// The JSON array of an attribute with lists; a value that is none as a list of itself.
    private static func list(_ attribute: AttributeMapping, _ alias: String) -> String {
        let value = "\(alias).\(attribute.column.quoted)"
        let source = attribute.sourceColumn.map { "\(alias).\($0.quoted)" } ?? "NULL"
        return "CASE WHEN substr(\(source), 1, 1) = '[' THEN \(source) WHEN typeof(\(value)) NOT IN ('null', 'blob')"
            + " THEN json_array(\(value)) END"
    }

    /// The alias of the members of a row's list.
    private static func members(_ alias: String) -> String { alias + "m" }

    /// The members of the lists on a row that is already there, as what stands behind `FROM` or `JOIN`.
    func members(of name: String, in entityName: String, _ alias: String) throws(StoreError) -> String {
        let list = try entityMapping(entityName).attributes[name].map { KeyPathCompiler.list($0, alias) } ?? "NULL"
        return "json_each(\(list)) \(KeyPathCompiler.members(alias))"
    }

    // MARK: Steps

    struct Step {
        var relationship: Relationship
        var mapping: RelationshipMapping?
        var source: EntityMapping
        var destination: EntityMapping
        var name: String
    }

    func steps(_ path: ObjectKeyPath) throws(StoreError) -> [Step] {
        var entityName = path.entityName
        var steps: [Step] = []
        for name in path.relationships {
            guard let entity = mapping.schema.entity(named: entityName), let relationship = entity.relationship(named: name)
            else {
                throw StoreError(file: file, cause: .unknownKeyPath(path.text))
            }
            let source = try entityMapping(entity.name)
            steps.append(
                Step(
                    relationship: relationship, mapping: source.relationships[relationship.name], source: source,
                    destination: try entityMapping(relationship.destinationEntityName), name: relationship.name))
            entityName = relationship.destinationEntityName
        }
        return steps
    }

    /// Joins to-one steps; the alias of the last row.
    mutating func join(_ steps: ArraySlice<Step>, from start: String) throws(StoreError) -> String {
        var alias = start
        for step in steps {
            let key = alias + "." + step.name
            if let known = aliases[key] {
                alias = known
                continue
            }
            let next = newAlias()
            joins.append(toOneJoin(step, alias, next))
            sources.append(step.destination.source)
            aliases[key] = next
            references[next] = Self.reference(step, alias, next)
            alias = next
        }
        return alias
    }

    private func toOneJoin(_ step: Step, _ alias: String, _ next: String) -> String {
        let table = step.destination.source.sql
        guard case .foreignKey(let columns, let wanted)? = step.mapping else {
            return "LEFT JOIN \(table) \(next) ON 0"
        }
        let destination = wanted ?? []
        if destination.isEmpty {
            return "LEFT JOIN \(table) \(next) ON \(next).\(step.destination.source.key) = \(alias).\(columns[0].quoted)"
        }
        // A key that is not unique after all must not double the row: the first of equals stands for all.
        let inner = next + "x"
        let condition = zip(destination, columns).map { "\(inner).\($0.quoted) = \(alias).\($1.quoted)" }.joined(
            separator: " AND ")
        return
            "LEFT JOIN \(table) \(next) ON \(next).\(step.destination.source.key) = (SELECT \(inner).\(step.destination.source.key)"
            + " FROM \(table) \(inner) WHERE \(condition) ORDER BY 1 LIMIT 1)"
    }

    // MARK: To-many

    /// The rows at the far end of steps that begin with a to-many: what follows `FROM`, the condition that ties it to the row
    /// before, the last row's alias, and the order.
    struct Chain {
        var from: String
        var condition: String
        var alias: String
        var order: [String]
        /// The condition as two equal columns, of the row before and of the first row; nil where it is not that simple.
        var link: (outer: String, inner: String)?
    }

    /// - Parameter looksAtEach: false where the rows are read in one pass, for which no index is needed.
    mutating func chain(
        _ steps: ArraySlice<Step>, from start: String, looksAtEach: Bool = true
    ) throws(StoreError) -> Chain {
        var from = ""
        var condition = "1"
        var alias = start
        var order: [String] = []
        var link: (outer: String, inner: String)?
        for (position, step) in steps.enumerated() {
            sources.append(step.destination.source)
            let next = newAlias()
            let table = step.destination.source.sql
            let key = step.destination.source.key
            var on: String
            var tables = "\(table) \(next)"
            switch step.mapping {
            case .foreignKey(let columns, let destination)?:
                on = pairs(next, destination ?? [], key, alias, columns, "")
                if position > 0 {
                    // A to-one after a to-many: the row stays, with NULL at its end.
                    from += " LEFT JOIN \(tables) ON \(on)"
                    alias = next
                    continue
                }
            case .inverse(let columns, let owner, let orderColumn)?:
                on = pairs(alias, owner ?? [], step.source.source.key, next, columns, "")
                if columns.count == 1 {
                    let outer = "\(alias).\(owner?.first?.quoted ?? step.source.source.key)"
                    if position == 0 { link = (outer, "\(next).\(columns[0].quoted)") }
                    if case .table(let name, _) = step.destination.source,
                        let index = missingIndex(name, columns[0], looksAtEach)
                    {
                        tables = "\(index.source) JOIN \(table) \(next) ON \(next).\(index.rowid) = \(index.alias).r"
                        on = "\(outer) = \(index.alias).k"
                        if position == 0 { link = (outer, "\(index.alias).k") }
                    }
                }
                if let orderColumn { order.append("\(next).\(orderColumn.quoted)") }
            case .joinTable(let name, let owner, let ownerColumns, let destination, let destinationColumns, let orderColumn)?:
                let between = newAlias()
                tables =
                    "main.\(name.quoted) \(between) JOIN \(table) \(next) ON "
                    + pairs(next, destinationColumns ?? [], key, between, destination, "")
                on = pairs(alias, ownerColumns ?? [], step.source.source.key, between, owner, "")
                if owner.count == 1 {
                    let outer = "\(alias).\(ownerColumns?.first?.quoted ?? step.source.source.key)"
                    if position == 0 { link = (outer, "\(between).\(owner[0].quoted)") }
                    if let index = missingIndex(name, owner[0], looksAtEach) {
                        tables =
                            "\(index.source) JOIN main.\(name.quoted) \(between) ON \(between).\(index.rowid) = \(index.alias).r"
                            + " JOIN \(table) \(next) ON " + pairs(next, destinationColumns ?? [], key, between, destination, "")
                        on = "\(outer) = \(index.alias).k"
                        if position == 0 { link = (outer, "\(index.alias).k") }
                    }
                }
                if let orderColumn { order.append("\(between).\(orderColumn.quoted)") }
            case nil:
                on = "0"
            }
            order.append("\(next).\(key)")
            if position == 0 {
                from = tables
                condition = on
            } else {
                from += " JOIN \(tables)" + (tables.contains(" JOIN ") ? " AND \(on)" : " ON \(on)")
            }
            alias = next
        }
        return Chain(from: from, condition: condition, alias: alias, order: order, link: link)
    }

    /// A temporary index of a column that has none, under an alias, where one pays.
    private mutating func missingIndex(
        _ table: String, _ column: String, _ looksAtEach: Bool
    ) -> (source: String, alias: String, rowid: String)? {
        guard indexesRelationships, looksAtEach, let index = mapping.indexes.missing(table: table, column: column) else {
            return nil
        }
        sources.append(.index(index))
        let alias = newAlias()
        return ("\(RowSource.index(index).sql) \(alias)", alias, index.rowid.quoted)
    }

    /// Equality of columns, or of one column with the other side's key.
    private func pairs(
        _ left: String, _ leftColumns: [String], _ key: String, _ right: String, _ rightColumns: [String], _ none: String
    ) -> String {
        if leftColumns.isEmpty { return rightColumns.first.map { "\(left).\(key) = \(right).\($0.quoted)" } ?? "0" }
        return zip(leftColumns, rightColumns).map { "\(left).\($0.quoted) = \(right).\($1.quoted)" }.joined(separator: " AND ")
    }

    private mutating func aggregate(_ path: ObjectKeyPath, _ steps: ArraySlice<Step>, from alias: String) throws(StoreError)
        -> Column
    {
        let chain = try chain(steps, from: alias)
        let rows = "FROM \(chain.from) WHERE \(chain.condition)"
        let entity = try entityMapping(path.destinationEntityName)
        switch path.ending {
        case .aggregate(let aggregate, let name):
            guard let attribute = entity.attributes[name] else { return Column(sql: "NULL", shape: .computed) }
            let value = "\(chain.alias).\(attribute.column.quoted)"
            switch aggregate {
            case .sum:
                // A sum of integers stays one where it can; key-value coding's sum of nothing is 0.
                return Column(sql: "(SELECT coalesce(\(SumFunction.name)(\(value)), 0) \(rows))", shape: .computed)
            case .average: return Column(sql: "(SELECT \(SumFunction.meanName)(\(value)) \(rows))", shape: .computed)
            case .minimum:
                return Column(sql: "(SELECT min(\(value)) \(rows))", shape: .attribute(attribute), derivation: path.derivation)
            case .maximum:
                return Column(sql: "(SELECT max(\(value)) \(rows))", shape: .attribute(attribute), derivation: path.derivation)
            }
        default:
            return Column(sql: "(SELECT count(\(chain.alias).\(entity.source.key)) \(rows))", shape: .computed)
        }
    }

    // MARK: Filters

    /// The condition for rows of an entity; nil: all rows.
    ///
    /// - Parameter byScan: keeps SQLite from going by an index on the number, so that rows come in the order of their keys.
    static func condition(_ filter: EntityMapping.Filter?, _ alias: String, byScan: Bool = false) -> String? {
        guard let numbers = filter?.numbers, let column = filter?.column else { return nil }
        let list = numbers.map(String.init).joined(separator: ", ")
        let isOne = numbers.count == 1
        return "\(byScan && !isOne ? "+" : "")\(alias).\(column.quoted) " + (isOne ? "= \(list)" : "IN (\(list))")
    }
}

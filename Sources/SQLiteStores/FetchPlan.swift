import Foundation
import ObjectStore

/// A fetch request as one statement that reads rows in the order of their keys.
struct FetchPlan {
    let sql: String
    /// The same rows from the highest key down, for what lies beyond a damaged page.
    let backwardSQL: String
    /// The same rows, handed to `RowFunction` by the statement itself; nil where rows come by steps. They may come from `?1` on without
    /// an end, which is the receiver's to see: SQLite would look at each row's key once more.
    ///
    /// Steps it is where SQLite may go by an index, which the order of the keys would not survive, where a condition leaves most
    /// rows out, and where there are more columns than a function takes.
    var handingSQL: String?
    /// The same columns of each row of the table, for rows that are read from its pages: where there are no others than the table's
    /// own. Nil: the rows are SQLite's to read.
    var pageSQL: String?
    /// The last column of `pageSQL` is one of these numbers in the rows that are wanted; nil: all are.
    let pageNumbers: [Int64]?
    /// Columns of the statement.
    let columnCount: Int
    let sources: [RowSource]
    /// In the request's order; column numbers of the statement.
    let keys: [SortKeyWriter.Key]
    let section: SortKeyWriter.Key?
    /// Smallest and largest key of the whole table, where the key range may be cut in two.
    private let rangeSQL: String?
    /// The object that a related scope starts from.
    let ownerKey: ObjectKey?
    let fetchLimit: Int?
    /// What the predicate's parameters are bound to, from `?4` on.
    let parameters: [Value]
    /// Whether the statement calls the functions of predicates.
    let hasPredicate: Bool

    /// Whether the reading may be cut into windows of keys: not where each window would begin with a pass over other rows.
    let isCut: Bool

    private static let firstParameter = 4

    init(_ request: FetchRequest, _ mapping: StoreMapping, file: String) throws(StoreError) {
        var compiler = KeyPathCompiler(
            mapping, file: file, root: "t0", indexesRelationships: request.scope == .all)
        guard let entityName = mapping.schema.entity(named: request.entityName)?.name else {
            throw StoreError(
                file: file,
                cause: .unknownEntity(
                    request.entityName, nearest: nearestName(to: request.entityName, among: mapping.schema.entities.map(\.name))))
        }
        let entity = try compiler.entityMapping(entityName)
        compiler.use(entity.source)
        let key = "t0." + entity.source.key
        var from = "\(entity.source.sql) t0"
        var conditions = [KeyPathCompiler.condition(entity.filter, "t0", byScan: true)].compactMap { $0 }
        var relationshipOrder: String?
        var owner: ObjectKey?
        if case .related(let object, let name) = request.scope {
            let scope = try RelatedScope(object, name, mapping, file: file)
            from = scope.from + " JOIN " + from + " ON " + scope.join
            conditions.append(scope.condition)
            relationshipOrder = scope.order
            compiler.use(scope.source)
            owner = object.key
        }

        var columns = [key]
        func index(_ sql: String) -> Int32 {
            if let known = columns.firstIndex(of: sql) { return Int32(truncatingIfNeeded: known) }
            columns.append(sql)
            return Int32(truncatingIfNeeded: columns.count - 1)
        }
        var keys: [SortKeyWriter.Key] = []
        for descriptor in request.sortDescriptors {
            let column: KeyPathCompiler.Column
            switch descriptor.key {
            case .keyPath(let path): column = try compiler.column(path)
            case .relationshipOrder:
                guard let relationshipOrder else { continue }
                column = KeyPathCompiler.Column(sql: relationshipOrder, shape: .computed)
            }
            keys.append(
                SortKeyWriter.Key(
                    index: index(column.sql), column: column, ascending: descriptor.ascending, selector: descriptor.selector))
        }
        var section: SortKeyWriter.Key?
        if let path = request.sectionKeyPath {
            let column = try compiler.column(path)
            section = SortKeyWriter.Key(index: index(column.distinctSQL), column: column, ascending: true, selector: .compare)
        }
        if let predicate = request.predicate {
            var predicates = PredicateCompiler(compiler, firstParameter: Self.firstParameter)
            conditions.append("(\(try predicates.condition(predicate.root)))")
            compiler = predicates.paths
            parameters = predicates.parameters
            isCut = !predicates.makesPasses
        } else {
            parameters = []
            isCut = false
        }
        hasPredicate = request.predicate != nil
        self.keys = keys
        self.section = section
        sources = compiler.sources
        ownerKey = owner
        fetchLimit = request.fetchLimit
        let body =
            "SELECT \(columns.joined(separator: ", ")) FROM \(from) \(compiler.joins.joined(separator: " ")) WHERE "
            + (conditions + ["\(key) >= ?1", "\(key) <= ?2"]).joined(separator: " AND ")
        sql = body + " ORDER BY \(key)"
        backwardSQL = sql + " DESC"
        columnCount = columns.count
        handingSQL = FetchPlan.handingSQL(columns, entity, compiler.joins, mapping, isPlain: owner == nil && !hasPredicate)
        pageNumbers = entity.filter?.numbers
        if handingSQL != nil, compiler.joins.isEmpty {
            let number = pageNumbers == nil ? [] : entity.filter.map { ["t0.\($0.column.quoted)"] } ?? []
            pageSQL = "SELECT \((columns + number).joined(separator: ", ")) FROM \(entity.source.sql) t0 NOT INDEXED"
        }
        if case .table = entity.source, owner == nil {
            // Apart from each other each is one step down the tree; together they would be a scan.
            rangeSQL = "SELECT (SELECT min(\(key)) FROM \(from)), (SELECT max(\(key)) FROM \(from))"
        } else {
            rangeSQL = nil
        }
    }
}

extension FetchPlan {
    /// - Parameter isPlain: whether the rows are all of the entity's.
    private static func handingSQL(
        _ columns: [String], _ entity: EntityMapping, _ joins: [String], _ mapping: StoreMapping, isPlain: Bool
    ) -> String? {
        let condition = KeyPathCompiler.condition(entity.filter, "t0")
        guard isPlain, columns.count <= RowFunction.mostArguments, (entity.filter?.numbers?.count ?? 2) > 1,
            case .table(let table, let column) = entity.source, mapping.indexes.isRowid(column, of: table)
        else { return nil }
        let call = "\(RowFunction.name)(\(columns.joined(separator: ", ")))"
        // In what order SQLite looks at the parts of a condition is its own affair, but not within a CASE.
        let answer = condition.map { "CASE WHEN \($0) THEN \(call) ELSE 0 END" } ?? call
        // Rows that the condition leaves out do not tell the receiver that the end was passed.
        let end = condition == nil ? "" : " AND \(columns[0]) <= ?2"
        // Without an index the rows come in the order of the rowids, so that nothing is left to be sorted behind the calls.
        return "SELECT 1 FROM \(entity.source.sql) t0 NOT INDEXED \(joins.joined(separator: " "))"
            + " WHERE \(columns[0]) >= ?1\(end) AND \(answer) ORDER BY \(columns[0])"
    }

    /// Below this width of the key range a second reader costs more than it brings.
    static let splitWidth: Int64 = 50_000

    /// The keys of a table; nil where there are none. All there can be where they are not to be found out: on a damaged table the ends
    /// may be out of reach, while much of it can still be read.
    func keyRange(_ connection: Connection) -> ClosedRange<ObjectKey>? {
        guard let sql = rangeSQL,
            let found = try? connection.rows(sql, { $0.isNull(0) ? nil : ($0.integer(0), $0.integer(1)) }).first
        else { return .min ... .max }
        guard let (low, high) = found, low <= high else { return nil }
        return low...high
    }

    /// Makes a connection ready for the statements: temporary tables, functions.
    func prepare(_ connection: Connection, timeZone: TimeZone) throws(StoreError) {
        try connection.prepare(sources)
        if hasPredicate, !connection.hasPredicateFunctions {
            try PredicateFunction.register(on: connection, timeZone: timeZone)
            connection.hasPredicateFunctions = true
        }
    }

    /// Binds the range of keys to the statement that hands its rows over.
    func bindHanding(_ range: ClosedRange<ObjectKey>, to statement: Statement) {
        statement.bind(range.lowerBound, at: 1)
        if statement.parameterCount > 1 { statement.bind(range.upperBound, at: 2) }
    }

    /// Binds the range of keys, the owner and the predicate's values.
    func bind(_ range: ClosedRange<ObjectKey>, to statement: Statement) throws(StoreError) {
        statement.bind(range.lowerBound, at: 1)
        statement.bind(range.upperBound, at: 2)
        if let ownerKey { statement.bind(ownerKey, at: 3) }
        for (place, value) in parameters.enumerated() {
            try statement.bind(value, at: Int32(truncatingIfNeeded: Self.firstParameter + place))
        }
    }
}

/// The objects at the far end of one object's relationship, as a join: `?3` is the object's key.
struct RelatedScope {
    /// Tables before the destination's.
    var from: String
    /// What ties the destination's row `t0` to them.
    var join: String
    var condition: String
    var order: String?
    var source: RowSource
    /// Columns of the table of pairs `b`, where there is one, that name the far objects.
    var pairColumns: [String] = []

    init(_ object: ObjectID, _ name: String, _ mapping: StoreMapping, file: String) throws(StoreError) {
        let entity = mapping.schema.entity(named: object.entityName)
        guard let entity, let relationship = entity.relationship(named: name), let owner = mapping.entities[entity.name],
            let destination = mapping.entities[relationship.destinationEntityName]
        else { throw StoreError(file: file, cause: .unknownKeyPath(name)) }
        source = owner.source
        from = "\(owner.source.sql) o"
        condition = "o.\(owner.source.key) = ?3"
        let key = "t0." + destination.source.key
        func equal(_ left: String, _ leftColumns: [String]?, _ leftKey: String, _ right: String, _ rightColumns: [String])
            -> String
        {
            guard let leftColumns else { return rightColumns.first.map { "\(left).\(leftKey) = \(right).\($0.quoted)" } ?? "0" }
            return zip(leftColumns, rightColumns).map { "\(left).\($0.quoted) = \(right).\($1.quoted)" }.joined(
                separator: " AND ")
        }
        switch owner.relationships[relationship.name] {
        case .foreignKey(let columns, let wanted)?:
            join = equal("t0", wanted, destination.source.key, "o", columns)
        case .inverse(let columns, let ownerColumns, let orderColumn)?:
            join = equal("o", ownerColumns, owner.source.key, "t0", columns)
            order = orderColumn.map { "t0.\($0.quoted)" }
        case .joinTable(let table, let ownerSide, let ownerColumns, let far, let farColumns, let orderColumn)?:
            from += " JOIN main.\(table.quoted) b ON " + equal("o", ownerColumns, owner.source.key, "b", ownerSide)
            join = equal("t0", farColumns, destination.source.key, "b", far)
            pairColumns = far
            order = orderColumn.map { "b.\($0.quoted)" }
        case nil:
            join = "\(key) IS NULL"
        }
    }
}

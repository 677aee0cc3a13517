import CSQLite
import ObjectStore

/// Puts records into the private database, table by table, as a reader meets them.
///
/// Records that stand under the same key of the same kind of record are one entity. Rows are numbered by the order in which their
/// records begin.
final class DocumentBuilder {
    typealias Bytes = UnsafeBufferPointer<UInt8>

    let database: DocumentDatabase
    let warnings: DocumentWarnings
    let progress: FetchProgress
    /// The records at the top, or the one object around everything.
    let root: EntityBuilder
    private(set) var entities: [EntityBuilder]
    /// Whether the document is one object, not a list of them.
    var rootIsObject = false
    /// Whether texts that are spelled as numbers are numbers where all of a key are: in formats that know texts only.
    var infersNumbers = false
    private var free: [RecordBuilder] = []
    private var finished = 0

    /// Kinds of records; what stands beyond is kept as text.
    static let entityLimit = 400

    init(database: DocumentDatabase, rootName: String, warnings: DocumentWarnings, progress: FetchProgress) throws(ReadingFault) {
        self.database = database
        self.warnings = warnings
        self.progress = progress
        root = EntityBuilder(number: 0, key: rootName, parent: nil)
        entities = [root]
        try database.execute("CREATE TABLE t0(k INTEGER PRIMARY KEY)")
    }

    /// Records finished so far.
    var count: Int { finished }

    // MARK: Records

    /// Begins a record; with `under`, nested in another one.
    func begin(_ entity: EntityBuilder, under: (record: RecordBuilder, field: Int, isToMany: Bool)? = nil) throws(ReadingFault)
        -> RecordBuilder
    {
        entity.rows += 1
        let record: RecordBuilder
        if let reused = free.popLast() {
            record = reused
            record.restart(entity, row: entity.rows)
        } else {
            record = RecordBuilder(entity, row: entity.rows)
        }
        guard let under else { return record }
        let outer = under.record.entity
        if let column = try parentColumn(of: entity, in: outer, field: under.field) {
            record.set(.integer(under.record.row), column: column, field: -1)
        }
        if !under.isToMany, let column = try toOneColumn(of: outer, field: under.field) {
            under.record.set(.integer(record.row), column: column, field: under.field)
        }
        return record
    }

    /// Writes a record that is complete, as far as it is meant to be.
    func finish(_ record: RecordBuilder) throws(ReadingFault) {
        let entity = record.entity
        entity.count(values: record.entries.count)
        try setRest(in: record)
        let statement = try database.insertion(table: entity.number, columns: entity.columns.count + 1)
        sqlite3_clear_bindings(statement)
        sqlite3_bind_int64(statement, 1, record.row)
        try record.bytes.withUnsafeBufferPointer { bytes throws(ReadingFault) in
            for entry in record.entries { bind(entry, of: entity, bytes, statement) }
            try database.run(statement, bytes: bytes.count + record.entries.count * 6 + 10)
        }
        free.append(record)
        finished += 1
        if finished & 1023 == 0 {
            progress.report(finished)
            if progress.isCancelled { throw .store(StoreError(file: database.name, cause: .cancelled)) }
            try database.makeRoom()
        }
    }

    private func bind(_ entry: RecordBuilder.Entry, of entity: EntityBuilder, _ bytes: Bytes, _ statement: OpaquePointer) {
        let index = Int32(truncatingIfNeeded: entry.column + 2)
        // The bytes stay where they are until the statement has run, so SQLite need not copy them.
        switch entry.value {
        case .integer(let value): sqlite3_bind_int64(statement, index, value)
        case .double(let value): sqlite3_bind_double(statement, index, value)
        case .boolean(let value):
            if entity.fields[entry.field].spellsBooleans {
                sqlite3_bind_text(statement, index, value ? "YES" : "NO", -1, csqlite_transient())
                guard let source = entity.fields[entry.field].sourceColumn else { return }
                sqlite3_bind_text(
                    statement, Int32(truncatingIfNeeded: source + 2), value ? "true" : "false", -1, csqlite_transient())
            } else {
                sqlite3_bind_int64(statement, index, value ? 1 : 0)
            }
        case .text(let offset, let count):
            guard let base = bytes.baseAddress else {
                sqlite3_bind_text(statement, index, "", 0, csqlite_transient())
                return
            }
            base.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                _ = sqlite3_bind_text(statement, index, $0 + offset, Int32(truncatingIfNeeded: count), nil)
            }
        case .data(let offset, let count):
            guard let base = bytes.baseAddress, count > 0 else {
                sqlite3_bind_zeroblob(statement, index, 0)
                return
            }
            sqlite3_bind_blob(statement, index, base + offset, Int32(truncatingIfNeeded: count), nil)
        case .null: sqlite3_bind_null(statement, index)
        }
    }

    // MARK: What stands under keys

    /// The field of a key, new where need be; nil where the records have too many keys, so that this one
    /// belongs to the rest.
    func field(_ key: Bytes, of record: RecordBuilder, line: Int?) -> Int? {
        if let known = record.entity.field(key, expected: record.expectedField) {
            record.expectedField = known + 1
            return known
        }
        let name = String(decoding: key, as: UTF8.self)
        guard let made = record.entity.makeField(name) else {
            let rest = record.entity.makeRestField()
            warnings.add(
                .tooManyKeys, line: line,
                "The records of “\(record.entity.key)” have too many keys; “\(name)” and more are kept together under"
                    + " “\(record.entity.fields[rest].key)”, as JSON.")
            return nil
        }
        record.expectedField = made + 1
        return made
    }

    /// The entity of records nested under a field; nil where there are too many, so that they are kept as text.
    func nested(_ record: RecordBuilder, field: Int, isToMany: Bool, line: Int?) throws(ReadingFault) -> EntityBuilder? {
        let entity = record.entity
        let owner = entity.fields[field]
        if let known = isToMany ? owner.toMany : owner.toOne { return known }
        // A tree: what stands under the key that it stands under itself is of the same kind.
        if owner.key == entity.key, entity.parent != nil {
            if isToMany { owner.toMany = entity } else { owner.toOne = entity }
            return entity
        }
        // One kind of record, whether it stands alone or in a list.
        let other = isToMany ? owner.toOne : owner.toMany
        guard other != nil || entities.count < DocumentBuilder.entityLimit else {
            warnings.add(
                .tooManyEntities, line: line, "There are too many kinds of records; from here on new ones are kept as text.")
            return nil
        }
        let made = other ?? EntityBuilder(number: entities.count, key: owner.key, parent: entity)
        if made.shape == nil {
            let shape = owner.shape ?? entity.shape?.children[owner.key]
            made.shape = isToMany ? (shape?.isDictionary ?? false ? shape?.members : shape?.elements) : shape
        }
        if other == nil {
            entities.append(made)
            try database.execute("CREATE TABLE \(made.tableName)(k INTEGER PRIMARY KEY)")
        }
        if isToMany { owner.toMany = made } else { owner.toOne = made }
        return made
    }

    private func parentColumn(of entity: EntityBuilder, in outer: EntityBuilder, field: Int) throws(ReadingFault) -> Int? {
        if let known = entity.parentColumn(entity: outer.number, field: field) { return known }
        guard let column = try addColumn(.parent(entity: outer.number, field: field), to: entity) else { return nil }
        entity.setParentColumn(column, entity: outer.number, field: field)
        return column
    }

    private func toOneColumn(of entity: EntityBuilder, field: Int) throws(ReadingFault) -> Int? {
        if let known = entity.fields[field].toOneColumn { return known }
        let column = try addColumn(.toOne(field: field), to: entity)
        entity.fields[field].toOneColumn = column
        return column
    }

    /// The column of a field's plain values, new where need be.
    func valueColumn(of entity: EntityBuilder, field: Int) throws(ReadingFault) -> Int? {
        if let known = entity.fields[field].column { return known }
        let column = try addColumn(.value(field: field), to: entity)
        entity.fields[field].column = column
        return column
    }

    /// The column of what a field's values are in JSON, new where need be.
    func sourceColumn(of entity: EntityBuilder, field: Int) throws(ReadingFault) -> Int? {
        if let known = entity.fields[field].sourceColumn { return known }
        let column = try addColumn(.source(field: field), to: entity)
        entity.fields[field].sourceColumn = column
        return column
    }

    private func addColumn(_ column: EntityBuilder.Column, to entity: EntityBuilder) throws(ReadingFault) -> Int? {
        guard let added = entity.addColumn(column) else {
            warnings.add(.tooManyKeys, "The records of “\(entity.key)” have too many keys; some are left out.")
            return nil
        }
        database.forgetInsertion(table: entity.number)
        try database.execute("ALTER TABLE \(entity.tableName) ADD COLUMN \(EntityBuilder.columnName(added))")
        return added
    }

    // MARK: Taking back

    /// How many rows each entity has; with it, what comes later can be taken back.
    func mark(_ rows: inout [Int64]) {
        rows.removeAll(keepingCapacity: true)
        for entity in entities { rows.append(entity.rows) }
    }

    /// Takes back all rows since a mark, finished or not.
    func takeBack(to rows: [Int64]) throws(ReadingFault) {
        for entity in entities {
            let kept = entity.number < rows.count ? rows[entity.number] : 0
            guard entity.rows > kept else { continue }
            try database.execute("DELETE FROM \(entity.tableName) WHERE k > \(kept)")
            entity.rows = kept
        }
    }
}

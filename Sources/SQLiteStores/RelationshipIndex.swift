import ObjectStore

/// Which columns of a store's tables have an index that begins with them, and how rows of the others are found.
struct TableIndexes: Sendable {
    /// A name of the rowid by table, lower-cased; tables without one are absent.
    private var rowids: [String: String] = [:]
    private var indexed: Set<[String]> = []
    /// Names of rowids by table, all lower-cased.
    private var rowidNames: Set<[String]> = []

    init() {}

    init(_ catalog: Catalog) {
        for table in catalog.tables where table.kind == .table && table.fault == nil {
            let name = table.name.lowercased()
            if !table.isWithoutRowid, let rowid = TableSchemaBuilder.rowidName(table) {
                rowids[name] = rowid
                rowidNames.insert([name, rowid.lowercased()])
            }
            for index in table.indexes where !index.isPartial {
                if let first = index.columns.first { indexed.insert([name, first.lowercased()]) }
            }
            // The key of the rows themselves.
            if let alias = TableSchemaBuilder.rowidAlias(table) {
                indexed.insert([name, alias.lowercased()])
                rowidNames.insert([name, alias.lowercased()])
            }
            if table.isWithoutRowid, let first = table.primaryKey.first { indexed.insert([name, first.lowercased()]) }
        }
    }

    /// Whether a column is what an ordinary table's rows are numbered by.
    func isRowid(_ column: String, of table: String) -> Bool {
        rowidNames.contains([table.lowercased(), column.lowercased()])
    }

    /// A temporary index of a column that has none; nil where it has one, or where it cannot be made.
    func missing(table: String, column: String) -> RelationshipIndex? {
        guard let rowid = rowids[table.lowercased()], !indexed.contains([table.lowercased(), column.lowercased()]) else {
            return nil
        }
        return RelationshipIndex(table: table, column: column, rowid: rowid)
    }
}

/// The rows of a table by the value of one of its columns, in a temporary table.
///
/// SQLite makes no index for a sub-select of its own accord: without one each object would cost a pass over all rows at the far
/// end. Made once for each state of the data: O(n log n).
struct RelationshipIndex: Sendable, Equatable {
    let table: String
    let column: String
    let rowid: String

    /// The temporary table's name, quoted.
    var name: String { "tlbrowse rows of \(table) by \(column)".quoted }

    var sql: String {
        // Made of the column itself, the copy has its affinity, which decides what equals what.
        "CREATE TEMP TABLE \(name) AS SELECT \(column.quoted) AS k, \(rowid.quoted) AS r FROM main.\(table.quoted)"
            + " WHERE \(column.quoted) IS NOT NULL ORDER BY 1; "
            + "CREATE INDEX temp.\("\(table) by \(column)".quoted) ON \(name) (k, r)"
    }
}

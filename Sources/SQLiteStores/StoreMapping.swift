import ObjectStore

/// Where a store's objects lie in its tables: what a schema leaves out.
struct StoreMapping: Sendable {
    var schema: Schema
    /// By entity name.
    var entities: [String: EntityMapping]
    /// Names objects for good; nil outside Core Data.
    var storeIdentifier: String?
    /// The hidden folder of binary data kept outside, whether it exists or not; nil outside Core Data.
    var externalDataFolder: String?
    var indexes = TableIndexes()
    /// What was too much to look through when the store was opened.
    var straysForLater: [StrayRows] = []
}

/// Where the objects of one entity lie.
struct EntityMapping: Sendable {
    var source: RowSource
    /// Which rows of a table that several entities share; nil: it is the entity's own.
    var filter: Filter?
    /// By attribute name; those without a column are absent.
    var attributes: [String: AttributeMapping] = [:]
    /// By relationship name; those that the tables do not show are absent.
    var relationships: [String: RelationshipMapping] = [:]
    /// The columns that name a row for good, beside the key; empty: the key does.
    var identifyingColumns: [String] = []
    /// Columns that keep values of any type as they are.
    var untypedColumns: Set<String> = []

    struct Filter: Sendable, Equatable {
        /// `Z_ENT`.
        var column: String
        /// Only rows with one of these numbers; nil: all rows, for the root of a hierarchy.
        var numbers: [Int64]?
        /// Entity by number, for the concrete entity of a row.
        var entityNames: [Int64: String]
    }
}

/// Rows with an integer key.
enum RowSource: Sendable, Equatable {
    /// A table with a column, or a rowid under this name, that is the key.
    case table(String, key: String)
    /// A table without rowid: a temporary table numbers its primary key's columns.
    case numberedKeys(table: String, columns: [String], identifier: Int)
    /// A view, or a table that hides its rowid: a temporary copy numbers the rows.
    case numberedRows(table: String, columns: [String], identifier: Int)
    /// No table of objects, but what finds the rows of one by a column.
    case index(RelationshipIndex)
    /// No rows at all: an entity whose table is missing.
    case nothing

    /// What stands after `FROM`, without an alias.
    var sql: String {
        switch self {
        case .table(let name, _): "main." + name.quoted
        case .numberedKeys(let name, let columns, let identifier):
            "(SELECT o.rowid AS \(RowSource.numberColumn.quoted), t.* FROM temp.\(temporaryName(identifier)) o CROSS JOIN main.\(name.quoted) t ON "
                + columns.enumerated().map { "t.\($1.quoted) = o.c\($0)" }.joined(separator: " AND ") + ")"
        case .numberedRows(_, _, let identifier): "temp.\(temporaryName(identifier))"
        case .index(let index): "temp.\(index.name)"
        case .nothing: "(SELECT 0 AS k WHERE 0)"
        }
    }

    /// The key's column, quoted.
    var key: String {
        switch self {
        case .table(_, let key): key.quoted
        case .numberedKeys: RowSource.numberColumn.quoted
        case .numberedRows: RowSource.numberColumn.quoted
        case .index: "r"
        case .nothing: "k"
        }
    }

    /// How the temporary table is made, nil where none is needed.
    var preparation: (name: String, sql: String)? {
        switch self {
        case .table, .nothing: return nil
        case .index(let index): return (index.name, index.sql)
        case .numberedKeys(let table, let columns, let identifier):
            return (
                temporaryName(identifier),
                "CREATE TEMP TABLE \(temporaryName(identifier)) AS SELECT "
                    + columns.enumerated().map { "\($1.quoted) AS c\($0)" }.joined(separator: ", ")
                    + " FROM main.\(table.quoted) ORDER BY " + columns.map(\.quoted).joined(separator: ", ")
            )
        case .numberedRows(let table, let columns, let identifier):
            let list = columns.map(\.quoted).joined(separator: ", ")
            return (
                temporaryName(identifier),
                "CREATE TEMP TABLE \(temporaryName(identifier)) (\(RowSource.numberColumn.quoted) INTEGER PRIMARY KEY, \(list)); "
                    + "INSERT INTO temp.\(temporaryName(identifier)) (\(list)) SELECT \(list) FROM main.\(table.quoted)"
            )
        }
    }

    private func temporaryName(_ identifier: Int) -> String { "numbered\(identifier)" }
    /// A name that no table has by accident.
    private static let numberColumn = "tlbrowse row number"
}

/// Where an attribute's values lie, and how they are to be read.
struct AttributeMapping: Sendable, Equatable {
    var column: String
    var type: AttributeType
    /// How dates are written in this column.
    var dates: DateEncoding = .referenceSeconds
    /// Whether values carry Core Data's tag for data kept in a file outside.
    var externalStorage: ExternalStorage = .never
    /// The column with what a document says, as JSON, where `column` does not hold it as it is: booleans among other values, lists,
    /// numbers with many digits. NULL elsewhere.
    var sourceColumn: String?

    enum ExternalStorage: Sendable, Equatable {
        case never
        /// The model says so: every value begins with a tag.
        case tagged
        /// No model: only the whole shape of a reference is believed.
        case recognised
    }
}

/// How a column writes dates.
enum DateEncoding: Sendable, Equatable {
    /// Seconds since 2001-01-01 UTC, as Core Data counts.
    case referenceSeconds
    case unixSeconds
    case unixMilliseconds
    case unixMicroseconds
    case julianDays
    /// ISO 8601 text; numbers are left alone.
    case text
    /// Each value by its own size: Unix seconds, milliseconds, microseconds or Julian days; text as ISO 8601.
    case automatic
}

/// Where the other end of a relationship is found.
indirect enum RelationshipMapping: Sendable, Equatable {
    /// The object's own columns hold what the destination's columns hold; nil: its key.
    case foreignKey([String], destination: [String]?)
    /// The destination's columns hold what this object's columns hold; nil: its key.
    case inverse([String], owner: [String]?, order: String?)
    /// A table of pairs.
    case joinTable(
        String, owner: [String], ownerColumns: [String]?, destination: [String], destinationColumns: [String]?, order: String?)
}

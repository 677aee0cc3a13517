import Foundation
import ObjectStore

/// The tables of a database as SQLite describes them, before anything is made of it.
struct Catalog: Sendable {
    enum Kind: Sendable, Equatable {
        case table
        case view
        case virtual
        case shadow
    }

    struct Column: Sendable, Equatable {
        var name: String
        var declaredType: String
        var isNotNull: Bool
        /// 1-based position in the primary key; 0: not in it.
        var primaryKeyPosition: Int
        /// Hidden column of a virtual table.
        var isHidden: Bool
        var isGenerated: Bool
    }

    struct ForeignKey: Sendable, Equatable {
        var columns: [String]
        var table: String
        /// Nil: the primary key of the table.
        var destination: [String]?
    }

    struct Index: Sendable, Equatable {
        var name: String
        var isUnique: Bool
        var isPartial: Bool
        /// Made for the primary key.
        var isPrimaryKey = false
        /// Empty for an index over expressions.
        var columns: [String]
    }

    struct Table: Sendable, Equatable {
        var name: String
        var kind: Kind
        var isWithoutRowid: Bool
        var columns: [Column] = []
        var foreignKeys: [ForeignKey] = []
        var indexes: [Index] = []
        /// Why the table cannot be read, nil if it can.
        var fault: String?

        func column(_ name: String) -> Column? {
            columns.first { $0.name == name } ?? columns.first { $0.name.lowercased() == name.lowercased() }
        }

        var primaryKey: [String] {
            columns.filter { $0.primaryKeyPosition > 0 }.sorted { $0.primaryKeyPosition < $1.primaryKeyPosition }.map(\.name)
        }
    }

    /// In the order of the schema table.
    var tables: [Table]
    private let byName: [String: Int]

    /// The table of this name, whatever its case, as in SQL. O(1).
    func table(_ name: String) -> Table? { byName[name.lowercased()].map { tables[$0] } }

    /// Reads at most 5,000 tables; a table that SQLite cannot describe carries the fault.
    init(_ connection: Connection) throws(StoreError) {
        let order = try connection.rows("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')", limit: 5000) {
            $0.text(0)
        }
        var kinds: [String: (kind: Kind, isWithoutRowid: Bool)] = [:]
        for row in try connection.rows(
            "SELECT name, type, wr FROM pragma_table_list WHERE schema = 'main'",
            { row in
                (name: row.text(0), type: row.text(1), isWithoutRowid: row.integer(2) != 0)
            })
        {
            let kind: Kind =
                switch row.type {
                case "view": .view
                case "virtual": .virtual
                case "shadow": .shadow
                default: .table
                }
            kinds[row.name] = (kind, row.isWithoutRowid)
        }
        var tables: [Table] = []
        for name in order where !name.lowercased().hasPrefix("sqlite_") {
            let known = kinds[name] ?? (.table, false)
            var table = Table(name: name, kind: known.kind, isWithoutRowid: known.isWithoutRowid)
            do throws(StoreError) {
                try Catalog.describe(&table, connection)
            } catch {
                // One broken view or a module that is not here must not hide the other tables.
                table.fault = error.problem
            }
            tables.append(table)
        }
        self.tables = tables
        byName = Dictionary(tables.enumerated().map { ($1.name.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
    }

    private static func describe(_ table: inout Table, _ connection: Connection) throws(StoreError) {
        let name = table.name.quotedText
        table.columns = try connection.rows(
            "SELECT name, type, \"notnull\", pk, hidden FROM pragma_table_xinfo(\(name))", limit: 2000
        ) { row in
            Column(
                name: row.text(0), declaredType: row.text(1), isNotNull: row.integer(2) != 0,
                primaryKeyPosition: Int(truncatingIfNeeded: row.integer(3)), isHidden: row.integer(4) == 1,
                isGenerated: row.integer(4) >= 2)
        }
        guard table.kind == .table else { return }
        let references = try connection.rows(
            "SELECT id, \"table\", \"from\", \"to\" FROM pragma_foreign_key_list(\(name)) ORDER BY id DESC, seq", limit: 2000
        ) { row in (id: row.integer(0), table: row.text(1), from: row.text(2), to: row.optionalText(3)) }
        var lastID: Int64?
        for reference in references {
            if reference.id != lastID {
                table.foreignKeys.append(ForeignKey(columns: [], table: reference.table, destination: nil))
                lastID = reference.id
            }
            let last = table.foreignKeys.count - 1
            table.foreignKeys[last].columns.append(reference.from)
            if let to = reference.to { table.foreignKeys[last].destination = (table.foreignKeys[last].destination ?? []) + [to] }
        }
        let indexes = try connection.rows(
            "SELECT l.name, l.\"unique\", l.partial, i.name, l.origin FROM pragma_index_list(\(name)) l, pragma_index_info(l.name) i ORDER BY l.seq, i.seqno",
            limit: 5000
        ) { row in
            (
                name: row.text(0), isUnique: row.integer(1) != 0, isPartial: row.integer(2) != 0, column: row.optionalText(3),
                origin: row.text(4)
            )
        }
        for entry in indexes {
            if table.indexes.last?.name != entry.name {
                table.indexes.append(
                    Index(
                        name: entry.name, isUnique: entry.isUnique, isPartial: entry.isPartial,
                        isPrimaryKey: entry.origin == "pk", columns: []))
            }
            let last = table.indexes.count - 1
            guard let column = entry.column else {
                // An expression: the index cannot stand for columns.
                table.indexes[last].isPartial = true
                continue
            }
            table.indexes[last].columns.append(column)
        }
    }
}

import CSQLite
import Foundation

extension StoreContents {
    /// Writes the store anew, as Core Data left it before iOS 9: no cached model, rollback journal. The same contents make the
    /// same rows each time, the store's UUID included.
    func write(to path: String, uuid: String) throws {
        try? FileManager.default.removeItem(atPath: path)
        let database = try Database(path: path)
        try database.run("PRAGMA page_size = 2048")
        try database.run("PRAGMA journal_mode = DELETE")
        try database.run("BEGIN")
        for statement in model.schemaStatements { try database.run(statement) }
        for (index, entity) in model.entities.enumerated() {
            let objects = rows[entity.name] ?? []
            try database.run(
                "INSERT INTO Z_PRIMARYKEY VALUES (?, ?, 0, ?)",
                [.integer(index + 1), .text(entity.name), .integer(objects.count)])
            let names = entity.attributes.map(\.name).sorted() + entity.relationships.filter { !$0.isToMany }.map(\.name).sorted()
            let columns = (["Z_PK", "Z_ENT", "Z_OPT"] + names.map { "Z" + $0.uppercased() }).joined(separator: ", ")
            let places = Array(repeating: "?", count: names.count + 3).joined(separator: ", ")
            for (position, object) in objects.enumerated() {
                try database.run(
                    "INSERT INTO \(entity.tableName) (\(columns)) VALUES (\(places))",
                    [.integer(position + 1), .integer(index + 1), .integer(1)] + names.map { object[$0] ?? .null })
            }
        }
        for (table, pairs) in joins.sorted(by: { $0.key < $1.key }) {
            for pair in pairs.sorted(by: { ($0.owner, $0.destination) < ($1.owner, $1.destination) }) {
                try database.run("INSERT INTO \(table) VALUES (?, ?)", [.integer(pair.owner), .integer(pair.destination)])
            }
        }
        try database.run("INSERT INTO Z_METADATA VALUES (1, ?, NULL)", [.text(uuid)])
        try database.run("COMMIT")
        try database.run("VACUUM")
    }
}

/// An open database; closed with the last reference to it.
private final class Database {
    private let handle: OpaquePointer

    init(path: String) throws {
        var opened: OpaquePointer?
        guard sqlite3_open(path, &opened) == SQLITE_OK, let opened else { throw Complaint("cannot write \(path)") }
        handle = opened
    }

    deinit { sqlite3_close(handle) }

    /// Runs one statement with these values to its end.
    func run(_ sql: String, _ values: [StoreContents.Value] = []) throws {
        var prepared: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &prepared, nil) == SQLITE_OK else { throw failure(sql) }
        defer { sqlite3_finalize(prepared) }
        for (index, value) in values.enumerated() {
            let place = Int32(index + 1)
            switch value {
            case .null: sqlite3_bind_null(prepared, place)
            case .integer(let number): sqlite3_bind_int64(prepared, place, Int64(number))
            case .real(let number): sqlite3_bind_double(prepared, place, number)
            case .text(let text): sqlite3_bind_text(prepared, place, text, -1, csqlite_transient())
            }
        }
        while true {
            switch sqlite3_step(prepared) {
            case SQLITE_ROW: continue
            case SQLITE_DONE: return
            default: throw failure(sql)
            }
        }
    }

    private func failure(_ sql: String) -> Complaint {
        Complaint("\(String(cString: sqlite3_errmsg(handle))): \(sql)")
    }
}

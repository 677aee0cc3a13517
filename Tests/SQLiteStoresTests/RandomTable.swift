import CSQLite
import Foundation

/// A table with columns and rows of all kinds, in a database of any shape.
struct RandomTable {
    var encoding: String
    var pageSize: Int
    var hasLog: Bool
    /// Whether there may be keys at the ends of what a key can be.
    var hasFarKeys = true
    private let reserved: Int32
    private let vacuum: Int
    private let hasGenerated: Bool
    private let keyPlace: Int?
    private let isLong: Bool
    private let rows: Int

    /// Whether texts are stored as they are given.
    var isPlainText: Bool { encoding == "UTF-8" }

    init(_ generator: inout SeededGenerator) {
        encoding = ["UTF-8", "UTF-8", "UTF-8", "UTF-8", "UTF-16le", "UTF-16be"].randomElement(using: &generator) ?? "UTF-8"
        pageSize = [512, 1024, 1024, 4096, 8192, 65_536].randomElement(using: &generator) ?? 4096
        hasLog = Int.random(in: 0..<3, using: &generator) == 0
        reserved = [0, 0, 8, 32].randomElement(using: &generator) ?? 0
        vacuum = Int.random(in: 0...2, using: &generator)
        hasGenerated = Int.random(in: 0..<4, using: &generator) == 0
        keyPlace = [nil, 0, 2, 5].randomElement(using: &generator) ?? 0
        isLong = Bool.random(using: &generator)
        rows = Int.random(in: 300...1500, using: &generator)
    }

    private static let types = ["TEXT", "REAL", "", "NUMERIC", "BLOB", "INTEGER"]

    /// Columns in their order.
    private var columns: [(name: String, definition: String)] {
        var columns = Self.types.enumerated().map { (name: "c\($0)", definition: "c\($0) \($1)") }
        if hasGenerated {
            columns.insert(("made", "made AS (c0 || '!')"), at: 1)
            columns.insert(("kept", "kept AS (length(c2)) STORED"), at: 4)
        }
        if let keyPlace { columns.insert(("id", "id INTEGER PRIMARY KEY"), at: keyPlace) }
        return columns
    }

    var attributes: [String] { Self.types.indices.map { "c\($0)" } + ["later", "seven"] }

    var sql: String { "\(encoding) \(pageSize) \(reserved) \(vacuum) \(columns.map(\.definition))" }

    /// Writes the database; its connection, which keeps a log from going away.
    func write(to path: String, _ generator: inout SeededGenerator) throws -> Writer? {
        let writer = try Writer(path)
        var bytes = reserved
        sqlite3_file_control(writer.handle, "main", SQLITE_FCNTL_RESERVE_BYTES, &bytes)
        try writer.run(
            """
            PRAGMA page_size=\(pageSize); PRAGMA auto_vacuum=\(vacuum); PRAGMA encoding='\(encoding)';
            PRAGMA journal_mode=\(hasLog ? "WAL" : "DELETE"); PRAGMA wal_autocheckpoint=0;
            CREATE TABLE before (x); CREATE TABLE t (\(columns.map(\.definition).joined(separator: ", "))); BEGIN;
            """)
        var key = Int.random(in: -300...10, using: &generator)
        var keys: [Int] = []
        func insert(_ key: Int, _ names: [String], _ generator: inout SeededGenerator) throws {
            let values = names.map { _ in literal(&generator) }
            try writer.run(
                "INSERT OR REPLACE INTO t (\(keyPlace == nil ? "rowid" : "id"), \(names.joined(separator: ", "))) VALUES (\(key), \(values.joined(separator: ", ")))"
            )
            keys.append(key)
        }
        let names = Self.types.indices.map { "c\($0)" }
        for number in 0..<rows {
            key += Int.random(in: 0..<20, using: &generator) == 0 ? Int.random(in: 1...500, using: &generator) : 1
            try insert(key, names, &generator)
            if number == rows / 2 {
                try writer.run("ALTER TABLE t ADD COLUMN later")
            } else if number == rows * 3 / 4 {
                try writer.run("ALTER TABLE t ADD COLUMN seven DEFAULT 7")
            } else if number > rows * 3 / 4, Bool.random(using: &generator) {
                try insert(key, names + ["later", "seven"], &generator)
            }
            if number % 100 == 0 { try writer.run("INSERT INTO before VALUES (zeroblob(\(pageSize)))") }
        }
        for key in [Int.min, Int.max, 1 << 40, -(1 << 50)] where hasFarKeys && Bool.random(using: &generator) {
            try insert(key, names, &generator)
        }
        if Bool.random(using: &generator) {
            let low = keys.randomElement(using: &generator) ?? 0
            try writer.run("DELETE FROM t WHERE \(keyPlace == nil ? "rowid" : "id") BETWEEN \(low) AND \(low)+200")
        }
        try writer.run("COMMIT")
        guard hasLog else { return nil }
        try writer.run("PRAGMA wal_checkpoint(TRUNCATE)")
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
            try insert(keys.randomElement(using: &generator) ?? 0, names, &generator)
        }
        return writer
    }

    private func literal(_ generator: inout SeededGenerator) -> String {
        switch Int.random(in: 0..<12, using: &generator) {
        case 0: return "NULL"
        case 1:
            let bit = [6, 7, 8, 15, 16, 23, 24, 31, 32, 47, 48, 62].randomElement(using: &generator) ?? 7
            let number = (1 << bit) + Int.random(in: -2...2, using: &generator)
            return String(Bool.random(using: &generator) ? number : -number)
        case 2: return ["0", "1", "-1", "9223372036854775807", "-9223372036854775808"].randomElement(using: &generator) ?? "0"
        case 3: return ["1.5", "-0.0", "1e300", "9e999", "3.0", "-1e-300"].randomElement(using: &generator) ?? "0.5"
        case 4: return ["''", "'12'", "'1.0'", "'2020-01-01'", "x''", "x'00'"].randomElement(using: &generator) ?? "''"
        case 5:
            return ["CAST(x'fffe41' AS TEXT)", "CAST(x'410042' AS TEXT)", "'日本'", "'e\u{301}'"].randomElement(using: &generator)
                ?? "''"
        case 6: return "randomblob(\(Int.random(in: 0...80, using: &generator)))"
        case 7 where isLong && Int.random(in: 0..<12, using: &generator) == 0:
            return "printf('%.*c', \(Int.random(in: 1...(3 * pageSize), using: &generator)), 'l')"
        default: return "printf('%.*c', \(Int.random(in: 0...90, using: &generator)), 'n')"
        }
    }
}

import Foundation
import ObjectStore
import TestSupport
import Testing

@testable import SQLiteStores

/// What has changed is found in the leaves of a table, and is what a pass over all rows finds.
@Suite(.enabled(if: OtherProcess.isThere)) struct VersionsReadingTests {
    /// Small pages make a tree of several levels of few rows.
    @Test(arguments: ["DELETE", "WAL", "TRUNCATE", "PERSIST"], ["NONE", "FULL", "INCREMENTAL"])
    func aFollowIsAPassOverAllRows(journalMode: String, vacuumMode: String) throws {
        var random = SeededGenerator(seed: UInt64(journalMode.count * 100 + vacuumMode.count))
        let folder = try TestSupport.TemporaryFolder()
        defer { folder.remove() }
        let path = folder.path + "/s.sqlite"
        let writer = try OtherProcess(path)
        try writer.run(
            "PRAGMA page_size = 512; PRAGMA auto_vacuum = \(vacuumMode); PRAGMA journal_mode = \(journalMode); "
                + "PRAGMA wal_autocheckpoint = 40; PRAGMA cache_size = 4; PRAGMA synchronous = OFF")
        try writer.run(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, number); CREATE TABLE u (id INTEGER PRIMARY KEY, name TEXT); "
                + "CREATE INDEX byName ON t (name)")
        try writer.run("BEGIN; \(Self.inserts(600, &random)); COMMIT")
        let store = try SQLiteObjectStore.open(path: path)
        let paths = try [store.schema.keyPath("name", in: "t"), store.schema.keyPath("number", in: "t")]
        let request = FetchRequest(entityName: "t")
        func versions() throws -> RowVersions {
            try #require(try store.versions(at: paths, of: request, progress: FetchProgress()))
        }
        var old = try versions()
        var cheap = 0
        for _ in 0..<60 {
            let statements = (0..<Int.random(in: 1...6, using: &random)).map { _ in Self.change(&random) }
            let end = ["COMMIT", "COMMIT", "COMMIT", "ROLLBACK"].randomElement(using: &random) ?? "COMMIT"
            // The last of these write what is not committed, while the store is looked at in write-ahead mode.
            try writer.run("BEGIN; \(statements.joined(separator: "; ")); \(end)")
            let other =
                ["", "", "", "", "VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)", "PRAGMA incremental_vacuum(3)"]
                .randomElement(using: &random) ?? ""
            if !other.isEmpty { try writer.run(other) }
            let isWriting = journalMode == "WAL" && Bool.random(using: &random)
            if isWriting { try writer.run("BEGIN; " + Self.change(&random) + "; " + Self.inserts(40, &random)) }
            let found = try #require(
                try store.follow(nil, since: old, at: paths, of: request, progress: FetchProgress()))
            let wanted = try versions()
            #expect(found.versions == wanted, "\(statements), \(end), \(other)")
            #expect(found.changes == wanted.changes(since: old))
            if let ranges = found.versions.ranges, let before = old.ranges {
                let read = wanted.keys.filter { key in ranges.differences(from: before).contains { $0.contains(key) } }
                if read.count < wanted.count / 2 { cheap += 1 }
            }
            if isWriting { try writer.run(["COMMIT", "ROLLBACK"].randomElement(using: &random) ?? "COMMIT") }
            old = found.versions
        }
        // A log is short, and full of what was written last; the rest are whole passes.
        #expect(cheap > 5)
    }

    /// Somebody commits all the time; when nobody does any more, all is as a fresh look finds it.
    @Test(arguments: ["DELETE", "WAL"], ["NONE", "FULL"])
    func aWriterWithoutPauseIsFollowed(journalMode: String, vacuumMode: String) throws {
        var random = SeededGenerator(seed: UInt64(journalMode.count * 10 + vacuumMode.count))
        let folder = try TestSupport.TemporaryFolder()
        defer { folder.remove() }
        let path = folder.path + "/s.sqlite"
        let writer = try OtherProcess(path)
        try writer.run(
            ".timeout 20000\nPRAGMA page_size = 512; PRAGMA auto_vacuum = \(vacuumMode); PRAGMA journal_mode = \(journalMode); "
                + "PRAGMA wal_autocheckpoint = 30; PRAGMA synchronous = OFF")
        try writer.run(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, number); CREATE TABLE u (id INTEGER PRIMARY KEY, name)")
        try writer.run("BEGIN; \(Self.inserts(900, &random)); COMMIT")
        let store = try SQLiteObjectStore.open(path: path)
        let name = try store.schema.keyPath("name", in: "t")
        var request = FetchRequest(entityName: "t", sortDescriptors: [SortDescriptor(.keyPath(name), ascending: true)])
        request.sectionKeyPath = try store.schema.keyPath("number", in: "t")
        var versions = try #require(try store.versions(at: [name], of: request, progress: FetchProgress()))
        var objects: FetchedObjects?
        var patched = 0
        func follow() throws {
            let before = store.settledFileState()
            let found = try #require(
                try store.follow(objects, since: versions, at: [name], of: request, progress: FetchProgress()))
            versions = found.versions
            objects = found.patch?.objects
            if objects != nil {
                patched += 1
                return
            }
            let fetched = try store.fetch(request, progress: FetchProgress())
            objects = before != nil && store.fileState() == before ? fetched : nil
        }
        for _ in 0..<25 {
            let changes = (0..<120).map { _ in Self.change(&random) }
            try writer.begin(changes.joined(separator: ";\n"))
            for _ in 0..<4 { try follow() }
            writer.wait()
            try follow()
            #expect(try versions == store.versions(at: [name], of: request, progress: FetchProgress()))
            let fresh = try store.fetch(request, progress: FetchProgress())
            #expect(objects.map { $0.keys == fresh.keys && $0.sections == fresh.sections } != false)
        }
        #expect(patched > 0)
    }

    private static func text(_ random: inout SeededGenerator) -> String {
        // Some go on in pages of their own, and are the same for some hundred characters.
        let long = Int.random(in: 0...30, using: &random) == 0 ? String(repeating: "x", count: 700) : ""
        return "'\(long)n\(Int.random(in: 0...99, using: &random))'"
    }

    private static func inserts(_ count: Int, _ random: inout SeededGenerator) -> String {
        let rows = (0..<count).map { _ in
            "(\(Int.random(in: -50...2000, using: &random)), \(text(&random)), \(Int.random(in: 0...9, using: &random)))"
        }
        return "INSERT OR REPLACE INTO t VALUES \(rows.joined(separator: ","))"
    }

    private static func change(_ random: inout SeededGenerator) -> String {
        let key = Int.random(in: -50...2000, using: &random)
        let last = key + Int.random(in: 0...80, using: &random)
        switch Int.random(in: 0...9, using: &random) {
        case 0: return "DELETE FROM t WHERE id BETWEEN \(key) AND \(last)"
        case 1: return "INSERT OR IGNORE INTO t SELECT id + 7, name, number FROM t WHERE id BETWEEN \(key) AND \(last)"
        case 2: return "UPDATE OR IGNORE t SET id = id + 10000 WHERE id = \(key)"
        case 3: return "INSERT INTO u(name) VALUES (\(text(&random)))"
        case 4: return "DELETE FROM t WHERE id = (SELECT max(id) FROM t)"
        case 5: return "INSERT INTO t(name, number) VALUES (\(text(&random)), 1)"
        case 6: return "UPDATE t SET name = \(text(&random)) WHERE length(name) > 600"
        case 7: return inserts(Int.random(in: 1...12, using: &random), &random)
        default: return "UPDATE t SET name = \(text(&random)) WHERE id BETWEEN \(key) AND \(key + 2)"
        }
    }

    /// One row of many: few others are read again.
    @Test(arguments: ["DELETE", "WAL"]) func oneChangeReadsFewRows(journalMode: String) throws {
        let folder = try TestSupport.TemporaryFolder()
        defer { folder.remove() }
        let path = folder.path + "/s.sqlite"
        let writer = try OtherProcess(path)
        try writer.run("PRAGMA journal_mode = \(journalMode)")
        try writer.run(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT); "
                + "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) INSERT INTO t SELECT i, 'name ' || i FROM n"
        )
        if journalMode == "WAL" { try writer.run("PRAGMA wal_checkpoint(TRUNCATE)") }
        try writer.run("UPDATE t SET name = 'x' WHERE id = 3")
        let store = try SQLiteObjectStore.open(path: path)
        let paths = try [store.schema.keyPath("name", in: "t")]
        let request = FetchRequest(entityName: "t")
        let old = try #require(try store.versions(at: paths, of: request, progress: FetchProgress()))
        try writer.run("UPDATE t SET name = 'another' WHERE id = 12345")
        let new = try #require(try store.follow(nil, since: old, at: paths, of: request, progress: FetchProgress())).versions
        let ranges = try #require(new.ranges).differences(from: try #require(old.ranges))
        let read = (1...20000).filter { key in ranges.contains { $0.contains(Int64(key)) } }
        #expect(read.contains(12345))
        #expect(read.count < 1000)
    }

    /// What is neither a table of its own nor tables on a to-one path is read as a whole.
    @Test func onlyTablesHaveLeaves() throws {
        let folder = try TemporaryFolder()
        let path = try folder.database(
            """
            CREATE TABLE owner (id INTEGER PRIMARY KEY, title TEXT); \
            CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, owner_id INTEGER REFERENCES owner(id)); \
            CREATE TABLE keyed (code TEXT PRIMARY KEY, name TEXT) WITHOUT ROWID; CREATE VIEW seen AS SELECT * FROM item; \
            INSERT INTO owner VALUES (1,'a'); INSERT INTO item VALUES (1,'b',1); INSERT INTO keyed VALUES ('c','d')
            """)
        let store = try SQLiteObjectStore.open(path: path)
        for (entity, keyPath, hasLeaves) in [
            ("item", "name", true), ("item", "owner.title", true), ("keyed", "name", false), ("seen", "name", false),
        ] {
            let versions = try #require(
                try store.versions(
                    at: [store.schema.keyPath(keyPath, in: entity)], of: FetchRequest(entityName: entity),
                    progress: FetchProgress()))
            #expect(versions.count == 1)
            #expect((versions.ranges != nil) == hasLeaves, "\(entity).\(keyPath)")
        }
    }
}

import Foundation
import ObjectStore
import TestSupport
import Testing

@testable import SQLiteStores

/// What tells that a store, or a row, has changed.
struct VersionsTests {
    @Test func changesAreThoseOfAPlainComparison() {
        var random = SeededGenerator(seed: 9)
        for _ in 0..<300 {
            let old = Self.rows(&random)
            let new = Self.rows(&random)
            let changes = Self.versions(new).changes(since: Self.versions(old))
            #expect(Set(changes.inserted) == Set(new.keys).subtracting(old.keys))
            #expect(Set(changes.changed) == Set(new.keys.filter { old[$0] != nil && old[$0] != new[$0] }))
            #expect(changes.deleted == ContiguousArray(old.keys.filter { new[$0] == nil }.sorted()))
        }
    }

    private static func rows(_ random: inout SeededGenerator) -> [ObjectKey: UInt64] {
        var rows: [ObjectKey: UInt64] = [:]
        for _ in 0..<Int.random(in: 0...12, using: &random) {
            rows[ObjectKey.random(in: -3...12, using: &random)] = UInt64.random(in: 0...2, using: &random)
        }
        return rows
    }

    private static func versions(_ rows: [ObjectKey: UInt64]) -> RowVersions {
        var versions = RowVersions()
        for (key, version) in rows.sorted(by: { $0.key < $1.key }) { versions.append(key, version: version) }
        return versions
    }

    @Test(.enabled(if: OtherProcess.isThere), arguments: ["DELETE", "WAL"])
    func whatAWriterCommitsIsSeen(journalMode: String) throws {
        let folder = try TestSupport.TemporaryFolder()
        defer { folder.remove() }
        let path = folder.path + "/s.sqlite"
        let writer = try OtherProcess(path)
        try writer.run("PRAGMA journal_mode=\(journalMode)")
        try writer.run(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, other BLOB); INSERT INTO t VALUES (1,'a',x'00'),(2,'b',NULL),(5,NULL,1.5)"
        )
        let store = try SQLiteObjectStore.open(path: path)
        let paths = try ["name", "other"].map { try store.schema.keyPath($0, in: "t") }
        let request = FetchRequest(entityName: "t")
        func versions() throws -> RowVersions {
            try #require(try store.versions(at: paths, of: request, progress: FetchProgress()))
        }
        let first = try versions()
        let state = store.fileState()
        #expect(first.keys == [1, 2, 5])
        #expect(store.fileState() == state)
        // What is not committed is not seen.
        try writer.run("BEGIN; UPDATE t SET name = 'c' WHERE id = 2")
        #expect(store.fileState() == state)
        #expect(try versions() == first)
        try writer.run("COMMIT")
        #expect(store.fileState() != state)
        #expect(try versions().changes(since: first) == RowChanges(changed: [2]))
        try writer.run("UPDATE t SET other = 1 WHERE id = 5; DELETE FROM t WHERE id = 1; INSERT INTO t VALUES (9,'',NULL)")
        #expect(try versions().changes(since: first) == RowChanges(inserted: [9], changed: [2, 5], deleted: [1]))
        // An index changes the layout; pages that move do not.
        #expect(try store.refresh() == .same)
        try writer.run("VACUUM")
        #expect(try store.refresh() == .same)
        try writer.run("ALTER TABLE t ADD COLUMN more TEXT")
        #expect(try store.refresh() == .otherSchema)
    }

    @Test(.enabled(if: OtherProcess.isThere)) func aStoreIsOpenedAnewWhereItsSchemaChanged() throws {
        let folder = try TestSupport.TemporaryFolder()
        defer { folder.remove() }
        let path = folder.path + "/s.sqlite"
        let writer = try OtherProcess(path)
        try writer.run("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT)")
        let store = try ReopeningStore(.whenOutdated) { () throws(StoreError) in try SQLiteObjectStore.open(path: path) }
        try writer.run("CREATE INDEX i ON t (name)")
        #expect(try store.refresh() == .reopened)
        #expect(try store.refresh() == .same)
        try writer.run("CREATE TABLE u (id INTEGER PRIMARY KEY)")
        #expect(try store.refresh() == .otherSchema)
        #expect(store.schema.entity(named: "u") != nil)
        // Another store in its place.
        try writer.run("VACUUM INTO '\(path).new'")
        try FileManager.default.removeItem(atPath: path)
        #expect(store.fileState() == nil)
        try FileManager.default.moveItem(atPath: path + ".new", toPath: path)
        #expect(try store.refresh() == .reopened)
        #expect(try store.count(of: "t") == 0)
    }

    /// A store that is opened anew counts on: a commit that comes before its first count is not taken for the state before.
    @Test(.enabled(if: OtherProcess.isThere), arguments: ["DELETE", "WAL"])
    func noCommitIsLostWhenAStoreIsOpenedAnew(journalMode: String) throws {
        let folder = try TestSupport.TemporaryFolder()
        defer { folder.remove() }
        let path = folder.path + "/s.sqlite"
        let writer = try OtherProcess(path)
        try writer.run("PRAGMA journal_mode=\(journalMode); CREATE TABLE t (id INTEGER PRIMARY KEY); CREATE TABLE u (a)")
        let commits = CommitCounter()
        let store = try ReopeningStore(.whenOutdated) { () throws(StoreError) in
            try SQLiteObjectStore.open(path: path, commits: commits)
        }
        var states = [store.fileState()]
        for round in 0..<6 {
            try writer.run(round % 2 == 0 ? "DROP TABLE t" : "CREATE TABLE t (id INTEGER PRIMARY KEY)")
            states.append(store.fileState())
            #expect(try store.refresh() == .otherSchema)
            #expect((store.schema.entity(named: "t") != nil) == (round % 2 == 1))
            #expect(store.fileState() == states.last)
            // So many commits that counts from the beginning would meet those before.
            for _ in 0..<round { try writer.run("INSERT INTO u VALUES (1)") }
            if round > 0 { states.append(store.fileState()) }
        }
        for place in states.indices { #expect(states.firstIndex(of: states[place]) == place) }
    }
}

import Foundation
import ObjectStore
import TestSupport
import Testing

@testable import SQLiteStores

/// What has changed in a list over several tables is found in the leaves of all of them.
@Suite(.enabled(if: OtherProcess.isThere)) struct JoinedVersionsTests {
    private static let rows = 1500

    private static func change(_ random: inout SeededGenerator, hasLongRows: Bool) -> String {
        let key = Int.random(in: 1...rows, using: &random)
        let number = Int.random(in: 0...99, using: &random)
        return switch Int.random(in: hasLongRows ? 0...15 : 1...15, using: &random) {
        case 0: "UPDATE author SET name = '\(String(repeating: "long", count: 300))' WHERE id = \(number)"
        case 1: "UPDATE author SET name = 'other \(number)' WHERE id = \(number)"
        case 2: "DELETE FROM author WHERE id = \(number)"
        case 3: "INSERT OR IGNORE INTO author VALUES (\(number), 'again \(number)', \(number / 3))"
        case 4: "UPDATE author SET chiefId = \(number / 2) WHERE id = \(number)"
        case 5: "DELETE FROM book WHERE id = \(key)"
        default: "UPDATE book SET authorId = \(number), title = 'title \(number)' WHERE id = \(key)"
        }
    }

    /// The second path crosses the author's table twice.
    @Test(arguments: ["DELETE", "WAL"], [["author.name"], ["title", "author.name", "author.chief.name"]])
    func aFollowIsAPassOverAllRows(journalMode: String, texts: [String]) throws {
        var random = SeededGenerator(seed: UInt64(journalMode.count * 10 + texts.count))
        let folder = try TestSupport.TemporaryFolder()
        defer { folder.remove() }
        let path = folder.path + "/s.sqlite"
        let writer = try OtherProcess(path)
        try writer.run(
            """
            PRAGMA page_size = 1024; PRAGMA journal_mode = \(journalMode); PRAGMA synchronous = OFF;
            CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT, chiefId INTEGER REFERENCES author (id));
            CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, authorId INTEGER REFERENCES author (id));
            WITH n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 99) INSERT INTO author SELECT i, 'name ' || i, i / 2 FROM n;
            WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(Self.rows))
            INSERT INTO book SELECT i, 'title ' || i, i % 100 FROM n
            """)
        let store = try SQLiteObjectStore.open(path: path)
        let paths = try texts.map { try store.schema.keyPath($0, in: "book") }
        let request = FetchRequest(entityName: "book")
        func versions() throws -> RowVersions {
            try #require(try store.versions(at: paths, of: request, progress: FetchProgress()))
        }
        if journalMode == "WAL" {
            try writer.run("PRAGMA wal_checkpoint(TRUNCATE)")
            try writer.run("UPDATE book SET title = 'first' WHERE id = 1")
        }
        var old = try versions()
        var cheap = 0
        for step in 0..<60 {
            let statement = Self.change(&random, hasLongRows: step > 40)
            try writer.run(statement)
            let found = try #require(
                try store.follow(nil, since: old, at: paths, of: request, progress: FetchProgress()))
            let wanted = try versions()
            #expect(found.versions == wanted, "\(statement)")
            #expect(found.changes == wanted.changes(since: old), "\(statement)")
            if let ranges = found.versions.ranges, let before = old.ranges {
                let differences = ranges.differences(from: before)
                let read = wanted.keys.filter { key in differences.contains { $0.contains(key) } }
                if read.count < wanted.count / 2 { cheap += 1 }
            }
            old = found.versions
            if journalMode == "WAL", step % 4 == 3 {
                try writer.run("PRAGMA wal_checkpoint(TRUNCATE)")
                try writer.run("UPDATE book SET title = 'next' WHERE id = 1")
                old = try versions()
            }
        }
        #expect(cheap > 5)
    }
}

import CSQLite
import Foundation
import ObjectStore
import SQLiteStores
import Testing

/// Of a damaged store all is read that SQLite can still reach, and what is not is named.
@Suite struct DamageTests {
    /// Keys whose rows SQLite finds one by one.
    private func reachable(_ path: String, _ keys: ClosedRange<Int>) throws -> Set<ObjectKey> {
        let reader = try Writer(path)
        var found: Set<ObjectKey> = []
        for key in keys {
            var statement: OpaquePointer?
            guard sqlite3_prepare_v2(reader.handle, "SELECT v FROM t WHERE id = \(key)", -1, &statement, nil) == SQLITE_OK else {
                continue
            }
            if sqlite3_step(statement) == SQLITE_ROW { found.insert(ObjectKey(key)) }
            sqlite3_finalize(statement)
        }
        return found
    }

    /// Pages that are overwritten at random, several in one table.
    @Test(arguments: [UInt64(1), 2, 3, 4, 5, 6]) func severalBreaks(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder()
        let path = try folder.database(
            """
            PRAGMA page_size=512; CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) INSERT INTO t SELECT i, 'value ' || i FROM n;
            """)
        let whole = [UInt8](try #require(FileManager.default.contents(atPath: path)))
        for breaks in 1...5 {
            var bytes = whole
            // The first two pages are the schema's and the root.
            for _ in 0..<breaks {
                let page = Int.random(in: 2..<(bytes.count / 512), using: &generator)
                for offset in 0..<512 { bytes[page * 512 + offset] = UInt8.random(in: 128...255, using: &generator) }
            }
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            let wanted = try reachable(path, 1...2000)
            let store = try SQLiteObjectStore.open(path: path)
            let list = try store.list("t", sort: ["v"])
            #expect(wanted.subtracting(list.keys).sorted() == [], "breaks \(breaks)")
            #expect(Set(list.keys).subtracting(wanted).sorted() == [] && list.keys.count == Set(list.keys).count)
            #expect((list.fault != nil) == (wanted.count < 2000))
            let count = try store.readableCount(of: "t")
            #expect(!count.isWhole == (wanted.count < 2000) || count.count == 2000)
            let values = try store.column("v", of: list, in: "t")
            #expect(values == list.keys.map { .string("value \($0)") })
            // What a search looks through, and what a predicate leaves, is of the same rows.
            for receivers in [[TextLog()], [TextLog(), TextLog()]] {
                try store.scanTexts(
                    at: store.paths(["v"], in: "t"), of: FetchRequest(entityName: "t"), progress: FetchProgress(), into: receivers
                )
                let texts = receivers.flatMap(\.texts).sorted { $0.key < $1.key }
                #expect(texts.map(\.key) == wanted.sorted())
                #expect(texts.allSatisfy { $0.text == "value \($0.key)" })
            }
            let predicate = try PredicateFormat("v ENDSWITH '7'").resolve(in: store.schema, entityName: "t")
            let narrowed = try store.fetch(FetchRequest(entityName: "t", predicate: predicate), progress: FetchProgress())
            #expect(Set(narrowed.keys) == wanted.filter { $0 % 10 == 7 })
            #expect((narrowed.fault != nil) == (wanted.count < 2000))
        }
    }

    private final class TextLog: TextReceiver {
        var texts: [(key: ObjectKey, text: String)] = []

        func receive(_ text: UnsafeRawBufferPointer, of key: ObjectKey) -> Bool {
            texts.append((key, String(decoding: text, as: UTF8.self)))
            return true
        }
    }

    /// One value of a row that lies elsewhere is lost; the row and the others are not.
    @Test func oneValueIsLost() throws {
        let folder = try TemporaryFolder()
        let path = try folder.database(
            """
            PRAGMA page_size=512; CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT, long TEXT);
            INSERT INTO t VALUES (1, 'a', 'x'), (2, 'b', hex(zeroblob(4000))), (3, 'c', 'z');
            """)
        var bytes = [UInt8](try #require(FileManager.default.contents(atPath: path)))
        // An overflow page in the middle refers to a page that is not there.
        let page = 8
        for offset in 0..<4 { bytes[page * 512 + offset] = 0xFF }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let store = try SQLiteObjectStore.open(path: path)
        let paths = try store.paths(["v", "long"], in: "t")
        let typed = try store.values(at: paths, of: [1, 2, 3], in: "t", as: .typed)
        #expect(typed == [[.string("a"), .string("x")], [.string("b"), .null], [.string("c"), .string("z")]])
        #expect(store.takeDamage().map(\.place) == ["t/2 long"])
        #expect(store.takeDamage().isEmpty)
        // For people the place says so itself.
        let shown = try store.values(at: paths, of: [2], in: "t", as: .excerpt)
        #expect(shown == [[.string("b"), .string("(damaged, cannot be read)")]])
    }

    // MARK: Writers that wait

    private static let slow = """
        CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT); INSERT INTO t VALUES (1, 'a'), (2, 'b');
        CREATE VIEW slow AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000000)
          SELECT v, (SELECT count(*) FROM n) AS c FROM t;
        """

    private func namelessFiles() -> Int {
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return descriptors.count { name in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + name)
            return target?.hasSuffix("(deleted)") == true
        }
    }

    /// In rollback mode a view that takes its time is read in a copy, which is made anew when the store has changed.
    @Test func whatTakesLongIsReadInACopy() throws {
        let folder = try TemporaryFolder()
        let path = try folder.database(DamageTests.slow)
        let store = try SQLiteObjectStore.open(path: path)
        let before = try folder.state()
        let list = try store.list("slow", sort: ["v"])
        #expect(try store.column("v", of: list, in: "slow") == [.string("a"), .string("b")])
        #expect(try store.column("c", of: list, in: "slow") == [.integer(4_000_000), .integer(4_000_000)])
        #expect(namelessFiles() > 0)
        #expect(try folder.state() == before)
        try Writer(path).run("INSERT INTO t VALUES (3, 'c'); DELETE FROM t WHERE id = 1")
        let changed = try store.list("slow", sort: ["v"])
        #expect(try store.column("v", of: changed, in: "slow") == [.string("b"), .string("c")])
        #expect(try store.count(of: "slow") == 2)
    }
}

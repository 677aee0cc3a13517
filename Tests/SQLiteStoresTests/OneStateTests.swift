import Foundation
import ObjectStore
import SQLiteStores
import Testing

/// A report is of one committed state, whoever writes between its readings.
struct OneStateTests {
    private static let options = StoreOptions(readsOneState: true)

    @Test(.enabled(if: OtherProcess.isThere), arguments: ["DELETE", "WAL", "WAL at rest", "TRUNCATE"])
    func nothingChangesBetweenReadings(_ mode: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.database(
            """
            PRAGMA journal_mode=\(mode.prefix { $0 != " " }); CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER);
            CREATE VIEW w AS SELECT v FROM t;
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) INSERT INTO t SELECT i, 1 FROM n;
            """)
        // One that has the store open keeps its log there.
        let writer = try mode == "WAL" ? OtherProcess(path) : nil
        try writer?.run("UPDATE t SET v = 1 WHERE id = 1")
        let store = try SQLiteObjectStore.open(path: path, options: Self.options)
        let other = try writer ?? OtherProcess(path)
        #expect(try store.count(of: "t") == 5000)
        try other.run("DELETE FROM t WHERE id % 3 = 0; UPDATE t SET v = 2; INSERT INTO t SELECT id + 10000, 2 FROM t LIMIT 7")
        let list = try store.fetch(FetchRequest(entityName: "t"), progress: FetchProgress())
        #expect(list.keys == ContiguousArray(1...5000))
        try other.run("DELETE FROM t; PRAGMA wal_checkpoint")
        let path1 = try store.schema.keyPath("v", in: "t")
        #expect(try store.column("v", of: list, in: "t") == Array(repeating: .integer(1), count: 5000))
        let rows = try store.values(at: [path1], of: Array(list.keys), in: "t", as: .typed, upTo: .max)
        #expect(rows?.allSatisfy { $0 == [.integer(1)] } == true && rows?.count == 5000)
        #expect(try store.count(of: "w") == 5000)
        #expect(try store.fetch(FetchRequest(entityName: "w"), progress: FetchProgress()).keys.count == 5000)
        #expect(store.hasKeptState)
        let now = try SQLiteObjectStore.open(path: path, options: Self.options)
        #expect(try now.count(of: "t") == 0)
    }

    /// What is shown follows its file; the report made of it does not.
    @Test(.enabled(if: OtherProcess.isThere), arguments: ["DELETE", "WAL"])
    func aReportOfWhatIsShownIsOfOneState(_ mode: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.database(
            "PRAGMA journal_mode=\(mode); CREATE TABLE t (id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, 'a'), (2, 'b');")
        let other = try OtherProcess(path)
        try other.run("UPDATE t SET v = v")
        let shown = try SQLiteObjectStore.open(path: path)
        let report = try shown.ofOneState()
        try other.run("DELETE FROM t WHERE id = 1; UPDATE t SET v = 'c'")
        let keyPath = try shown.schema.keyPath("v", in: "t")
        #expect(try shown.values(at: [keyPath], of: [1, 2], in: "t", as: .typed) == [nil, [.string("c")]])
        #expect(try report.values(at: [keyPath], of: [1, 2], in: "t", as: .typed) == [[.string("a")], [.string("b")]])
        #expect(report.hasKeptState)
    }

    /// Rows of a page of which the file has only a part are not made up, and those that are there are not lost.
    @Test(arguments: [1100, 2599, 3000, 4095, 5001, 5600]) func aPageWithoutItsEndHasNoOtherRows(size: Int) throws {
        let folder = try TemporaryFolder()
        let path = try folder.database(
            """
            PRAGMA page_size=512; CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) INSERT INTO t SELECT i, 'value ' || i FROM n;
            """)
        let whole = try #require(FileManager.default.contents(atPath: path))
        func rows(_ size: Int) throws -> Set<ObjectKey> {
            try whole.prefix(size).write(to: URL(fileURLWithPath: path))
            let store = try SQLiteObjectStore.open(path: path)
            #expect(store.schema.isDamaged)
            guard let list = try? store.list("t", sort: ["v"]) else { return [] }
            #expect(try store.column("v", of: list, in: "t") == list.keys.map { .string("value \($0)") })
            return Set(list.keys)
        }
        let page = size - size % 512
        let (before, found, after) = try (rows(page), rows(size), rows(page + 512))
        #expect(before.isSubset(of: found) && found.isSubset(of: after))
        // What is whole: the text's end lies within the file.
        for key in after.subtracting(before) {
            let range = whole[page..<(page + 512)].firstRange(of: Data("value \(key)".utf8))
            #expect(found.contains(key) == ((range?.upperBound ?? .max) <= size), "row \(key)")
        }
    }

    @Test func sumsThatAreTooLargeAreReal() throws {
        let folder = try TemporaryFolder()
        let path = try folder.database(
            """
            CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (id INTEGER PRIMARY KEY, p_id INT REFERENCES p(id), v);
            INSERT INTO p VALUES (1), (2), (3), (4), (5);
            INSERT INTO c (p_id, v) VALUES (1, 9223372036854775807), (1, 5), (2, 9223372036854775807), (2, 5), (2, -6),
                (3, 0.1), (3, 0.2), (3, 9007199254740993), (4, NULL);
            """)
        let store = try SQLiteObjectStore.open(path: path)
        let list = try store.list("p", sort: ["c.@sum.v"])
        #expect(list.keys == [4, 5, 3, 2, 1])
        #expect(
            try store.column("c.@sum.v", of: list, in: "p")
                == [.integer(0), .integer(0), .double(9_007_199_254_740_993.3), .integer(.max - 1), .double(0x1p63)])
    }

    /// SQLite gives no more than 2000 columns at once.
    @Test func anEntityMayHaveManyColumns() throws {
        let folder = try TemporaryFolder()
        let columns = (0..<2000).map { "c\($0)" }.joined(separator: ", ")
        let values = (0..<2000).map(String.init).joined(separator: ", ")
        let path = try folder.database("CREATE TABLE t (\(columns)); INSERT INTO t VALUES (\(values));")
        let store = try SQLiteObjectStore.open(path: path)
        let paths = try (0..<2000).map { try store.schema.keyPath("c\($0)", in: "t") }
        let wanted: [[Value]?] = [(0..<2000).map { .integer(Int64($0)) }, nil]
        #expect(try store.values(at: paths, of: [1, 2], in: "t", as: .typed) == wanted)
        #expect(try store.values(at: paths, of: [1, 2], in: "t", as: .typed, upTo: 1 << 20) == wanted)
    }

    @Test func theFirstUniqueKeyNamesTheRow() throws {
        let folder = try TemporaryFolder()
        let path = try folder.database(
            "CREATE TABLE t (a TEXT NOT NULL UNIQUE, b TEXT NOT NULL UNIQUE); INSERT INTO t VALUES ('x', 'y')")
        #expect(try SQLiteObjectStore.open(path: path).uri(of: ObjectID(entityName: "t", key: 1)) == "t/x")
    }

    /// Such rows are listed, and it is said that Core Data would not.
    @Test(arguments: [true, false]) func rowsOfNoEntityAreSaid(isIndexed: Bool) throws {
        let folder = try TemporaryFolder()
        let path = try folder.database(
            """
            CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
            CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
            INSERT INTO Z_METADATA VALUES (1, 'ID', NULL);
            INSERT INTO Z_PRIMARYKEY VALUES (1, 'Animal', 0, 5), (2, 'Owner', 0, 1), (3, 'Cat', 1, 0);
            CREATE TABLE ZANIMAL (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
            CREATE TABLE ZOWNER (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
            INSERT INTO ZANIMAL VALUES (1, 1, 1, 'a'), (2, 3, 1, 'b'), (3, NULL, 1, 'c'), (4, 77, 1, 'd'), (5, 2, 1, 'e');
            INSERT INTO ZOWNER VALUES (1, 2, 1, 'o');
            """ + (isIndexed ? "CREATE INDEX ZANIMAL_Z_ENT_INDEX ON ZANIMAL (Z_ENT);" : ""))
        let store = try SQLiteObjectStore.open(path: path)
        #expect(try store.count(of: "Animal") == 5)
        #expect(
            store.schema.warnings.filter { $0.contains("Z_ENT") } == [
                "3 rows of ZANIMAL belong to no entity by Z_ENT: they are listed as “Animal”, but Core Data would not show them."
            ])
        #expect(try store.lateWarnings(progress: FetchProgress()).isEmpty)
    }

    /// A large table is looked through later, and then to its end.
    @Test func rowsOfNoEntityInALargeTable() throws {
        let folder = try TemporaryFolder()
        let path = try folder.database(
            """
            CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
            CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
            INSERT INTO Z_METADATA VALUES (1, 'ID', NULL);
            INSERT INTO Z_PRIMARYKEY VALUES (1, 'Animal', 0, 5);
            CREATE TABLE ZANIMAL (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000)
                INSERT INTO ZANIMAL SELECT i * 100, iif(i % 4500 = 0, 7, 1), 1, 'a' FROM n;
            INSERT INTO ZANIMAL VALUES (-5, NULL, 1, 'b'), (9223372036854775807, NULL, 1, 'c');
            """)
        let store = try SQLiteObjectStore.open(path: path)
        #expect(!store.schema.warnings.contains { $0.contains("Z_ENT") })
        let warning =
            "4 rows of ZANIMAL belong to no entity by Z_ENT: they are listed as “Animal”, but Core Data would not show them."
        #expect(try store.lateWarnings(progress: FetchProgress()) == [warning])
        #expect(try store.ofOneState().schema.warnings.contains(warning))
        let cancelled = FetchProgress()
        cancelled.cancel()
        #expect(throws: StoreError.self) { try store.lateWarnings(progress: cancelled) }
    }
}

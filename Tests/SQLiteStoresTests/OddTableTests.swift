import Foundation
import ObjectStore
import SQLiteStores
import Testing

/// Tables and files that are allowed, and seldom meant.
@Suite struct OddTableTests {
    private func open(_ sql: String) throws -> (TemporaryFolder, SQLiteObjectStore) {
        let folder = try TemporaryFolder()
        return (folder, try SQLiteObjectStore.open(path: folder.database(sql)))
    }

    private static let endless =
        "CREATE VIEW endless AS WITH RECURSIVE x(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM x) SELECT n FROM x;"

    @Test func anEndlessViewIsGivenUpByItself() throws {
        let (folder, store) = try open("CREATE TABLE t (id); INSERT INTO t VALUES (1);" + Self.endless)
        #expect(throws: StoreError(file: store.name, cause: .takesTooLong)) {
            try store.readableCount(of: "endless", within: 0.01)
        }
        #expect(try store.readableCount(of: "t", within: 0.01).count == 1)
        withExtendedLifetime(folder) {}
    }

    @Test func aColumnWithoutANameHasOne() throws {
        let (folder, store) = try open(
            "CREATE TABLE t (value TEXT, \"\" TEXT); INSERT INTO t VALUES ('a', 'b');")
        #expect(store.schema.entities.first?.attributes.map(\.name) == ["value", "value2"])
        let list = try store.list("t", sort: ["value2"])
        #expect(try store.column("value2", of: list, in: "t") == [.string("b")])
        withExtendedLifetime(folder) {}
    }

    @Test func everyRowHasAnotherURI() throws {
        let (folder, store) = try open(
            """
            CREATE TABLE t (k TEXT PRIMARY KEY); INSERT INTO t VALUES (NULL), (NULL), ('');
            CREATE TABLE u (k NOT NULL UNIQUE);
            INSERT INTO u VALUES (1), ('1'), (x'31'), ('x31'), ('''1'''), (0.3), (0.30000000000000004), (x''), ('x'), ('x'''''),
                (CAST(x'FF' AS TEXT)), (CAST(x'FE' AS TEXT)), ('%FF');
            """)
        for (entity, count) in [("t", 3), ("u", 13)] {
            let keys = Array(try store.list(entity).keys)
            let uris = keys.map { store.uri(of: ObjectID(entityName: entity, key: $0)) }
            #expect(uris.count == count && Set(uris).count == count, "\(uris)")
            let many = store.uris(of: keys, in: entity)
            #expect(zip(keys, keys.indices).map { many.uri(at: $1, key: $0) } == uris)
        }
        #expect(store.uri(of: ObjectID(entityName: "t", key: 2)) == "t/rowid:2")
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: [UInt8(0), 0x5A]) func aJournalLeftBesideALogStore(byte: UInt8) throws {
        let folder = try TemporaryFolder()
        let path = try folder.database("PRAGMA journal_mode=WAL; CREATE TABLE t (id); INSERT INTO t VALUES (1);")
        try Data(repeating: byte, count: 512).write(to: URL(fileURLWithPath: path + "-journal"))
        let before = try folder.state()
        #expect(try SQLiteObjectStore.open(path: path).count(of: "t") == 1)
        #expect(try folder.state() == before)
    }
}

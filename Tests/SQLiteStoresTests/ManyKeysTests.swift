import Foundation
import ObjectStore
import SQLiteStores
import Testing

/// Values and names of many objects at once: the same as one by one, and in few statements.
@Suite struct ManyKeysTests {
    static let count = 5000

    /// Shared tables with sub-entities, text keys, a table without rowid, and texts.
    private func store(_ folder: TemporaryFolder) throws -> SQLiteObjectStore {
        let numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(ManyKeysTests.count))"
        return try SQLiteObjectStore.open(
            path: folder.database(
                """
                PRAGMA synchronous=OFF;
                CREATE TABLE plain (id INTEGER PRIMARY KEY, name TEXT, bytes BLOB);
                CREATE TABLE keyed (code TEXT PRIMARY KEY NOT NULL, name TEXT);
                CREATE TABLE packed (a TEXT NOT NULL, b INTEGER NOT NULL, name TEXT, PRIMARY KEY (a, b)) WITHOUT ROWID;
                \(numbers) INSERT INTO plain SELECT i * 3, 'name ' || i, zeroblob(i % 7) FROM n;
                \(numbers) INSERT INTO keyed SELECT 'k/' || i, 'name ' || i FROM n;
                \(numbers) INSERT INTO packed SELECT 'x' || (i % 10), i, 'name ' || i FROM n;
                """))
    }

    private func coreData(_ folder: TemporaryFolder) throws -> SQLiteObjectStore {
        let numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(ManyKeysTests.count))"
        return try SQLiteObjectStore.open(
            path: folder.database(
                "core.sqlite",
                """
                PRAGMA synchronous=OFF;
                CREATE TABLE ZBASE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
                CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
                CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
                INSERT INTO Z_METADATA VALUES (1, 'U', NULL);
                INSERT INTO Z_PRIMARYKEY VALUES (1, 'Base', 0, 9), (2, 'Left', 1, 0), (3, 'Right', 1, 0);
                \(numbers) INSERT INTO ZBASE SELECT i, 1 + i % 3, 1, 'name ' || i FROM n;
                """))
    }

    /// Keys in no order, one of them twice and some of objects that are not there.
    private func keys(of fetched: FetchedObjects) -> [ObjectKey] {
        var generator = SeededGenerator(seed: 3)
        return (Array(fetched.keys) + [fetched.keys[0], -7, 1_000_000]).shuffled(using: &generator)
    }

    @Test(arguments: [1, 600, 2500, ManyKeysTests.count + 3]) func valuesInAnyNumber(count: Int) throws {
        let folder = try TemporaryFolder()
        for store in [try store(folder), try coreData(folder)] {
            for entity in store.schema.entities.map(\.name) {
                let keys = Array(keys(of: try store.list(entity)).prefix(count))
                let paths = try store.paths(["name"], in: entity)
                let plain = try keys.map { try store.values(at: paths, of: [$0], in: entity, as: .typed)[0] }
                #expect(try store.values(at: paths, of: keys, in: entity, as: .typed, upTo: .max) == plain, "\(entity)")
                let uris = store.uris(of: keys, in: entity)
                let expected = keys.map { store.uri(of: ObjectID(entityName: entity, key: $0)) }
                #expect(keys.enumerated().map { uris.uri(at: $0, key: $1) } == expected, "\(entity)")
            }
        }
    }

    @Test func aStatementForAThousandKeys() throws {
        let folder = try TemporaryFolder()
        let store = try store(folder)
        let keys = Array(try store.list("plain").keys)
        let paths = try store.paths(["name", "bytes"], in: "plain")
        let before = try store.statementCount()
        _ = try store.values(at: paths, of: keys, in: "plain", as: .typed, upTo: .max)
        _ = store.uris(of: keys, in: "plain")
        // Three for each of two readers; a key that is the row's own names it without one.
        #expect(try store.statementCount() - before == 6)
    }

    @Test(arguments: ["plain", "packed"]) func tooManyBytesAreNotHeld(entity: String) throws {
        let folder = try TemporaryFolder()
        let store = try store(folder)
        let keys = Array(try store.list(entity).keys)
        let paths = try store.paths(["name"], in: entity)
        #expect(try store.values(at: paths, of: keys, in: entity, as: .typed, upTo: 1000) == nil)
        #expect(try store.values(at: paths, of: keys, in: entity, as: .typed, upTo: 200_000)?.count == keys.count)
    }
}

import Foundation
import ObjectStore
import SQLiteStores
import Testing

/// Damaged and hostile files end in errors or in what can be read; never in a trap, never in a change.
@Suite struct HostileStoreTests {
    private static let coreData = """
        PRAGMA page_size=512;
        CREATE TABLE ZEVENT (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTYPE INTEGER, ZNAME VARCHAR, ZDATA BLOB);
        CREATE TABLE ZTYPE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
        CREATE INDEX ZEVENT_ZTYPE_INDEX ON ZEVENT (ZTYPE);
        CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
        CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
        INSERT INTO Z_PRIMARYKEY VALUES (1, 'Event', 0, 2), (2, 'Type', 0, 2);
        INSERT INTO Z_METADATA VALUES (1, '6C9A', NULL);
        INSERT INTO ZTYPE VALUES (1, 2, 1, 'red'), (2, 2, 1, 'blue');
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
        INSERT INTO ZEVENT SELECT i, 1, 1, i % 2 + 1, 'name ' || i, zeroblob(i * 7 % 40) FROM n;
        """

    /// Opens and reads everything there is.
    private func readAll(_ path: String) {
        guard let store = try? SQLiteObjectStore.open(path: path) else { return }
        for entity in store.schema.entities.prefix(20) {
            _ = try? store.count(of: entity.name)
            let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
            let list = try? store.list(entity.name, sort: Array(names.prefix(1)), section: names.last)
            guard let list, let paths = try? store.paths(names, in: entity.name) else { continue }
            #expect(list.sections.reduce(0) { $0 + $1.count } == list.keys.count)
            _ = try? store.values(at: paths, of: Array(list.keys.prefix(100)), in: entity.name, as: .typed)
            if let key = list.keys.first { _ = store.uri(of: ObjectID(entityName: entity.name, key: key)) }
        }
    }

    @Test(arguments: [UInt64(1), 2, 3, 4]) func mutatedDatabases(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder()
        let plain = """
            CREATE TABLE a (id INTEGER PRIMARY KEY, t TEXT, b_id INTEGER REFERENCES b); CREATE TABLE b (k TEXT PRIMARY KEY, v) WITHOUT ROWID;
            CREATE VIEW v AS SELECT * FROM a; INSERT INTO a VALUES (1, 'x', 'k'), (2, 'y', NULL); INSERT INTO b VALUES ('k', 1);
            """
        let path = try folder.database(seed % 2 == 0 ? plain : HostileStoreTests.coreData)
        let whole = [UInt8](try #require(FileManager.default.contents(atPath: path)))
        for _ in 0..<500 {
            var bytes = whole
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: bytes.removeLast(Int.random(in: 1..<bytes.count, using: &generator))
            case 1:
                // The header and the schema page decide most.
                for _ in 0..<4 {
                    bytes[Int.random(in: 16..<612, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
                }
            default:
                for _ in 0..<Int.random(in: 1...12, using: &generator) {
                    bytes[Int.random(in: 16..<bytes.count, using: &generator)] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
                }
            }
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            readAll(path)
            #expect(FileManager.default.contents(atPath: path) == Data(bytes))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["store.sqlite"])
    }

    @Test func mutatedLogs() throws {
        var generator = SeededGenerator(seed: 5)
        let live = try TemporaryFolder()
        let folder = try TemporaryFolder()
        let writer = try Writer(live.file("store.sqlite"))
        try writer.run("PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0;" + HostileStoreTests.coreData)
        let main = try #require(FileManager.default.contents(atPath: live.file("store.sqlite")))
        let log = [UInt8](try #require(FileManager.default.contents(atPath: live.file("store.sqlite-wal"))))
        for round in 0..<60 {
            var bytes = log
            for _ in 0..<4 {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            if round % 5 == 0 { bytes.removeLast(Int.random(in: 1..<bytes.count, using: &generator)) }
            try main.write(to: URL(fileURLWithPath: folder.file("store.sqlite")))
            try Data(bytes).write(to: URL(fileURLWithPath: folder.file("store.sqlite-wal")))
            let before = try folder.state()
            readAll(folder.file("store.sqlite"))
            #expect(try folder.state() == before)
        }
        withExtendedLifetime(writer) {}
    }

    @Test func rowsBeforeAndBehindADamagedPageAreShown() throws {
        let folder = try TemporaryFolder()
        let path = try folder.database(
            """
            PRAGMA page_size=512; CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400) INSERT INTO t SELECT i, 'value ' || i FROM n;
            """)
        var bytes = [UInt8](try #require(FileManager.default.contents(atPath: path)))
        // A leaf in the middle becomes garbage.
        let page = bytes.count / 512 / 2
        for offset in 0..<512 { bytes[page * 512 + offset] = 0xFF }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let store = try SQLiteObjectStore.open(path: path)
        let list = try store.list("t", sort: ["v"])
        #expect({ if case .corrupt? = list.fault?.cause { true } else { false } }())
        #expect(list.keys.contains(1) && list.keys.contains(400) && list.keys.count > 350 && list.keys.count < 400)
        #expect(Set(list.keys).count == list.keys.count)
        // The shorter file says so when it is opened.
        try Data(bytes.dropLast(1024)).write(to: URL(fileURLWithPath: path))
        let cut = try SQLiteObjectStore.open(path: path)
        #expect(cut.schema.warnings == ["The file is damaged: it has \(bytes.count - 1024) of \(bytes.count) bytes."])
        let rest = try cut.list("t")
        #expect(rest.fault != nil && rest.keys.contains(1) && !rest.keys.contains(400))
    }

    @Test func viewsInACoreDataStoreAreNotRun() throws {
        let folder = try TemporaryFolder()
        let path = try folder.database(
            """
            CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
            CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
            INSERT INTO Z_PRIMARYKEY VALUES (1, 'Event', 0, 2), (2, 'Loop', 3, 0), (3, 'Pool', 2, 0);
            CREATE VIEW ZEVENT AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS Z_PK, 1 AS Z_ENT FROM n;
            """)
        let store = try SQLiteObjectStore.open(path: path)
        #expect(try store.list("Event").keys.isEmpty)
        #expect(store.schema.entities.map(\.name) == ["Event", "Loop", "Pool"])
    }
}

import CSQLite
import Foundation
import Glibc
import ObjectStore
@testable import SQLiteStores
import Testing

/// SPEC section 6: looking changes nothing, whatever lies beside the store.
@Suite struct OpeningTests {
    private static let schema = """
        CREATE TABLE ZEVENT (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
        CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
        CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
        INSERT INTO Z_PRIMARYKEY VALUES (1, 'Event', 0, 2);
        INSERT INTO Z_METADATA VALUES (1, '6C9A', NULL);
        INSERT INTO ZEVENT VALUES (1, 1, 1, 'one'), (2, 1, 1, 'two');
        """

    private func names(_ path: String) throws -> [Value] {
        let store = try SQLiteObjectStore.open(path: path)
        let list = try store.list("Event", sort: ["name"])
        let values = try store.column("name", of: list, in: "Event")
        #expect(try store.count(of: "Event") == values.count)
        return values
    }

    private func expectUntouched(_ folder: TemporaryFolder, _ expected: [String], _ name: String = "store.sqlite") throws {
        let before = try folder.state()
        #expect(try names(folder.file(name)) == expected.map { .string($0) })
        #expect(try folder.state() == before)
    }

    @Test func rollbackModeAtRest() throws {
        let folder = try TemporaryFolder()
        try folder.database(OpeningTests.schema)
        try expectUntouched(folder, ["one", "two"])
    }

    @Test(arguments: [
        "a b.sqlite", "what?.db", "50%.db", "#1.db", "Ünï 東.store", "a'b\"c.db", "file:x?mode=rw.db", "new\nline.db",
    ])
    func oddNames(_ name: String) throws {
        let folder = try TemporaryFolder()
        try folder.database(name, OpeningTests.schema)
        try expectUntouched(folder, ["one", "two"], name)
    }

    @Test func logModeAtRestWithoutLog() throws {
        let folder = try TemporaryFolder()
        try folder.database("PRAGMA journal_mode=WAL;" + OpeningTests.schema)
        #expect(try folder.state().count == 1)
        try expectUntouched(folder, ["one", "two"])
        // An empty log, as a clean shutdown of some versions leaves it.
        #expect(FileManager.default.createFile(atPath: folder.file("store.sqlite-wal"), contents: Data()))
        try expectUntouched(folder, ["one", "two"])
    }

    @Test func readOnlyFolder() throws {
        let folder = try TemporaryFolder()
        try folder.database("PRAGMA journal_mode=WAL;" + OpeningTests.schema)
        chmod(folder.path, 0o500)
        defer { chmod(folder.path, 0o700) }
        try expectUntouched(folder, ["one", "two"])
    }

    @Test(.enabled(if: OtherProcess.isThere)) func liveWriterWithLog() throws {
        let folder = try TemporaryFolder()
        let writer = try OtherProcess(folder.file("store.sqlite"))
        try writer.run("PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0;" + OpeningTests.schema)
        try expectUntouched(folder, ["one", "two"])
        let store = try SQLiteObjectStore.open(path: folder.file("store.sqlite"))
        try writer.run("INSERT INTO ZEVENT VALUES (3, 1, 1, 'three')")
        let before = try folder.state()
        #expect(try store.count(of: "Event") == 3)
        #expect(try folder.state() == before)
        // The writer is not held up, not even by a checkpoint.
        try writer.run("BEGIN IMMEDIATE; DELETE FROM ZEVENT WHERE Z_PK = 3; COMMIT; PRAGMA wal_checkpoint(TRUNCATE)")
        #expect(try store.count(of: "Event") == 2)
        try writer.run("INSERT INTO ZEVENT VALUES (4, 1, 1, 'four')")
        writer.kill()
        // What the killed writer left is read where it lies, and stays as it is.
        let left = try folder.state()
        #expect(left.keys.sorted() == ["store.sqlite", "store.sqlite-shm", "store.sqlite-wal"])
        #expect(try store.count(of: "Event") == 3)
        try expectUntouched(folder, ["four", "one", "two"])
    }

    @Test(arguments: [true, false]) func logLeftByAKilledWriter(keepsIndex: Bool) throws {
        let live = try TemporaryFolder()
        let folder = try TemporaryFolder()
        let writer = try Writer(live.file("store.sqlite"))
        try writer.run("PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0;" + OpeningTests.schema)
        for suffix in keepsIndex ? ["", "-wal", "-shm"] : ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: live.file("store.sqlite" + suffix), toPath: folder.file("store.sqlite" + suffix))
        }
        try expectUntouched(folder, ["one", "two"])
        withExtendedLifetime(writer) {}
    }

    @Test func hotJournalIsRolledBackInACopy() throws {
        let live = try TemporaryFolder()
        let folder = try TemporaryFolder()
        try live.database(OpeningTests.schema)
        let writer = try Writer(live.file("store.sqlite"))
        // A small cache spills changed pages into the file before the end of the transaction.
        try writer.run(
            """
            PRAGMA cache_size=1; PRAGMA cache_spill=1; BEGIN; UPDATE ZEVENT SET ZNAME = 'uncommitted';
            WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
            INSERT INTO ZEVENT SELECT i, 1, 1, hex(randomblob(40)) FROM n;
            """)
        for suffix in ["", "-journal"] {
            try FileManager.default.copyItem(
                atPath: live.file("store.sqlite" + suffix), toPath: folder.file("store.sqlite" + suffix))
        }
        try expectUntouched(folder, ["one", "two"])
        try writer.run("ROLLBACK")
    }

    /// `journal_mode=PERSIST` leaves a journal whose head is zero: it holds nothing.
    @Test func journalOfAnEndedTransactionIsNone() throws {
        let folder = try TemporaryFolder()
        let path = try folder.database("PRAGMA journal_mode=PERSIST;" + OpeningTests.schema)
        #expect(try folder.state()["store.sqlite-journal"]?.bytes?.isEmpty == false)
        let file = try StoreFile(examining: path)
        #expect(file.opening(file.stamps()) == .readOnly)
        try expectUntouched(folder, ["one", "two"])
    }

    /// To root SQLite would give what lies beside a database to the database's owner, and an empty file its rights.
    @Test(.enabled(if: geteuid() == 0), arguments: ["PERSIST", "WAL", "WAL without rows"])
    func ownersAndRightsStay(mode: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("store.sqlite")
        let writer = try OtherProcess(path)
        try writer.run("PRAGMA journal_mode=\(mode.prefix { $0 != " " }); PRAGMA wal_autocheckpoint=0;" + OpeningTests.schema)
        if mode == "WAL without rows" { try writer.run("PRAGMA wal_checkpoint(TRUNCATE)") }
        for (number, name) in try folder.state().keys.sorted().enumerated() {
            #expect(chown(folder.file(name), 1 + UInt32(number), 1 + UInt32(number)) == 0)
            #expect(chmod(folder.file(name), number == 0 ? 0o644 : 0o600) == 0)
        }
        #expect(try folder.state().count == (mode == "PERSIST" ? 2 : 3))
        try expectUntouched(folder, ["one", "two"])
        writer.kill()
    }

    @Test func copiesLeaveNothingBehind() throws {
        let live = try TemporaryFolder()
        let folder = try TemporaryFolder()
        let writer = try Writer(live.file("store.sqlite"))
        try writer.run("PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0;" + OpeningTests.schema)
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: live.file("store.sqlite" + suffix), toPath: folder.file("store.sqlite" + suffix))
        }
        let store = try SQLiteObjectStore.open(path: folder.file("store.sqlite"))
        // Copies have no name, while the store is open as before: what this process has open can be found by no path.
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        let targets = descriptors.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
        #expect(targets.contains { $0.hasSuffix(" (deleted)") })
        #expect(!targets.contains { $0.contains("/tlbrowse-") && !$0.hasSuffix(" (deleted)") })
        #expect(try store.count(of: "Event") == 2)
        withExtendedLifetime(writer) {}
    }

    @Test func anotherWriterIsSeenAfterImmutableOpening() throws {
        let folder = try TemporaryFolder()
        let path = try folder.database("PRAGMA journal_mode=WAL;" + OpeningTests.schema)
        let store = try SQLiteObjectStore.open(path: path)
        #expect(try store.count(of: "Event") == 2)
        let writer = try Writer(path)
        try writer.run("INSERT INTO ZEVENT VALUES (3, 1, 1, 'three')")
        #expect(try store.count(of: "Event") == 3)
        try writer.run("PRAGMA wal_checkpoint(TRUNCATE); DELETE FROM ZEVENT")
        #expect(try store.count(of: "Event") == 0)
    }

    @Test func busyStoreIsSaid() throws {
        let folder = try TemporaryFolder()
        let path = try folder.database(OpeningTests.schema)
        let writer = try Writer(path)
        try writer.run("BEGIN EXCLUSIVE")
        #expect(throws: StoreError(file: path, cause: .busy)) { try SQLiteObjectStore.open(path: path) }
        try writer.run("ROLLBACK")
        #expect(try names(path).count == 2)
    }

    @Test func nothingIsHeldBetweenReadings() throws {
        let folder = try TemporaryFolder()
        let path = try folder.database(OpeningTests.schema)
        let store = try SQLiteObjectStore.open(path: path)
        let writer = try Writer(path)
        func expectFree() throws { try writer.run("BEGIN EXCLUSIVE; UPDATE ZEVENT SET Z_OPT = Z_OPT + 1; COMMIT") }
        try expectFree()
        let list = try store.list("Event", sort: ["name"], section: "nameFirstLetter")
        try expectFree()
        #expect(try store.column("name", of: list, in: "Event").count == 2)
        try expectFree()
        #expect(try store.count(of: "Event") == 2 && store.uri(of: ObjectID(entityName: "Event", key: 1)).hasSuffix("/Event/p1"))
        try expectFree()
        _ = try? store.list("Event", sort: ["z_opt"])
        try expectFree()
    }

    @Test func writerThatCrashesWhileTheStoreIsOpen() throws {
        let live = try TemporaryFolder()
        let folder = try TemporaryFolder()
        let path = try folder.database(OpeningTests.schema)
        try FileManager.default.copyItem(atPath: path, toPath: live.file("store.sqlite"))
        let store = try SQLiteObjectStore.open(path: path)
        #expect(try store.count(of: "Event") == 2)
        let writer = try Writer(live.file("store.sqlite"))
        try writer.run(
            """
            PRAGMA cache_size=1; PRAGMA cache_spill=1; BEGIN; UPDATE ZEVENT SET ZNAME = 'uncommitted';
            WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
            INSERT INTO ZEVENT SELECT i, 1, 1, hex(randomblob(40)) FROM n;
            """)
        // Written in place: the same file, as after the crash of a writer on this machine.
        let half = try #require(FileManager.default.contents(atPath: live.file("store.sqlite")))
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.write(contentsOf: half)
        try handle.close()
        try FileManager.default.copyItem(atPath: live.file("store.sqlite-journal"), toPath: folder.file("store.sqlite-journal"))
        let before = try folder.state()
        #expect(
            try store.column("name", of: store.list("Event", sort: ["name"]), in: "Event") == [.string("one"), .string("two")])
        #expect(try folder.state() == before)
        try writer.run("ROLLBACK")
    }

    // MARK: What is no store

    @Test func whatIsNoStoreIsSaid() throws {
        let folder = try TemporaryFolder()
        func cause(_ name: String) -> StoreError.Cause? {
            do {
                _ = try SQLiteObjectStore.open(path: folder.file(name))
                return nil
            } catch { return error.cause }
        }
        func write(_ name: String, _ data: Data) { _ = FileManager.default.createFile(atPath: folder.file(name), contents: data) }

        #expect(cause("nothing") == .missing)
        #expect(cause(".") == .notAFile("a folder"))
        mkfifo(folder.file("pipe"), 0o600)
        #expect(cause("pipe") == .notAFile("a pipe"))
        symlink("/dev/zero", folder.file("device"))
        #expect(cause("device") == .notAFile("a device"))
        symlink("loop", folder.file("loop"))
        #expect({ if case .notReadable = cause("loop") { true } else { false } }())
        write("empty", Data())
        #expect(cause("empty") == .engine("the file is empty"))
        write("text", Data(String(repeating: "just some words\n", count: 300).utf8))
        #expect(cause("text") == .notADatabase)
        write("short", Data("SQLite format 3\0".utf8))
        #expect(cause("short") == .corrupt("it ends after 16 bytes"))
        // SQLite shows what ends within its first page as a database without tables.
        let whole = try Data(contentsOf: URL(fileURLWithPath: folder.database("cut", OpeningTests.schema)))
        for count in [100, 101, 600, 4095] {
            write("cut", whole.prefix(count))
            #expect(cause("cut") == .corrupt("it ends after \(count) bytes, within its first page of 4096"))
        }
        write("cut", whole.prefix(4096))
        if case .corrupt(let reason)? = cause("cut") { #expect(reason.hasPrefix("it has 4096 of \(whole.count) bytes")) }
        var generator = SeededGenerator(seed: 7)
        write("noise", Data((0..<8192).map { _ in UInt8.random(in: 0...255, using: &generator) }))
        #expect(cause("noise") == .maybeEncrypted)
        let path = try folder.database("whole", OpeningTests.schema)
        var newer = try #require(FileManager.default.contents(atPath: path))
        newer[19] = 3
        write("newer", newer)
        #expect(cause("newer") == .newerFormat("file format 3"))
        if geteuid() != 0 {
            chmod(path, 0)
            #expect({ if case .notReadable = cause("whole") { true } else { false } }())
        }
    }

    @Test func symbolicLinksFindTheLogBesideTheRealFile() throws {
        let live = try TemporaryFolder()
        let folder = try TemporaryFolder()
        let writer = try Writer(live.file("store.sqlite"))
        try writer.run("PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0;" + OpeningTests.schema)
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: live.file("store.sqlite" + suffix), toPath: folder.file("store.sqlite" + suffix))
        }
        symlink("store.sqlite", folder.file("link"))
        try expectUntouched(folder, ["one", "two"], "link")
        withExtendedLifetime(writer) {}
    }
}

extension OpeningTests {
    private static let sizes = """
        CREATE TABLE little (id INTEGER PRIMARY KEY, name TEXT);
        INSERT INTO little VALUES (1, 'a');
        CREATE VIEW endless AS WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n) SELECT x FROM n;
        """

    /// Only what takes a few milliseconds, whatever the rows hold, is read before the loop begins.
    @Test func tablesOfSmallFilesAreQuick() throws {
        let folder = try TemporaryFolder()
        try folder.database(Self.sizes)
        let store = try SQLiteObjectStore.open(path: folder.file("store.sqlite"))
        #expect(store.isQuick(FetchRequest(entityName: "little")))
        #expect(!store.isQuick(FetchRequest(entityName: "endless")))
        #expect(!store.isQuick(FetchRequest(entityName: "nobody")))
        try folder.database("large.sqlite", Self.sizes + "INSERT INTO little VALUES (2, zeroblob(300000));")
        let large = try SQLiteObjectStore.open(path: folder.file("large.sqlite"))
        #expect(!large.isQuick(FetchRequest(entityName: "little")))
    }
}

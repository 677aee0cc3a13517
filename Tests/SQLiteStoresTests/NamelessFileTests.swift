import CSQLite
import Foundation
import Glibc
import ObjectStore
import PropertyLists
import SQLiteStores
import TestSupport
import Testing

/// Private copies that kill -9 at any moment leaves nothing of, as they never have a name.
@Suite struct NamelessFileTests {
    /// A folder in memory where there is one, and one that may not be.
    private static func folders() throws -> [TemporaryFolder] { [try TemporaryFolder(inMemory: true), try TemporaryFolder()] }

    private func execute(_ uri: String, _ flags: Int32, _ sql: String) -> (code: Int32, rows: [String]) {
        var handle: OpaquePointer?
        let opened = sqlite3_open_v2(uri, &handle, flags | SQLITE_OPEN_URI, nil)
        defer { sqlite3_close(handle) }
        guard opened == SQLITE_OK else { return (opened, []) }
        var rows: [String] = []
        var statement: OpaquePointer?
        var code = SQLITE_OK
        for part in sql.split(separator: ";") {
            code = sqlite3_prepare_v2(handle, String(part), -1, &statement, nil)
            guard code == SQLITE_OK else { return (code, rows) }
            while true {
                code = sqlite3_step(statement)
                guard code == SQLITE_ROW else { break }
                rows.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "NULL")
            }
            sqlite3_finalize(statement)
            guard code == SQLITE_DONE else { return (code, rows) }
        }
        return (SQLITE_OK, rows)
    }

    @Test func isWrittenAndReadWithoutAName() throws {
        for folder in try NamelessFileTests.folders() {
            let watch = try #require(FolderWatch([folder.path]))
            let file = try #require(NamelessFile.make(in: .folder(folder.path)))
            let write = execute(
                file.uri("mode=rw"), SQLITE_OPEN_READWRITE,
                "PRAGMA journal_mode=MEMORY;CREATE TABLE t (x);INSERT INTO t VALUES (1), (2);SELECT sum(x) FROM t")
            #expect(write.code == SQLITE_OK && write.rows.last == "3")
            let read = execute(file.uri("mode=ro&immutable=1"), SQLITE_OPEN_READONLY, "SELECT count(*) FROM t")
            #expect(read.rows == ["2"])
            // There is no journal beside it, and none can be made.
            let fails = execute(file.uri("mode=rw"), SQLITE_OPEN_READWRITE, "INSERT INTO t VALUES (3)")
            #expect(fails.code == SQLITE_CANTOPEN)
            #expect(try folder.state().isEmpty)
            let isOnOverlay = watch.hasSeenName
            // Where a file system cannot do without a name it has one before there is anything in it, and not after.
            #expect(!isOnOverlay || folder.path.hasPrefix("/tmp"))
        }
        let memory = try #require(NamelessFile.make(in: .memory))
        let write = execute(
            memory.uri("mode=rw"), SQLITE_OPEN_READWRITE, "PRAGMA journal_mode=OFF;CREATE TABLE t (x);SELECT count(*) FROM t")
        #expect(write.rows.last == "0")
    }

    @Test func hasNoRoomForMoreThanThereIs() throws {
        let folder = try TemporaryFolder()
        #expect(NamelessFile.make(in: .folder(folder.path), size: .max) == nil)
        #expect(NamelessFile.make(in: .memory, size: .max) == nil)
        #expect(NamelessFile.make(in: .folder(folder.path + "/not there")) == nil)
    }

    /// The log and the journal beside a database are found by their descriptors, and by nothing else.
    @Test(arguments: [true, false]) func whatLiesBesideItIsWorkedIn(isLog: Bool) throws {
        let live = try TemporaryFolder()
        let folder = try TemporaryFolder(inMemory: true)
        let writer = try Writer(live.file("store.sqlite"))
        let rows =
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) INSERT INTO t SELECT i, hex(randomblob(40)) FROM n;"
        if isLog {
            try writer.run(
                "PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0; CREATE TABLE t (i INTEGER PRIMARY KEY, x);" + rows)
        } else {
            try writer.run(
                "CREATE TABLE t (i INTEGER PRIMARY KEY, x); INSERT INTO t VALUES (-1, 'kept');"
                    + "PRAGMA cache_size=1; PRAGMA cache_spill=1; BEGIN;" + rows)
        }
        func copy(_ suffix: String) throws -> NamelessFile {
            let file = try #require(NamelessFile.make(in: .folder(folder.path)))
            let data = try #require(FileManager.default.contents(atPath: live.file("store.sqlite" + suffix)))
            #expect(file.append([UInt8](data)[...]))
            return file
        }
        let watch = try #require(FolderWatch([folder.path]))
        let main = try copy("")
        let beside = try copy(isLog ? "-wal" : "-journal")
        // Under the other name it is not there: the log is no journal.
        let sql = "PRAGMA locking_mode=EXCLUSIVE;SELECT count(*) FROM t" + (isLog ? ";PRAGMA wal_checkpoint(TRUNCATE)" : "")
        let settled = execute(main.uri(beside: (beside, isLog), "mode=rw"), SQLITE_OPEN_READWRITE, sql)
        #expect(settled.code == SQLITE_OK && settled.rows.contains(isLog ? "3000" : "1"))
        let read = execute(main.uri("mode=ro&immutable=1"), SQLITE_OPEN_READONLY, "SELECT count(*) FROM t;PRAGMA integrity_check")
        #expect(read.rows == [isLog ? "3000" : "1", "ok"])
        #expect(lseek(beside.descriptor, 0, SEEK_END) == 0)
        #expect(!watch.hasSeenName)
    }

    /// A journal that names one of several databases is not followed: the other file is neither read nor deleted.
    @Test func aJournalOfSeveralDatabasesTouchesNoOther() throws {
        let live = try TemporaryFolder()
        let first = try Writer(live.file("one.sqlite"))
        try first.run("CREATE TABLE t (x); INSERT INTO t VALUES ('kept')")
        try Writer(live.file("two.sqlite")).run("CREATE TABLE u (x)")
        // As a crash between the two commits leaves it: the journal ends with the name of the one that both have.
        try first.run(
            """
            ATTACH '\(live.file("two.sqlite"))' AS two; PRAGMA cache_size=1; PRAGMA cache_spill=1; BEGIN;
            INSERT INTO two.u VALUES (1);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) INSERT INTO t SELECT hex(randomblob(40)) FROM n;
            """)
        let folder = try TemporaryFolder()
        let superJournal = folder.file("one.sqlite-mj12345678")
        #expect(FileManager.default.createFile(atPath: superJournal, contents: Data("x".utf8)))
        var journal = [UInt8](try #require(FileManager.default.contents(atPath: live.file("one.sqlite-journal"))))
        let name = Array(superJournal.utf8)
        let checksum = name.reduce(Int32(0)) { $0 &+ Int32(Int8(bitPattern: $1)) }
        func bigEndian(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }
        // The page number that marks the end, the name, its length and checksum, the magic number.
        journal +=
            bigEndian(0x4000_0000 / 4096 + 1) + name + bigEndian(UInt32(name.count)) + bigEndian(UInt32(bitPattern: checksum))
        journal += [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
        try Data(journal).write(to: URL(fileURLWithPath: folder.file("one.sqlite-journal")))
        try FileManager.default.copyItem(atPath: live.file("one.sqlite"), toPath: folder.file("one.sqlite"))
        let before = try folder.state()
        let store = try SQLiteObjectStore.open(path: folder.file("one.sqlite"))
        #expect(try store.column("x", of: store.list("t"), in: "t") == [.string("kept")])
        #expect(try folder.state() == before)
        try first.run("ROLLBACK")
    }
}

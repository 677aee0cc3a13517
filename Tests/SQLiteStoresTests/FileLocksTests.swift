import CSQLite
import Foundation
import Glibc
import ObjectStore
import Testing

@testable import SQLiteStores

/// What is done with the file of a store takes no locks off it: to close any descriptor of it would take all of this process's.
@Suite struct FileLocksTests {
    /// Asks what locks there are on a file: open from before they are taken until after.
    private final class Probe {
        private let descriptor: Int32

        init(_ path: String) throws {
            descriptor = open(path, O_RDWR | O_CLOEXEC)
            guard descriptor >= 0 else { throw CocoaError(.fileReadUnknown) }
        }

        deinit { close(descriptor) }

        /// Whether somebody has a lock that a writer in rollback mode has to wait for: on the 510 bytes that readers share
        /// (https://www.sqlite.org/src/file?name=src/os.h). Asked as for a lock of an open file, which minds the
        /// locks of its own process.
        var isReadLocked: Bool {
            var lock = flock()
            lock.l_type = Int16(F_WRLCK)
            lock.l_whence = Int16(SEEK_SET)
            lock.l_start = 0x4000_0002
            lock.l_len = 510
            let getOpenFileLock: Int32 = 36
            return fcntl(descriptor, getOpenFileLock, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
        }
    }

    private static let sql = """
        CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT);
        INSERT INTO item SELECT value, 'name ' || value FROM (
            WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 2000) SELECT value FROM n);
        """

    @Test func aScanKeepsItsLock() throws {
        let folder = try TemporaryFolder()
        let path = try folder.database(Self.sql)
        let link = folder.file("link.sqlite")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        let probe = try Probe(path)
        let file = try StoreFile(examining: path)
        let store = try SQLiteObjectStore.open(path: path)
        let scan = try Connection(uri: StoreFile.uri(path, "mode=ro"), flags: SQLITE_OPEN_READONLY, name: path)
        #expect(!probe.isReadLocked)
        try scan.run("BEGIN")
        try scan.probe()
        #expect(probe.isReadLocked)

        _ = try StoreFile(examining: path)
        #expect(probe.isReadLocked, "looked at")
        _ = try StoreFile(examining: link)
        #expect(probe.isReadLocked, "looked at by a link")
        _ = try SQLiteObjectStore.open(path: path).count(of: "item")
        #expect(probe.isReadLocked, "opened once more, and let go of")
        _ = try store.list("item", sort: ["name"])
        _ = try store.refresh()
        _ = store.fileState()
        try store.source.renew(store.source.readers())
        #expect(probe.isReadLocked, "read, and opened anew")
        _ = Fingerprint(stateOf: file, settledFor: 0)
        #expect(NamelessFile.copy(of: file, isPrivate: true) != nil)
        #expect(probe.isReadLocked, "copied")
        let writer = try? Writer(path)
        try writer?.run("PRAGMA busy_timeout = 0")
        #expect(throws: Writer.Failure.self) { try writer?.run("UPDATE item SET name = 'other' WHERE id = 7") }

        try scan.run("COMMIT")
        #expect(!probe.isReadLocked)
        try writer?.run("UPDATE item SET name = 'other' WHERE id = 7")
    }

    /// A journal's descriptor may be closed: SQLite has no locks on it.
    @Test func aScanBesideAJournalKeepsItsLock() throws {
        let folder = try TemporaryFolder()
        let path = try folder.database(Self.sql)
        let probe = try Probe(path)
        let file = try StoreFile(examining: path)
        let scan = try Connection(uri: StoreFile.uri(path, "mode=ro"), flags: SQLITE_OPEN_READONLY, name: path)
        try scan.run("BEGIN")
        try scan.probe()
        try Data(count: 600).write(to: URL(fileURLWithPath: path + "-journal"))
        #expect(file.stamps().journal?.size == 0)
        #expect(probe.isReadLocked)
    }

    /// A copy that is made under a lock is one committed state, and nobody waits for what is read of it.
    @Test func aSnapshotIsReadWithoutALock() throws {
        let folder = try TemporaryFolder()
        let path = try folder.database(Self.sql)
        let probe = try Probe(path)
        let store = try SQLiteObjectStore.open(path: path)
        let writer = try Writer(path)
        var attempts: [StoreFile.Opening] = []
        let names = try store.source.performPatiently(.following) { readers, patience throws(StoreError) in
            attempts.append(readers.opening)
            guard patience == nil else { throw StoreError(file: path, cause: Connection.heldTooLong) }
            return try readers.scan { connections throws(StoreError) in
                try connections[0].run("BEGIN")
                defer { try? connections[0].run("COMMIT") }
                try connections[0].probe()
                #expect(!probe.isReadLocked)
                #expect(throws: Never.self) { try writer.run("UPDATE item SET name = 'no' WHERE id = 3") }
                return try connections[0].rows("SELECT name FROM item WHERE id < 5") { $0.text(0) }
            }
        }
        #expect(names == ["name 1", "name 2", "name 3", "name 4"])
        #expect(attempts == [.readOnly, .privateCopy(suffix: "")])
        #expect(try store.count(of: "item") == 2000)
    }

    @Test func aSnapshotThatTakesTooLongIsNone() throws {
        let folder = try TemporaryFolder()
        let path = try folder.database(Self.sql)
        let size = try StoreFile(examining: path).size
        let connection = try Connection(uri: StoreFile.uri(path, "mode=ro"), flags: SQLITE_OPEN_READONLY, name: path)
        #expect(NamelessFile.snapshot(connection, size: size, patience: .zero) == nil)
        #expect(NamelessFile.snapshot(connection, size: NamelessFile.largestSnapshot + 1, patience: .seconds(9)) == nil)
        let probe = try Probe(path)
        #expect(!probe.isReadLocked)
        let copy = try #require(NamelessFile.snapshot(connection, size: size, patience: .seconds(9)))
        let bytes = try Data(contentsOf: URL(fileURLWithPath: "/proc/self/fd/\(copy.descriptor)"))
        #expect(bytes == FileManager.default.contents(atPath: path))
    }
}

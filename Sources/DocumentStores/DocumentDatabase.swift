import CSQLite
import ObjectStore
import SQLiteStores

import struct Foundation.UUID

/// The private database that a document is read into: in memory, and beyond a limit in a file without a name.
///
/// It has one writer, this, and is complete when `finish` gives its readers.
final class DocumentDatabase {
    /// In messages.
    let name: String
    private let isPrivate: Bool
    private let memoryLimit: Int
    private let uri: String
    private var handle: OpaquePointer
    /// Opened before the file lost its name; nil while all is in memory.
    private var fileReaders: PrivateReaders?
    private var statements: [Int: OpaquePointer] = [:]
    /// Bytes of values since the start, roughly.
    private var written = 0

    /// Longest text or data kept of one value, in bytes.
    static let valueLimit = 1 << 26
    /// Columns of one table, short of SQLite's own bound.
    static let columnLimit = 1900
    /// Columns beyond, for second ones of fields and for what has no field of its own; SQLite's bound is 2000.
    static let spareColumns = 90

    /// - Parameter memoryLimit: bytes of values from which on they go to a file; with `isPrivate` they stay in memory.
    init(name: String, isPrivate: Bool, memoryLimit: Int) throws(ReadingFault) {
        self.name = name
        self.isPrivate = isPrivate
        self.memoryLimit = memoryLimit
        // A name of its own makes it one database for all connections of this process, and for nobody else.
        uri = "file:/\(UUID().uuidString)?vfs=memdb"
        handle = try DocumentDatabase.open(uri, name: name)
        try execute("BEGIN")
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close_v2(handle)
    }

    private static func open(_ uri: String, name: String) throws(ReadingFault) -> OpaquePointer {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(uri, &opened, flags, nil)
        guard let opened else { throw .store(StoreError(file: name, cause: .outOfMemory)) }
        guard code == SQLITE_OK else {
            let message = String(cString: sqlite3_errmsg(opened))
            sqlite3_close_v2(opened)
            throw .store(StoreError(file: name, cause: .engine("no private database: \(message)")))
        }
        for pragma in ["journal_mode=OFF", "synchronous=OFF", "locking_mode=NORMAL", "cache_size=-16000", "temp_store=MEMORY"] {
            sqlite3_exec(opened, "PRAGMA \(pragma)", nil, nil, nil)
        }
        return opened
    }

    func execute(_ sql: String) throws(ReadingFault) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw fault(code) }
    }

    private func fault(_ code: Int32) -> ReadingFault {
        switch code & 0xFF {
        case SQLITE_NOMEM: .store(StoreError(file: name, cause: .outOfMemory))
        case SQLITE_FULL: .store(StoreError(file: name, cause: .engine("there is no room for its private database")))
        default: .store(StoreError(file: name, cause: .engine(String(cString: sqlite3_errmsg(handle)))))
        }
    }

    // MARK: Inserting

    /// The statement that inserts whole rows into a table; parameters are its columns in order.
    func insertion(table: Int, columns: Int) throws(ReadingFault) -> OpaquePointer {
        if let known = statements[table] { return known }
        let marks = Array(repeating: "?", count: columns).joined(separator: ",")
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v3(
            handle, "INSERT INTO t\(table) VALUES(\(marks))", -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let prepared else { throw fault(code) }
        statements[table] = prepared
        return prepared
    }

    /// Runs an insertion that is bound, and readies it for the next row.
    func run(_ statement: OpaquePointer, bytes: Int) throws(ReadingFault) {
        let code = sqlite3_step(statement)
        sqlite3_reset(statement)
        guard code == SQLITE_DONE else { throw fault(code) }
        written &+= bytes
    }

    /// Lets go of a table's statement, whose columns have changed.
    func forgetInsertion(table: Int) {
        if let statement = statements.removeValue(forKey: table) { sqlite3_finalize(statement) }
    }

    /// Goes on in a file where memory is not to be filled further. Call between rows.
    func makeRoom() throws(ReadingFault) {
        guard written > memoryLimit, fileReaders == nil, !isPrivate else { return }
        for place in NamelessFile.Place.onDisk {
            if let file = NamelessFile.make(in: place), try move(to: file) { return }
        }
        // No place outside memory: it goes on there as far as it gets.
        written = Int.min / 2
    }

    /// Copies all into a file, and writes on there.
    private func move(to nameless: NamelessFile) throws(ReadingFault) -> Bool {
        guard let file = try? DocumentDatabase.open(nameless.uri("mode=rw"), name: name) else { return false }
        guard let readers = try? PrivateReaders(uri: nameless.uri("mode=ro"), name: name) else {
            sqlite3_close_v2(file)
            return false
        }
        for statement in statements.values { sqlite3_finalize(statement) }
        statements = [:]
        try execute("COMMIT")
        var code = SQLITE_NOMEM
        if let backup = sqlite3_backup_init(file, "main", handle, "main") {
            sqlite3_backup_step(backup, -1)
            code = sqlite3_backup_finish(backup)
        }
        guard code == SQLITE_OK else {
            sqlite3_close_v2(file)
            try execute("BEGIN")
            return false
        }
        sqlite3_close_v2(handle)
        handle = file
        fileReaders = readers
        try execute("BEGIN")
        return true
    }

    /// Ends the writing; the connections that read from now on.
    func finish() throws(ReadingFault) -> PrivateReaders {
        for statement in statements.values { sqlite3_finalize(statement) }
        statements = [:]
        try execute("COMMIT")
        if let fileReaders { return fileReaders }
        // Opened while the writer is: without any connection the database would be gone.
        do throws(StoreError) {
            return try PrivateReaders(uri: uri, name: name)
        } catch {
            throw .store(error)
        }
    }
}

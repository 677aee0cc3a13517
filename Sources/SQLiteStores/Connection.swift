import CSQLite
import Foundation
import ObjectStore

/// One connection of SQLite, hardened against what a file may hold.
///
/// `@unchecked Sendable`: SQLite is opened without its own locks, and every use stands inside the lock of the `Readers` that
/// owns the connection, or on the thread that opens it before anybody else knows it.
final class Connection: @unchecked Sendable {
    let handle: OpaquePointer
    /// The store, as the user named it; for messages.
    let name: String
    private var statements: [String: Statement] = [:]
    private var watch: Watch?
    /// Statements started so far, for tests that count them.
    private(set) var statementCount = 0
    /// Temporary tables made so far, and the state of the data that they were made from.
    var preparedSources: Set<String> = []
    var preparedVersion: Int64?
    /// Of how many rows those are that do not have all; by name.
    var shortenedSources: [String: Int] = [:]
    /// What the file and SQLite's count of its changes were when the connection was last checked.
    var checked: (stamp: StoreFile.Stamp, changes: Int64)?
    /// Whether the functions that predicates call are there.
    var hasPredicateFunctions = false
    /// What statements hand their rows to.
    let rowFunction: RowFunction

    /// Looks every thousand steps whether a statement should stop.
    final class Watch {
        let progress: FetchProgress?
        let deadline: ContinuousClock.Instant?
        /// How long a reading transaction may keep a writer waiting; nil where no writer waits for it.
        let patience: Duration?
        var holdEnd: ContinuousClock.Instant?
        init(progress: FetchProgress?, deadline: ContinuousClock.Instant?, patience: Duration?) {
            self.progress = progress
            self.deadline = deadline
            self.patience = patience
            holdEnd = patience.map { ContinuousClock.now + $0 }
        }
    }

    init(uri: String, flags: Int32, name: String) throws(StoreError) {
        self.name = name
        Connection.limitHeap()
        guard FileOwnership.isLeftAlone else {
            throw StoreError(file: name, cause: .engine("SQLite would change owners of files"))
        }
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(uri, &opened, flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nil)
        guard let opened else { throw StoreError(file: name, cause: .outOfMemory) }
        handle = opened
        guard code == SQLITE_OK else {
            let error = Connection.error(name, opened, code)
            throw error
        }
        // Before the schema is read: SQLite asks only then whether what columns are made by may call a function.
        guard let function = RowFunction(registeredOn: opened), SumFunction.register(on: opened) else {
            sqlite3_close_v2(opened)
            throw StoreError(file: name, cause: .outOfMemory)
        }
        rowFunction = function
        harden()
    }

    deinit {
        statements.removeAll()
        sqlite3_close_v2(handle)
    }

    /// A bound on what SQLite itself may take; for the whole process, so that a hostile schema cannot eat the machine.
    private static func limitHeap() { sqlite3_hard_heap_limit64(1 << 30) }

    private func harden() {
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, 2000)
        for (option, value) in [
            (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0), (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0),
            (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0), (SQLITE_DBCONFIG_DQS_DML, 0),
        ] as [(Int32, Int32)] {
            _ = csqlite_db_config_int(handle, option, value)
        }
        for (limit, value) in [
            (SQLITE_LIMIT_LENGTH, 1 << 28), (SQLITE_LIMIT_SQL_LENGTH, 4 << 20), (SQLITE_LIMIT_EXPR_DEPTH, 300),
            (SQLITE_LIMIT_VDBE_OP, 2_000_000), (SQLITE_LIMIT_ATTACHED, 0), (SQLITE_LIMIT_TRIGGER_DEPTH, 10),
            (SQLITE_LIMIT_COMPOUND_SELECT, 200), (SQLITE_LIMIT_WORKER_THREADS, 0),
            (SQLITE_LIMIT_FUNCTION_ARG, Int32(RowFunction.mostArguments)),
        ] as [(Int32, Int32)] {
            sqlite3_limit(handle, limit, value)
        }
        // A collation that only the app registered: bytes are compared instead, so that the table stays readable.
        sqlite3_collation_needed(handle, nil) { _, database, encoding, name in
            sqlite3_create_collation(database, name, encoding, nil) { _, leftCount, left, rightCount, right in
                guard let left, let right, leftCount > 0, rightCount > 0 else { return leftCount - rightCount }
                let order = memcmp(left, right, Int(min(leftCount, rightCount)))
                return order != 0 ? order : leftCount - rightCount
            }
        }
        for pragma in ["query_only=ON", "cell_size_check=ON", "mmap_size=0", "temp_store=MEMORY"] {
            sqlite3_exec(handle, "PRAGMA \(pragma)", nil, nil, nil)
        }
    }

    /// Views are code of the file: only stores that may have them get them run.
    func allowViews(_ allowed: Bool) { _ = csqlite_db_config_int(handle, SQLITE_DBCONFIG_ENABLE_VIEW, allowed ? 1 : 0) }

    /// A first reading, as opening is lazy in SQLite: does the file, and the rule it was opened by, hold?
    func probe() throws(StoreError) {
        _ = try rows("SELECT count(*) FROM sqlite_schema", limit: 1) { $0.integer(0) }
    }

    /// Whether a transaction is open.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Has the readings that follow be one, of one state and under one lock; false where that is so already.
    func beginReading() -> Bool { !isInTransaction && (try? run("BEGIN")) != nil }

    /// Ends what `beginReading` began.
    func endReading() { try? run("COMMIT") }

    /// Reads on in a file that is cut off or has faulty schema entries. SQLite does so for connections that may repair the schema
    /// only; this one cannot write.
    func salvage() {
        _ = csqlite_db_config_int(handle, SQLITE_DBCONFIG_DEFENSIVE, 0)
        sqlite3_exec(handle, "PRAGMA writable_schema=ON", nil, nil, nil)
    }

    /// The cause of a statement that was stopped because a writer would have waited for it too long.
    static let heldTooLong = StoreError.Cause.engine("it keeps a writer waiting")

    /// Begins the time that a reading transaction may keep a writer waiting.
    ///
    /// - Parameter end: when others have to be done, too.
    func beginHolding(until end: ContinuousClock.Instant? = nil) {
        watch?.holdEnd = watch?.patience.map { patience in
            // What takes note of the end by itself is given the time to do so.
            min(.now + patience, end.map { $0 + .milliseconds(5) } ?? .now + patience)
        }
    }

    /// Makes statements stop when `progress` is cancelled or the time is over; without any of them: never.
    func watch(_ progress: FetchProgress?, seconds: Double? = nil, patience: Duration? = nil) {
        guard progress != nil || seconds != nil || patience != nil else {
            sqlite3_progress_handler(handle, 0, nil, nil)
            watch = nil
            return
        }
        let new = Watch(
            progress: progress, deadline: seconds.map { ContinuousClock.now + .seconds($0) }, patience: patience)
        watch = new
        // Unretained is sound: `watch` keeps the object as long as the handler is set.
        sqlite3_progress_handler(
            handle, 4000,
            { context in
                guard let context else { return 0 }
                let watch = Unmanaged<Watch>.fromOpaque(context).takeUnretainedValue()
                if watch.progress?.isCancelled == true { return 1 }
                guard let end = watch.holdEnd ?? watch.deadline else { return 0 }
                return ContinuousClock.now > end ? 1 : 0
            }, Unmanaged.passUnretained(new).toOpaque())
    }

    /// Does what a running statement does by itself: ends the reading when its time is over.
    func checkTime() throws(StoreError) {
        guard let end = watch?.holdEnd ?? watch?.deadline, ContinuousClock.now > end else { return }
        throw error(SQLITE_INTERRUPT)
    }

    /// A statement ready to run; kept for the next time. Reset it when done.
    func statement(_ sql: String) throws(StoreError) -> Statement {
        statementCount += 1
        if let known = statements[sql] { return known }
        let made = try Statement(self, sql)
        if statements.count >= 64 { statements.removeAll() }
        statements[sql] = made
        return made
    }

    /// Lets go of the kept statements.
    func forgetStatements() { statements.removeAll() }

    /// Runs a statement that gives no rows.
    func run(_ sql: String) throws(StoreError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code) }
    }

    /// All rows of a short answer; at most `limit`.
    func rows<Row>(_ sql: String, limit: Int = 100_000, _ read: (Statement) -> Row) throws(StoreError) -> [Row] {
        statementCount += 1
        let statement = try Statement(self, sql)
        var rows: [Row] = []
        while rows.count < limit, try statement.step() { rows.append(read(statement)) }
        return rows
    }

    /// SQLite's count of the commits of others, as this connection has seen them.
    func dataVersion() throws(StoreError) -> Int64 {
        try rows("PRAGMA data_version", limit: 1) { $0.integer(0) }.first ?? 0
    }

    func error(_ code: Int32) -> StoreError {
        if code & 0xFF == SQLITE_INTERRUPT, watch?.progress?.isCancelled != true, let watch {
            if watch.holdEnd != nil { return StoreError(file: name, cause: Connection.heldTooLong) }
            if watch.deadline != nil { return StoreError(file: name, cause: .takesTooLong) }
        }
        return Connection.error(name, handle, code)
    }

    /// SQLite's code in our words.
    static func error(_ name: String, _ handle: OpaquePointer, _ code: Int32) -> StoreError {
        let message = String(cString: sqlite3_errmsg(handle))
        let cause: StoreError.Cause =
            switch code & 0xFF {
            case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: .busy
            case SQLITE_NOTADB: .notADatabase
            case SQLITE_CORRUPT: .corrupt(message)
            case SQLITE_NOMEM: .outOfMemory
            case SQLITE_INTERRUPT: .cancelled
            case SQLITE_CANTOPEN, SQLITE_PERM: .notReadable(message)
            case SQLITE_IOERR where code == SQLITE_IOERR | (2 << 8): .corrupt("the file ends too early")
            case SQLITE_ERROR where message.contains("unsupported file format"): .newerFormat(message)
            default: .engine(message)
            }
        return StoreError(file: name, cause: cause)
    }
}

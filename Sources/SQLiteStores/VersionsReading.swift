import CSQLite
import Foundation
import ObjectStore

/// Finds the versions of a plan's rows: all of them, or those in the ranges of keys where the table is not what it was.
struct VersionsReading {
    private let plan: FetchPlan
    private let connection: Connection
    private let opening: StoreFile.Opening
    private let progress: FetchProgress
    /// Where a writer would have to wait for a reading transaction: these are short then.
    private let turns: ReadingTurns?
    /// How long the only transaction may keep a writer waiting; nil for many in a row.
    private let patience: Duration?
    /// Columns of the plan, without the key.
    private let columns: [Int32]

    /// - Parameters:
    ///   - plan: one that the connection is prepared for; its sort keys are what versions are told apart by.
    ///   - patience: how long a writer may have to wait for all of it; nil for as often as it takes, a little each time.
    init(
        _ plan: FetchPlan, _ connection: Connection, _ opening: StoreFile.Opening, progress: FetchProgress,
        patience: Duration? = nil
    ) {
        self.patience = patience
        self.plan = plan
        self.connection = connection
        self.opening = opening
        self.progress = progress
        turns = opening == .readOnly ? ReadingTurns() : nil
        columns = Set(plan.keys.map(\.index)).subtracting([0]).sorted()
    }

    /// What has become of the rows.
    struct Result {
        var versions: RowVersions
        var changes: RowChanges
        /// Whether all was seen in one state of the data.
        var isSnapshot: Bool
    }

    /// The versions now, and what has changed since others.
    ///
    /// - Parameters:
    ///   - old: of the same plan.
    ///   - look: is called with the changes; sees the same state of the data if the result says so.
    /// - Throws: `Connection.heldTooLong` where patience has come to its end.
    func read(since old: RowVersions?, look: (RowChanges) throws(StoreError) -> Void) throws(StoreError) -> Result {
        guard let turns else { return try readInTransaction(since: old, look: look) }
        // In one transaction, if that is enough: then it does not matter whether somebody writes all the time.
        if let patience {
            connection.watch(progress, patience: patience)
            defer { connection.watch(progress) }
            return try readInTransaction(since: old, until: .now + patience, look: look)
        }
        let leaves = try readLeaves(turns, since: old)
        var (new, changes) = try versions(since: old, leaves?.ranges, turns)
        try look(changes)
        if let leaves, try connection.dataVersion() == leaves.state { new.ranges = leaves.ranges }
        return Result(versions: new, changes: changes, isSnapshot: false)
    }

    /// - Parameter end: when to give up (`heldTooLong`); nil where nobody waits.
    private func readInTransaction(
        since old: RowVersions?, until end: ContinuousClock.Instant? = nil, look: (RowChanges) throws(StoreError) -> Void
    ) throws(StoreError) -> Result {
        // With a log, one begins to read at a commit that is in it when the pages are looked at, or at a later one.
        var pages = end == nil ? pages() : nil
        let isTransaction = connection.beginReading()
        defer { if isTransaction { connection.endReading() } }
        // The state of the data is chosen when something is read.
        _ = try connection.dataVersion()
        if end != nil { pages = self.pages() }
        var ranges: KeyRangeVersions?
        if isTransaction, pages?.noteWrites() == true, let noted = pages, let tables = try plan.tables(connection) {
            ranges = try TableLeaves.ranges(of: tables, in: noted, since: old?.ranges) { () throws(StoreError) in
                try checkCancelled()
                if let end, ContinuousClock.now >= end { throw StoreError(file: connection.name, cause: Connection.heldTooLong) }
                return true
            }
            // What was read of a log that began anew meanwhile may be anything.
            if pages?.noteWrites() != true { ranges = nil }
        }
        var (new, changes) = try versions(since: old, ranges, nil)
        try look(changes)
        new.ranges = ranges
        return Result(versions: new, changes: changes, isSnapshot: isTransaction)
    }

    private func versions(
        since old: RowVersions?, _ ranges: KeyRangeVersions?, _ turns: ReadingTurns?
    ) throws(StoreError) -> (versions: RowVersions, changes: RowChanges) {
        if let old, let before = old.ranges, let ranges {
            return try old.replacing(ranges.differences(from: before)) { range throws(StoreError) in
                try versions(range, as: nil, turns)
            }
        }
        let new = try versions(ObjectKey.min...ObjectKey.max, as: old, turns)
        return (new, old.map { new.changes(since: $0) } ?? RowChanges())
    }

    private func versions(
        _ range: ClosedRange<ObjectKey>, as old: RowVersions?, _ turns: ReadingTurns?
    ) throws(StoreError) -> RowVersions {
        let rows = VersionRows(columns: columns, as: old)
        try RowReading(plan, connection, progress: progress, turns: turns).read(range, into: rows)
        return rows.versions
    }

    private func checkCancelled() throws(StoreError) {
        if progress.isCancelled { throw StoreError(file: connection.name, cause: .cancelled) }
    }

    /// The pages of the store; nil where they cannot be had, or where somebody may write them without a lock.
    private func pages() -> DatabasePages? {
        switch opening {
        case .readOnly, .privateCopy: DatabasePages(connection, hasLog: false)
        case .readOnlySharedMemory: DatabasePages(connection, hasLog: true)
        case .immutable: nil
        }
    }

    /// In short transactions: what the table's leaves are, and the state of the data that this was found in; nil where that cannot
    /// be told, or something was committed meanwhile.
    private func readLeaves(
        _ turns: ReadingTurns, since old: RowVersions?
    ) throws(StoreError) -> (ranges: KeyRangeVersions, state: Int64)? {
        let state = try connection.dataVersion()
        var end = turns.enter()
        var isOpen = false
        defer {
            if isOpen { try? connection.run("COMMIT") }
            turns.leave()
        }
        func begin() throws(StoreError) -> Bool {
            try connection.run("BEGIN")
            isOpen = true
            return try connection.dataVersion() == state
        }
        guard try begin(), let pages = pages(), let tables = try plan.tables(connection) else { return nil }
        let ranges = try TableLeaves.ranges(of: tables, in: pages, since: old?.ranges) { () throws(StoreError) in
            try checkCancelled()
            guard ContinuousClock.now >= end else { return true }
            try connection.run("COMMIT")
            isOpen = false
            turns.leave()
            end = turns.enter()
            return try begin()
        }
        return ranges.map { ($0, state) }
    }
}

/// Where the trees of tables begin that a statement reads.
struct PlanTables: Equatable {
    /// That of the table with a row for each of the statement's.
    var rows: UInt32
    /// Those of tables that the rows are joined with; may hold the former once more.
    var others: [UInt32]
}

extension FetchPlan {
    /// What the plan's statement reads; nil where that is not tables only, or more of them than its own and those on to-one paths.
    func tables(_ connection: Connection) throws(StoreError) -> PlanTables? {
        let operations = try connection.rows("EXPLAIN " + sql) {
            (name: $0.text(1), page: $0.integer(3), database: $0.integer(4))
        }
        let opened = operations.filter { $0.name.contains("Open") || $0.name == "Program" }
        var pages: [UInt32] = []
        for operation in opened {
            guard operation.name == "OpenRead", operation.database == 0, let page = UInt32(exactly: operation.page) else {
                return nil
            }
            pages.append(page)
        }
        if pages.count == 1 { return PlanTables(rows: pages[0], others: []) }
        guard ownerKey == nil, case .table(let table, _)? = sources.first else { return nil }
        let name = table.replacingOccurrences(of: "'", with: "''")
        let root = try connection.rows("SELECT rootpage FROM main.sqlite_schema WHERE type = 'table' AND name = '\(name)'") {
            $0.integer(0)
        }
        guard let root = root.first.flatMap({ UInt32(exactly: $0) }), let own = pages.firstIndex(of: root) else { return nil }
        pages.remove(at: own)
        // The order in which SQLite opens them is its own.
        return PlanTables(rows: root, others: Set(pages).sorted())
    }
}

/// Notes a version of each row.
private final class VersionRows: RowReceiver {
    private let columns: [Int32]
    private(set) var versions = RowVersions()

    init(columns: [Int32], as old: RowVersions?) {
        self.columns = columns
        if let old { versions.reserve(as: old) }
    }

    /// Each so many objects is asked whether there is memory for many times as many: nobody waits for versions, but for much else.
    private static let many = 1 << 20

    override func receive(_ row: RowValues, _ key: ObjectKey) -> Bool {
        if versions.count & (VersionRows.many - 1) == VersionRows.many - 1, !FreeMemory.has(versions.count * 40) {
            fail(.outOfMemory)
            return false
        }
        var hash = ValueHash()
        for column in columns { hash.add(row, column) }
        versions.append(key, version: hash.value)
        return true
    }
}

/// A number for some values as they are stored: FNV-1a, eight bytes at a time, with a final mix.
private struct ValueHash {
    private var state: UInt64 = 0xCBF2_9CE4_8422_2325
    /// So much of one value counts, in bytes.
    private static let longestValue = 1 << 16

    mutating func add(_ row: RowValues, _ column: Int32) {
        let type = row.type(column)
        add(UInt64(truncatingIfNeeded: type))
        switch type {
        case SQLITE_INTEGER: add(UInt64(bitPattern: row.integer(column)))
        case SQLITE_FLOAT: add(row.double(column).bitPattern)
        case SQLITE_TEXT: add(row.textBytes(column))
        case SQLITE_BLOB: add(row.bytes(column))
        default: break
        }
    }

    private mutating func add(_ word: UInt64) {
        state = (state ^ word) &* 0x100_0000_01B3
        state ^= state >> 29
    }

    private mutating func add(_ whole: UnsafeRawBufferPointer) {
        let bytes = whole.prefix(Self.longestValue)
        add(UInt64(truncatingIfNeeded: whole.count))
        var place = bytes.startIndex
        while place + 8 <= bytes.endIndex {
            add(whole.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            place += 8
        }
        while place < bytes.endIndex {
            add(UInt64(whole[place]))
            place += 1
        }
    }

    var value: UInt64 {
        var mixed = state
        mixed = (mixed ^ (mixed >> 33)) &* 0xFF51_AFD7_ED55_8CCD
        mixed = (mixed ^ (mixed >> 33)) &* 0xC4CE_B9FE_1A85_EC53
        return mixed ^ (mixed >> 33)
    }
}

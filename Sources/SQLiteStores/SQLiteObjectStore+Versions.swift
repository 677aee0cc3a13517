import CSQLite
package import ObjectStore

extension SQLiteObjectStore {
    /// One pass over the rows in the order of their keys; a store in rollback mode is read in short transactions.
    ///
    /// Key paths that give lists are left out. `Z_OPT` would be one column to compare, but only Core Data keeps it, and whoever else
    /// writes into its tables need not: reading the columns themselves costs a third more.
    package func versions(
        at keyPaths: [ObjectKeyPath], of request: FetchRequest, progress: FetchProgress
    ) throws(StoreError) -> RowVersions? {
        let plan = try versionsPlan(at: keyPaths, of: request)
        return try source.perform { readers throws(StoreError) in
            let turns = readers.holdsUpWriters ? ReadingTurns() : nil
            return try readers.scan { connections throws(StoreError) in
                guard let connection = connections.first else { return nil }
                connection.watch(progress)
                defer { connection.watch(nil) }
                try plan.prepare(connection, timeZone: options.timeZone)
                return try versions(plan, connection, progress: progress, turns: turns)
            }
        }
    }

    /// The request with all columns that tell versions apart as its sort keys.
    private func versionsPlan(at keyPaths: [ObjectKeyPath], of request: FetchRequest) throws(StoreError) -> FetchPlan {
        var scanned = request
        var paths = keyPaths.filter { !$0.isToMany }
        if let section = request.sectionKeyPath { paths.append(section) }
        scanned.sortDescriptors += paths.map { SortDescriptor(.keyPath($0)) }
        scanned.sectionKeyPath = nil
        return try FetchPlan(scanned, mapping, file: name)
    }

    private func versions(
        _ plan: FetchPlan, _ connection: Connection, progress: FetchProgress, turns: ReadingTurns?, as old: RowVersions? = nil
    ) throws(StoreError) -> RowVersions {
        let rows = VersionRows(columns: Set(plan.keys.map(\.index)).subtracting([0]).sorted(), as: old)
        try RowReading(plan, connection, progress: progress, turns: turns).read(ObjectKey.min...ObjectKey.max, into: rows)
        return rows.versions
    }

    package func follow(
        _ objects: FetchedObjects?, since versions: RowVersions, at keyPaths: [ObjectKeyPath], of request: FetchRequest,
        progress: FetchProgress
    ) throws(StoreError) -> FollowedObjects? {
        let scan = try versionsPlan(at: keyPaths, of: request)
        let plan = try FetchPlan(request, mapping, file: name)
        let old = objects.flatMap { isPatchable($0, request, plan) ? $0 : nil }
        let before = old == nil ? nil : settledFileState()
        let (found, isSnapshot) = try source.perform { readers throws(StoreError) in
            let turns = readers.holdsUpWriters ? ReadingTurns() : nil
            let found = try readers.scan { connections throws(StoreError) -> FollowedObjects? in
                guard let connection = connections.first else { return nil }
                connection.watch(progress)
                defer { connection.watch(nil) }
                try scan.prepare(connection, timeZone: options.timeZone)
                try plan.prepare(connection, timeZone: options.timeZone)
                // One state of the data for the changes and for the looks, where that holds up nobody.
                let isTransaction = turns == nil && (try? connection.run("BEGIN")) != nil
                defer { if isTransaction { try? connection.run("COMMIT") } }
                let new = try self.versions(scan, connection, progress: progress, turns: turns, as: versions)
                var followed = FollowedObjects(versions: new, changes: new.changes(since: versions))
                guard let old, OrderPatch.pays(followed.changes, among: old.keys.count) else { return followed }
                let patch = try OrderPatch(
                    plan, connection, options: options, externalDataFolder: mapping.externalDataFolder, progress: progress)
                followed.patch = try patch.patched(old, followed.changes)
                return followed
            }
            switch readers.opening {
            case .readOnlySharedMemory, .privateCopy: return (found, true)
            case .readOnly, .immutable: return (found, false)
            }
        }
        guard var found else { return nil }
        // Where it could be written between the pass and the looks, only what shows that it was not is believed.
        if found.patch != nil, !isSnapshot, before == nil || fileState() != before { found.patch = nil }
        return found
    }

    /// Whether each object of a request can be looked at by its key alone, and is all that its place in the order depends on.
    private func isPatchable(_ objects: FetchedObjects, _ request: FetchRequest, _ plan: FetchPlan) -> Bool {
        if let section = plan.section, case .object = section.column.shape { return false }
        return request.scope == .all && request.fetchLimit == nil && objects.fault == nil && !schema.isDamaged
            && plan.sources.allSatisfy { if case .table = $0 { true } else { false } }
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

    override func receive(_ row: RowValues, _ key: ObjectKey) -> Bool {
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

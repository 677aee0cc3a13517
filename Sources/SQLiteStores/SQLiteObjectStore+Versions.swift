import CSQLite
package import ObjectStore

extension SQLiteObjectStore {
    /// One pass over the rows in the order of their keys; a store in rollback mode is read in short transactions.
    ///
    /// Key paths that give lists are left out. `Z_OPT` would be one column to compare, but only Core Data keeps it.
    package func versions(
        at keyPaths: [ObjectKeyPath], of request: FetchRequest, progress: FetchProgress
    ) throws(StoreError) -> RowVersions? {
        var scanned = request
        var paths = keyPaths.filter { !$0.isToMany }
        if let section = request.sectionKeyPath { paths.append(section) }
        scanned.sortDescriptors += paths.map { SortDescriptor(.keyPath($0)) }
        scanned.sectionKeyPath = nil
        let plan = try FetchPlan(scanned, mapping, file: name)
        return try source.perform { readers throws(StoreError) in
            let turns = readers.holdsUpWriters ? ReadingTurns() : nil
            return try readers.scan { connections throws(StoreError) in
                guard let connection = connections.first else { return nil }
                connection.watch(progress)
                defer { connection.watch(nil) }
                try plan.prepare(connection, timeZone: options.timeZone)
                let columns = Set(plan.keys.map(\.index)).sorted()
                var versions = RowVersions()
                try plan.eachRow(ObjectKey.min...ObjectKey.max, connection, progress: progress, turns: turns, name: name) {
                    statement, key in
                    var hash = ValueHash()
                    for column in columns { hash.add(statement, column) }
                    versions.append(key, version: hash.value)
                    return true
                }
                return versions
            }
        }
    }
}

/// A number for some values as they are stored: FNV-1a, eight bytes at a time, with a final mix.
private struct ValueHash {
    private var state: UInt64 = 0xCBF2_9CE4_8422_2325
    /// So much of one value counts, in bytes.
    private static let longestValue = 1 << 16

    mutating func add(_ statement: Statement, _ column: Int32) {
        let type = statement.type(column)
        add(UInt64(truncatingIfNeeded: type))
        switch type {
        case SQLITE_INTEGER: add(UInt64(bitPattern: statement.integer(column)))
        case SQLITE_FLOAT: add(statement.double(column).bitPattern)
        case SQLITE_TEXT, SQLITE_BLOB: add(statement.bytes(column))
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

import Glibc
import ObjectStore

/// A row of a scan while it is sorted: the next eight bytes of its sort key, and where its record begins.
struct SortEntry: Sendable {
    var prefix: UInt64
    /// Offset in the arena; the highest bit tells the second of two arenas from the first. Rows read later lie higher, so that
    /// comparing locations settles ties by key.
    var location: UInt64
}

/// The rows of a scan, in the order of their keys: sort keys, sections and object keys.
///
/// A record is: length of what follows the first eight bytes of the sort key, these bytes, section number, object key. 16 bytes
/// an entry, and the record.
///
/// `@unchecked Sendable`: one thread fills it, and when that is done others only read it.
final class ScannedRows: @unchecked Sendable {
    private(set) var arena = RowArena()
    private(set) var entries: UnsafeMutablePointer<SortEntry>?
    private(set) var count = 0
    private var capacity = 0
    var sectionValues: [Value] = []
    /// Where reading broke off, if it did.
    var fault: StoreError?

    deinit { free(entries) }

    /// False if there is no memory.
    func append(sortKey: UnsafeRawBufferPointer, section: UInt32, key: ObjectKey) -> Bool {
        let rest = max(0, sortKey.count - 8)
        guard let start = arena.reserve(rest + 32), reserveEntry(1), let entries else { return false }
        var target = start
        RowArena.store(UInt64(rest), at: &target)
        if rest > 0, let source = sortKey.baseAddress {
            memcpy(target, source + 8, rest)
            target += rest
        }
        RowArena.store(UInt64(section), at: &target)
        RowArena.store(UInt64(bitPattern: (key &<< 1) ^ (key >> 63)), at: &target)
        entries[count] = SortEntry(prefix: ScannedRows.prefix(sortKey), location: UInt64(arena.count))
        arena.count += target - start
        count &+= 1
        return true
    }

    private func reserveEntry(_ extra: Int) -> Bool {
        guard count + extra > capacity else { return true }
        let wanted = max(1024, count + extra, capacity + capacity / 2)
        guard let grown = realloc(entries, wanted * MemoryLayout<SortEntry>.stride) else { return false }
        entries = grown.assumingMemoryBound(to: SortEntry.self)
        capacity = wanted
        return true
    }

    /// Gives the records' memory back; the entries stay.
    func dropRecords() { arena = RowArena() }

    /// Takes over the entries of the scan of the higher keys; false if there is no memory.
    func append(entriesOf second: ScannedRows) -> Bool {
        guard reserveEntry(second.count) else { return false }
        for position in 0..<second.count {
            guard let entry = second.entries?[position] else { break }
            entries?[count + position] = SortEntry(prefix: entry.prefix, location: entry.location | 1 << 63)
        }
        count += second.count
        free(second.entries)
        second.entries = nil
        return true
    }

    /// The first eight bytes, the most significant first; missing ones are zero.
    static func prefix(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        if bytes.count >= 8 { return UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)) }
        var value: UInt64 = 0
        for byte in bytes { value = value << 8 | UInt64(byte) }
        return bytes.isEmpty ? 0 : value << UInt64((8 - bytes.count) * 8)
    }
}

/// What stands in a record, by its location.
struct RecordReader {
    let first: UnsafeRawPointer?
    let second: UnsafeRawPointer?

    private func start(_ location: UInt64) -> UnsafeRawPointer? {
        let base = location >> 63 == 0 ? first : second
        return base.map { $0 + Int(truncatingIfNeeded: location & ~(1 << 63)) }
    }

    /// What follows the first eight bytes of the sort key.
    func rest(_ location: UInt64) -> UnsafeRawBufferPointer {
        guard var pointer = start(location) else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        let count = Int(truncatingIfNeeded: RowArena.varint(&pointer))
        return UnsafeRawBufferPointer(start: pointer, count: count)
    }

    func sectionAndKey(_ location: UInt64) -> (section: Int, key: ObjectKey) {
        let rest = rest(location)
        guard let base = rest.baseAddress else { return (0, 0) }
        var pointer = base + rest.count
        let section = Int(truncatingIfNeeded: RowArena.varint(&pointer))
        let zigzag = RowArena.varint(&pointer)
        return (section, Int64(bitPattern: zigzag >> 1) ^ -Int64(bitPattern: zigzag & 1))
    }
}

import ObjectStore

/// The smallest rows of a scan, kept while it reads: so the beginning of the order is there with the last row.
struct SmallestRows: ~Copyable {
    struct Row {
        /// The first bytes of the sort key.
        var head: UInt64
        /// Where the sort key lies in the arena.
        var place: Int
        var length: Int
        /// Its number in the scan.
        var number: Int
        var key: ObjectKey
    }

    /// So many are wanted.
    private let limit: Int
    /// The first bytes of the last of those that are certainly enough: what has larger ones is not wanted.
    private(set) var most: UInt64
    private var rows: [Row] = []
    /// The last of those that are certainly enough.
    private var last: Row?

    init(_ limit: Int) {
        self.limit = max(0, min(limit, 1 << 16))
        // No sort key begins with a zero.
        most = limit > 0 ? .max : 0
    }

    /// The first eight bytes of a sort key as a number; missing ones are zero, which keeps the order, as no sort key is the beginning of
    /// another. Eight bytes are read, whatever the length.
    @inline(__always)
    static func head(_ start: UnsafeMutableRawPointer, _ length: Int) -> UInt64 {
        let word = UInt64(bigEndian: start.loadUnaligned(as: UInt64.self))
        return length >= 8 ? word : word & ~(UInt64.max >> UInt64(truncatingIfNeeded: length &* 8))
    }

    /// Keeps a row whose first bytes are not larger than `most`, if it is wanted. O(log limit) on the average of many.
    @inline(never)
    mutating func take(
        _ head: UInt64, _ place: Int, _ length: Int, _ number: Int, _ key: ObjectKey, _ arena: UnsafeMutableRawPointer
    ) {
        guard limit > 0 else { return }
        let row = Row(head: head, place: place, length: length, number: number, key: key)
        if let last, !SmallestRows.isBefore(row, last, arena) { return }
        rows.append(row)
        guard rows.count >= limit * 2 else { return }
        rows.sort { SmallestRows.isBefore($0, $1, arena) }
        rows.removeLast(rows.count - limit)
        last = rows.last
        most = rows.last?.head ?? .max
    }

    mutating func sorted(_ arena: UnsafeMutableRawPointer) -> [Row] {
        rows.sort { SmallestRows.isBefore($0, $1, arena) }
        if rows.count > limit { rows.removeLast(rows.count - limit) }
        return rows
    }

    private static func isBefore(_ left: Row, _ right: Row, _ arena: UnsafeMutableRawPointer) -> Bool {
        if left.head != right.head { return left.head < right.head }
        let order = ScannedRows.View.compare(
            UnsafeRawBufferPointer(start: arena + left.place, count: left.length),
            UnsafeRawBufferPointer(start: arena + right.place, count: right.length))
        return order == 0 ? left.key < right.key : order < 0
    }
}

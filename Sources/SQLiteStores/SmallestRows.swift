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

        func sortKey(_ arena: UnsafeRawPointer?) -> UnsafeRawBufferPointer {
            UnsafeRawBufferPointer(start: arena.map { $0 + place }, count: length)
        }
    }

    private var rows: Smallest<Row>
    /// The first bytes of the last of those that are certainly enough: what has larger ones is not wanted.
    private(set) var most: UInt64

    /// - Parameter limit: so many are wanted.
    init(_ limit: Int) {
        rows = Smallest(max(0, min(limit, 1 << 16)))
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
        let row = Row(head: head, place: place, length: length, number: number, key: key)
        rows.take(row) { SmallestRows.isBefore($0, $1, arena) }
        most = rows.last?.head ?? most
    }

    func sorted(_ arena: UnsafeMutableRawPointer) -> [Row] { rows.sorted { SmallestRows.isBefore($0, $1, arena) } }

    private static func isBefore(_ left: Row, _ right: Row, _ arena: UnsafeMutableRawPointer) -> Bool {
        isBefore(left, left.sortKey(arena), right, right.sortKey(arena))
    }

    /// Whether a row stands before another, which may be of another scan.
    static func isBefore(
        _ left: Row, _ leftKey: @autoclosure () -> UnsafeRawBufferPointer, _ right: Row,
        _ rightKey: @autoclosure () -> UnsafeRawBufferPointer
    ) -> Bool {
        if left.head != right.head { return left.head < right.head }
        let order = ScannedRows.View.compare(leftKey(), rightKey())
        return order == 0 ? left.key < right.key : order < 0
    }
}

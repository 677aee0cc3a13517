import ObjectStore

/// The smallest rows of a scan, kept while it reads: so the beginning of the order is there with the last row.
struct SmallestRows: ~Copyable {
    struct Row {
        /// The kind of its first value.
        var kind: Int
        var entry: SortEntry
        var key: ObjectKey
        /// Its number in the scan.
        var number: Int { entry.row }
    }

    private var rows: Smallest<Row>
    /// The first bits of the last of those that are certainly enough: what has larger ones is not wanted.
    private(set) var most: UInt64

    /// - Parameter limit: so many are wanted.
    init(_ limit: Int) {
        rows = Smallest(max(0, min(limit, 1 << 16)))
        most = limit > 0 ? .max : 0
    }

    /// The first bits of a sort key as a number.
    @inline(__always)
    static func head(_ kind: Int, _ entry: SortEntry) -> UInt64 { UInt64(truncatingIfNeeded: kind) << 62 | entry.high >> 2 }

    /// Keeps a row whose first bits are not larger than `most`, if it is wanted. O(log limit) on the average of many.
    @inline(never)
    mutating func take(_ row: Row, _ scan: ScannedRows.View) {
        rows.take(row) { SmallestRows.isBefore($0, scan, $1, scan) }
        if let last = rows.last { most = SmallestRows.head(last.kind, last.entry) }
    }

    func sorted(_ scan: ScannedRows.View) -> [Row] { rows.sorted { SmallestRows.isBefore($0, scan, $1, scan) } }

    /// Whether a row stands before another, which may be of another scan.
    static func isBefore(_ left: Row, _ leftScan: ScannedRows.View, _ right: Row, _ rightScan: ScannedRows.View) -> Bool {
        if left.kind != right.kind { return left.kind < right.kind }
        if !left.entry.hasSameBytes(as: right.entry) { return left.entry < right.entry }
        let order = ScannedRows.View.compare(leftScan.rest(left.number), rightScan.rest(right.number))
        return order == 0 ? left.key < right.key : order < 0
    }
}

import ObjectStore

/// What a reader has read, to be sorted.
///
/// `@unchecked Sendable`: one thread makes it, one sorts it, and when that is done others only read it.
final class SortedScan: @unchecked Sendable {
    private(set) var rows: ScannedRows
    let sectionValues: [Value]
    /// Where reading broke off, if it did.
    let fault: StoreError?

    init(_ rows: consuming ScannedRows, sectionValues: [Value], fault: StoreError?) {
        self.rows = rows
        self.sectionValues = sectionValues
        self.fault = fault
    }

    /// Brings rows together that begin alike, before they are sorted.
    func distribute(_ progress: FetchProgress) { rows.distribute(progress) }

    /// The smallest rows, with their sections.
    func beginning() -> [(row: SmallestRows.Row, section: Int)] {
        let view = rows.view
        return rows.beginning().map { ($0, view.section($0.number)) }
    }

    /// How many rows each of the scan's own sections has.
    func sectionCounts() -> [Int] {
        var counts = [Int](repeating: 0, count: sectionValues.count)
        let view = rows.view
        for row in 0..<rows.count {
            let section = view.section(row)
            if counts.indices.contains(section) { counts[section] &+= 1 }
        }
        return counts
    }

    func sort(_ progress: FetchProgress, isAlone: Bool) {
        let view = rows.view
        for kind in 0..<ScannedRows.kinds {
            let list = rows.list(kind)
            guard let entries = list.baseAddress else { continue }
            RowSorter(entries, view, progress: progress).sort(list.count, beginnings: rows.beginnings(kind), isAlone: isAlone)
        }
    }
}

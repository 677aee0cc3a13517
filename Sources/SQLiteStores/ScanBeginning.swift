import Dispatch
import ObjectStore

/// The beginning of the order out of the rows that the scans kept as their smallest, before anything is sorted.
struct ScanBeginning {
    private let scans: [SortedScan]
    private let sections: SectionNumbers

    /// Beyond so many sections there is no counting of their rows.
    private static let mostSections = 1 << 12

    /// - Parameter scans: one or two.
    init(_ scans: [SortedScan], _ sections: SectionNumbers) {
        self.scans = scans
        self.sections = sections
    }

    private struct First {
        var scan: SortedScan
        var row: SmallestRows.Row
        var section: Int
    }

    /// The objects that the whole list will begin with, in their sections; nil where the smallest rows do not tell, as a section among
    /// them may have rows that are not. O(limit), and O(rows) by both cores where there is more than one section among them.
    func objects(_ limit: Int) -> FetchedObjects? {
        let rows = merged(limit)
        guard limit > 0, rows.count == limit else { return nil }
        var keys: ContiguousArray<ObjectKey> = []
        var found: [FetchedObjects.Section] = []
        var counts: [Int]?
        var met: Set<Int> = []
        for row in rows where met.insert(row.section).inserted {
            let own = rows.filter { $0.section == row.section }
            keys += own.map(\.row.key)
            let value = sections.values.indices.contains(row.section) ? sections.values[row.section] : .null
            found.append(FetchedObjects.Section(value: value, count: own.count))
            // The last one may have more, the others not.
            if keys.count == limit { break }
            if counts == nil { counts = rowCounts() }
            guard let counts, counts[row.section] == own.count else { return nil }
        }
        return FetchedObjects(keys: keys, sections: found)
    }

    private func merged(_ limit: Int) -> [First] {
        let lists = scans.enumerated().map { position, scan in
            let numbers = position == 0 ? sections.first : sections.second
            return scan.beginning().map { First(scan: scan, row: $0.row, section: RowOrder.section($0.section, numbers)) }
        }
        return Array(lists.joined().sorted(by: isBefore).prefix(limit))
    }

    private func isBefore(_ left: First, _ right: First) -> Bool {
        SmallestRows.isBefore(left.row, left.scan.rows.view, right.row, right.scan.rows.view)
    }

    /// How many rows each section has; nil where there are too many sections.
    private func rowCounts() -> [Int]? {
        guard sections.values.count <= ScanBeginning.mostSections else { return nil }
        let own = scans.map { $0.sectionCounts() }
        var counts = [Int](repeating: 0, count: sections.values.count)
        for (position, numbers) in [sections.first, sections.second].enumerated() where position < own.count {
            for (section, number) in numbers.enumerated() { counts[number] += own[position][section] }
        }
        return counts
    }
}

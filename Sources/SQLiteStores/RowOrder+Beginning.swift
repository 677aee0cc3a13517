import ObjectStore

// The beginning of the order, found in passes over rows that are not sorted yet: it costs a fraction of sorting them.
extension RowOrder {
    /// So many sections are looked at one by one, no more: each is a pass.
    private static let mostPasses = 8

    /// The objects that the whole list will begin with, in their sections; nil where there are not so many, or where finding them
    /// would take too many passes. The last section may have more. O(rows) by both cores, and once more for each section
    /// beyond the first.
    func beginning(_ limit: Int) -> FetchedObjects? {
        let rows = smallest(limit, of: nil)
        guard limit > 0, rows.count == limit else { return nil }
        guard values.count > 1 else {
            let section = FetchedObjects.Section(value: values.first ?? .null, count: limit)
            return FetchedObjects(keys: ContiguousArray(rows.map(\.key)), sections: [section])
        }
        var keys: ContiguousArray<ObjectKey> = []
        var sections: [FetchedObjects.Section] = []
        var met: Set<Int> = []
        // Rows of other sections do not stand between those of one: sections stand as their first rows do.
        for row in rows where keys.count < limit && met.insert(row.section).inserted {
            let own = rows.filter { $0.section == row.section }
            var found = own
            if own.count < limit {
                guard met.count <= Self.mostPasses else { return nil }
                found = smallest(limit - keys.count, of: row.section)
            }
            keys += found.prefix(limit - keys.count).map(\.key)
            sections.append(FetchedObjects.Section(value: values[row.section], count: min(found.count, limit)))
        }
        return FetchedObjects(keys: keys, sections: sections)
    }

    private struct FirstRow: Sendable {
        var section: Int
        var key: ObjectKey
    }

    /// The first rows, in order, of a section or of all.
    private func smallest(_ limit: Int, of section: Int?) -> [FirstRow] {
        var found: [FirstRow] = []
        for run in runs where found.count < limit {
            let most = limit - found.count
            // Sound: each half writes its own place, and the rows are only read.
            nonisolated(unsafe) var halves: ([SortEntry], [SortEntry]) = ([], [])
            nonisolated(unsafe) let order = self
            nonisolated(unsafe) let lists = run
            LongWork.perform(iterations: 2) { half in
                if half == 0 {
                    halves.0 = order.smallest(most, in: lists.first, order.first, section.map { order.firstSections.wanted($0) })
                } else {
                    halves.1 = order.smallest(
                        most, in: lists.second, order.second, section.map { order.secondSections.wanted($0) })
                }
            }
            var low = halves.0[...]
            var high = halves.1[...]
            while found.count < limit, let entry = low.first ?? high.first {
                if let other = high.first, low.isEmpty || !isBefore(entry, other) {
                    found.append(row(other, isSecond: true))
                    high.removeFirst()
                } else {
                    found.append(row(entry, isSecond: false))
                    low.removeFirst()
                }
            }
        }
        return found
    }

    private func row(_ entry: SortEntry, isSecond: Bool) -> FirstRow {
        let view = isSecond ? second : first
        let number = RowOrder.section(view.section(entry.row), isSecond ? secondSections : firstSections)
        return FirstRow(section: number, key: view.key(entry.row))
    }

    /// - Parameter wanted: which of the scan's own sections; nil for all.
    private func smallest(
        _ limit: Int, in list: UnsafeMutableBufferPointer<SortEntry>, _ view: ScannedRows.View, _ wanted: [Bool]?
    ) -> [SortEntry] {
        let isBefore = { (left: SortEntry, right: SortEntry) in
            if !left.hasSameBytes(as: right) { return left < right }
            let order = ScannedRows.View.compare(view.rest(left.row), view.rest(right.row))
            return order == 0 ? view.key(left.row) < view.key(right.row) : order < 0
        }
        var smallest = Smallest<SortEntry>(limit)
        for entry in list {
            if let last = smallest.last, entry.high > last.high { continue }
            if let wanted {
                let section = view.section(entry.row)
                guard section < wanted.count, wanted[section] else { continue }
            }
            smallest.take(entry, by: isBefore)
        }
        return smallest.sorted(by: isBefore)
    }
}

extension [Int] {
    /// Which of a scan's own sections are this one: texts that are spelled in two ways are one section.
    fileprivate func wanted(_ section: Int) -> [Bool] { map { $0 == section } }
}

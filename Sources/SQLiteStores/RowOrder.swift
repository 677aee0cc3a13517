import ObjectStore

/// The sorted rows of one scan or two as one list in sections.
struct RowOrder {
    /// What the views look into.
    private let scans: [SortedScan]
    let first: ScannedRows.View
    let second: ScannedRows.View
    let runs: [Run]
    private let sections: SectionNumbers
    var values: [Value] { sections.values }
    var firstSections: [Int] { sections.first }
    var secondSections: [Int] { sections.second }
    private let total: Int

    /// Entries of both scans whose sort keys begin with the same byte, each in order.
    struct Run {
        let first: UnsafeMutableBufferPointer<SortEntry>
        let second: UnsafeMutableBufferPointer<SortEntry>
        var count: Int { first.count + second.count }
    }

    /// From so many rows on, both cores work.
    private static let large = 1 << 15

    /// - Parameters:
    ///   - scans: one or two, sorted.
    ///   - sections: of these scans, where they are numbered already.
    init?(_ scans: [SortedScan], _ sections: SectionNumbers? = nil) {
        guard let low = scans.first, let high = scans.last else { return nil }
        let isPair = scans.count > 1
        self.scans = scans
        first = low.rows.view
        second = high.rows.view
        runs = (0..<ScannedRows.kinds).map { kind in
            Run(
                first: low.rows.list(kind),
                second: isPair ? high.rows.list(kind) : UnsafeMutableBufferPointer(start: nil, count: 0))
        }
        total = runs.reduce(0) { $0 + $1.count }
        self.sections = sections ?? SectionNumbers(scans)
    }

    /// Object keys, section after section, and how many each has; nil where they find no place. O(rows) by both cores.
    ///
    /// - Parameter budget: says what may be held in memory; nil: all.
    func objects(limit: Int?, _ budget: MemoryBudget? = nil) -> FetchedObjects? {
        withExtendedLifetime(scans) { joined(limit: limit, budget) }
    }

    private func joined(limit: Int?, _ budget: MemoryBudget?) -> FetchedObjects? {
        let count = min(total, max(0, limit ?? total))
        guard values.count > 1 else {
            guard let keys = merged(count, budget, { _, _ in }) else { return nil }
            if keys.isEmpty { return FetchedObjects(keys: [], sections: []) }
            return FetchedObjects(keys: keys, sections: [FetchedObjects.Section(value: values.first ?? .null, count: count)])
        }
        return values.count <= 256 ? sectioned(count, by: UInt8.self, budget) : sectioned(count, by: UInt32.self, budget)
    }

    private func sectioned<Number: FixedWidthInteger & Sendable>(
        _ count: Int, by type: Number.Type, _ budget: MemoryBudget?
    ) -> FetchedObjects? {
        var memory = GrowingMemory(budget)
        guard memory.reserve(max(1, count) * MemoryLayout<Number>.stride), let base = memory.base else { return nil }
        // Sound: each place is written once.
        nonisolated(unsafe) let target = base.bindMemory(to: Number.self, capacity: count)
        guard let keys = merged(count, budget, { place, section in target[place] = Number(truncatingIfNeeded: section) }) else {
            return nil
        }
        return grouped(keys, UnsafeBufferPointer(start: UnsafePointer(target), count: count), budget)
    }

    /// - Parameter budget: see `objects`.
    @inline(__always)
    private func merged(
        _ count: Int, _ budget: MemoryBudget?, _ note: @Sendable (_ place: Int, _ section: Int) -> Void
    ) -> ContiguousArray<ObjectKey>? {
        OrderMemory.keys(count, budget) { buffer in
            if count > 0 { merge(count, into: buffer, note) }
            return true
        }
    }

    @inline(__always)
    private func merge(
        _ count: Int, into keys: UnsafeMutableBufferPointer<ObjectKey>, _ note: @Sendable (_ place: Int, _ section: Int) -> Void
    ) {
        // Sound: the parts do not overlap.
        nonisolated(unsafe) let order = self
        nonisolated(unsafe) let keys = keys
        var start = 0
        for run in runs {
            // Sound: it is only read.
            nonisolated(unsafe) let run = run
            let base = start
            let size = min(run.count, count - start)
            start += size
            let parts = size < RowOrder.large ? 1 : 2
            LongWork.perform(iterations: parts) { part in
                let places = (size * part / parts)..<(size * (part + 1) / parts)
                order.merge(run, places, to: base, keys, note)
            }
        }
    }

    /// Writes what stands at some places of a run.
    @inline(__always)
    private func merge(
        _ run: Run, _ places: Range<Int>, to base: Int, _ keys: UnsafeMutableBufferPointer<ObjectKey>,
        _ note: (_ place: Int, _ section: Int) -> Void
    ) {
        guard let target = keys.baseAddress else { return }
        var low = split(run, at: places.lowerBound)
        var high = places.lowerBound - low
        let lowEnd = run.first.count
        let highEnd = run.second.count
        let firstNumbers = sections.first
        let secondNumbers = sections.second
        for place in places {
            let takesFirst = high == highEnd || low < lowEnd && isBefore(run.first[low], run.second[high])
            if takesFirst {
                let row = run.first[low].row
                target[base &+ place] = first.key(row)
                note(base &+ place, RowOrder.section(first.section(row), firstNumbers))
                low &+= 1
            } else {
                let row = run.second[high].row
                target[base &+ place] = second.key(row)
                note(base &+ place, RowOrder.section(second.section(row), secondNumbers))
                high &+= 1
            }
        }
    }

    @inline(__always)
    static func section(_ own: Int, _ translated: [Int]) -> Int {
        translated.indices.contains(own) ? translated[own] : 0
    }

    /// How many of the first `place` entries of a run are from its first list. O(log entries) comparisons.
    private func split(_ run: Run, at place: Int) -> Int {
        var low = max(0, place - run.second.count)
        var high = min(place, run.first.count)
        while low < high {
            let middle = (low + high) / 2
            // Whether the entry at `middle` is among the first `place`.
            if isBefore(run.first[middle], run.second[place - middle - 1]) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    @inline(__always)
    func isBefore(_ left: SortEntry, _ right: SortEntry) -> Bool {
        if left.high != right.high { return left.high < right.high }
        if (left.low ^ right.low) >> 32 != 0 { return left.low < right.low }
        return isRestBefore(left, right)
    }

    @inline(never)
    private func isRestBefore(_ left: SortEntry, _ right: SortEntry) -> Bool {
        let order = ScannedRows.View.compare(first.rest(left.row), second.rest(right.row))
        return order == 0 ? first.key(left.row) < second.key(right.row) : order < 0
    }

    /// Brings the rows of each section together, sections in the order in which the rows first meet them. O(rows).
    private func grouped<Number: FixedWidthInteger>(
        _ keys: ContiguousArray<ObjectKey>, _ numbers: UnsafeBufferPointer<Number>, _ budget: MemoryBudget?
    ) -> FetchedObjects? {
        var ordinals = [Int](repeating: -1, count: values.count)
        var met: [(number: Int, count: Int)] = []
        var isTogether = true
        var place = 0
        while place < numbers.count {
            let number = numbers[place]
            var end = place + 1
            while end < numbers.count, numbers[end] == number { end &+= 1 }
            let section = Int(number)
            if ordinals[section] < 0 {
                ordinals[section] = met.count
                met.append((section, 0))
            } else {
                isTogether = false
            }
            met[ordinals[section]].count += end - place
            place = end
        }
        let sections = met.map { FetchedObjects.Section(value: values[$0.number], count: $0.count) }
        if isTogether { return FetchedObjects(keys: keys, sections: sections) }
        var next = [Int](repeating: 0, count: values.count)
        var sum = 0
        for section in met {
            next[section.number] = sum
            sum += section.count
        }
        let placed = OrderMemory.keys(keys.count, budget) { buffer in
            for place in 0..<keys.count {
                let number = Int(numbers[place])
                buffer[next[number]] = keys[place]
                next[number] &+= 1
            }
            return true
        }
        return placed.map { FetchedObjects(keys: $0, sections: sections) }
    }
}

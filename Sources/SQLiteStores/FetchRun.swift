import CSQLite
import Foundation
import ObjectStore
import Synchronization

/// One fetch at work: reads, sorts, groups.
struct FetchRun {
    let plan: FetchPlan
    let connections: [Connection]
    let progress: FetchProgress
    let options: StoreOptions
    let externalDataFolder: String?
    /// Whether a writer would have to wait for a reading transaction.
    let holdsUpWriters: Bool
    /// How long it may wait; nil where that is not to be helped.
    var patience: Duration?
    let name: String
    /// Who wants the first objects before all are in order.
    var first: FirstObjects?
    let budget: MemoryBudget

    /// A limit cuts the whole order: its beginning cannot be told before.
    private var early: FirstObjects? { plan.fetchLimit == nil ? first : nil }

    func run() throws(StoreError) -> FetchedObjects {
        guard let primary = connections.first else { throw StoreError(file: name, cause: .outOfMemory) }
        for connection in connections { connection.watch(progress, patience: patience) }
        defer { for connection in connections { connection.watch(nil) } }
        try plan.prepare(primary, timeZone: options.timeZone)

        let counter = Counter(progress)
        guard let range = plan.keyRange(primary) else { return FetchedObjects(keys: [], sections: []) }
        let (width, overflow) = range.upperBound.subtractingReportingOverflow(range.lowerBound)
        let readers = !overflow && width >= FetchPlan.splitWidth ? min(2, connections.count) : 1
        if !overflow, width < 1 << 40 { progress.expect(Int(truncatingIfNeeded: width) + 1) }
        if readers > 1 {
            connections[1].beginHolding()
            try plan.prepare(connections[1], timeZone: options.timeZone)
        }
        let turns = holdsUpWriters ? ReadingTurns() : nil
        let scans = try scan(KeyRanges(range, readers: readers), readers, counter, turns)
        if progress.isCancelled { throw StoreError(file: name, cause: .cancelled) }
        progress.expect(counter.value)
        progress.report(counter.value)

        let fault = scans.lazy.compactMap(\.fault).first ?? primary.shortening(of: plan.sources)
        let sections = SectionNumbers(scans)
        let wanted = early.flatMap { fault == nil && counter.value >= $0.leastCount ? $0 : nil }
        // The smallest rows were kept while reading; only where sections need more than those are there passes over all rows.
        let kept = wanted.flatMap { ScanBeginning(scans, sections).objects($0.limit) }
        if let kept { wanted?.receive(kept) }
        try checkRoom(counter.value, sections)
        try distribute(scans)
        let order = RowOrder(scans, sections)
        if kept == nil, let wanted, let objects = order?.beginning(wanted.limit) { wanted.receive(objects) }
        sort(scans)
        if progress.isCancelled { throw StoreError(file: name, cause: .cancelled) }
        guard var objects = order == nil ? FetchedObjects(keys: [], sections: []) : order?.objects(limit: plan.fetchLimit, budget)
        else { throw noRoom(counter.value * MemoryLayout<ObjectKey>.stride) }
        if let fault, scans.allSatisfy({ $0.rows.count == 0 }) { throw fault }
        objects.fault = fault
        return objects
    }

    // MARK: Reading

    private func scan(_ ranges: KeyRanges, _ readers: Int, _ counter: Counter, _ turns: ReadingTurns?) throws(StoreError)
        -> [SortedScan]
    {
        guard readers > 1 else { return [try scan(connections[0], ranges, 0, counter, turns)] }
        let results = Mutex<[Int: Result<SortedScan, StoreError>]>([:])
        LongWork.perform(iterations: readers) { reader in
            // Each has its own connection.
            let result = Result { () throws(StoreError) in
                try scan(connections[reader], ranges, reader, counter, turns)
            }
            results.withLock { $0[reader] = result }
        }
        let done = results.withLock { $0 }
        var scans: [SortedScan] = []
        for reader in 0..<readers {
            if let scan = try done[reader]?.get() { scans.append(scan) }
        }
        return scans
    }

    /// The order is there twice while rows of one section are brought together.
    private func checkRoom(_ rows: Int, _ sections: SectionNumbers) throws(StoreError) {
        let size = rows * (sections.values.count > 1 ? 2 : 1) * MemoryLayout<ObjectKey>.stride
        guard budget.hasPlace(for: size) else { throw noRoom(size) }
    }

    private func noRoom(_ size: Int) -> StoreError { StoreError(file: name, cause: Self.noRoom(size, budget)) }

    /// - Parameter size: bytes that are wanted in all.
    private static func noRoom(_ size: Int, _ budget: MemoryBudget) -> StoreError.Cause {
        .noRoom(size: size, !FreeMemory.hasAddresses(size) ? .addresses : budget.isPrivate ? .memoryOnly : .memoryAndDisk)
    }

    private func distribute(_ scans: [SortedScan]) throws(StoreError) {
        let progress = progress
        LongWork.perform(iterations: scans.count) { scans[$0].distribute(progress) }
        if progress.isCancelled { throw StoreError(file: name, cause: .cancelled) }
    }

    private func sort(_ scans: [SortedScan]) {
        let progress = progress
        LongWork.perform(iterations: scans.count) { scans[$0].sort(progress, isAlone: scans.count == 1) }
    }

    /// Reads pieces of the keys until none is left.
    private func scan(
        _ connection: Connection, _ ranges: KeyRanges, _ reader: Int, _ counter: Counter, _ turns: ReadingTurns?
    ) throws(StoreError) -> SortedScan {
        let receiver = SortedRowReceiver(
            plan, options: options, externalDataFolder: externalDataFolder, beginning: early?.limit ?? 0,
            expected: ranges.expected, budget: budget, counter
        ) { [budget] rows, size in
            // So many rows took so much: all of them, and their order, take as much each.
            let all = ranges.readers * max(rows, ranges.expected)
            let each = max(MemoryLayout<SortEntry>.stride, size / max(1, rows)) + 2 * MemoryLayout<ObjectKey>.stride
            return Self.noRoom(all * each, budget)
        }
        var fault: StoreError?
        // One state of the data for all pieces, where that holds up nobody.
        let isTransaction = !holdsUpWriters && connection.beginReading()
        defer { if isTransaction { connection.endReading() } }
        let reading = try RowReading(plan, connection, progress: progress, turns: turns)
        while let range = ranges.next(for: reader) {
            let found = try reading.readWhatCanBe(of: range, into: receiver)
            fault = fault ?? found
        }
        return receiver.scan(fault: fault)
    }

    /// Rows read by all readers together.
    final class Counter: Sendable {
        private let rows = Atomic<Int>(0)
        private let progress: FetchProgress
        init(_ progress: FetchProgress) { self.progress = progress }
        var value: Int { rows.load(ordering: .relaxed) }
        func add(_ count: Int) { progress.report(rows.add(count, ordering: .relaxed).newValue) }
    }
}

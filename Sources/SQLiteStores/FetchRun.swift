import CSQLite
import Dispatch
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

    /// Below this width of the key range a second reader costs more than it brings.
    private static let splitWidth: Int64 = 50_000

    func run() throws(StoreError) -> FetchedObjects {
        guard let primary = connections.first else { throw StoreError(file: name, cause: .outOfMemory) }
        for connection in connections { connection.watch(progress, patience: patience) }
        defer { for connection in connections { connection.watch(nil) } }
        try plan.prepare(primary, timeZone: options.timeZone)

        let ranges = try ranges(primary)
        let counter = Counter(progress)
        var scans: [ScannedRows] = []
        if ranges.count == 2, connections.count > 1 {
            connections[1].beginHolding()
            try plan.prepare(connections[1], timeZone: options.timeZone)
            scans = try scanTwo(ranges, counter)
        } else if let low = ranges.first?.lowerBound, let high = ranges.last?.upperBound {
            scans = [try scan(primary, low...high, counter)]
        }
        if progress.isCancelled { throw StoreError(file: name, cause: .cancelled) }
        progress.expect(counter.value)
        progress.report(counter.value)
        return try order(scans)
    }

    private func ranges(_ connection: Connection) throws(StoreError) -> [ClosedRange<ObjectKey>] {
        let whole = ObjectKey.min...ObjectKey.max
        guard let sql = plan.rangeSQL else { return [whole] }
        // On a damaged table the ends of the range may be out of reach, while much of it can still be read.
        guard let found = try? connection.rows(sql, { $0.isNull(0) ? nil : ($0.integer(0), $0.integer(1)) }).first else {
            return [whole]
        }
        guard let (low, high) = found, low <= high else { return [] }
        let (width, overflow) = high.subtractingReportingOverflow(low)
        if !overflow, width < 1 << 40 { progress.expect(Int(truncatingIfNeeded: width) + 1) }
        guard !overflow, width >= FetchRun.splitWidth else { return [low...high] }
        let middle = low + width / 2
        return [low...middle, (middle + 1)...high]
    }

    private func scanTwo(_ ranges: [ClosedRange<ObjectKey>], _ counter: Counter) throws(StoreError) -> [ScannedRows] {
        let results = Mutex<[Int: Result<ScannedRows, StoreError>]>([:])
        DispatchQueue.concurrentPerform(iterations: 2) { half in
            // Each half has its own connection.
            let result = Result { () throws(StoreError) in try scan(connections[half], ranges[half], counter) }
            results.withLock { $0[half] = result }
        }
        let done = results.withLock { $0 }
        guard let low = done[0], let high = done[1] else { return [] }
        return [try low.get(), try high.get()]
    }

    // MARK: Reading

    private func scan(_ connection: Connection, _ range: ClosedRange<ObjectKey>, _ counter: Counter) throws(StoreError)
        -> ScannedRows
    {
        let rows = ScannedRows()
        let selectors = Set(plan.keys.map(\.selector))
        let folding = TextFolding(localeIdentifier: options.localeIdentifier, selectors: selectors)
        let writer = SortKeyWriter(keys: plan.keys, folding: folding, derived: DerivedValue(timeZone: options.timeZone))
        let reader = ValueReader(form: .typed, timeZone: options.timeZone, externalDataFolder: externalDataFolder)
        let sections = plan.section.map { SectionTable(column: $0.column, index: $0.index, reader: reader) }
        var last: ObjectKey?
        do throws(StoreError) {
            try read(connection, plan.sql, range, backward: false, rows, writer, sections, counter, &last)
        } catch {
            guard case .corrupt = error.cause else { throw error }
            rows.fault = error
            let next = last.map { $0.addingReportingOverflow(1) }
            if next?.overflow != true, (next?.partialValue ?? range.lowerBound) <= range.upperBound {
                readAround((next?.partialValue ?? range.lowerBound)...range.upperBound) {
                    range, backward, last throws(StoreError) in
                    try read(
                        connection, backward ? plan.backwardSQL : plan.sql, range, backward: backward, rows, writer, sections,
                        counter, &last)
                }
            }
            if rows.count == 0 { throw error }
        }
        rows.sectionValues = sections?.values ?? []
        return rows
    }

    private func read(
        _ connection: Connection, _ sql: String, _ range: ClosedRange<ObjectKey>, backward: Bool, _ rows: ScannedRows,
        _ writer: SortKeyWriter, _ sections: SectionTable?, _ counter: Counter, _ last: inout ObjectKey?
    ) throws(StoreError) {
        let statement = try connection.statement(sql)
        var windows = KeyWindows(range, backward: backward, isCut: holdsUpWriters && plan.isCut)
        while let window = windows.next() {
            try plan.bind(window, to: statement)
            connection.beginHolding()
            defer { statement.reset() }
            // Short transactions, so that a writer in rollback mode gets its turn (SPEC: 50 ms).
            let end = holdsUpWriters ? ContinuousClock.now + .milliseconds(40) : nil
            let before = last
            var sinceLook = 0
            var isDone = true
            do throws(StoreError) {
                while try statement.step() {
                    let key = statement.integer(0)
                    if key == last { continue }
                    last = key
                    writer.write(statement)
                    guard rows.append(sortKey: writer.bytes, section: sections?.number(statement) ?? 0, key: key) else {
                        throw StoreError(file: name, cause: .outOfMemory)
                    }
                    sinceLook += 1
                    guard sinceLook == 128 else { continue }
                    counter.add(sinceLook)
                    sinceLook = 0
                    if progress.isCancelled { throw StoreError(file: name, cause: .cancelled) }
                    if let end, ContinuousClock.now > end {
                        isDone = false
                        break
                    }
                }
            } catch {
                // Stopped for the sake of a writer: what was read is read, and a window without a row is made narrower.
                guard error.cause == Connection.heldTooLong else { throw error }
                if last == before {
                    guard windows.narrow() else { throw error }
                    continue
                }
                isDone = false
            }
            counter.add(sinceLook)
            if progress.isCancelled { throw StoreError(file: name, cause: .cancelled) }
            windows.finish(at: isDone ? nil : last)
        }
    }

    // MARK: Order

    private func order(_ scans: [ScannedRows]) throws(StoreError) -> FetchedObjects {
        guard let first = scans.first else { return FetchedObjects(keys: [], sections: []) }
        let second = scans.count > 1 ? scans[1] : nil
        let highOffset = first.sectionValues
        if let second, !first.append(entriesOf: second) { throw StoreError(file: name, cause: .outOfMemory) }
        let records = RecordReader(first: UnsafeRawPointer(first.arena.base), second: UnsafeRawPointer(second?.arena.base))
        guard let entries = first.entries, first.count > 0 else { return FetchedObjects(keys: [], sections: []) }
        if !plan.keys.isEmpty { RowSorter(entries, records, progress: progress).sort(first.count) }
        if progress.isCancelled { throw StoreError(file: name, cause: .cancelled) }

        // The second scan numbered its sections by itself.
        var values = highOffset.isEmpty ? [.null] : highOffset
        var known = Dictionary(values.enumerated().map { ($1, $0) }, uniquingKeysWith: { low, _ in low })
        let translated: [Int] = (second?.sectionValues ?? []).map { value in
            if let number = known[value] { return number }
            values.append(value)
            known[value] = values.count - 1
            return values.count - 1
        }
        let count = min(first.count, max(0, plan.fetchLimit ?? first.count))
        // The entries have done their work as sort keys; their places serve the grouping. Records lie all over the arenas, so
        // both cores fetch them. Sound: the halves do not overlap.
        let parts = count < 1 << 15 ? 1 : 2
        nonisolated(unsafe) let places = entries
        nonisolated(unsafe) let reader = records
        DispatchQueue.concurrentPerform(iterations: parts) { part in
            for position in (count * part / parts)..<(count * (part + 1) / parts) {
                let location = places[position].location
                let (number, key) = reader.sectionAndKey(location)
                let section = location >> 63 == 1 && number < translated.count ? translated[number] : number
                places[position] = SortEntry(prefix: UInt64(bitPattern: key), location: UInt64(section))
            }
        }
        var ordinals = [Int](repeating: -1, count: values.count)
        var met: [(number: Int, count: Int)] = []
        for position in 0..<count {
            let section = Int(truncatingIfNeeded: entries[position].location)
            if ordinals[section] < 0 {
                ordinals[section] = met.count
                met.append((section, 0))
            }
            let ordinal = ordinals[section]
            met[ordinal].count += 1
            entries[position].location = UInt64(ordinal)
        }
        first.dropRecords()
        second?.dropRecords()

        var next = [Int](repeating: 0, count: met.count)
        var sum = 0
        for (ordinal, section) in met.enumerated() {
            next[ordinal] = sum
            sum += section.count
        }
        let keys = ContiguousArray<ObjectKey>(unsafeUninitializedCapacity: count) { buffer, initialized in
            for position in 0..<count {
                let ordinal = Int(truncatingIfNeeded: entries[position].location)
                buffer[next[ordinal]] = Int64(bitPattern: entries[position].prefix)
                next[ordinal] += 1
            }
            initialized = count
        }
        let sections = met.map { FetchedObjects.Section(value: values[$0.number], count: $0.count) }
        return FetchedObjects(keys: keys, sections: sections, fault: first.fault ?? second?.fault)
    }

    /// Rows read by all readers together.
    private final class Counter: Sendable {
        private let rows = Atomic<Int>(0)
        private let progress: FetchProgress
        init(_ progress: FetchProgress) { self.progress = progress }
        var value: Int { rows.load(ordering: .relaxed) }
        func add(_ count: Int) { progress.report(rows.add(count, ordering: .relaxed).newValue) }
    }
}

extension Connection {
    /// Makes the temporary tables that number rows without a rowid; anew when the data has changed.
    func prepare(_ sources: [RowSource]) throws(StoreError) {
        let needed = sources.compactMap(\.preparation)
        guard !needed.isEmpty else { return }
        let version = try rows("PRAGMA data_version") { $0.integer(0) }.first
        try run("PRAGMA query_only=OFF")
        defer { try? run("PRAGMA query_only=ON") }
        if version != preparedVersion {
            forgetStatements()
            for name in preparedSources { try run("DROP TABLE IF EXISTS temp.\(name)") }
            preparedSources = []
            preparedVersion = version
        }
        for (name, sql) in needed where !preparedSources.contains(name) {
            // One whose making was stopped is there, but not whole.
            try run("DROP TABLE IF EXISTS temp.\(name)")
            try run(sql)
            preparedSources.insert(name)
        }
    }
}

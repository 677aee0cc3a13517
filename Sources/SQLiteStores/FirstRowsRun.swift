import CSQLite
import Dispatch
import Foundation
import ObjectStore
import Synchronization
internal import _FoundationICU

/// Finds the first rows of an order without reading all of it into memory: a sample, then one pass inside SQLite that lets few rows
/// through (`FirstRowsPlan`), which are kept by section (`FirstRows`).
///
/// The answer is what the whole fetch will begin with, or nil: nothing is guessed. Two readers share the pass, as in `FetchRun`.
struct FirstRowsRun {
    let plan: FetchPlan
    let connections: [Connection]
    let progress: FetchProgress
    let options: StoreOptions
    let externalDataFolder: String?
    let holdsUpWriters: Bool
    let name: String
    let limit: Int
    /// Fewer rows than these, by the width of the key range, are all read as soon.
    var smallest: Int64 = 200_000
    /// Told how many rows went through the sort-key writer; for tests.
    var report: (@Sendable (Int) -> Void)?

    private static let spots = 64
    private static let rowsPerSpot = 64
    /// So many sections are kept apart, no more.
    private static let mostSections = 1024

    func run() throws(StoreError) -> FetchedObjects? {
        guard limit > 0, plan.fetchLimit == nil, plan.ownerKey == nil, let rangeSQL = plan.rangeSQL, let key = plan.keys.first,
            let primary = connections.first, connections.count > 1, isCheap(key)
        else { return nil }
        for connection in connections { connection.watch(progress) }
        defer { for connection in connections { connection.watch(nil) } }
        for connection in connections { try plan.prepare(connection, timeZone: options.timeZone) }
        // Comparing texts of other encodings means converting each of them.
        guard try primary.rows("PRAGMA encoding", { $0.text(0) }).first == "UTF-8",
            let found = try primary.rows(rangeSQL, { $0.isNull(0) ? nil : ($0.integer(0), $0.integer(1)) }).first,
            let (low, high) = found, low <= high
        else { return nil }
        let (width, overflow) = high.subtractingReportingOverflow(low)
        guard !overflow, width >= smallest else { return nil }
        let samples = try sample(primary, low, width, key)
        let isLocalized = key.selector == .localizedCaseInsensitiveCompare || key.selector == .localizedStandardCompare
        let letters = isLocalized ? Self.letterKeys(key, options.localeIdentifier) : nil
        let rule = SectionRule(plan)
        guard
            let bound = FirstRowsPlan(
                samples, limit: limit, key: key, firstParameter: FetchPlan.firstParameter + plan.parameters.count,
                letters: letters, byLetter: rule == .byLetter)
        else { return nil }
        let middle = low + width / 2
        let ranges = width > 1 ? [low...middle, (middle + 1)...high] : [low...high]
        let halves = try scan(ranges, bound)
        report?(samples.count + halves.reduce(0) { $0 + $1.rows.offered })
        return beginning(halves, bound, rule)
    }

    /// Whether the first sort key can be looked at without leaving the row.
    private func isCheap(_ key: SortKeyWriter.Key) -> Bool {
        guard case .attribute(let attribute) = key.column.shape, key.column.derivation == nil else { return false }
        return key.column.sql == "t0." + attribute.column.quoted
    }

    // MARK: The sample

    /// Rows in short runs, spread over the range of keys.
    private func sample(
        _ connection: Connection, _ low: ObjectKey, _ width: Int64, _ key: SortKeyWriter.Key
    ) throws(StoreError) -> [FirstRowsPlan.Sample] {
        let statement = try connection.statement(plan.sql + " LIMIT \(Self.rowsPerSpot)")
        let writer = writer([key])
        var samples: [FirstRowsPlan.Sample] = []
        let step = max(1, width / Int64(Self.spots))
        for spot in 0..<Int64(Self.spots) {
            let start = low + min(width, spot * step)
            try plan.bind(start...min(start + min(step, 4096) - 1, low + width), to: statement)
            defer { statement.reset() }
            while try statement.step() {
                let sortKey = writer.write(statement)
                let type = statement.type(key.index)
                let parameter: FirstRowsPlan.Parameter? =
                    switch type {
                    case SQLITE_INTEGER: .integer(statement.integer(key.index))
                    case SQLITE_FLOAT: .double(statement.double(key.index))
                    case SQLITE_TEXT: .text(Array(statement.textBytes(key.index).prefix(1024)))
                    default: nil
                    }
                samples.append(FirstRowsPlan.Sample(type: type, parameter: parameter, key: Array(sortKey)))
            }
            if progress.isCancelled { throw StoreError(file: name, cause: .cancelled) }
        }
        return samples
    }

    private func writer(_ keys: [SortKeyWriter.Key]) -> SortKeyWriter {
        let folding = TextFolding(localeIdentifier: options.localeIdentifier, selectors: Set(keys.map(\.selector)))
        return SortKeyWriter(keys: keys, folding: folding, derived: DerivedValue(timeZone: options.timeZone))
    }

    /// What the sort keys of texts that begin with `a` to `z` begin with; nil where the locale's collation is not the root's, whose
    /// letters come after all other visible ASCII characters, in their order.
    private static func letterKeys(_ key: SortKeyWriter.Key, _ localeIdentifier: String) -> [[UInt8]]? {
        var status = U_ZERO_ERROR
        guard let collator = swift_ucol_open(localeIdentifier, &status), status.rawValue <= 0 else { return nil }
        defer { swift_ucol_close(collator) }
        var length: Int32 = 0
        guard swift_ucol_getRules(collator, &length) != nil, length == 0 else { return nil }
        let folding = TextFolding(localeIdentifier: localeIdentifier, selectors: [key.selector])
        let keys = (UInt8(ascii: "a")...UInt8(ascii: "z")).map { letter -> [UInt8] in
            withUnsafeBytes(of: letter) { bytes in
                // The first level, in front of the separator; with the tag that texts have.
                [3] + folding.collationKey(bytes, key.selector).prefix { $0 > 1 }
            }
        }
        let areInOrder = zip(keys, keys.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) }
        return areInOrder && keys.allSatisfy { $0.count > 1 } ? keys : nil
    }

    // MARK: The pass

    /// What one reader found.
    private struct Half: @unchecked Sendable {
        // Sound: one thread fills it, and when that is done another reads it.
        let rows: FirstRows
        var sections: [Value]
    }

    private func scan(_ ranges: [ClosedRange<ObjectKey>], _ bound: FirstRowsPlan) throws(StoreError) -> [Half] {
        let results = Mutex<[Int: Result<Half, StoreError>]>([:])
        DispatchQueue.concurrentPerform(iterations: ranges.count) { half in
            // Each half has its own connection.
            let result = Result { () throws(StoreError) in try scan(connections[half], ranges[half], bound) }
            results.withLock { $0[half] = result }
        }
        let done = results.withLock { $0 }
        var halves: [Half] = []
        for half in ranges.indices {
            guard let result = done[half] else { continue }
            halves.append(try result.get())
        }
        return halves
    }

    private func scan(_ connection: Connection, _ range: ClosedRange<ObjectKey>, _ bound: FirstRowsPlan) throws(StoreError)
        -> Half
    {
        let writer = writer(plan.keys)
        let reader = ValueReader(form: .typed, timeZone: options.timeZone, externalDataFolder: externalDataFolder)
        let sections = plan.section.map { SectionTable(column: $0.column, index: $0.index, reader: reader) }
        let rows = FirstRows(limit: limit)
        let statement = try connection.statement(plan.unorderedSQL + " AND " + bound.condition + " ORDER BY " + plan.keySQL)
        var windows = KeyWindows(range, backward: false, isCut: holdsUpWriters)
        while let window = windows.next() {
            try plan.bind(window, to: statement)
            let first = FetchPlan.firstParameter + plan.parameters.count
            for (place, parameter) in bound.parameters.enumerated() {
                statement.bind(parameter, at: Int32(truncatingIfNeeded: first + place))
            }
            defer { statement.reset() }
            while try statement.step() {
                let sortKey = writer.write(statement)
                let section = Int(sections?.number(statement, text: writer.text) ?? 0)
                // More sections than a screen can show: the rest of the pass decides nothing.
                guard section < Self.mostSections else { return Half(rows: FirstRows(limit: limit), sections: []) }
                rows.offer(sortKey, section: section, key: statement.integer(0))
                if rows.offered & 127 == 0, progress.isCancelled { throw StoreError(file: name, cause: .cancelled) }
            }
            if progress.isCancelled { throw StoreError(file: name, cause: .cancelled) }
            windows.finish()
        }
        return Half(rows: rows, sections: sections?.values ?? [.null])
    }

    // MARK: The answer

    /// The beginning of the list as far as it is certain; nil if that is not enough.
    private func beginning(_ halves: [Half], _ bound: FirstRowsPlan, _ rule: SectionRule) -> FetchedObjects? {
        var values: [Value] = []
        var numbers: [Value: Int] = [:]
        var rows: [[FirstRows.Row]] = []
        for half in halves {
            // Sections beyond the most: the half gave up.
            guard half.rows.offered > 0 || !half.sections.isEmpty else { return nil }
            for (section, found) in half.rows.sections.enumerated() where section < half.sections.count {
                let value = half.sections[section]
                let number = numbers[value] ?? values.count
                if number == values.count {
                    values.append(value)
                    rows.append([])
                    numbers[value] = number
                }
                rows[number] += found
            }
        }
        for number in rows.indices { rows[number].sort { $0.bytes.lexicographicallyPrecedes($1.bytes) } }
        let order = rows.indices.filter { !rows[$0].isEmpty }.sorted {
            rows[$0][0].bytes.lexicographicallyPrecedes(rows[$1][0].bytes)
        }
        var keys: ContiguousArray<ObjectKey> = []
        var sections: [FetchedObjects.Section] = []
        for number in order where keys.count < limit {
            let isWhole = rule.isWhole(values[number], bound)
            let certain = isWhole ? rows[number][...] : rows[number].prefix { $0.bytes.lexicographicallyPrecedes(bound.frontier) }
            // Where the first row is not certain, another section may come before.
            guard rows[number][0].bytes.lexicographicallyPrecedes(bound.frontier) else { break }
            let taken = certain.prefix(limit - keys.count)
            keys += taken.lazy.map(\.key)
            sections.append(FetchedObjects.Section(value: values[number], count: taken.count))
            if !isWhole, rule != .byKey { break }
        }
        return keys.count == limit ? FetchedObjects(keys: keys, sections: sections) : nil
    }
}

extension FirstRowsRun {
    /// What is known of the sections of rows that were left out.
    enum SectionRule: Equatable {
        /// Nothing: they may belong to any section.
        case unknown
        /// Rows of one section have one first sort key.
        case byKey
        /// The section is the first letter of the first sort key.
        case byLetter

        init(_ plan: FetchPlan) {
            guard let section = plan.section, let key = plan.keys.first else {
                self = .unknown
                return
            }
            self = .unknown
            guard section.column.sql == key.column.sql, case .attribute(let attribute) = key.column.shape else { return }
            switch section.column.derivation {
            case nil:
                // Equal texts fold to equal keys, but spelled in two ways they are no equal bytes.
                let isText = attribute.type == .string && key.selector != .compare
                let isNumber = [.int16, .int32, .int64, .double, .float].contains(attribute.type)
                if isText || isNumber { self = .byKey }
            case .firstLetter, .nameFirstLetter: if key.selector != .compare { self = .byLetter }
            case .year, .month, .day: break
            }
        }

        /// Whether all rows of a section were let through.
        func isWhole(_ value: Value, _ bound: FirstRowsPlan) -> Bool {
            guard self == .byLetter, let letters = bound.letters, case .string(let title) = value else { return false }
            // Decomposed, as a letter and its accent may be one scalar in one row and two in the next.
            let first = title.decomposedStringWithCanonicalMapping.unicodeScalars.first?.value ?? 0
            let lower = first &- 0x41 < 26 ? first | 0x20 : first
            switch letters {
            case .from(let letter): return !(UInt32(letter)...0x7A).contains(lower)
            case .before(let letter): return first >= 0x80 || (UInt32(letter)...0x7A).contains(lower)
            }
        }
    }
}

extension Statement {
    func bind(_ parameter: FirstRowsPlan.Parameter, at index: Int32) {
        switch parameter {
        case .integer(let number): sqlite3_bind_int64(handle, index, number)
        case .double(let number): sqlite3_bind_double(handle, index, number)
        case .text(let bytes):
            bytes.withUnsafeBytes { buffer in
                let start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
                _ = sqlite3_bind_text(handle, index, start, Int32(truncatingIfNeeded: buffer.count), csqlite_transient())
            }
        }
    }
}

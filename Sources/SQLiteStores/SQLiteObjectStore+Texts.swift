import CSQLite
package import ObjectStore
import Synchronization

extension SQLiteObjectStore {
    /// One pass over the rows in the order of their keys, in two halves where there is a second receiver; a store in rollback mode
    /// is read in short transactions.
    package func scanTexts(
        at keyPaths: [ObjectKeyPath], of request: FetchRequest, progress: FetchProgress, into receivers: [any TextReceiver]
    ) throws(StoreError) {
        guard let first = receivers.first else { return }
        var scanned = request
        scanned.sortDescriptors = keyPaths.map { SortDescriptor(.keyPath($0)) }
        scanned.sectionKeyPath = nil
        let plan = try FetchPlan(scanned, mapping, file: name)
        // Only the temporary tables at the beginning may be made twice: what is passed on cannot be taken back.
        try source.performPatiently(.long) { readers, patience throws(StoreError) in
            try readers.scan { connections throws(StoreError) in
                guard let connection = connections.first else { return }
                for connection in connections { connection.watch(progress, patience: patience) }
                defer { for connection in connections { connection.watch(nil) } }
                try plan.prepare(connection, timeZone: options.timeZone)
                let middle = receivers.count > 1 && connections.count > 1 ? Self.middle(plan, connection) : nil
                if middle != nil { try plan.prepare(connections[1], timeZone: options.timeZone) }
                for connection in connections { connection.watch(progress) }
                let scan = TextScan(
                    plan: plan, progress: progress, turns: readers.holdsUpWriters ? ReadingTurns() : nil)
                guard let middle else { return try scan.read(connection, ObjectKey.min...ObjectKey.max, into: first) }
                let ranges = [ObjectKey.min...middle, (middle + 1)...ObjectKey.max]
                let failures = Mutex<[StoreError]>([])
                // Sound: each half has its own connection, and its own receiver.
                nonisolated(unsafe) let receivers = receivers
                LongWork.perform(iterations: 2) { half in
                    do throws(StoreError) {
                        try scan.read(connections[half], ranges[half], into: receivers[half])
                    } catch {
                        failures.withLock { $0.append(error) }
                    }
                }
                if let failure = failures.withLock({ $0.first }) { throw failure }
            }
        }
    }

    /// Where the key range is cut in two; nil where it is read as one.
    private static func middle(_ plan: FetchPlan, _ connection: Connection) -> ObjectKey? {
        guard let range = plan.keyRange(connection) else { return nil }
        let (width, overflow) = range.upperBound.subtractingReportingOverflow(range.lowerBound)
        return !overflow && width >= FetchPlan.splitWidth ? range.lowerBound + width / 2 : nil
    }
}

/// The reading of texts in ranges of keys.
private struct TextScan {
    let plan: FetchPlan
    let progress: FetchProgress
    /// Where a writer would have to wait for a reading transaction.
    let turns: ReadingTurns?

    func read(_ connection: Connection, _ range: ClosedRange<ObjectKey>, into receiver: any TextReceiver) throws(StoreError) {
        let texts = TextRows(columns: plan.keys.map(\.index), receiver: receiver)
        // What is damaged is the list's to tell: of it the rows that can be read are searched.
        _ = try RowReading(plan, connection, progress: progress, turns: turns).readWhatCanBe(of: range, into: texts)
    }
}

/// Passes on the texts of rows.
private final class TextRows: RowReceiver {
    private let columns: [Int32]
    private let receiver: any TextReceiver

    init(columns: [Int32], receiver: any TextReceiver) {
        self.columns = columns
        self.receiver = receiver
    }

    override func receive(_ row: RowValues, _ key: ObjectKey) -> Bool {
        for column in columns where row.type(column) == SQLITE_TEXT {
            guard receiver.receive(row.textBytes(column), of: key) else { return false }
        }
        return true
    }
}

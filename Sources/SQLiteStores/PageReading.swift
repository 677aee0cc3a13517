import ObjectStore

/// Reads the rows of a plan from pages, transaction by transaction, for as long as that pays.
final class PageReading {
    private let plan: FetchPlan
    private let connection: Connection
    private let counts: PageCounts
    private let leastKeys: UInt64
    /// Of the transaction that is open.
    private var table: TableReading?
    private var layout: RecordLayout?
    /// Whether SQLite is to read all that is still to come.
    private var isOver = false

    /// So many ranges are left to SQLite before it is asked whether it should have all.
    private static let mostLeft = 32

    /// - Parameters:
    ///   - isCut: whether each transaction is short, and opened and closed by who reads.
    ///   - leastKeys: ranges with fewer are SQLite's.
    init(_ plan: FetchPlan, _ connection: Connection, isCut: Bool, counts: PageCounts, leastKeys: UInt64) {
        self.plan = plan
        self.connection = connection
        self.counts = counts
        self.leastKeys = leastKeys
        // Whoever waits for others has no transaction open around the reading.
        isOver = isCut && connection.isInTransaction
    }

    func pays(for range: ClosedRange<ObjectKey>) -> Bool {
        !isOver && UInt64(bitPattern: range.upperBound &- range.lowerBound) >= leastKeys
    }

    /// Opens a transaction.
    func open() throws(StoreError) {
        table = nil
        try connection.run("BEGIN")
    }

    /// Closes the transaction that was opened.
    func close() {
        table = nil
        try? connection.run("COMMIT")
    }

    /// Reads a range in the transaction that is open; without one, nothing.
    func read(
        _ range: ClosedRange<ObjectKey>, into receiver: RowReceiver, look: () throws(StoreError) -> Bool
    ) throws(StoreError) -> TableReading.End {
        if !connection.isInTransaction { table = nil }
        if table == nil, connection.isInTransaction {
            table = try TableReading(plan, connection, known: layout, counts: counts)
            layout = table?.knownLayout ?? layout
        }
        guard let table else {
            isOver = true
            return .over
        }
        let end = try table.read(range, into: receiver, look: look)
        switch end {
        case .over: isOver = true
        case .left:
            counts.left += 1
            isOver = counts.left > Self.mostLeft && counts.left * 2 > counts.leaves
        default: break
        }
        return end
    }
}

import ObjectStore

/// Reads the rows of a plan in the order of their keys, range by range, on one connection.
///
/// The one place where rows are read in great numbers: it cuts the reading into short transactions where a writer would have to wait,
/// and looks up every hundred rows or so to see whether it should stop.
struct RowReading {
    private let plan: FetchPlan
    private let connection: Connection
    private let progress: FetchProgress
    private let turns: ReadingTurns?
    private let statement: Statement
    /// What the statement hands its rows to; nil: it gives them itself.
    private let function: RowFunction?

    /// - Parameters:
    ///   - connection: one that the plan is prepared on.
    ///   - turns: where a writer would have to wait for a reading transaction: then these are short.
    init(
        _ plan: FetchPlan, _ connection: Connection, progress: FetchProgress, turns: ReadingTurns?
    ) throws(StoreError) {
        self.plan = plan
        self.connection = connection
        self.progress = progress
        self.turns = turns
        function = plan.handingSQL == nil ? nil : connection.rowFunction
        statement = try connection.statement(plan.handingSQL ?? plan.sql)
    }

    /// Reads a range from its first key up, or from its last key down, until the receiver wants no more.
    ///
    /// - Throws: `StoreError.cancelled` once the progress was cancelled; what keeps the receiver from taking more. What was received is
    ///   received, up to the receiver's last key.
    func read(
        _ range: ClosedRange<ObjectKey>, backward: Bool = false, into receiver: RowReceiver
    ) throws(StoreError) {
        receiver.begin()
        if backward {
            try read(range, connection.statement(plan.backwardSQL), givesRows: true, backward: true, into: receiver)
        } else if let function {
            try function.hand(plan.columnCount, to: receiver) { () throws(StoreError) in
                try read(range, statement, givesRows: false, backward: false, into: receiver)
            }
        } else {
            try read(range, statement, givesRows: true, backward: false, into: receiver)
        }
    }

    /// - Parameter givesRows: whether the rows are the statement's own; otherwise it hands them over itself, and stops to have a look.
    private func read(
        _ range: ClosedRange<ObjectKey>, _ statement: Statement, givesRows: Bool, backward: Bool, into receiver: RowReceiver
    ) throws(StoreError) {
        var windows = KeyWindows(range, backward: backward, isCut: turns != nil && plan.isCut)
        while let window = windows.next() {
            if givesRows { try plan.bind(window, to: statement) } else { plan.bindHanding(window, to: statement) }
            receiver.expect(window)
            // Short transactions, so that a writer in rollback mode gets its turn (SPEC: 50 ms).
            let end = turns?.enter()
            if let end { connection.beginHolding(until: end) }
            defer {
                statement.reset()
                turns?.leave()
            }
            let before = receiver.last
            var isWhole = true
            do throws(StoreError) {
                while try statement.step() {
                    if givesRows, !receiver.take(statement.row) { continue }
                    try look(receiver)
                    if receiver.isDone { return }
                    if !givesRows, receiver.isBehind { break }
                    if let end, ContinuousClock.now >= end {
                        isWhole = false
                        break
                    }
                }
            } catch {
                // Stopped for the sake of a writer: what was read is read, and a window without a row is made narrower.
                guard error.cause == Connection.heldTooLong, turns != nil else { throw error }
                if receiver.last == before {
                    guard windows.narrow() else { throw error }
                    continue
                }
                isWhole = false
            }
            try look(receiver)
            windows.finish(at: isWhole ? nil : receiver.last)
        }
    }

    private func look(_ receiver: RowReceiver) throws(StoreError) {
        receiver.look()
        if let failure = receiver.failure { throw StoreError(file: connection.name, cause: failure) }
        if progress.isCancelled { throw StoreError(file: connection.name, cause: .cancelled) }
    }
}

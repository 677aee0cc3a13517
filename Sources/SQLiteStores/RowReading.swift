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
    /// What reads rows from pages, where the plan is plain enough.
    private let pages: PageReading?

    /// - Parameters:
    ///   - connection: one that the plan is prepared on.
    ///   - turns: where a writer would have to wait for a reading transaction: then these are short.
    ///   - pageCounts: what is read from pages is counted there.
    ///   - leastPageKeys: for ranges with fewer keys it does not pay to look at pages.
    init(
        _ plan: FetchPlan, _ connection: Connection, progress: FetchProgress, turns: ReadingTurns?,
        pageCounts: PageCounts = PageCounts(), leastPageKeys: UInt64 = 4096
    ) throws(StoreError) {
        self.plan = plan
        self.connection = connection
        self.progress = progress
        self.turns = turns
        function = plan.handingSQL == nil ? nil : connection.rowFunction
        statement = try connection.statement(plan.handingSQL ?? plan.sql)
        pages =
            plan.pageSQL == nil
            ? nil
            : PageReading(plan, connection, isCut: turns != nil, counts: pageCounts, leastKeys: leastPageKeys)
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
        } else if let pages, pages.pays(for: range) {
            try readPages(pages, range, into: receiver)
        } else {
            try readRows(range, into: receiver)
        }
    }

    /// - Parameter wanted: the keys that are taken from what is found in the range, where they are not the same.
    private func readRows(
        _ range: ClosedRange<ObjectKey>, wanted: ClosedRange<ObjectKey>? = nil, into receiver: RowReceiver
    ) throws(StoreError) {
        if let function {
            try function.hand(plan.columnCount, to: receiver) { () throws(StoreError) in
                try read(range, wanted: wanted, statement, givesRows: false, backward: false, into: receiver)
            }
        } else {
            try read(range, wanted: wanted, statement, givesRows: true, backward: false, into: receiver)
        }
    }

    /// - Parameter givesRows: whether the rows are the statement's own; otherwise it hands them over itself, and stops to have a look.
    private func read(
        _ range: ClosedRange<ObjectKey>, wanted: ClosedRange<ObjectKey>? = nil, _ statement: Statement, givesRows: Bool,
        backward: Bool, into receiver: RowReceiver
    ) throws(StoreError) {
        var wanted = wanted
        var windows = KeyWindows(range, backward: backward, isCut: turns != nil && plan.isCut)
        while let window = windows.next() {
            if givesRows { try plan.bind(window, to: statement) } else { plan.bindHanding(window, to: statement) }
            receiver.expect(wanted ?? window)
            wanted = nil
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

    /// Reads what can be read from pages, and the rest as SQLite does.
    private func readPages(
        _ pages: PageReading, _ range: ClosedRange<ObjectKey>, into receiver: RowReceiver
    ) throws(StoreError) {
        // Otherwise what SQLite reads belongs to the same transaction.
        let isOpened = turns == nil && !connection.isInTransaction
        if isOpened { try pages.open() }
        defer { if isOpened { pages.close() } }
        var rest: ClosedRange<ObjectKey>? = range
        while let next = rest {
            receiver.expect(next)
            let end = pages.pays(for: next) ? try readTurn(pages, next, into: receiver) : .over
            try look(receiver)
            switch end {
            case .whole, .done: return
            case .paused(let key): rest = key...range.upperBound
            case .left(let part):
                try readRows(part, into: receiver)
                if receiver.isDone { return }
                rest = part.upperBound < range.upperBound ? (part.upperBound + 1)...range.upperBound : nil
            case .over:
                // On a damaged page keys need not ascend: what SQLite comes upon counts, as if it had read all. So it begins with the last
                // row, which is known, and goes on to whatever it takes for the next.
                return try readRows((receiver.last ?? next.lowerBound)...range.upperBound, wanted: range, into: receiver)
            }
        }
    }

    /// Reads from pages until a writer is to have its turn.
    private func readTurn(
        _ pages: PageReading, _ range: ClosedRange<ObjectKey>, into receiver: RowReceiver
    ) throws(StoreError) -> TableReading.End {
        guard let turns else {
            return try pages.read(range, into: receiver) { () throws(StoreError) in
                try look(receiver)
                try connection.checkTime()
                return false
            }
        }
        let end = turns.enter()
        connection.beginHolding(until: end)
        defer { turns.leave() }
        try pages.open()
        defer { pages.close() }
        return try pages.read(range, into: receiver) { () throws(StoreError) in
            try look(receiver)
            return ContinuousClock.now >= end
        }
    }

    private func look(_ receiver: RowReceiver) throws(StoreError) {
        receiver.look()
        if let failure = receiver.failure { throw StoreError(file: connection.name, cause: failure) }
        if progress.isCancelled { throw StoreError(file: connection.name, cause: .cancelled) }
    }
}

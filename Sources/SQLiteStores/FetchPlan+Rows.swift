import ObjectStore

extension FetchPlan {
    /// Calls `body` with each row of a range of keys, in the order of the keys, until it wants no more; the statement stands on
    /// the row during the call only.
    ///
    /// - Parameter turns: where a writer would have to wait for a reading transaction: then these are short.
    /// - Throws: `StoreError.cancelled` once `progress` was cancelled.
    func eachRow(
        _ range: ClosedRange<ObjectKey>, _ connection: Connection, progress: FetchProgress, turns: ReadingTurns?, name: String,
        _ body: (Statement, ObjectKey) -> Bool
    ) throws(StoreError) {
        let statement = try connection.statement(sql)
        var windows = KeyWindows(range, backward: false, isCut: turns != nil && isCut)
        while let window = windows.next() {
            try bind(window, to: statement)
            // Short transactions, so that a writer in rollback mode gets its turn (SPEC: 50 ms).
            let end = turns?.enter()
            defer {
                statement.reset()
                turns?.leave()
            }
            var count = 0
            var last: ObjectKey?
            var isDone = true
            while try statement.step() {
                let key = statement.integer(0)
                last = key
                guard body(statement, key) else { return }
                count += 1
                guard count % 1024 == 0 else { continue }
                if progress.isCancelled { throw StoreError(file: name, cause: .cancelled) }
                if let end, ContinuousClock.now >= end {
                    isDone = false
                    break
                }
            }
            if progress.isCancelled { throw StoreError(file: name, cause: .cancelled) }
            windows.finish(at: isDone ? nil : last)
        }
    }
}

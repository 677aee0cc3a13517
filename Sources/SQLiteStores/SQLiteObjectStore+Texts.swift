import CSQLite
package import ObjectStore

extension SQLiteObjectStore {
    /// One pass over the rows in the order of their keys; a store in rollback mode is read in short transactions.
    package func scanTexts(
        at keyPaths: [ObjectKeyPath], of request: FetchRequest, progress: FetchProgress,
        _ body: (ObjectKey, UnsafeRawBufferPointer) -> Void
    ) throws(StoreError) {
        var scanned = request
        scanned.sortDescriptors = keyPaths.map { SortDescriptor(.keyPath($0)) }
        scanned.sectionKeyPath = nil
        let plan = try FetchPlan(scanned, mapping, file: name)
        try withoutActuallyEscaping(body) { body throws(StoreError) in
            // Only the temporary tables at the beginning may be made twice: what is passed on cannot be taken back.
            try source.performPatiently(largestCopy: 1 << 30) { readers, patience throws(StoreError) in
                let holdsUpWriters = readers.holdsUpWriters
                try readers.scan { connections throws(StoreError) in
                    guard let connection = connections.first else { return }
                    connection.watch(progress, patience: patience)
                    defer { connection.watch(nil) }
                    try plan.prepare(connection, timeZone: options.timeZone)
                    connection.watch(progress)
                    try Self.scan(
                        plan, connection, isCancelled: { progress.isCancelled }, pauses: holdsUpWriters, name: name, body)
                }
            }
        }
    }

    private static func scan(
        _ plan: FetchPlan, _ connection: Connection, isCancelled: () -> Bool, pauses: Bool, name: String,
        _ body: (ObjectKey, UnsafeRawBufferPointer) -> Void
    ) throws(StoreError) {
        let statement = try connection.statement(plan.sql)
        var windows = KeyWindows(ObjectKey.min...ObjectKey.max, backward: false, isCut: pauses && plan.isCut)
        while let window = windows.next() {
            try plan.bind(window, to: statement)
            defer { statement.reset() }
            // Short transactions, so that a writer in rollback mode gets its turn (SPEC: 50 ms).
            let end = pauses ? ContinuousClock.now + .milliseconds(40) : nil
            var count = 0
            var last: ObjectKey?
            var isDone = true
            while try statement.step() {
                let key = statement.integer(0)
                last = key
                for sortKey in plan.keys where statement.type(sortKey.index) == SQLITE_TEXT {
                    body(key, statement.bytes(sortKey.index))
                }
                count += 1
                guard count % 1024 == 0 else { continue }
                if isCancelled() { throw StoreError(file: name, cause: .cancelled) }
                if let end, ContinuousClock.now >= end {
                    isDone = false
                    break
                }
            }
            if isCancelled() { throw StoreError(file: name, cause: .cancelled) }
            windows.finish(at: isDone ? nil : last)
        }
    }
}

package import ObjectStore

extension SQLiteObjectStore {
    package func firstObjects(
        _ request: FetchRequest, limit: Int, progress: FetchProgress
    ) throws(StoreError) -> FetchedObjects? {
        try firstObjects(request, limit: limit, smallest: 200_000, progress: progress)
    }

    /// - Parameters:
    ///   - smallest: width of the key range below which all rows are read as soon.
    ///   - report: told how many rows were looked at, for tests that count them.
    package func firstObjects(
        _ request: FetchRequest, limit: Int, smallest: Int64, progress: FetchProgress, report: (@Sendable (Int) -> Void)? = nil
    ) throws(StoreError) -> FetchedObjects? {
        let plan = try FetchPlan(request, mapping, file: name)
        if progress.isCancelled { throw StoreError(file: name, cause: .cancelled) }
        return try source.perform { readers throws(StoreError) in
            guard readers.damage == nil else { return nil }
            return try readers.scan { connections throws(StoreError) in
                try FirstRowsRun(
                    plan: plan, connections: connections, progress: progress, options: options,
                    externalDataFolder: mapping.externalDataFolder, holdsUpWriters: readers.holdsUpWriters, name: name,
                    limit: limit, smallest: smallest, report: report
                ).run()
            }
        }
    }
}

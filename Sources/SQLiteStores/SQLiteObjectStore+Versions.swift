import CSQLite
package import ObjectStore

extension SQLiteObjectStore {
    /// One pass over the rows in the order of their keys; a store in rollback mode is read in short transactions.
    ///
    /// Key paths that give lists are left out. `Z_OPT` would be one column to compare, but only Core Data keeps it, and whoever else
    /// writes into its tables need not; to read it costs as much as to read a name, as the way to the row is what costs.
    package func versions(
        at keyPaths: [ObjectKeyPath], of request: FetchRequest, progress: FetchProgress
    ) throws(StoreError) -> RowVersions? {
        let plan = try versionsPlan(at: keyPaths, of: request)
        return try source.perform { readers throws(StoreError) in
            try readers.scan { connections throws(StoreError) in
                guard let connection = connections.first else { return nil }
                connection.watch(progress)
                defer { connection.watch(nil) }
                try plan.prepare(connection, timeZone: options.timeZone)
                let reading = VersionsReading(plan, connection, readers.opening, progress: progress)
                return try reading.read(since: nil) { _ in }.versions
            }
        }
    }

    /// The request with all columns that tell versions apart as its sort keys.
    private func versionsPlan(at keyPaths: [ObjectKeyPath], of request: FetchRequest) throws(StoreError) -> FetchPlan {
        var scanned = request
        var paths = keyPaths.filter { !$0.isToMany }
        if let section = request.sectionKeyPath { paths.append(section) }
        scanned.sortDescriptors += paths.map { SortDescriptor(.keyPath($0)) }
        scanned.sectionKeyPath = nil
        return try FetchPlan(scanned, mapping, file: name)
    }

    package func follow(
        _ objects: FetchedObjects?, since versions: RowVersions, at keyPaths: [ObjectKeyPath], of request: FetchRequest,
        progress: FetchProgress
    ) throws(StoreError) -> FollowedObjects? {
        let scan = try versionsPlan(at: keyPaths, of: request)
        let plan = try FetchPlan(request, mapping, file: name)
        let old = objects.flatMap { isPatchable($0, request, plan) ? $0 : nil }
        let before = old == nil ? nil : settledFileState()
        let (found, isSnapshot) = try source.performPatiently(.following) { readers, patience throws(StoreError) in
            try readers.scan { connections throws(StoreError) -> (FollowedObjects?, Bool) in
                guard let connection = connections.first else { return (nil, false) }
                connection.watch(progress)
                defer { connection.watch(nil) }
                try scan.prepare(connection, timeZone: options.timeZone)
                try plan.prepare(connection, timeZone: options.timeZone)
                var patched: PatchedObjects?
                let reading = VersionsReading(scan, connection, readers.opening, progress: progress, patience: patience)
                let result = try reading.read(since: versions) { changes throws(StoreError) in
                    patched = nil
                    guard let old, OrderPatch.pays(changes, among: old.keys.count) else { return }
                    let patch = try OrderPatch(
                        plan, connection, options: options, externalDataFolder: mapping.externalDataFolder, progress: progress)
                    patched = try patch.patched(old, changes)
                }
                let followed = FollowedObjects(versions: result.versions, changes: result.changes, patch: patched)
                return (followed, result.isSnapshot && readers.opening != .immutable)
            }
        }
        guard var found else { return nil }
        // Where it could be written between the pass and the looks, only what shows that it was not is believed.
        if found.patch != nil, !isSnapshot, before == nil || fileState() != before { found.patch = nil }
        return found
    }

    /// Whether each object of a request can be looked at by its key alone, and is all that its place in the order depends on.
    private func isPatchable(_ objects: FetchedObjects, _ request: FetchRequest, _ plan: FetchPlan) -> Bool {
        if let section = plan.section, case .object = section.column.shape { return false }
        return request.scope == .all && request.fetchLimit == nil && objects.fault == nil && !schema.isDamaged
            && plan.sources.allSatisfy { if case .table = $0 { true } else { false } }
    }
}

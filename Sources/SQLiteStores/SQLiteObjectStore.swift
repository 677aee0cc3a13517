import Foundation
package import ObjectStore

/// A store in a SQLite file: Core Data's, or any other.
///
/// Reading leaves no trace beside the file (SPEC section 6). Calls may come from any thread: values never wait for a fetch.
package final class SQLiteObjectStore: ObjectStore {
    package let schema: Schema
    package let name: String
    let mapping: StoreMapping
    let source: ReaderSource
    let options: StoreOptions
    let damage = DamageLog()
    /// Of the schema table when the store was opened.
    let layout: UInt64
    /// The file's node then.
    let node: UInt64
    let commits: CommitCounter

    init(
        _ mapping: StoreMapping, _ source: ReaderSource, _ options: StoreOptions, layout: UInt64 = 0, node: UInt64 = 0,
        commits: CommitCounter = CommitCounter()
    ) {
        self.commits = commits
        self.layout = layout
        self.node = node
        self.mapping = mapping
        self.schema = mapping.schema
        self.name = source.name
        self.source = source
        self.options = options
    }

    /// Opens a store and reads its schema.
    ///
    /// - Parameter commits: counted what was committed so far, where the store was open before.
    /// - Throws: what is wrong with the file; or, under the model's name, with a model that the options name.
    package static func open(
        path: String, options: StoreOptions = StoreOptions(), commits: CommitCounter = CommitCounter()
    ) throws(StoreError) -> SQLiteObjectStore {
        let file = try StoreFile(examining: path)
        return try file.explained { () throws(StoreError) in try open(file, options, commits) }
    }

    private static func open(
        _ file: StoreFile, _ options: StoreOptions, _ commits: CommitCounter
    ) throws(StoreError) -> SQLiteObjectStore {
        let readers =
            options.readsOneState
            ? try Readers.openOneState(file, isPrivate: options.isPrivate, allowsViews: true)
            : try Readers.open(file, isPrivate: options.isPrivate, allowsViews: true)
        var (mapping, catalog, layout) = try readers.show { connection throws(StoreError) in
            // SQLite asks the system nine things for each reading that takes its own lock; one lock for all holds up a writer only where
            // the schema takes long to read.
            let isOneReading = readers.stamps.isSmall && connection.beginReading()
            defer { if isOneReading { connection.endReading() } }
            // The number first: should a writer come between the two, the store is opened once more rather than never.
            let layout = try connection.layoutNumber()
            let catalog = try Catalog(connection)
            connection.watch(nil, seconds: 10)
            defer { connection.watch(nil) }
            guard CoreDataStoreReader.recognises(catalog) else {
                return (try TableSchemaBuilder.mapping(connection, catalog), catalog, layout)
            }
            // Core Data makes no views: one that stands where a table should is not run.
            connection.allowViews(false)
            var reader = CoreDataStoreReader(connection: connection, catalog: catalog, file: file, options: options)
            return (try reader.mapping(), catalog, layout)
        }
        let isCoreData = CoreDataStoreReader.recognises(catalog)
        if isCoreData { readers.restrictViews() }
        if let damage = file.missingLength ?? readers.damage {
            mapping.schema.isDamaged = true
            mapping.schema.warnings.append("The file is damaged: \(damage).")
        }
        mapping.indexes = TableIndexes(catalog)
        let source = ReaderSource(
            file, readers, isPrivate: options.isPrivate, allowsViews: !isCoreData, isOneState: options.readsOneState)
        return SQLiteObjectStore(
            mapping, source, options, layout: layout, node: readers.stamps.main?.node ?? 0, commits: commits)
    }

    /// Opened anew, as a report opens it.
    package func ofOneState() throws(StoreError) -> any ObjectStore {
        guard !options.readsOneState, file != nil else { return self }
        var options = options
        options.readsOneState = true
        options.orderCache = nil
        return try Self.open(path: name, options: options)
    }

    package func fetch(_ request: FetchRequest, progress: FetchProgress) throws(StoreError) -> FetchedObjects {
        try fetch(request, first: nil, progress: progress)
    }

    package func fetch(
        _ request: FetchRequest, first: FirstObjects?, progress: FetchProgress
    ) throws(StoreError) -> FetchedObjects {
        var plan = try FetchPlan(request, mapping, file: name)
        if !options.readsPages { plan.pageSQL = nil }
        if progress.isCancelled { throw StoreError(file: name, cause: .cancelled) }
        let place = cachePlace(of: request, plan)
        if let place, let cached = cachedObjects(request, place, first: first) { return cached }
        let found = try source.performPatiently(.long) { readers, patience throws(StoreError) in
            try readers.scan { connections throws(StoreError) in
                try FetchRun(
                    plan: plan, connections: connections, progress: progress, options: options,
                    externalDataFolder: mapping.externalDataFolder, holdsUpWriters: readers.holdsUpWriters, patience: patience,
                    name: name, first: first,
                    budget: MemoryBudget(limit: options.memoryLimit, isPrivate: options.isPrivate)
                ).run()
            }
        }
        if let place, cachePlace(of: request, plan) == place { place.cache.keep(found, of: place.list, in: place.state) }
        // Of a whole list the one who asked says it; of the lines below an object nobody else would.
        if let fault = found.fault, case .related(let object, let relationship) = request.scope {
            damage.note(uri(of: object) + " " + relationship, fault)
        }
        return found
    }

    /// Of a small file's table, without a condition: that may be any number of steps for each row, as a view may be.
    package func isQuick(_ request: FetchRequest) -> Bool {
        guard request.predicate == nil, !schema.isDamaged, case .table? = mapping.entities[request.entityName]?.source else {
            return false
        }
        return (try? source.readers().stamps.isSmall) ?? false
    }

    /// Counted by SQLite: O(rows) at worst, O(pages) for a table of one entity.
    package func count(of entityName: String) throws(StoreError) -> Int { try count(of: entityName, within: 10) }

    /// - Parameter seconds: for a view; a table's rows are counted in time, however many they are.
    func count(of entityName: String, within seconds: Double) throws(StoreError) -> Int {
        guard let entity = schema.entity(named: entityName), let found = mapping.entities[entity.name] else {
            throw StoreError(
                file: name,
                cause: .unknownEntity(entityName, nearest: nearestName(to: entityName, among: schema.entities.map(\.name))))
        }
        let condition = KeyPathCompiler.condition(found.filter, "t0").map { " WHERE " + $0 } ?? ""
        // A view is counted as it stands: numbering its rows would cost more.
        let (table, limit): (String, Double) =
            switch found.source {
            case .numberedKeys(let table, _, _): ("main." + table.quoted, 10)
            case .numberedRows(let table, _, _): ("main." + table.quoted, seconds)
            default: (found.source.sql, 10)
            }
        return try show(within: limit) { connection throws(StoreError) in
            let counts = try connection.rows("SELECT count(*) FROM \(table) t0\(condition)") { $0.integer(0) }
            return Int(truncatingIfNeeded: counts.first ?? 0)
        }
    }

    package var hasKeptState: Bool { source.hasKeptState }

    /// Statements started since the files were opened: what a call costs in round trips, for tests. Waits for a running fetch.
    package func statementCount() throws(StoreError) -> Int {
        try source.perform { readers throws(StoreError) in
            let scanned = try readers.scan { connections throws(StoreError) in connections.reduce(0) { $0 + $1.statementCount } }
            return try readers.show { connection throws(StoreError) in scanned + connection.statementCount }
        }
    }

    /// A short reading that gives up after some seconds: a view can be an endless program.
    func show<Result: Sendable>(
        within seconds: Double = 10, _ body: (Connection) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try source.performPatiently(.short) { readers, patience throws(StoreError) in
            try readers.show { connection throws(StoreError) in
                connection.watch(nil, seconds: seconds, patience: patience)
                defer { connection.watch(nil) }
                return try body(connection)
            }
        }
    }
}

package import Foundation
package import ObjectStore

/// What a caller may say about the opening of a store.
package struct StoreOptions: Sendable {
    /// The Core Data model that the user named; nil: one is looked for.
    package var modelPath: String?
    /// Folders that may hold a model, besides the store's own; such as the list plist's.
    package var modelDirectories: [String]
    /// No file outside memory, not even a temporary one.
    package var isPrivate: Bool
    /// The zone in which `@year`, `@month` and `@day` are counted.
    package var timeZone: TimeZone
    /// The locale of the localised selectors, by its ICU identifier.
    package var localeIdentifier: String
    /// How models are read.
    package var models: ModelSource
    /// Where orders of long lists are kept; nil: nowhere.
    package var orderCache: OrderCache?
    /// So many bytes of a fetch's rows stay in memory, more go to files without names; nil: a quarter of what is free.
    package var memoryLimit: Int?
    /// All that is read is of one committed state, that of the opening: for reports, which look at the data once.
    package var readsOneState: Bool
    /// Lists may be read from the pages of the file; false for tests, which compare with what SQLite reads.
    var readsPages = true

    package init(
        modelPath: String? = nil, modelDirectories: [String] = [], isPrivate: Bool = false,
        timeZone: TimeZone = TimeZone(secondsFromGMT: 0) ?? .current, localeIdentifier: String = "en_001",
        models: ModelSource = .none, orderCache: OrderCache? = nil, readsOneState: Bool = false
    ) {
        self.modelPath = modelPath
        self.modelDirectories = modelDirectories
        self.isPrivate = isPrivate
        self.timeZone = timeZone
        self.localeIdentifier = localeIdentifier
        self.models = models
        self.orderCache = orderCache
        self.readsOneState = readsOneState
    }
}

/// The readers of model formats, as the store needs them; a door, so that stores can be tested with models made in code.
package struct ModelSource: Sendable {
    /// The model in the bytes of `Z_MODELCACHE`.
    package var cachedModel: @Sendable (Data) throws -> ManagedObjectModel
    /// The model in a file or bundle; of several versions the one whose hashes are these.
    package var modelFile: @Sendable (_ path: String, _ storeHashes: [String: [UInt8]]) throws(StoreError) -> ManagedObjectModel
    /// Entity name → version hash in the property list of `Z_METADATA`; empty if it says nothing.
    package var versionHashes: @Sendable (Data) -> [String: [UInt8]]

    package init(
        cachedModel: @escaping @Sendable (Data) throws -> ManagedObjectModel,
        modelFile:
            @escaping @Sendable (_ path: String, _ storeHashes: [String: [UInt8]]) throws(StoreError) -> ManagedObjectModel,
        versionHashes: @escaping @Sendable (Data) -> [String: [UInt8]]
    ) {
        self.cachedModel = cachedModel
        self.modelFile = modelFile
        self.versionHashes = versionHashes
    }

    /// The error of a model that nothing can read.
    package static func unreadable(_ path: String, _ reason: String) -> StoreError {
        StoreError(file: path, cause: .engine(reason))
    }

    /// Reads no model at all: every schema is inferred.
    package static let none = ModelSource(
        cachedModel: { _ in throw unreadable("Z_MODELCACHE", "no reader for models") },
        modelFile: { path, _ throws(StoreError) in throw unreadable(path, "no reader for models") },
        versionHashes: { _ in [:] })
}

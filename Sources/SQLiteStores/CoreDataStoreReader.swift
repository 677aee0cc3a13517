import Foundation
import ObjectStore
import PropertyLists

/// Reads what a Core Data store says of itself: entities, identifier, version hashes, cached model.
struct CoreDataStoreReader {
    struct EntityRow: Sendable, Equatable {
        var number: Int64
        var name: String
        /// 0: a root.
        var superNumber: Int64
    }

    let connection: Connection
    let catalog: Catalog
    let file: StoreFile
    let options: StoreOptions
    /// Of `Z_PRIMARYKEY`, once they are read.
    private(set) var rows: [EntityRow] = []

    init(connection: Connection, catalog: Catalog, file: StoreFile, options: StoreOptions) {
        self.connection = connection
        self.catalog = catalog
        self.file = file
        self.options = options
    }

    /// Whether the tables are those of a Core Data store.
    static func recognises(_ catalog: Catalog) -> Bool {
        guard let keys = catalog.table("Z_PRIMARYKEY"), catalog.table("Z_METADATA") != nil else { return false }
        return ["Z_ENT", "Z_NAME", "Z_SUPER"].allSatisfy { keys.column($0) != nil }
    }

    /// - Throws: the model's fault if the user named a model that cannot be read, else what SQLite says.
    mutating func mapping() throws(StoreError) -> StoreMapping {
        rows = try entityRows()
        let metadata = try self.metadata()
        let chosen = try model(for: rows, hashes: metadata.hashes)
        var builder = CoreDataSchemaBuilder(rows: rows, catalog: catalog, model: chosen.model)
        builder.warnings = chosen.warnings
        let inference = CoreDataInference(rows: rows, catalog: catalog, connection: connection)
        var mapping = try builder.build(origin: chosen.origin, storeHashes: metadata.hashes, inference: inference)
        mapping.storeIdentifier = metadata.identifier
        mapping.schema.metadataKeys = metadata.keys
        let strays = strayWarnings(mapping)
        mapping.schema.warnings += strays.warnings
        mapping.straysForLater = strays.later
        let path = file.path as NSString
        let base = (path.lastPathComponent as NSString).deletingPathExtension
        mapping.externalDataFolder = path.deletingLastPathComponent + "/.\(base)_SUPPORT/_EXTERNAL_DATA"
        return mapping
    }

    private func entityRows() throws(StoreError) -> [EntityRow] {
        let rows = try connection.rows("SELECT Z_ENT, Z_NAME, Z_SUPER FROM main.Z_PRIMARYKEY ORDER BY Z_ENT", limit: 4000) {
            row in
            row.isNull(0) || row.isNull(1)
                ? nil : EntityRow(number: row.integer(0), name: row.text(1), superNumber: row.integer(2))
        }
        var seen: Set<String> = []
        return rows.compactMap { $0 }.filter { !$0.name.isEmpty && seen.insert($0.name).inserted }
    }

    private func metadata() throws(StoreError) -> (identifier: String?, hashes: [String: [UInt8]], keys: [String]) {
        let hasPlist = catalog.table("Z_METADATA")?.column("Z_PLIST") != nil
        guard catalog.table("Z_METADATA")?.column("Z_UUID") != nil else { return (nil, [:], []) }
        let plist = hasPlist ? "CASE WHEN length(Z_PLIST) < 16000000 THEN Z_PLIST END" : "NULL"
        let row = try connection.rows("SELECT Z_UUID, \(plist) FROM main.Z_METADATA LIMIT 1") { row in
            (row.optionalText(0), row.isNull(1) ? nil : Data(row.bytes(1)))
        }.first
        var keys: [String] = []
        if let bytes = row?.1, case .dictionary(let entries)? = try? PropertyListReader.read(data: bytes) {
            keys = entries.map(\.key).sorted()
        }
        return (row?.0, row?.1.map(options.models.versionHashes) ?? [:], keys)
    }

    private func model(
        for rows: [EntityRow], hashes: [String: [UInt8]]
    ) throws(StoreError) -> (model: ManagedObjectModel?, origin: Schema.Origin, warnings: [String]) {
        if let path = options.modelPath {
            return (try options.models.modelFile(path, hashes), .modelFile(path), [])
        }
        var warnings: [String] = []
        if let content = try cachedContent() {
            do {
                return (try options.models.cachedModel(content), .cachedModel, [])
            } catch {
                let reason = (error as? StoreError)?.problem ?? String(describing: error)
                warnings.append("The model cached in the store cannot be read: \(reason).")
            }
        }
        for path in modelCandidates() {
            guard let model = try? options.models.modelFile(path, hashes) else { continue }
            if CoreDataSchemaBuilder.fits(model, rows: rows, catalog: catalog, storeHashes: hashes) {
                return (model, .modelFile(path), warnings)
            }
        }
        return (nil, .inferred, warnings)
    }

    private func cachedContent() throws(StoreError) -> Data? {
        guard catalog.table("Z_MODELCACHE")?.column("Z_CONTENT") != nil else { return nil }
        let sql = "SELECT Z_CONTENT FROM main.Z_MODELCACHE WHERE length(Z_CONTENT) BETWEEN 1 AND 64000000 LIMIT 1"
        return try connection.rows(sql, limit: 1) { Data($0.bytes(0)) }.first
    }

    /// Models beside the store and in the folders named, those called like the store first; at most 64.
    private func modelCandidates() -> [String] {
        let folder = (file.path as NSString).deletingLastPathComponent
        let base = ((file.path as NSString).lastPathComponent as NSString).deletingPathExtension.lowercased()
        var candidates: [String] = []
        for directory in [folder] + options.modelDirectories.filter({ $0 != folder }) {
            let names = SystemPath.names(in: directory.isEmpty ? "." : directory)
            let models = names.filter { ["momd", "mom", "xcdatamodeld", "xcdatamodel"].contains(($0 as NSString).pathExtension) }
            let ordered = models.sorted { left, right in
                let nearLeft = base.hasPrefix((left as NSString).deletingPathExtension.lowercased())
                let nearRight = base.hasPrefix((right as NSString).deletingPathExtension.lowercased())
                return nearLeft == nearRight ? left < right : nearLeft
            }
            candidates += ordered.map { (directory.isEmpty ? "." : directory) + "/" + $0 }
        }
        return Array(candidates.prefix(64))
    }
}

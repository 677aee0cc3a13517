import Foundation
import ObjectStore
import PropertyLists

extension ModelSource {
    /// Reads the formats that Core Data writes.
    package static let files = ModelSource(
        cachedModel: { content in
            do throws(ManagedObjectModelError) {
                return try ManagedObjectModel.read(modelCache: Array(content))
            } catch {
                throw unreadable("Z_MODELCACHE", error.problem)
            }
        },
        modelFile: { path, storeHashes throws(StoreError) in
            do throws(ManagedObjectModelError) {
                return try ManagedObjectModel.read(path: path, matching: storeHashes)
            } catch {
                throw unreadable(path, error.problem)
            }
        },
        versionHashes: { metadata in
            guard let plist = try? PropertyListReader.read(data: metadata),
                case .dictionary(let entries)? = plist["NSStoreModelVersionHashes"]
            else { return [:] }
            var hashes: [String: [UInt8]] = [:]
            for entry in entries {
                if case .data(let hash) = entry.value { hashes[entry.key] = Array(hash) }
            }
            return hashes
        })
}

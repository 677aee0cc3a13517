internal import PropertyLists

/// The model that a store keeps of itself, in `Z_MODELCACHE`: the archive, compressed without a header.
extension ManagedObjectModel {
    /// Reads the contents of `Z_MODELCACHE.Z_CONTENT`. Linear in the size of the inflated model, which is bounded.
    package static func read(modelCache: [UInt8]) throws(ManagedObjectModelError) -> ManagedObjectModel {
        if modelCache.starts(with: "bplist".utf8) { return try read(bytes: modelCache, file: "") }
        return try read(bytes: try inflated(modelCache), file: "")
    }

    /// Bytes; the largest cache seen inflates to less than one hundredth.
    private static let inflatedLimit = 256 << 20

    private static func inflated(_ bytes: [UInt8]) throws(ManagedObjectModelError) -> [UInt8] {
        do {
            return try Inflation.inflate(bytes, .raw, limit: inflatedLimit)
        } catch {
            let reason =
                switch error {
                case .empty: "the cached model is empty"
                case .tooLarge(let limit, _): "the cached model inflates to more than \(limit) bytes"
                case .damaged: "the cached model is damaged or cut off"
                }
            throw ManagedObjectModelError(file: "", cause: .notAModel(reason))
        }
    }
}

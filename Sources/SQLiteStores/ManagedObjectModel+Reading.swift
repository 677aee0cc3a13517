internal import Foundation
internal import PropertyLists

extension ManagedObjectModel {
    /// Reads the model at `path`: `.mom`, `.momd`, `.xcdatamodel` of either form, `.xcdatamodeld`, told by content.
    ///
    /// Of several versions the one whose hashes are those in `matching` (entity name → hash, from the store's metadata), or agree with
    /// most of them; without hashes the current version. Linear in the size of the model.
    package static func read(
        path: String, matching hashes: [String: [UInt8]]? = nil
    ) throws(ManagedObjectModelError) -> ManagedObjectModel {
        guard isFolder(path) else {
            var model = try read(file: path)
            // A version that was picked from its folder: the folder knows its hashes.
            let (folder, name) = (parent(of: path), lastComponent(of: path))
            if name.hasSuffix(".mom"), let info = try? CompiledModelVersions(folder: folder) {
                model.versionHashes = info.hashes[String(name.dropLast(4))] ?? [:]
            }
            return model
        }
        let names = self.names(in: path)
        if let source = names.first(where: { $0 == "contents" || $0 == "elements" }) {
            return try read(file: path + "/" + source)
        }
        if names.contains("VersionInfo.plist") || names.contains(where: { $0.hasSuffix(".mom") }) {
            return try read(compiledVersions: path, names: names, matching: hashes)
        }
        let versions = names.filter { $0.hasSuffix(".xcdatamodel") }
        guard !versions.isEmpty else {
            throw ManagedObjectModelError(file: path, cause: .notAModel("a folder without a model in it"))
        }
        return try read(path: path + "/" + currentVersion(of: path, versions: versions))
    }

    /// Paths of the models that lie in a folder, sorted by name; folders in it are not searched.
    package static func candidates(beside directory: String) -> [String] {
        names(in: directory).filter { name in
            let lowered = name.lowercased()
            return [".momd", ".mom", ".xcdatamodeld", ".xcdatamodel"].contains { lowered.hasSuffix($0) && lowered != $0 }
        }.map { directory.hasSuffix("/") ? directory + $0 : directory + "/" + $0 }
    }

    /// One model's file, whatever its name: a keyed archive, compiled or of a source model, or XML.
    private static func read(file path: String) throws(ManagedObjectModelError) -> ManagedObjectModel {
        let bytes: [UInt8]
        do {
            bytes = try PropertyListReader.bytes(file: path)
        } catch {
            throw ManagedObjectModelError(error, file: path)
        }
        return try read(bytes: bytes, file: path)
    }

    static func read(bytes: [UInt8], file: String) throws(ManagedObjectModelError) -> ManagedObjectModel {
        do {
            guard bytes.starts(with: "bplist".utf8) else {
                if let other = PropertyListReader.otherKind(of: bytes) {
                    throw ManagedObjectModelError(file: file, cause: .notAModel("it is \(other)"))
                }
                return try read(contents: bytes, file: file)
            }
            let archive = try KeyedArchive(bytes: bytes)
            guard case .object(let root) = archive.root else {
                throw ManagedObjectModelError(file: file, cause: .notAModel("its archive holds no object"))
            }
            switch archive.className(of: root) {
            case "XDPMModel": return try read(designArchive: archive, root: root, file: file)
            case "NSManagedObjectModel": return try read(archive: archive, root: root, file: file)
            case let name:
                let name = OutlineNode.line(name ?? "unknown")
                throw ManagedObjectModelError(file: file, cause: .notAModel("its archive holds an object of class \(name)"))
            }
        } catch let error as PropertyListError {
            throw ManagedObjectModelError(error, file: file)
        } catch let error as ManagedObjectModelError {
            throw error
        } catch {
            throw ManagedObjectModelError(file: file, cause: .notAModel("\(error)"))
        }
    }

    // MARK: Versions

    private static func read(
        compiledVersions folder: String, names: [String], matching hashes: [String: [UInt8]]?
    ) throws(ManagedObjectModelError) -> ManagedObjectModel {
        let models = names.filter { $0.hasSuffix(".mom") }
        guard names.contains("VersionInfo.plist") else {
            guard models.count == 1, let only = models.first else {
                throw ManagedObjectModelError(file: folder, cause: .noCurrentVersion(models))
            }
            return try read(file: folder + "/" + only)
        }
        let info = try CompiledModelVersions(folder: folder)
        guard let version = info.version(matching: hashes, among: models.map { String($0.dropLast(4)) }) else {
            throw ManagedObjectModelError(file: folder, cause: .noCurrentVersion(models))
        }
        var model = try read(file: folder + "/" + version + ".mom")
        model.versionHashes = info.hashes[version] ?? [:]
        return model
    }

    /// The version that `.xccurrentversion` names, else the only one, else the one that is named as the folder.
    private static func currentVersion(of folder: String, versions: [String]) throws(ManagedObjectModelError) -> String {
        if let info = try? PropertyListReader.read(file: folder + "/.xccurrentversion"),
            case .string(let name)? = info["_XCCurrentVersionName"], versions.contains(name)
        {
            return name
        }
        if versions.count == 1, let only = versions.first { return only }
        let folderName = lastComponent(of: folder)
        if let namesake = versions.first(where: { folderName == $0 + "d" }) { return namesake }
        throw ManagedObjectModelError(file: folder, cause: .noCurrentVersion(versions))
    }

    // MARK: Paths

    private static func isFolder(_ path: String) -> Bool {
        SystemPath.status(path).map { SystemPath.kindThatIsNoFile($0.st_mode) == "a folder" } ?? false
    }

    private static func names(in folder: String) -> [String] {
        SystemPath.names(in: folder).sorted()
    }

    private static func lastComponent(of path: String) -> String { (path as NSString).lastPathComponent }

    private static func parent(of path: String) -> String {
        let parent = (path as NSString).deletingLastPathComponent
        return parent.isEmpty ? "." : parent
    }
}

/// What `VersionInfo.plist` in a `.momd` says of the versions.
struct CompiledModelVersions {
    private let current: String?
    /// Version → entity → hash.
    let hashes: [String: [String: [UInt8]]]

    init(folder: String) throws(ManagedObjectModelError) {
        let path = folder + "/VersionInfo.plist"
        let info: PropertyList
        do {
            info = try PropertyListReader.read(file: path)
        } catch {
            throw ManagedObjectModelError(error, file: path)
        }
        if case .string(let name)? = info["NSManagedObjectModel_CurrentVersionName"] { current = name } else { current = nil }
        var hashes: [String: [String: [UInt8]]] = [:]
        if case .dictionary(let versions)? = info["NSManagedObjectModel_VersionHashes"] {
            for version in versions {
                guard case .dictionary(let entities) = version.value else { continue }
                for entity in entities {
                    if case .data(let hash) = entity.value { hashes[version.key, default: [:]][entity.key] = [UInt8](hash) }
                }
            }
        }
        self.hashes = hashes
    }

    /// The version that agrees with most of the hashes, the current one where several do or no hashes are given. Only versions that
    /// have a file are chosen.
    func version(matching wanted: [String: [UInt8]]?, among versions: [String]) -> String? {
        let fallback = current.flatMap { versions.contains($0) ? $0 : nil } ?? (versions.count == 1 ? versions.first : nil)
        guard let wanted, !wanted.isEmpty else { return fallback }
        var best = fallback
        var bestCount = fallback.map { agreement(of: $0, with: wanted) } ?? -1
        for version in versions.sorted() {
            let count = agreement(of: version, with: wanted)
            if count > bestCount { (best, bestCount) = (version, count) }
        }
        return best
    }

    /// Entities whose hashes are the same, less those that are in one of both only.
    private func agreement(of version: String, with wanted: [String: [UInt8]]) -> Int {
        guard let own = hashes[version] else { return .min }
        let same = wanted.count { own[$0.key] == $0.value }
        return 2 * same - own.count
    }
}

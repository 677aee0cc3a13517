import Foundation
import ObjectStore
import PropertyLists

/// Finds the detail of related objects through the other list plists of a folder.
package enum DetailLocator {
    /// A folder with more plists than this is searched no further.
    private static let mostPlists = 200

    /// A list plist, and the entity and the detail that it names.
    package struct List: Sendable, Equatable {
        package var file: String
        package var entityName: String
        package var detailName: String
    }

    /// The list plists beside a plist, by file name; files that are none are passed over in silence. Reads every plist of the folder.
    package static func lists(beside file: String) -> [List] {
        let folder = DirectoryListing.folder(of: file)
        let names = DirectoryListing.names(in: folder).filter { $0.hasSuffix(".plist") }
        return names.prefix(mostPlists).compactMap { name in
            let path = DirectoryListing.joined(folder, name)
            guard let plist = try? PropertyListReader.read(file: path),
                case .string(let entity)? = plist[ListKey.entityName.rawValue],
                case .string(let detail)? = plist[ListKey.detailViewPropertyListFile.rawValue], !entity.isEmpty, !detail.isEmpty
            else { return nil }
            return List(file: path, entityName: entity, detailName: detail)
        }
    }

    /// The detail plist that one of some list plists gives for an entity; nil if none does or its file is not there.
    package static func detail(for entityName: String, among lists: [List]) -> String? {
        for list in lists where list.entityName == entityName {
            let key = ListKey.detailViewPropertyListFile.rawValue
            if let path = try? DataLocator.detail(named: list.detailName, beside: list.file, key: key) { return path }
        }
        return nil
    }
}

extension DataLocator {
    /// The plist of a folder whose name is near to a detail's, without `.plist`.
    static func nearestPlist(to name: String, in folder: String) -> String? {
        let names = DirectoryListing.names(in: folder).filter { $0.hasSuffix(".plist") }
        return nearestName(to: name, among: names.map { String($0.dropLast(".plist".count)) })
    }
}

import Foundation

/// Names in a folder and paths between files, as the locators need them.
enum DirectoryListing {
    /// A folder with more names than this is searched no further.
    static let longest = 20_000

    /// The names in a folder, sorted; empty where it cannot be read.
    static func names(in folder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.prefix(longest).sorted()
    }

    /// The folder that a file is in, as the file's path names it: `.` where it names none.
    static func folder(of file: String) -> String {
        let folder = (file as NSString).deletingLastPathComponent
        return folder.isEmpty ? "." : folder
    }

    /// A path as seen from a file's folder.
    static func path(_ path: String, besideFile file: String) -> String {
        path.hasPrefix("/") ? path : joined(folder(of: file), path)
    }

    static func joined(_ folder: String, _ name: String) -> String {
        folder == "." || name.hasPrefix("/") ? name : (folder as NSString).appendingPathComponent(name)
    }

    static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    /// Neither a folder nor a pipe or a device, which could block for ever.
    static func isRegularFile(_ path: String) -> Bool {
        let resolved = (path as NSString).resolvingSymlinksInPath
        let attributes = try? FileManager.default.attributesOfItem(atPath: resolved)
        return attributes?[.type] as? FileAttributeType == .typeRegular
    }
}

import Foundation
import PropertyLists

/// Names in a folder and paths between files, as the locators need them.
enum DirectoryListing {
    /// A folder with more names than this is searched no further.
    static let longest = 20_000

    /// The names in a folder, sorted; empty where it cannot be read.
    static func names(in folder: String) -> [String] {
        SystemPath.names(in: folder, limit: longest).sorted()
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

    static func exists(_ path: String) -> Bool { SystemPath.status(path) != nil }

    /// What lies at a path that is there, where no data can be read from it; nil for files, and for what the shell passes on.
    static func kindThatIsNoFile(_ path: String) -> String? {
        guard !path.hasPrefix("/dev/"), !path.hasPrefix("/proc/"), let status = SystemPath.status(path) else { return nil }
        return SystemPath.kindThatIsNoFile(status.st_mode)
    }

    /// Neither a folder nor a pipe or a device, which could block for ever.
    static func isRegularFile(_ path: String) -> Bool {
        SystemPath.status(path).map { SystemPath.kindThatIsNoFile($0.st_mode) == nil } ?? false
    }
}

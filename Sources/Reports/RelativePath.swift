import Foundation

/// Paths as plists have them: from the folder of the plist to another file.
package enum RelativePath {
    /// How a file is called from a folder; its absolute path where the two have no folder in common.
    ///
    /// Both are resolved first, since `..` means the real parent.
    ///
    /// - Parameter isAlwaysRelative: for keys that take no absolute path, such as the name of a detail plist.
    package static func path(of file: String, from folder: String, isAlwaysRelative: Bool = false) -> String {
        let name = (file as NSString).lastPathComponent
        let parent = (file as NSString).deletingLastPathComponent
        guard let base = realPath(folder), let home = realPath(parent.isEmpty ? "." : parent) else { return file }
        let from = base.split(separator: "/")
        let to = home.split(separator: "/")
        let common = zip(from, to).prefix { $0 == $1 }.count
        // With nothing in common the way over the root says less than the place.
        if common == 0, !isAlwaysRelative { return (home as NSString).appendingPathComponent(name) }
        let steps = Array(repeating: "..", count: from.count - common) + to.dropFirst(common).map(String.init)
        return (steps + [name]).joined(separator: "/")
    }

    private static func realPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}

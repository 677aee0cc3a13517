import Foundation
import Glibc

/// Where files may lie that nobody else is to see: a folder that only this user can enter.
package enum PrivatePlace {
    /// Memory first, so that nothing of the data reaches a disk.
    package static func all(onlyMemory: Bool) -> [String] {
        let environment = ProcessInfo.processInfo.environment
        let wanted = [environment["XDG_RUNTIME_DIR"], "/dev/shm"].compactMap { $0 }
        let memory = wanted.filter { $0.hasPrefix("/") && isInMemory($0) }
        return onlyMemory ? memory : memory + [environment["TMPDIR"], "/tmp"].compactMap { $0 }.filter { $0.hasPrefix("/") }
    }

    /// Bytes that a user may still write there; 0 if that cannot be known.
    static func freeBytes(_ path: String) -> Int64 {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return 0 }
        return Int64(clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
    }

    private static func isInMemory(_ path: String) -> Bool {
        guard let resolved = realpath(path, nil) else { return false }
        defer { free(resolved) }
        let folder = String(cString: resolved)
        // Lines: device, mount point, type, …; the longest mount point above the folder is the one it lies in.
        guard let mounts = try? String(contentsOfFile: "/proc/self/mounts", encoding: .utf8) else { return false }
        var best: (length: Int, kind: Substring) = (-1, "")
        for line in mounts.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count > 2 else { continue }
            let point = fields[1]
            let isAbove = point == "/" || folder == point || folder.hasPrefix(point + "/")
            if isAbove, point.utf8.count >= best.length { best = (point.utf8.count, fields[2]) }
        }
        return best.kind == "tmpfs" || best.kind == "ramfs"
    }

    /// A new folder with mode 0700.
    static func makeFolder(in place: String) -> String? {
        var template = Array((place + "/tlbrowse-XXXXXX").utf8CString)
        return template.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress, mkdtemp(base) != nil else { return nil }
            return String(cString: base)
        }
    }

    /// Removes a folder and the database in it.
    static func remove(_ folder: String) {
        for suffix in ["", "-wal", "-journal", "-shm"] { unlink(folder + "/store" + suffix) }
        rmdir(folder)
    }
}

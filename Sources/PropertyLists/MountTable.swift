import Foundation

/// The mounted file systems: where a folder lies on one that others change, too, its own machine hears of nothing.
package struct MountTable {
    /// Mount points and types, in the order of mounting.
    private let mounts: [(point: String, type: String)]

    /// - Parameter text: `/proc/self/mountinfo` (proc(5)).
    package init(text: String) {
        mounts = text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ")
            guard fields.count > 4, let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count else { return nil }
            return (Self.unescaped(fields[4]), String(fields[dash + 1]))
        }
    }

    /// The table as it is now; empty where the system tells nothing.
    package static var current: MountTable {
        let text = FileManager.default.contents(atPath: "/proc/self/mountinfo") ?? Data()
        return MountTable(text: String(decoding: text, as: UTF8.self))
    }

    /// The type of the file system that a path without symbolic links lies on; nil where that is not known. The last mount counts
    /// among those of the longest mount point that leads to the path.
    package func type(of path: String) -> String? {
        var best: (length: Int, type: String)?
        for mount in mounts {
            let isPrefix = mount.point == "/" || path == mount.point || path.hasPrefix(mount.point + "/")
            guard isPrefix, mount.point.utf8.count >= best?.length ?? 0 else { continue }
            best = (mount.point.utf8.count, mount.type)
        }
        return best?.type
    }

    /// Whether a change by another machine, or from the other side, comes without an event.
    package func needsPolling(_ path: String) -> Bool {
        guard let type = type(of: path) else { return false }
        return Self.shared.contains(type) || type.hasPrefix("fuse") || type.hasPrefix("nfs")
    }

    private static let shared: Set<String> = [
        "9p", "afs", "beegfs", "ceph", "cifs", "coda", "gfs2", "glusterfs", "gpfs", "lustre", "ncpfs", "ocfs2", "prl_fs", "pvfs2",
        "smb3", "smbfs", "vboxsf", "virtiofs", "vmhgfs",
    ]

    /// Blanks and backslashes in mount points are written as `\040` and the like.
    private static func unescaped(_ field: Substring) -> String {
        guard field.contains("\\") else { return String(field) }
        var bytes: [UInt8] = []
        let source = Array(field.utf8)
        var place = 0
        while place < source.count {
            let digits = source[(place + 1)..<min(place + 4, source.count)]
            if source[place] == UInt8(ascii: "\\"), digits.count == 3,
                let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
            {
                bytes.append(code)
                place += 4
            } else {
                bytes.append(source[place])
                place += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

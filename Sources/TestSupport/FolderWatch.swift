import Glibc

/// Sees every name that appears in some folders, however short it is there.
package final class FolderWatch {
    private let descriptor: Int32

    /// Nil where the system cannot watch them.
    package init?(_ folders: [String]) {
        descriptor = inotify_init1(Int32(O_NONBLOCK))
        guard descriptor >= 0 else { return nil }
        for folder in folders where inotify_add_watch(descriptor, folder, UInt32(IN_CREATE | IN_MOVED_TO)) < 0 { return nil }
    }

    deinit { close(descriptor) }

    /// Whether a name has appeared since this was asked last.
    package var hasSeenName: Bool {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        return read(descriptor, &bytes, bytes.count) > 0
    }
}

import Dispatch
import Glibc
import PropertyLists
import Synchronization

/// Tells that something has happened to some files of a folder: written, made, removed, renamed.
///
/// The folder is watched rather than the files, so that a file that takes another's place is seen. Says nothing of what has
/// happened, and says it once: until `listen` is called again nothing is watched, so that no writer pays for events that nobody
/// wants (with a thousand commits a second a third of its speed).
///
/// Goes silent where the folder itself is removed or renamed; `listen` tells.
final class FolderEvents: Sendable {
    private let descriptor: Int32
    // Sound: Dispatch's own objects may be used from any thread; the import does not say so.
    private nonisolated(unsafe) let source: any DispatchSourceRead
    /// As the system has them.
    private let names: Set<[UInt8]>
    private let folder: String
    /// The number of the watch; nil while nothing is watched.
    private let watch: Mutex<Int32?>

    /// Bytes of events taken at once.
    private static let bufferSize = 1 << 16

    /// - Parameters:
    ///   - names: of the files, without the folder.
    ///   - report: called on the queue.
    /// - Returns: nil where the folder is not there, the kernel has no watches left, or it knows of no such thing.
    init?(folder: String, names: Set<String>, queue: DispatchQueue, _ report: @escaping @Sendable () -> Void) {
        let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        guard let number = Self.watch(folder, descriptor) else {
            close(descriptor)
            return nil
        }
        watch = Mutex(number)
        self.folder = folder
        self.descriptor = descriptor
        self.names = Set(names.map { SystemPath.bytes($0) })
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler { [weak self] in
            guard let self, take() else { return }
            pause()
            report()
        }
        source.setCancelHandler { close(descriptor) }
        source.activate()
    }

    deinit { source.cancel() }

    private static func watch(_ folder: String, _ descriptor: Int32) -> Int32? {
        let wanted =
            IN_MODIFY | IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF
            | Int32(IN_ONLYDIR)
        let number = SystemPath.withCString(folder) { inotify_add_watch(descriptor, $0, UInt32(bitPattern: Int32(wanted))) }
        return number >= 0 ? number : nil
    }

    private func pause() {
        watch.withLock { watch in
            if let number = watch { inotify_rm_watch(descriptor, number) }
            watch = nil
        }
    }

    /// Reports what happens from now on; false where the folder is not there any more.
    func listen() -> Bool {
        watch.withLock { watch in
            if watch == nil { watch = Self.watch(folder, descriptor) }
            return watch != nil
        }
    }

    /// Takes the events that wait; whether one of them is about one of the files.
    private func take() -> Bool {
        var isOurs = false
        // Aligned for the events: their names are padded to multiples of their alignment.
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.bufferSize, alignment: 8)
        defer { buffer.deallocate() }
        while true {
            let count = read(descriptor, buffer.baseAddress, buffer.count)
            guard count > 0 else { return isOurs }
            if isAboutOurs(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { isOurs = true }
            // A full buffer: there may be more.
            guard count > buffer.count - 1024 else { return isOurs }
        }
    }

    private func isAboutOurs(_ events: UnsafeRawBufferPointer) -> Bool {
        let headSize = MemoryLayout<inotify_event>.size
        let current = watch.withLock { $0 }
        var isOurs = false
        var offset = 0
        while offset + headSize <= events.count {
            let event = events.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
            let end = offset + headSize + Int(event.len)
            guard end <= events.count else { break }
            let mask = Int32(bitPattern: event.mask)
            // Those of a watch that was taken off are old.
            let isCurrent = event.wd == current || event.wd < 0
            if !isCurrent {
                offset = end
                continue
            }
            if mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT) != 0 {
                isOurs = true
            } else if mask & IN_Q_OVERFLOW != 0 {
                isOurs = true
            } else if !isOurs {
                let bytes = events[(offset + headSize)..<end].prefix { $0 != 0 }
                isOurs = names.contains(Array(bytes))
            }
            offset = end
        }
        return isOurs
    }
}

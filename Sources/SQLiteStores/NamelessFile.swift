import CMemoryFile
import CSQLite
import Foundation
import Glibc
import ObjectStore
import PropertyLists

/// A file of our own that has no name at any moment: not even kill -9 leaves anything of it behind.
///
/// It goes when this object and all that SQLite has open of it are gone.
package final class NamelessFile: Sendable {
    /// Open for reading and writing; the object's own.
    package let descriptor: Int32

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Where a file may lie.
    package enum Place: Sendable, Equatable {
        /// A folder of a file system, in memory or not.
        case folder(String)
        /// Memory that belongs to no file system.
        case memory

        /// Memory first, so that nothing of the data reaches a disk; then, where it may, the folders for large temporary files.
        package static func all(onlyMemory: Bool) -> [Place] { inMemory + (onlyMemory ? [] : onDisk) }

        package static var inMemory: [Place] {
            let wanted = [ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"], "/dev/shm"].compactMap { $0 }
            return wanted.filter { $0.hasPrefix("/") && isInMemory($0) }.map { .folder($0) } + [.memory]
        }

        package static var onDisk: [Place] {
            [ProcessInfo.processInfo.environment["TMPDIR"], "/var/tmp", "/tmp"].compactMap { $0 }.filter { $0.hasPrefix("/") }
                .map { .folder($0) }
        }

        /// Whether what is written there stays in memory.
        var isInMemory: Bool {
            switch self {
            case .folder(let path): Place.isInMemory(path)
            case .memory: true
            }
        }

        /// Whether so many bytes may be written there, as far as that can be known.
        func hasRoom(for size: Int64) -> Bool {
            switch self {
            case .folder(let path):
                var status = statvfs()
                guard statvfs(path, &status) == 0 else { return false }
                let free = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
                return free.overflow || free.partialValue > UInt64(max(0, size))
            case .memory:
                // No limit of its own keeps it from eating the machine.
                return Int64(clamping: ProcessInfo.processInfo.physicalMemory) / 4 > size
            }
        }

        private static func isInMemory(_ path: String) -> Bool {
            guard let folder = SystemPath.resolved(path) else { return false }
            let kind = MountTable.current.type(of: folder)
            return kind == "tmpfs" || kind == "ramfs"
        }
    }

    /// A new, empty file; nil where that is not possible, or there is less room than `size` bytes.
    package static func make(in place: Place, size: Int64 = 0) -> NamelessFile? {
        guard place.hasRoom(for: size) else { return nil }
        switch place {
        case .memory:
            let descriptor = cmemory_file("tlbrowse")
            return descriptor >= 0 ? NamelessFile(descriptor) : nil
        case .folder(let path):
            let descriptor = SystemPath.openNameless(in: path, O_RDWR, mode: 0o600)
            if descriptor >= 0 { return NamelessFile(descriptor) }
            // Some file systems cannot make it without a name. A name for the blink before there is anything in it is left.
            let name = "\(path)/tlbrowse-\(UUID().uuidString)"
            let named = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard named >= 0 else { return nil }
            unlink(name)
            return NamelessFile(named)
        }
    }

    /// A `file:` URI by which this process's SQLite opens it.
    ///
    /// - Parameters:
    ///   - beside: what lies beside the database, if anything: its log or its journal.
    ///   - parameters: more of the URI's parameters.
    package func uri(beside: (file: NamelessFile, isLog: Bool)? = nil, _ parameters: String) -> String {
        _ = NamelessFileSystem.isRegistered
        let other = beside.map { ".\($0.file.descriptor)\($0.isLog ? "w" : "j")" } ?? ""
        return "file:/\(descriptor)\(other)?vfs=\(NamelessFileSystem.name)&\(parameters)"
    }

    /// Copies a store's main file, or the one with a suffix beside it, into this one, which is empty.
    ///
    /// - Throws: what keeps the source from being read; `engine` where there is no room.
    func copy(_ source: StoreFile, suffix: String = "") throws(StoreError) {
        let input = try DatabaseFile(source.path + suffix, name: source.name)
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var place: Int64 = 0
        while true {
            guard let count = input.read(&buffer, at: place) else { throw StoreFile.error(source.name, EIO) }
            guard count > 0 else { return }
            guard append(buffer[..<count]) else {
                let reason = String(cString: strerror(errno)).lowercased()
                throw StoreError(file: source.name, cause: .engine("no private copy: \(reason)"))
            }
            place += Int64(count)
        }
    }

    /// Writes behind what was written last; false if there is no room.
    package func append(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var done = 0
            while done < bytes.count, let base = bytes.baseAddress {
                let count = write(descriptor, base + done, bytes.count - done)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                done += count
            }
            return true
        }
    }
}

extension NamelessFile {
    /// A copy of a store at rest, with what the file beside it held worked in; gone with the last that has it open.
    ///
    /// - Parameter suffix: of the file beside it, `-wal` or `-journal`.
    /// - Throws: `notReadable`, `engine` where there is no room, and what is wrong with the store.
    static func settledCopy(of file: StoreFile, suffix: String, isPrivate: Bool) throws(StoreError) -> NamelessFile {
        var lastError = StoreError(file: file.name, cause: .engine("there is no place for a private copy"))
        let size = [file.path, file.path + suffix].reduce(Int64(0)) { $0 + (StoreFile.stamp($1)?.size ?? 0) }
        for place in Place.all(onlyMemory: isPrivate) {
            guard let copy = make(in: place, size: size), let beside = make(in: place) else { continue }
            do throws(StoreError) {
                try copy.copy(file)
                try beside.copy(file, suffix: suffix)
                // The header of the copy is not to ask for a log, which it has none of.
                if suffix == "-journal", file.usesLog { _ = pwrite(copy.descriptor, [1, 1], 2, 18) }
                try settle(copy, beside, isLog: suffix == "-wal", name: file.name)
                return copy
            } catch {
                lastError = error
                // The source's fault will be the same elsewhere; no room may be.
                guard case .engine = error.cause else { throw error }
            }
        }
        throw lastError
    }

    /// A copy of a store's main file as it stands; nil where there is no room, or it cannot be read.
    static func copy(of file: StoreFile, isPrivate: Bool) -> NamelessFile? {
        let size = StoreFile.stamp(file.path)?.size ?? 0
        for place in Place.all(onlyMemory: isPrivate) {
            guard let copy = make(in: place, size: size) else { continue }
            if (try? copy.copy(file)) != nil { return copy }
        }
        return nil
    }

    /// Rolls back or writes home what lies beside the copy.
    private static func settle(_ copy: NamelessFile, _ beside: NamelessFile, isLog: Bool, name: String) throws(StoreError) {
        let uri = copy.uri(beside: (beside, isLog), "mode=rw")
        let connection = try Connection(uri: uri, flags: SQLITE_OPEN_READWRITE, name: name)
        connection.allowViews(false)
        for pragma in ["query_only=OFF", "locking_mode=EXCLUSIVE", "synchronous=OFF"] {
            _ = try connection.rows("PRAGMA \(pragma)") { $0.optionalText(0) }
        }
        try connection.probe()
        if isLog { _ = try connection.rows("PRAGMA wal_checkpoint(TRUNCATE)") { $0.optionalText(0) } }
    }
}

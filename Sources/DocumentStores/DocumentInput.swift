import Foundation
import Glibc
import ObjectStore
import SQLiteStores

/// A document's bytes, read by position: a file, or what came through a pipe.
///
/// Files are read, not mapped: one that shrinks meanwhile is an early end, not a signal.
final class DocumentInput {
    /// As the user named it.
    let name: String
    private let descriptor: Int32
    /// Where in the descriptor the document begins.
    private let start: Int
    /// Bytes there are; a file may have become another length by the time it is read.
    let size: Int

    /// How much of a pipe is kept in memory before it goes to a file without a name.
    static let memoryLimit = 256 << 20

    private init(name: String, descriptor: Int32, start: Int, size: Int) {
        self.name = name
        self.descriptor = descriptor
        self.start = start
        self.size = size
    }

    deinit { close(descriptor) }

    /// Opens a file.
    ///
    /// - Throws: `missing`, `notReadable`.
    static func open(path: String, isPrivate: Bool) throws(ReadingFault) -> DocumentInput {
        func fault(_ cause: StoreError.Cause) -> ReadingFault { .store(StoreError(file: path, cause: cause)) }
        guard !path.isEmpty, !path.utf8.contains(0) else { throw fault(.missing) }
        // A FIFO is not opened: it would block without a writer.
        let descriptor = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else {
            let code = errno
            throw fault(code == ENOENT || code == ENOTDIR ? .missing : .notReadable(reason(code)))
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let code = errno
            close(descriptor)
            throw fault(.notReadable(reason(code)))
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return DocumentInput(name: path, descriptor: descriptor, start: 0, size: Int(status.st_size))
        case S_IFIFO where path.hasPrefix("/dev/") || path.hasPrefix("/proc/"):
            defer { close(descriptor) }
            return try spool(descriptor, name: path, isPrivate: isPrivate)
        default:
            close(descriptor)
            let kind =
                switch status.st_mode & S_IFMT {
                case S_IFDIR: "it is a folder"
                case S_IFIFO: "it is a pipe"
                case S_IFSOCK: "it is a socket"
                default: "it is a device"
                }
            throw fault(.notReadable(kind))
        }
    }

    /// Takes what a descriptor gives, to its end. The descriptor stays the caller's.
    static func read(descriptor: Int32, name: String, isPrivate: Bool) throws(ReadingFault) -> DocumentInput {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw .store(StoreError(file: name, cause: .notReadable(reason(errno))))
        }
        if status.st_mode & S_IFMT == S_IFDIR { throw .store(StoreError(file: name, cause: .notReadable("it is a folder"))) }
        if status.st_mode & S_IFMT == S_IFREG {
            let position = max(0, lseek(descriptor, 0, SEEK_CUR))
            let own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
            guard own >= 0 else { throw .store(StoreError(file: name, cause: .notReadable(reason(errno)))) }
            return DocumentInput(
                name: name, descriptor: own, start: position, size: max(0, Int(status.st_size) - position))
        }
        return try spool(descriptor, name: name, isPrivate: isPrivate)
    }

    private static func reason(_ code: Int32) -> String { String(cString: strerror(code)).lowercased() }

    /// Keeps what comes through a pipe, so that it can be read twice.
    private static func spool(_ descriptor: Int32, name: String, isPrivate: Bool) throws(ReadingFault) -> DocumentInput {
        let spool = try Spool(name: name, isPrivate: isPrivate)
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0 {
                let code = errno
                if code == EINTR { continue }
                if code == EAGAIN {
                    var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                    poll(&wait, 1, -1)
                    continue
                }
                throw .store(StoreError(file: name, cause: .notReadable(reason(code))))
            }
            if count == 0 { break }
            try spool.append(buffer[..<count])
        }
        return try spool.input()
    }

    /// Bytes from a position of the document on; fewer than asked for only at the end.
    func read(at position: Int, into buffer: UnsafeMutableRawBufferPointer) throws(ReadingFault) -> Int {
        var done = 0
        while done < buffer.count, let base = buffer.baseAddress {
            let count = pread(descriptor, base + done, buffer.count - done, off_t(start + position + done))
            if count < 0 {
                let code = errno
                if code == EINTR { continue }
                throw .store(StoreError(file: name, cause: .notReadable(DocumentInput.reason(code))))
            }
            if count == 0 { break }
            done += count
        }
        return done
    }

    /// The first bytes, at most `limit`.
    func head(_ limit: Int) throws(ReadingFault) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = try read(at: 0, into: &bytes)
        bytes.removeLast(limit - count)
        return bytes
    }

    /// As the other, into an array that has its length already.
    func read(at position: Int, into bytes: inout [UInt8]) throws(ReadingFault) -> Int {
        let result = bytes.withUnsafeMutableBytes { buffer -> Result<Int, ReadingFault> in
            Result { () throws(ReadingFault) in try read(at: position, into: buffer) }
        }
        return try result.get()
    }

    /// Bytes in memory, then in a file that has no name.
    final class Spool {
        private let name: String
        private let isPrivate: Bool
        private var descriptor: Int32
        private var size = 0
        private var isInMemory = true

        init(name: String, isPrivate: Bool) throws(ReadingFault) {
            self.name = name
            self.isPrivate = isPrivate
            descriptor = PrivateFile.openInMemory() ?? (isPrivate ? nil : PrivateFile.open()) ?? -1
            guard descriptor >= 0 else { throw .store(StoreError(file: name, cause: .engine("there is no room to keep it"))) }
        }

        deinit { if descriptor >= 0 { close(descriptor) } }

        func append(_ bytes: ArraySlice<UInt8>) throws(ReadingFault) {
            if isInMemory, !isPrivate, size + bytes.count > DocumentInput.memoryLimit { try moveToDisk() }
            let isWhole = bytes.withUnsafeBytes { bytes in
                var done = 0
                while done < bytes.count, let base = bytes.baseAddress {
                    let count = write(descriptor, base + done, bytes.count - done)
                    if count < 0, errno == EINTR { continue }
                    if count <= 0 { return false }
                    done += count
                }
                return true
            }
            guard isWhole else { throw full() }
            size += bytes.count
        }

        private func full() -> ReadingFault {
            .store(StoreError(file: name, cause: .engine("there is no room to keep it while it is read")))
        }

        private func moveToDisk() throws(ReadingFault) {
            isInMemory = false
            guard let file = PrivateFile.open() else { return }
            var offset = off_t(0)
            while offset < off_t(size) {
                let count = sendfile(file, descriptor, &offset, size - Int(offset))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else {
                    close(file)
                    throw full()
                }
            }
            close(descriptor)
            descriptor = file
        }

        /// The document; the spool is empty afterwards.
        func input() throws(ReadingFault) -> DocumentInput {
            let own = descriptor
            descriptor = -1
            return DocumentInput(name: name, descriptor: own, start: 0, size: size)
        }
    }
}

/// Files of our own outside memory: only this user can open them, and they lose their name at once.
enum PrivateFile {
    /// Folders for large temporary files.
    static var places: [String] {
        [ProcessInfo.processInfo.environment["TMPDIR"], "/var/tmp", "/tmp"].compactMap { $0 }.filter { $0.hasPrefix("/") }
    }

    /// A file without a name; nil where there is no place for one.
    static func open() -> Int32? {
        for place in places {
            guard let path = create(in: place) else { continue }
            let descriptor = Glibc.open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
            unlink(path)
            if descriptor >= 0 { return descriptor }
        }
        return nil
    }

    /// A file without a name in a file system in memory; nil where there is none.
    static func openInMemory() -> Int32? {
        for place in PrivatePlace.all(onlyMemory: true) {
            guard let path = create(in: place) else { continue }
            let descriptor = Glibc.open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
            unlink(path)
            if descriptor >= 0 { return descriptor }
        }
        return nil
    }

    /// Takes a file's name away.
    static func remove(_ path: String) { unlink(path) }

    /// A new empty file; the caller unlinks it. Nil where that is not possible.
    static func create(in place: String) -> String? {
        var template = Array((place + "/tlbrowse-XXXXXX").utf8CString)
        return template.withUnsafeMutableBufferPointer { buffer -> String? in
            guard let base = buffer.baseAddress else { return nil }
            let descriptor = mkstemp(base)
            guard descriptor >= 0 else { return nil }
            close(descriptor)
            return String(cString: base)
        }
    }
}

import Foundation
import Glibc
import ObjectStore
import PropertyLists
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

    /// Told how far the reading is.
    private let progress: FetchProgress?

    /// How much of a pipe is kept in memory before it goes to a file without a name.
    static let memoryLimit = 256 << 20

    private init(name: String, descriptor: Int32, start: Int, size: Int, progress: FetchProgress?) {
        self.progress = progress
        progress?.expect(bytes: size)
        self.name = name
        self.descriptor = descriptor
        self.start = start
        self.size = size
    }

    deinit { close(descriptor) }

    /// Opens a file.
    ///
    /// - Throws: `missing`, `notReadable`, `notAFile`.
    static func open(path: String, isPrivate: Bool, progress: FetchProgress? = nil) throws(ReadingFault) -> DocumentInput {
        func fault(_ cause: StoreError.Cause) -> ReadingFault { .store(StoreError(file: path, cause: cause)) }
        guard !path.isEmpty, !path.utf8.contains(0) else { throw fault(.missing) }
        // A FIFO is not opened: it would block without a writer.
        let descriptor = SystemPath.openForReading(path)
        guard descriptor >= 0 else {
            let code = errno
            switch code {
            case ENOENT, ENOTDIR: throw fault(.missing)
            // What open says of a socket.
            case ENXIO: throw fault(.notAFile("a socket"))
            default: throw fault(.notReadable(reason(code)))
            }
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let code = errno
            close(descriptor)
            throw fault(.notReadable(reason(code)))
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG:
            return DocumentInput(name: path, descriptor: descriptor, start: 0, size: Int(status.st_size), progress: progress)
        case S_IFIFO where path.hasPrefix("/dev/") || path.hasPrefix("/proc/"):
            defer { close(descriptor) }
            return try spool(descriptor, name: path, isPrivate: isPrivate, progress: progress)
        default:
            close(descriptor)
            throw fault(.notAFile(SystemPath.kindThatIsNoFile(status.st_mode) ?? "a device"))
        }
    }

    /// Takes what a descriptor gives, to its end. The descriptor stays the caller's.
    static func read(
        descriptor: Int32, name: String, isPrivate: Bool, progress: FetchProgress? = nil
    ) throws(ReadingFault) -> DocumentInput {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw .store(StoreError(file: name, cause: .notReadable(reason(errno))))
        }
        if status.st_mode & S_IFMT == S_IFDIR { throw .store(StoreError(file: name, cause: .notAFile("a folder"))) }
        if status.st_mode & S_IFMT == S_IFREG {
            let position = max(0, lseek(descriptor, 0, SEEK_CUR))
            let own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
            guard own >= 0 else { throw .store(StoreError(file: name, cause: .notReadable(reason(errno)))) }
            return DocumentInput(
                name: name, descriptor: own, start: position, size: max(0, Int(status.st_size) - position),
                progress: progress)
        }
        return try spool(descriptor, name: name, isPrivate: isPrivate, progress: progress)
    }

    private static func reason(_ code: Int32) -> String { String(cString: strerror(code)).lowercased() }

    /// Keeps what comes through a pipe, so that it can be read twice.
    private static func spool(
        _ descriptor: Int32, name: String, isPrivate: Bool, progress: FetchProgress?
    ) throws(ReadingFault) -> DocumentInput {
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
            progress?.report(bytes: spool.size)
            if progress?.isCancelled == true { throw .store(StoreError(file: name, cause: .cancelled)) }
        }
        return try spool.input(progress: progress)
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
        progress?.report(bytes: min(size, position + done))
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
        private var file: NamelessFile
        private(set) var size = 0
        private var isInMemory = true

        init(name: String, isPrivate: Bool) throws(ReadingFault) {
            self.name = name
            self.isPrivate = isPrivate
            let made = NamelessFile.Place.all(onlyMemory: isPrivate).lazy.compactMap { NamelessFile.make(in: $0) }.first
            guard let made else { throw .store(StoreError(file: name, cause: .engine("there is no room to keep it"))) }
            file = made
        }

        func append(_ bytes: ArraySlice<UInt8>) throws(ReadingFault) {
            if isInMemory, !isPrivate, size + bytes.count > DocumentInput.memoryLimit { try moveToDisk() }
            guard file.append(bytes) else { throw full() }
            size += bytes.count
        }

        private func full() -> ReadingFault {
            .store(StoreError(file: name, cause: .engine("there is no room to keep it while it is read")))
        }

        private func moveToDisk() throws(ReadingFault) {
            isInMemory = false
            guard let other = NamelessFile.Place.onDisk.lazy.compactMap({ NamelessFile.make(in: $0) }).first else { return }
            var offset = off_t(0)
            while offset < off_t(size) {
                let count = sendfile(other.descriptor, file.descriptor, &offset, size - Int(offset))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw full() }
            }
            file = other
        }

        /// The document; nothing is to be appended afterwards.
        func input(progress: FetchProgress?) throws(ReadingFault) -> DocumentInput {
            let own = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
            guard own >= 0 else { throw full() }
            return DocumentInput(name: name, descriptor: own, start: 0, size: size, progress: progress)
        }
    }
}

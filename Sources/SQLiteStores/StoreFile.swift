import Foundation
import Glibc
import ObjectStore
import PropertyLists

/// What lies at a store's path, looked at without a connection and without opening anything but a regular file.
struct StoreFile: Sendable {
    /// How SQLite has to be asked so that nothing beside the data changes (SPEC section 6).
    enum Opening: Sendable, Equatable {
        /// A rollback-mode store at rest: `mode=ro`.
        case readOnly
        /// A WAL store at rest: `mode=ro&immutable=1`.
        case immutable
        /// A WAL store that another process has open, or had: `mode=ro&readonly_shm=1`.
        case readOnlySharedMemory
        /// A copy of the store and of the file with this suffix.
        case privateCopy(suffix: String)
    }

    /// One file's state, as far as a change shows in it.
    struct Stamp: Sendable, Equatable {
        var device: UInt64
        var node: UInt64
        var size: Int64
        var seconds: Int64
        var nanoseconds: Int64
        /// When anything of it was changed last, be it the time of writing.
        var changeSeconds: Int64
        var changeNanoseconds: Int64

        /// Whether it was last changed so long ago that what is written from now on shows in its times.
        var isSettled: Bool {
            FileState.isPast(seconds: seconds, nanoseconds: nanoseconds)
                && FileState.isPast(seconds: changeSeconds, nanoseconds: changeNanoseconds)
        }

        /// The same, and not in the time to come, as the clock of another machine may have it.
        var isAtRest: Bool {
            let now = Int64(time(nil))
            return isSettled && seconds < now && changeSeconds < now
        }

        /// All of it as numbers.
        var numbers: [Int64] {
            [
                Int64(bitPattern: device), Int64(bitPattern: node), size, seconds, nanoseconds, changeSeconds, changeNanoseconds,
            ]
        }

        func isSameFile(as other: Stamp) -> Bool { node == other.node && device == other.device }
    }

    /// The state of all files of a store; nil for one that is not there.
    struct Stamps: Sendable, Equatable {
        var main: Stamp?
        var journal: Stamp?
        var log: Stamp?
        var hasSharedMemory: Bool

        /// Whether all of it is read in no time, a quarter of a MiB at most.
        var isSmall: Bool { (main?.size ?? .max) <= 1 << 18 && (log?.size ?? 0) <= 1 << 18 }

        /// Whether the files were last written so long ago that what is written from now on shows in their times.
        var isSettled: Bool {
            [main, log].allSatisfy { $0?.isSettled ?? true }
        }
    }

    /// As the user named it.
    let name: String
    /// Absolute, without symbolic links: where SQLite looks for the files beside it.
    let path: String
    /// The first bytes of the file, at most 100 of them.
    let header: [UInt8]
    let size: Int64

    /// - Throws: `missing`, `notReadable`, `notAFile` (a folder, a device), `notADatabase`, `maybeEncrypted`, `newerFormat`.
    init(examining name: String) throws(StoreError) {
        self.name = name
        guard !name.isEmpty, !name.utf8.contains(0) else { throw StoreError(file: name, cause: .missing) }
        guard let resolved = SystemPath.resolved(name) else { throw StoreFile.error(name, errno) }
        path = resolved

        // A FIFO or a device is never opened: it could block, or do something.
        guard let status = SystemPath.status(path) else { throw StoreFile.error(name, errno) }
        if let kind = SystemPath.kindThatIsNoFile(status.st_mode) { throw StoreError(file: name, cause: .notAFile(kind)) }
        let file = try DatabaseFile(path, name: name)
        var bytes = [UInt8](repeating: 0, count: 4096)
        guard let size = file.size, let count = file.read(&bytes, at: 0) else { throw StoreFile.error(name, EIO) }
        self.size = size
        guard count > 0 else { throw StoreError(file: name, cause: .engine("the file is empty")) }
        bytes.removeLast(bytes.count - count)
        header = Array(bytes.prefix(100))
        guard bytes.starts(with: Array("SQLite format 3\0".utf8)) else {
            throw StoreError(file: name, cause: StoreFile.looksEncrypted(bytes) ? .maybeEncrypted : .notADatabase)
        }
        guard bytes.count >= 100 else {
            throw StoreError(file: name, cause: .corrupt("it ends after \(bytes.count) bytes"))
        }
        // SQLite takes what has no whole page for a database without tables. A journal or log may hold the rest.
        let page = StoreFile.pageSize(header)
        if size < page, page.nonzeroBitCount == 1,
            !["-journal", "-wal"].contains(where: { StoreFile.stamp(path + $0)?.size ?? 0 > 0 })
        {
            throw StoreError(file: name, cause: .corrupt("it ends after \(size) bytes, within its first page of \(page)"))
        }
        if header[19] > 2 {
            throw StoreError(file: name, cause: .newerFormat("file format \(header[19])"))
        }
    }

    static func error(_ name: String, _ code: Int32) -> StoreError {
        switch code {
        case ENOENT, ENOTDIR: StoreError(file: name, cause: .missing)
        default: StoreError(file: name, cause: .notReadable(String(cString: strerror(code)).lowercased()))
        }
    }

    /// Whether the bytes are spread as evenly as a cipher spreads them, and do not announce a compressed format.
    static func looksEncrypted(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 1024 else { return false }
        let compressed: [[UInt8]] = [
            [0x1F, 0x8B], [0x50, 0x4B], [0x89, 0x50], [0xFF, 0xD8], [0x42, 0x5A, 0x68], [0xFD, 0x37], [0x28, 0xB5], [0x37, 0x7A],
            [0x25, 0x50], [0x4F, 0x67], [0x49, 0x44, 0x33],
        ]
        guard !compressed.contains(where: { bytes.starts(with: $0) }) else { return false }
        var counts = [Int](repeating: 0, count: 256)
        for byte in bytes { counts[Int(byte)] += 1 }
        let total = Double(bytes.count)
        let entropy = counts.reduce(0.0) { sum, count in
            count == 0 ? sum : sum - Double(count) / total * log2(Double(count) / total)
        }
        return entropy > 7.2
    }

    /// Whether the header says that the store is written through a write-ahead log.
    var usesLog: Bool { header[18] == 2 || header[19] == 2 }

    /// Bytes of a page, as the head of a file says it, of which there have to be 18 bytes.
    static func pageSize(_ head: [UInt8]) -> Int {
        let size = head.bigEndian(at: 16, size: 2)
        return size == 1 ? 65_536 : size
    }

    /// Says so where the file is shorter than its header claims, as `it has 600 of 4096 bytes`; nil if it is whole, or a log or
    /// journal may hold the rest.
    var missingLength: String? {
        let field = { (offset: Int) in header.bigEndian(at: offset, size: 4) }
        let pages = field(28)
        // The count is only kept up to date by writers that also write the version that it is valid for.
        guard pages > 0, field(24) == field(92), !usesLog || StoreFile.stamp(path + "-wal")?.size ?? 0 == 0 else { return nil }
        let expected = pages * StoreFile.pageSize(header)
        guard expected > Int(max(0, size)) else { return nil }
        return "it has \(size) of \(expected) bytes"
    }

    /// Runs what reads the file; where it is corrupt because a part of it is missing, the error says how much.
    func explained<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        do throws(StoreError) {
            return try body()
        } catch {
            guard case .corrupt(let reason) = error.cause, let missingLength else { throw error }
            throw StoreError(file: error.file, cause: .corrupt("\(missingLength); \(reason)"))
        }
    }

    /// The rule of SPEC section 6 that fits the files as they are now.
    func opening(_ stamps: Stamps) -> Opening {
        if let journal = stamps.journal, journal.size > 0 {
            // Who writes through a log writes no journal: the log is what counts, and a journal beside it is left over. A copy
            // of the log keeps SQLite from the journal.
            return .privateCopy(suffix: usesLog && stamps.log?.size ?? 0 > 0 ? "-wal" : "-journal")
        }
        // A log beside a store whose header does not know of it would make SQLite write an index: the same rules hold.
        guard usesLog || stamps.log != nil else { return .readOnly }
        guard let log = stamps.log, log.size > 0 else { return .immutable }
        return stamps.hasSharedMemory ? .readOnlySharedMemory : .privateCopy(suffix: "-wal")
    }

    /// The files' state now.
    func stamps() -> Stamps {
        Stamps(
            main: StoreFile.stamp(path), journal: StoreFile.journalStamp(path + "-journal"), log: StoreFile.stamp(path + "-wal"),
            hasSharedMemory: StoreFile.stamp(path + "-shm") != nil)
    }

    /// A regular file's state; nil for anything else.
    static func stamp(_ path: String) -> Stamp? {
        guard let status = SystemPath.status(path), status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Stamp(
            device: UInt64(status.st_dev), node: UInt64(status.st_ino), size: Int64(status.st_size),
            seconds: Int64(status.st_mtim.tv_sec), nanoseconds: Int64(status.st_mtim.tv_nsec),
            changeSeconds: Int64(status.st_ctim.tv_sec), changeNanoseconds: Int64(status.st_ctim.tv_nsec))
    }

    /// A journal's state. One whose head is zero is that of a transaction that has ended, which `journal_mode=PERSIST` leaves: it
    /// counts as empty, as it does for SQLite ([file format](https://www.sqlite.org/fileformat2.html), section 3).
    private static func journalStamp(_ path: String) -> Stamp? {
        guard var stamp = stamp(path) else { return nil }
        guard stamp.size > 0 else { return stamp }
        // SQLite locks no journals, so that this descriptor may be closed (see `DatabaseFile`).
        let descriptor = SystemPath.openForReading(path)
        guard descriptor >= 0 else { return stamp }
        defer { close(descriptor) }
        var first: UInt8 = 1
        if pread(descriptor, &first, 1, 0) == 1, first == 0 { stamp.size = 0 }
        return stamp
    }

    /// A `file:` URI that SQLite reads back as exactly this path.
    static func uri(_ path: String, _ parameters: String) -> String {
        var text = "file:"
        for byte in SystemPath.bytes(path) {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return text + "?" + parameters
    }
}

import CSQLite
import Glibc

/// How SQLite reaches files that have no name: by their descriptors.
///
/// A database is called `/D` after its descriptor, or `/D.Bw` or `/D.Bj` where the descriptor `B` is the log or the journal that
/// lies beside it. Only this process knows these files, so there are no locks, and nothing has to reach a disk. A file that a
/// journal names is looked at, never opened or deleted.
enum NamelessFileSystem {
    static let name = "tlbrowse-nameless"

    /// Makes SQLite know the system, once; false if it refuses. The two structures live as long as the process.
    static let isRegistered: Bool = {
        let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        methods.initialize(to: fileMethods)
        let system = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        system.initialize(to: sqlite3_vfs())
        // What needs no files is done as everywhere else.
        if let standard = sqlite3_vfs_find(nil) { system.pointee = standard.pointee }
        system.pointee.pNext = nil
        system.pointee.zName = UnsafePointer(strdup(name))
        system.pointee.szOsFile = Int32(MemoryLayout<OpenFile>.size)
        system.pointee.mxPathname = 64
        system.pointee.pAppData = UnsafeMutableRawPointer(methods)
        system.pointee.xOpen = { open($0, $1, $2, $3, $4) }
        system.pointee.xDelete = { _, path, _ in NamelessFileSystem.delete(path) }
        system.pointee.xAccess = { _, path, _, answer in
            answer?.pointee = NamelessFileSystem.exists(path) ? 1 : 0
            return SQLITE_OK
        }
        system.pointee.xFullPathname = { _, path, size, target in
            guard let path, let target, strlen(path) < Int(size) else { return SQLITE_CANTOPEN }
            strcpy(target, path)
            return SQLITE_OK
        }
        return sqlite3_vfs_register(system, 0) == SQLITE_OK
    }()

    /// SQLite's codes that are macros of more than Swift imports.
    private enum Failure {
        static let reading = SQLITE_IOERR | 1 << 8
        static let shortReading = SQLITE_IOERR | 2 << 8
        static let writing = SQLITE_IOERR | 3 << 8
        static let truncating = SQLITE_IOERR | 6 << 8
        static let measuring = SQLITE_IOERR | 7 << 8
        static let deleting = SQLITE_IOERR | 10 << 8
    }

    /// SQLite's file object, with what ours needs behind it.
    private struct OpenFile {
        var base: sqlite3_file
        var descriptor: Int32
    }

    /// The descriptor that a name stands for; nil for a name that is none of ours, or for a file that is not there.
    private static func descriptor(_ path: UnsafePointer<CChar>?) -> Int32? {
        guard let path, path[0] == CChar(UInt8(ascii: "/")) else { return nil }
        let name = String(cString: path).dropFirst()
        let parts = name.split(separator: "-", maxSplits: 1)
        guard let first = parts.first else { return nil }
        let numbers = first.split(separator: ".", maxSplits: 1)
        guard let database = numbers.first.flatMap({ Int32($0) }) else { return nil }
        guard parts.count > 1 else { return database }
        guard numbers.count > 1, numbers[1].last == parts[1].first else { return nil }
        return Int32(numbers[1].dropLast())
    }

    private static func open(
        _ system: UnsafeMutablePointer<sqlite3_vfs>?, _ path: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>?,
        _ flags: Int32, _ givenFlags: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        guard let file, let methods = system?.pointee.pAppData else { return SQLITE_CANTOPEN }
        // Without methods SQLite does not close what could not be opened.
        file.pointee.pMethods = nil
        // The journal of several databases: ours has nothing to do with the others, so it is an empty one.
        let isOfMany = flags & SQLITE_OPEN_SUPER_JOURNAL != 0
        let own =
            isOfMany ? Glibc.open("/dev/null", O_RDWR | O_CLOEXEC) : descriptor(path).map { fcntl($0, F_DUPFD_CLOEXEC, 0) } ?? -1
        guard own >= 0 else { return SQLITE_CANTOPEN }
        UnsafeMutableRawPointer(file).assumingMemoryBound(to: OpenFile.self).initialize(
            to: OpenFile(
                base: sqlite3_file(pMethods: UnsafePointer(methods.assumingMemoryBound(to: sqlite3_io_methods.self))),
                descriptor: own))
        givenFlags?.pointee = flags
        return SQLITE_OK
    }

    /// What lay beside a database has done its work.
    private static func delete(_ path: UnsafePointer<CChar>?) -> Int32 {
        guard let own = descriptor(path) else { return SQLITE_OK }
        return ftruncate(own, 0) == 0 ? SQLITE_OK : Failure.deleting
    }

    private static func exists(_ path: UnsafePointer<CChar>?) -> Bool {
        guard let path else { return false }
        if let own = descriptor(path) { return size(own).map { $0 > 0 } ?? false }
        // Whether a transaction over several databases is complete shows in whether its journal is there.
        return String(cString: path).wholeMatch(of: /\/[0-9]+(\.[0-9]+[wj])?-.*/) == nil && access(path, F_OK) == 0
    }

    private static func size(_ descriptor: Int32) -> Int64? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : nil
    }

    private static func descriptor(of file: UnsafeMutablePointer<sqlite3_file>?) -> Int32 {
        // Sound: every file of this system was made by `open`.
        file.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: OpenFile.self).pointee.descriptor } ?? -1
    }

    private static var fileMethods: sqlite3_io_methods {
        var methods = sqlite3_io_methods()
        methods.iVersion = 1
        methods.xClose = { file in
            Glibc.close(NamelessFileSystem.descriptor(of: file))
            return SQLITE_OK
        }
        methods.xRead = { file, buffer, count, offset in
            NamelessFileSystem.read(NamelessFileSystem.descriptor(of: file), buffer, Int(count), offset)
        }
        methods.xWrite = { file, buffer, count, offset in
            NamelessFileSystem.write(NamelessFileSystem.descriptor(of: file), buffer, Int(count), offset)
        }
        methods.xTruncate = { file, size in
            ftruncate(NamelessFileSystem.descriptor(of: file), off_t(size)) == 0 ? SQLITE_OK : Failure.truncating
        }
        methods.xSync = { _, _ in SQLITE_OK }
        methods.xFileSize = { file, answer in
            guard let found = NamelessFileSystem.size(NamelessFileSystem.descriptor(of: file)) else { return Failure.measuring }
            answer?.pointee = found
            return SQLITE_OK
        }
        methods.xLock = { _, _ in SQLITE_OK }
        methods.xUnlock = { _, _ in SQLITE_OK }
        methods.xCheckReservedLock = { _, answer in
            answer?.pointee = 0
            return SQLITE_OK
        }
        methods.xFileControl = { _, _, _ in SQLITE_NOTFOUND }
        methods.xSectorSize = { _ in 4096 }
        methods.xDeviceCharacteristics = { _ in SQLITE_IOCAP_POWERSAFE_OVERWRITE }
        return methods
    }

    private static func read(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int, _ offset: Int64) -> Int32 {
        guard let buffer else { return Failure.reading }
        var done = 0
        while done < count {
            let part = pread(descriptor, buffer + done, count - done, off_t(offset) + done)
            if part < 0, errno == EINTR { continue }
            guard part >= 0 else { return Failure.reading }
            guard part > 0 else {
                memset(buffer + done, 0, count - done)
                return Failure.shortReading
            }
            done += part
        }
        return SQLITE_OK
    }

    private static func write(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int, _ offset: Int64) -> Int32 {
        guard let buffer else { return Failure.writing }
        var done = 0
        while done < count {
            let part = pwrite(descriptor, buffer + done, count - done, off_t(offset) + done)
            if part < 0, errno == EINTR { continue }
            guard part > 0 else { return part < 0 && errno == ENOSPC ? SQLITE_FULL : Failure.writing }
            done += part
        }
        return SQLITE_OK
    }
}

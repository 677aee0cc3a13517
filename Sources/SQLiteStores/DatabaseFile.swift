import CSQLite
import Foundation
import Glibc
import ObjectStore
import PropertyLists

/// A database file that is read as bytes, by SQLite's own file object.
///
/// The contract: nothing in this process opens the file of a database but SQLite and this. To close any descriptor of a file takes
/// all locks off it that the process has there (fcntl(2), "record locks"): a scan that runs would go on without its lock, and a
/// writer in rollback mode would change pages under it. SQLite's file objects know of each other, and leave a descriptor open for as
/// long as one of them has a lock. Logs and journals may be opened by anybody, as SQLite locks neither; the shared memory,
/// which it does lock, by nobody.
final class DatabaseFile {
    // Sound: made for the system's size of a file object, zeroed, and freed after it is closed.
    private let file: UnsafeMutablePointer<sqlite3_file>
    private let methods: UnsafePointer<sqlite3_io_methods>

    /// Opens a regular file for reading; does not look whether it is one.
    ///
    /// - Parameters:
    ///   - path: absolute, without symbolic links.
    ///   - name: for messages.
    /// - Throws: `missing`, `notReadable`.
    init(_ path: String, name: String) throws(StoreError) {
        guard csqlite_initialize() == SQLITE_OK, let system = sqlite3_vfs_find(nil), let open = system.pointee.xOpen,
            let memory = calloc(1, Int(system.pointee.szOsFile)),
            let filename = SystemPath.withCString(path, { sqlite3_create_filename($0, "", "", 0, nil) })
        else { throw StoreError(file: name, cause: .outOfMemory) }
        defer { sqlite3_free_filename(filename) }
        file = memory.assumingMemoryBound(to: sqlite3_file.self)
        guard open(system, filename, file, SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_READONLY, nil) == SQLITE_OK,
            let methods = file.pointee.pMethods
        else {
            let code = system.pointee.xGetLastError?(system, 0, nil) ?? 0
            free(memory)
            throw StoreFile.error(name, code == 0 ? EACCES : code)
        }
        self.methods = methods
    }

    deinit {
        _ = methods.pointee.xClose?(file)
        free(file)
    }

    /// In bytes; nil where that cannot be had.
    var size: Int64? {
        var size: sqlite3_int64 = 0
        return methods.pointee.xFileSize?(file, &size) == SQLITE_OK ? size : nil
    }

    /// Fills a buffer from a place in the file on.
    ///
    /// - Returns: how many bytes there were, none behind the end; nil where they cannot be read.
    func read(_ buffer: inout [UInt8], at place: Int64) -> Int? {
        guard let size else { return nil }
        let count = Int(clamping: min(Int64(buffer.count), max(0, size - max(0, place))))
        guard count > 0 else { return 0 }
        let code = buffer.withUnsafeMutableBytes {
            // Sound: no more than fits in the buffer.
            methods.pointee.xRead?(file, $0.baseAddress, Int32(clamping: count), max(0, place)) ?? SQLITE_IOERR
        }
        if code == SQLITE_OK { return count }
        // It was cut off meanwhile.
        guard let now = self.size, now < size else { return nil }
        return Int(clamping: min(Int64(count), max(0, now - max(0, place))))
    }
}

/// Why a store cannot be opened or read.
package struct StoreError: Error, Sendable, Equatable {
    package enum Cause: Sendable, Equatable {
        case missing
        case notReadable(String)
        /// What the path names instead of a file: “a folder”, “a pipe”, …
        case notAFile(String)
        case notADatabase
        /// Not a database by its first bytes, and random enough to be an encrypted one.
        case maybeEncrypted
        case busy
        case corrupt(String)
        case newerFormat(String)
        case unknownEntity(String, nearest: String?)
        case unknownKeyPath(String)
        case outOfMemory
        /// So many bytes of a list have a place neither in memory nor on a disk.
        case noRoom(size: Int, Room)
        case cancelled
        /// It was given up after the time that there is for it.
        case takesTooLong
        /// Anything else that the engine says, in its words.
        case engine(String)
    }

    /// Where a list has to find room, as nothing else may be used or would help.
    package enum Room: Sendable, Equatable {
        case memoryAndDisk
        /// Nothing may reach a disk.
        case memoryOnly
        /// Within the addresses that the process may have, which a disk does not add to.
        case addresses
    }

    /// The store, as the user named it.
    package let file: String
    package let cause: Cause

    package init(file: String, cause: Cause) {
        self.file = file
        self.cause = cause
    }

    /// What is wrong, in words.
    package var problem: String {
        switch cause {
        case .missing: "no such file"
        case .notReadable(let reason): "cannot be read: \(reason)"
        case .notAFile(let kind): "\(kind), not a file"
        case .notADatabase: "not a SQLite database"
        case .maybeEncrypted: "not a SQLite database; it may be encrypted"
        case .busy: "busy: another process holds the store locked"
        case .corrupt(let detail): "the store is corrupt: \(detail)"
        case .newerFormat(let detail): "written in a newer format: \(detail)"
        case .unknownEntity(let name, _): "no entity “\(name)” in this store"
        case .unknownKeyPath(let path): "no such key path: \(path)"
        case .outOfMemory: "not enough memory"
        case .noRoom(let size, let room): StoreError.noRoom(size, room)
        case .cancelled: "cancelled"
        case .takesTooLong: "it takes too long"
        case .engine(let message): message
        }
    }

    /// What to do about it, where there is something.
    package var remedy: String? {
        switch cause {
        case .missing: "check the path"
        case .notReadable: "check the permissions"
        case .notAFile: "name a file"
        case .notADatabase: nil
        case .maybeEncrypted: "decrypt it first"
        case .busy: "try again when it is done"
        case .corrupt: "sqlite3's .recover may find more in a copy"
        case .newerFormat: nil
        case .unknownEntity(_, let nearest): nearest.map { "did you mean “\($0)”?" } ?? "--schema lists the entities"
        case .noRoom(_, .memoryAndDisk): "name a folder with more room by TMPDIR"
        case .noRoom(_, .memoryOnly): "without --private the rest goes to a temporary file"
        case .noRoom(_, .addresses): "raise the limit of the process's addresses (ulimit -v)"
        case .unknownKeyPath, .outOfMemory, .cancelled, .takesTooLong, .engine: nil
        }
    }

    private static func noRoom(_ size: Int, _ room: Room) -> String {
        // In tenths of a gigabyte, which is how much there is at least.
        let tenths = max(1, (size + 99_999_999) / 100_000_000)
        let place = room == .memoryAndDisk ? " and no room on a disk" : ""
        return "not enough memory\(place) for the order of the list (\(tenths / 10).\(tenths % 10) GB)"
    }
}

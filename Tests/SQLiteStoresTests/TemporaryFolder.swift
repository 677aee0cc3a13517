import CSQLite
import Foundation
import Glibc
import ObjectStore
import SQLiteStores
import TestSupport
import Testing

/// A folder of a test's own, removed with it.
final class TemporaryFolder {
    let path: String

    /// - Parameter inMemory: where there is a file system in memory.
    init(inMemory: Bool = false) throws {
        let isThere = FileManager.default.isWritableFile(atPath: "/dev/shm")
        let place = inMemory && isThere ? "/dev/shm" : NSTemporaryDirectory()
        path = try TestSupport.TemporaryFolder(in: place).path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }

    /// Makes a database by SQL; the connection is closed, so that what SQLite cleans up is gone.
    @discardableResult
    func database(_ sql: String) throws -> String { try database("store.sqlite", sql) }

    @discardableResult
    func database(_ name: String, _ sql: String) throws -> String {
        let writer = try Writer(file(name))
        try writer.run(sql)
        return file(name)
    }

    /// Names, bytes and modification times of all files.
    func state() throws -> [String: FileState] {
        var states: [String: FileState] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            var status = stat()
            guard lstat(file(name), &status) == 0 else { continue }
            let isFile = status.st_mode & S_IFMT == S_IFREG
            states[name] = FileState(
                bytes: isFile ? FileManager.default.contents(atPath: file(name)) : nil, seconds: status.st_mtim.tv_sec,
                nanoseconds: status.st_mtim.tv_nsec, mode: status.st_mode, owner: status.st_uid, group: status.st_gid,
                changed: [status.st_ctim.tv_sec, status.st_ctim.tv_nsec])
        }
        return states
    }

    struct FileState: Equatable {
        var bytes: Data?
        var seconds: Int
        var nanoseconds: Int
        var mode: UInt32
        var owner: UInt32
        var group: UInt32
        /// The last change of state: whatever is done to a file, this says that it was.
        var changed: [Int]
    }
}

/// A connection that writes, as an app has one.
final class Writer {
    let handle: OpaquePointer

    init(_ path: String) throws {
        var opened: OpaquePointer?
        guard sqlite3_open(path, &opened) == SQLITE_OK, let opened else { throw CocoaError(.fileWriteUnknown) }
        handle = opened
    }

    deinit { sqlite3_close_v2(handle) }

    func run(_ sql: String) throws {
        var message: UnsafeMutablePointer<CChar>?
        guard sqlite3_exec(handle, sql, nil, nil, &message) == SQLITE_OK else {
            let text = message.map { String(cString: $0) } ?? "?"
            sqlite3_free(message)
            throw Failure(text: text)
        }
    }

    struct Failure: Error, CustomStringConvertible {
        let text: String
        var description: String { text }
    }
}

/// Repeatable numbers (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

/// Real stores, where this machine has them.
enum Samples {
    static let folder = "/work/shared/samples"
    static var areThere: Bool { FileManager.default.fileExists(atPath: folder) }
}

extension ObjectStore {
    /// Key paths by their texts.
    func paths(_ texts: [String], in entity: String) throws -> [ObjectKeyPath] {
        try texts.map { try schema.keyPath($0, in: entity) }
    }

    func list(
        _ entity: String, sort: [String] = [], selector: ObjectStore.SortSelector = .caseInsensitiveCompare,
        section: String? = nil,
        scope: FetchRequest.Scope = .all, limit: Int? = nil
    ) throws -> FetchedObjects {
        let descriptors = try sort.map { text in
            let isDown = text.hasPrefix("-")
            return SortKey(
                .keyPath(try schema.keyPath(isDown ? String(text.dropFirst()) : text, in: entity)), ascending: !isDown,
                selector: selector)
        }
        return try fetch(
            FetchRequest(
                entityName: entity, scope: scope, sortDescriptors: descriptors,
                sectionKeyPath: try section.map { try schema.keyPath($0, in: entity) }, fetchLimit: limit),
            progress: FetchProgress())
    }

    typealias SortSelector = SortKey.Selector

    /// All values of one path, in the order of a fetch.
    func column(_ path: String, of fetched: FetchedObjects, in entity: String, as form: ValueForm = .typed) throws -> [Value] {
        try values(at: paths([path], in: entity), of: Array(fetched.keys), in: entity, as: form).map {
            $0?[0] ?? .string("missing")
        }
    }
}

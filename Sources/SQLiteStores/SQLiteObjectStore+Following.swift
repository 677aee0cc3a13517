import CSQLite
import Foundation
package import ObjectStore
import Synchronization

extension SQLiteObjectStore {
    package var file: String? { source.file?.path }

    /// By SQLite's own count of commits where the store is open under its locks; else by the database file and its log. The journal
    /// of a transaction that is not committed yet says nothing.
    package func fileState() -> FileState? {
        // A database of our own making has no file, and does not change.
        guard let file = source.file else { return FileState(stamps: []) }
        let stamps = file.stamps()
        guard let main = stamps.main, let named = StoreFile.stamp(file.name) else { return nil }
        // A link that leads to another file now.
        guard main.isSameFile(as: named) else {
            return FileState(stamps: [Int64(bitPattern: named.device), Int64(bitPattern: named.node), -2])
        }
        let identity = [Int64(bitPattern: main.device), Int64(bitPattern: main.node)]
        switch commits.count(file, stamps) {
        case .number(let epoch, let number): return FileState(stamps: identity + [epoch, number])
        case .busy: return FileState(stamps: identity + [-1], isSettled: false)
        case .unknown: break
        }
        var isSettled = true
        let numbers = [main, stamps.log].flatMap { stamp -> [Int64] in
            guard let stamp, stamp.size > 0 else { return [0] }
            if !stamp.isSettled { isSettled = false }
            return stamp.numbers
        }
        return FileState(stamps: numbers, isSettled: isSettled)
    }

    /// Whether tables, columns or views are others than when the store was opened, or may be, as another file lies there. Reads the
    /// schema table.
    package func refresh() throws(StoreError) -> StoreRefresh {
        guard let file = source.file else { return .same }
        if let missing = missingPart() { throw missing }
        if let named = StoreFile.stamp(file.name), named.node != node { return .otherSchema }
        let readers = try source.readers()
        let (layout, roots) = try show { connection throws(StoreError) in
            (try connection.layoutNumber(), try connection.tableRoots())
        }
        guard layout == self.layout else { return .otherSchema }
        // SQLite reads its schema anew when the number of its version is another; another file's may be the same.
        if let before = readers.noteRoots(roots), before.version == roots.version, before.pages != roots.pages {
            try source.renew(readers)
        }
        return .same
    }

    package func missingPart() -> StoreError? {
        guard let file = source.file, !schema.isDamaged else { return nil }
        // In the middle of a commit of SQLite's own the head may say more than is there yet: a journal tells.
        func isInTransaction() -> Bool { file.stamps().journal?.size ?? 0 > 0 }
        guard !isInTransaction() else { return nil }
        var found: StoreError?
        do throws(StoreError) {
            let now = try StoreFile(examining: file.name)
            found = now.missingLength.map { StoreError(file: file.name, cause: .corrupt($0)) }
        } catch {
            // What has gone altogether says so elsewhere, and may still be open.
            found = error.cause == .missing ? nil : error
        }
        return found == nil || isInTransaction() ? nil : found
    }

    /// What SQLite reads under its locks is of the files as they are in any case; all else is opened anew.
    package func reread() throws(StoreError) -> StoreRefresh {
        let refresh = try refresh()
        guard refresh == .same, source.file != nil else { return refresh }
        let readers = try source.readers()
        guard readers.opening != .readOnly, readers.opening != .readOnlySharedMemory else { return .same }
        try source.renew(readers)
        return .reopened
    }
}

extension Connection {
    /// A number that is another when the definition of a table, view or index is, or the order that they were made in; where they
    /// lie does not count.
    func layoutNumber() throws(StoreError) -> UInt64 {
        var hash = StableHash()
        for text in try rows(
            "SELECT type || char(0) || name || char(0) || ifnull(sql, '') FROM sqlite_schema ORDER BY rowid", { $0.text(0) })
        {
            hash.add(text)
            hash.add(0xFF)
        }
        return hash.value
    }

    /// Where tables and indexes lie now.
    func tableRoots() throws(StoreError) -> TableRoots {
        TableRoots(
            version: try rows("PRAGMA schema_version", limit: 1) { $0.integer(0) }.first ?? 0,
            pages: try rows("SELECT rootpage FROM sqlite_schema ORDER BY rowid") { $0.integer(0) })
    }
}

/// Where the tables and indexes of a file lie.
struct TableRoots: Sendable {
    /// SQLite's number of the schema's version.
    var version: Int64
    /// The first page of each, in the order in which they were made.
    var pages: [Int64]
}

/// SQLite's count of the commits of other connections (`PRAGMA data_version`), asked on a connection of its own that is opened when
/// it is first needed: while the files are as they were at first, and that was long ago then, nothing was committed.
///
/// Only where the store is read under SQLite's locks: what is opened as immutable or copied shows no commits. Numbers of different
/// counters say nothing of each other, so that a store that is opened anew goes on with the counter it had.
package final class CommitCounter: Sendable {
    enum Count: Equatable {
        /// Counts of different epochs say nothing of each other.
        case number(epoch: Int64, Int64)
        /// A writer is about to commit, or has the store for itself.
        case busy
        case unknown
    }

    private struct Opened {
        var connection: Connection
        var opening: StoreFile.Opening
        var node: UInt64
        var device: UInt64
    }

    /// What the files looked like that nobody had written for a while, until they look otherwise.
    private struct Rest: Equatable {
        var opening: StoreFile.Opening
        var main: StoreFile.Stamp
        var log: StoreFile.Stamp?
    }

    private let state = Mutex<(opened: Opened?, epoch: Int64, rest: Rest?)>((nil, 0, nil))

    package init() {}

    /// The count now. Takes the lock of a reader for an instant, and waits for nobody.
    func count(_ file: StoreFile, _ stamps: StoreFile.Stamps) -> Count {
        guard let main = stamps.main else { return .unknown }
        return state.withLock { state in
            let opening: StoreFile.Opening
            switch file.opening(stamps) {
            // The journal of a live writer comes and goes.
            case .privateCopy(suffix: "-journal") where state.opened?.opening == .readOnly: opening = .readOnly
            case .readOnly: opening = .readOnly
            case .readOnlySharedMemory: opening = .readOnlySharedMemory
            case .immutable, .privateCopy:
                state.opened = nil
                return .unknown
            }
            if let opened = state.opened,
                opened.opening != opening || opened.node != main.node || opened.device != main.device
            {
                state.opened = nil
            }
            if state.opened == nil, main.isAtRest, stamps.log?.isAtRest ?? true {
                let rest = Rest(opening: opening, main: main, log: stamps.log)
                if state.epoch == 0 {
                    state.epoch = 1
                    state.rest = rest
                }
                if state.rest == rest { return .number(epoch: 1, 0) }
            }
            state.rest = nil
            do throws(StoreError) {
                do throws(StoreError) {
                    if opening == .readOnly { try state.opened?.connection.checkPages(ofFile: file.path) }
                } catch {
                    guard error.cause == Connection.writtenOver else { throw error }
                    state.opened = nil
                }
                if state.opened == nil {
                    state.opened = Opened(
                        connection: try Self.open(file, opening), opening: opening, node: main.node, device: main.device)
                    state.epoch += 1
                }
                let number = try state.opened?.connection.dataVersion()
                return number.map { .number(epoch: state.epoch, $0) } ?? .unknown
            } catch {
                if error.cause == .busy { return .busy }
                state.opened = nil
                return .unknown
            }
        }
    }

    private static func open(_ file: StoreFile, _ opening: StoreFile.Opening) throws(StoreError) -> Connection {
        let parameters = opening == .readOnly ? "mode=ro" : "mode=ro&readonly_shm=1"
        let connection = try Connection(
            uri: StoreFile.uri(file.path, parameters), flags: SQLITE_OPEN_READONLY, name: file.name)
        sqlite3_busy_timeout(connection.handle, 0)
        if opening == .readOnly { try connection.checkPages(ofFile: file.path) }
        return connection
    }
}

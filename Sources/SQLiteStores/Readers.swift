import CSQLite
import Foundation
import Glibc
import ObjectStore
import Synchronization

/// The connections to one state of a store's files: two for scans, one for the values on screen.
///
/// A scan may take long, so what the screen asks for never waits for it. `Sendable` because each connection is reached only
/// inside its lock.
final class Readers: Sendable {
    let opening: StoreFile.Opening
    let stamps: StoreFile.Stamps
    /// What SQLite said where it would not open the store by itself; what can be read is read all the same.
    let damage: String?
    /// False where SQLite sees no changes, and the files may have been written once more without another time.
    let isSettled: Bool
    private let scanning: Mutex<[Connection]>
    private let showing: Mutex<Connection>
    /// The database file, where SQLite looks by itself whether it has changed.
    private let watched: String?
    private let roots = Mutex<TableRoots?>(nil)
    /// Whether all readings are of the state that one connection holds, and whether it was lost on the way.
    private let held = Mutex((isHeld: false, isLost: false))

    init(
        opening: StoreFile.Opening, stamps: StoreFile.Stamps, isSettled: Bool = true, connections: [Connection],
        showing: Connection, watched: String? = nil, damage: String?
    ) {
        self.damage = damage
        self.watched = watched
        self.isSettled = isSettled
        self.opening = opening
        self.stamps = stamps
        self.scanning = Mutex(connections)
        self.showing = Mutex(showing)
    }

    /// Runs a long reading; one at a time.
    func scan<Result: Sendable>(_ body: ([Connection]) throws(StoreError) -> Result) throws(StoreError) -> Result {
        try scanning.withLock { connections throws(StoreError) in
            for connection in connections { try connection.checkPages(ofFile: watched) }
            if isHeld, let connection = connections.first { try keepHold(connection) }
            return try body(connections)
        }
    }

    private var isHeld: Bool { held.withLock { $0.isHeld } }

    /// False once there were readings of another state than the one held.
    var hasKeptState: Bool { held.withLock { !$0.isLost } }

    /// From now on all readings are of the state that the data have now: those of one connection, in one transaction.
    func hold() throws(StoreError) {
        try scanning.withLock { connections throws(StoreError) in
            guard let connection = connections.first else { return }
            try connection.run("BEGIN")
            // The transaction begins with its first reading.
            try connection.probe()
            connections = [connection]
            held.withLock { $0.isHeld = true }
        }
    }

    /// SQLite ends a transaction by itself where a temporary table could not be finished.
    private func keepHold(_ connection: Connection) throws(StoreError) {
        guard !connection.isInTransaction else { return }
        held.withLock { $0.isLost = true }
        try connection.run("BEGIN")
    }

    /// Runs a short reading; one at a time.
    func show<Result: Sendable>(_ body: (Connection) throws(StoreError) -> Result) throws(StoreError) -> Result {
        if isHeld {
            return try scanning.withLock { connections throws(StoreError) in
                guard let connection = connections.first else { throw StoreError(file: "", cause: .outOfMemory) }
                try keepHold(connection)
                return try body(connection)
            }
        }
        return try showing.withLock { connection throws(StoreError) in
            try connection.checkPages(ofFile: watched)
            return try body(connection)
        }
    }

    /// Keeps where the tables lie; what was kept before.
    func noteRoots(_ now: TableRoots) -> TableRoots? {
        roots.withLock { roots in
            defer { roots = now }
            return roots
        }
    }

    /// Refuses views from now on.
    func restrictViews() {
        scanning.withLock { for connection in $0 { connection.allowViews(false) } }
        showing.withLock { $0.allowViews(false) }
    }

    /// Whether the store is read under locks that a writer would have to wait for.
    var holdsUpWriters: Bool { opening == .readOnly }
}

extension Readers {
    /// Opens a store by the rule that fits the files beside it, without leaving a trace.
    ///
    /// - Throws: what `StoreFile` throws; `busy` if the files change faster than they can be copied.
    static func open(_ file: StoreFile, isPrivate: Bool, allowsViews: Bool) throws(StoreError) -> Readers {
        let deadline = ContinuousClock.now + .seconds(2)
        while true {
            let stamps = file.stamps()
            let isSettled = stamps.isSettled
            let opening = file.opening(stamps)
            do throws(StoreError) {
                let readers = try open(
                    file, opening, stamps, isSettled: isSettled, isPrivate: isPrivate, allowsViews: allowsViews)
                // A copy of a moving source may be torn; so may a rule be that was chosen for files that have changed since.
                let isStill =
                    readers.opening == .readOnly || opening == .readOnlySharedMemory || file.stamps() == stamps
                if isStill { return readers }
            } catch {
                guard file.stamps() != stamps else { throw error }
            }
            guard ContinuousClock.now < deadline else { throw StoreError(file: file.name, cause: .busy) }
            usleep(20_000)
        }
    }

    /// Connections to what a URI names: one for the screen, and two for scans, or one where the store is small.
    ///
    /// - Parameter file: a rollback-mode store, whose pages SQLite keeps as long as the head of the file says so.
    static func make(
        _ uri: String, _ opening: StoreFile.Opening, _ stamps: StoreFile.Stamps, isSettled: Bool = true, name: String,
        allowsViews: Bool, watching file: String? = nil
    ) throws(StoreError) -> Readers {
        var made: [Connection] = []
        var damage: String?
        // A small store is scanned by one connection as fast as by two, and each takes longer to open than such a scan does.
        for _ in 0..<(stamps.isSmall ? 2 : 3) {
            let connection = try Connection(uri: uri, flags: SQLITE_OPEN_READONLY, name: name)
            connection.allowViews(allowsViews)
            // Opening is lazy in SQLite: the first reading finds out whether the rule fits.
            do throws(StoreError) {
                try connection.checkPages(ofFile: file)
                try connection.probe()
            } catch {
                guard case .corrupt(let detail) = error.cause else { throw error }
                connection.salvage()
                try connection.probe()
                damage = detail
            }
            made.append(connection)
        }
        let showing = made.removeLast()
        let readers = Readers(
            opening: opening, stamps: stamps, isSettled: isSettled, connections: made, showing: showing, watched: file,
            damage: damage)
        // A schema that cannot be read is said elsewhere.
        if file != nil, let roots = try? showing.tableRoots() { _ = readers.noteRoots(roots) }
        return readers
    }

    private static func open(
        _ file: StoreFile, _ opening: StoreFile.Opening, _ stamps: StoreFile.Stamps, isSettled: Bool, isPrivate: Bool,
        allowsViews: Bool
    ) throws(StoreError) -> Readers {
        func readers(_ uri: String, watching path: String? = nil) throws(StoreError) -> Readers {
            try make(
                uri, opening, stamps, isSettled: isSettled, name: file.name, allowsViews: allowsViews, watching: path)
        }
        if let copy = NamelessFile.copyOfWholeRows(of: file, opening, stamps, isPrivate: isPrivate) {
            return try make(
                copy.uri("mode=ro&immutable=1"), .privateCopy(suffix: ""), stamps, isSettled: isSettled, name: file.name,
                allowsViews: allowsViews)
        }
        switch opening {
        case .readOnly:
            return try readers(StoreFile.uri(file.path, "mode=ro"), watching: file.path)
        case .immutable:
            return try readers(StoreFile.uri(file.path, "mode=ro&immutable=1"))
        case .readOnlySharedMemory:
            do throws(StoreError) {
                return try readers(StoreFile.uri(file.path, "mode=ro&readonly_shm=1"))
            } catch {
                // An index that cannot be read or trusted: the log itself is enough.
                guard error.cause != .busy else { throw error }
                return try open(
                    file, .privateCopy(suffix: "-wal"), stamps, isSettled: isSettled, isPrivate: isPrivate,
                    allowsViews: allowsViews)
            }
        case .privateCopy(let suffix):
            let copy = try NamelessFile.settledCopy(of: file, suffix: suffix, isPrivate: isPrivate)
            return try readers(copy.uri("mode=ro&immutable=1"))
        }
    }
}

import Glibc
import ObjectStore
import Synchronization

/// A store's readers, opened again when the files under them have become others.
final class ReaderSource: Sendable {
    /// How the store is called in messages.
    let name: String
    /// Nil for a database of our own, which has no file that could change.
    let file: StoreFile?
    private let isPrivate: Bool
    private let allowsViews: Bool
    /// Whether all readings have to be of one state, so that the files are never opened again.
    private let isOneState: Bool
    private let current: Mutex<Readers>
    /// Readers of a copy, for what would keep a writer waiting.
    private let copied = Mutex<Readers?>(nil)

    init(_ file: StoreFile, _ readers: Readers, isPrivate: Bool, allowsViews: Bool, isOneState: Bool = false) {
        self.isOneState = isOneState
        name = file.name
        self.file = file
        self.isPrivate = isPrivate
        self.allowsViews = allowsViews
        current = Mutex(readers)
    }

    init(name: String, _ readers: Readers) {
        self.name = name
        file = nil
        isOneState = true
        isPrivate = true
        allowsViews = true
        current = Mutex(readers)
    }

    /// Whether all readings so far were of one committed state, where that was wanted.
    var hasKeptState: Bool {
        let readers = current.withLock { $0 }
        guard let file, isOneState else { return true }
        guard readers.opening == .readOnly || readers.opening == .immutable else { return readers.hasKeptState }
        // Read from the file itself, whose times tell.
        let now = file.stamps()
        return now.main == readers.stamps.main && now.log?.size ?? 0 == readers.stamps.log?.size ?? 0
    }

    /// Runs a reading; once more with new readers where it failed because the files need another rule now, as after a crash
    /// of their writer, or were written over. A connection that has seen the file empty keeps the first page that was not there, and
    /// takes the same file for no database once it is back.
    func perform<Result>(_ body: (Readers) throws(StoreError) -> Result) throws(StoreError) -> Result {
        let readers = try readers()
        do throws(StoreError) {
            return try body(readers)
        } catch {
            guard let file, !isOneState, error.cause != .cancelled,
                error.cause == Connection.writtenOver || error.cause == .notADatabase
                    || file.opening(file.stamps()) != readers.opening
            else { throw error }
            return try body(renew(readers))
        }
    }

    /// Opens the files anew, unless somebody has done so since `readers` were had.
    @discardableResult
    func renew(_ readers: Readers) throws(StoreError) -> Readers {
        try current.withLock { current throws(StoreError) in
            guard let file, current === readers else { return current }
            current = try Readers.open(file, isPrivate: isPrivate, allowsViews: allowsViews)
            return current
        }
    }

    /// Longest time that a reading transaction keeps a writer waiting (SPEC section 6: 50 ms, less what it takes to notice).
    static let patience = Duration.milliseconds(45)
    /// A store of less, in bytes, is read as soon as it is copied.
    private static let leastSnapshot: Int64 = 4 << 20

    /// What is to be read.
    enum Reading {
        /// A few rows.
        case short
        /// All rows of a table, or more.
        case long
        /// Whatever has changed: again and again, beside a writer.
        case following

        /// How long it is tried without a copy of a store that a copy can be made of while its writer waits.
        fileprivate var patience: Duration { self == .following ? .milliseconds(5) : ReaderSource.patience }
        /// Up to which size, in bytes, a store is copied without a lock.
        fileprivate var largestCopy: Int64 {
            switch self {
            case .short: 1 << 28
            case .long: 1 << 30
            case .following: 0
            }
        }
    }

    /// Runs a reading of any length: where a writer would wait for it too long, once more on a copy of the store.
    ///
    /// A store that is not too large is copied in one go while its writer waits, so that one who never stops is followed, too;
    /// others without a lock. One that is larger still, or changes faster than it can be copied, has its writer wait.
    ///
    /// - Parameter body: gets the readers, and how long it may hold them before it fails with `Connection.heldTooLong`; nil for as
    ///   long as it takes, a little each time.
    func performPatiently<Result>(
        _ reading: Reading, _ body: (Readers, Duration?) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try perform { readers throws(StoreError) in
            guard readers.holdsUpWriters, let file else { return try body(readers, nil) }
            let stamps = file.stamps()
            // Where there is a copy of this very state nobody need wait, nor try.
            if let copy = copied.withLock({ $0 }), copy.stamps == stamps { return try body(copy, nil) }
            let size = stamps.main?.size ?? .max
            // Somebody is at it: each of many short transactions would have him wait.
            let isBeingWritten = !stamps.isSettled || stamps.journal?.size ?? 0 > 0
            if reading == .long, isBeingWritten, size >= Self.leastSnapshot, let copy = snapshot(of: readers, file) {
                return try body(copy, nil)
            }
            do throws(StoreError) {
                return try body(readers, size <= NamelessFile.largestSnapshot ? reading.patience : Self.patience)
            } catch {
                guard error.cause == Connection.heldTooLong else { throw error }
                return try body(copy(of: readers, for: reading) ?? readers, nil)
            }
        }
    }

    /// Readers of a private copy of the store as it is now; nil where there is none to be had.
    private func copy(of readers: Readers, for reading: Reading) -> Readers? {
        guard let file else { return nil }
        return copied.withLock { copied in
            if let copied, copied.stamps == file.stamps() { return copied }
            copied = nil
            if let made = snapshot(of: readers, file) {
                // Beside a writer it is of no use for long.
                copied = made.isSettled && reading != .following ? made : nil
                return made
            }
            let deadline = ContinuousClock.now + .seconds(2)
            repeat {
                let stamps = file.stamps()
                let isSettled = stamps.isSettled
                guard let size = stamps.main?.size, size <= reading.largestCopy else { return nil }
                // Without a lock, so that nobody waits: what changed meanwhile is seen afterwards.
                if stamps.journal?.size ?? 0 == 0, let made = NamelessFile.copy(of: file, isPrivate: isPrivate),
                    file.stamps() == stamps,
                    let readers = try? Readers.make(
                        made.uri("mode=ro&immutable=1"), .privateCopy(suffix: ""), stamps, name: name, allowsViews: allowsViews)
                {
                    copied = isSettled ? readers : nil
                    return readers
                }
                usleep(10_000)
            } while ContinuousClock.now < deadline
            return nil
        }
    }

    /// Readers of a copy that is made while writers wait; settled if the files are known to be what was copied.
    private func snapshot(of readers: Readers, _ file: StoreFile) -> Readers? {
        let stamps = file.stamps()
        let isSettled = stamps.isSettled
        let made = try? readers.show { connection throws(StoreError) in
            NamelessFile.snapshot(connection, size: stamps.main?.size ?? .max, patience: Self.patience)
        }
        guard let copy = made ?? nil else { return nil }
        return try? Readers.make(
            copy.uri("mode=ro&immutable=1"), .privateCopy(suffix: ""), stamps, isSettled: isSettled && file.stamps() == stamps,
            name: name, allowsViews: allowsViews)
    }

    /// The readers for the files as they are now. A few `stat` calls; opens anew when SQLite could not see the change itself.
    func readers() throws(StoreError) -> Readers {
        guard let file, !isOneState else { return current.withLock { $0 } }
        return try current.withLock { readers throws(StoreError) in
            let stamps = file.stamps()
            let isStale: Bool =
                switch readers.opening {
                case .readOnly, .readOnlySharedMemory:
                    stamps.main?.node != readers.stamps.main?.node || stamps.main?.device != readers.stamps.main?.device
                        || !isSame(file.opening(stamps), readers.opening)
                case .immutable, .privateCopy: stamps != readers.stamps || !readers.isSettled
                }
            guard isStale, stamps.main != nil else { return readers }
            let renewed = try Readers.open(file, isPrivate: isPrivate, allowsViews: allowsViews)
            readers = renewed
            return renewed
        }
    }

    /// Whether readers opened by one rule may go on under another.
    private func isSame(_ now: StoreFile.Opening, _ then: StoreFile.Opening) -> Bool {
        // A rollback journal comes and goes with every transaction of a live writer; SQLite's own locks see to that.
        if then == .readOnly, case .privateCopy(suffix: "-journal") = now { return true }
        return now == then
    }
}

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
    private let current: Mutex<Readers>
    /// Readers of a copy, for what would keep a writer waiting.
    private let copied = Mutex<Readers?>(nil)

    init(_ file: StoreFile, _ readers: Readers, isPrivate: Bool, allowsViews: Bool) {
        name = file.name
        self.file = file
        self.isPrivate = isPrivate
        self.allowsViews = allowsViews
        current = Mutex(readers)
    }

    init(name: String, _ readers: Readers) {
        self.name = name
        file = nil
        isPrivate = true
        allowsViews = true
        current = Mutex(readers)
    }

    /// Runs a reading; once more with new readers where it failed because the files need another rule now, as after a crash
    /// of their writer, or were written over.
    func perform<Result>(_ body: (Readers) throws(StoreError) -> Result) throws(StoreError) -> Result {
        let readers = try readers()
        do throws(StoreError) {
            return try body(readers)
        } catch {
            guard let file, error.cause != .cancelled,
                error.cause == Connection.writtenOver || file.opening(file.stamps()) != readers.opening
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

    /// Runs a reading of any length: where a writer would wait for it too long, once more on a copy of the store.
    ///
    /// - Parameters:
    ///   - largestCopy: in bytes; where the store is larger, or changes faster than it can be copied, the writer has to wait.
    ///   - body: gets the readers, and how long it may hold them before it fails with `Connection.heldTooLong`.
    func performPatiently<Result>(
        largestCopy: Int64, _ body: (Readers, Duration?) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try perform { readers throws(StoreError) in
            guard readers.holdsUpWriters else { return try body(readers, nil) }
            // Where there is a copy of this very state nobody need wait, nor try.
            if let file, let copy = copied.withLock({ $0 }), copy.stamps == file.stamps() { return try body(copy, nil) }
            do throws(StoreError) {
                return try body(readers, Self.patience)
            } catch {
                guard error.cause == Connection.heldTooLong else { throw error }
                return try body(copy(largest: largestCopy) ?? readers, nil)
            }
        }
    }

    /// Readers of a private copy of the store as it is now; nil where there is none to be had.
    private func copy(largest: Int64) -> Readers? {
        guard let file else { return nil }
        return copied.withLock { copied in
            if let copied, copied.stamps == file.stamps() { return copied }
            copied = nil
            let deadline = ContinuousClock.now + .seconds(2)
            repeat {
                let stamps = file.stamps()
                let isSettled = stamps.isSettled
                guard let size = stamps.main?.size, size <= largest else { return nil }
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

    /// The readers for the files as they are now. A few `stat` calls; opens anew when SQLite could not see the change itself.
    func readers() throws(StoreError) -> Readers {
        guard let file else { return current.withLock { $0 } }
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

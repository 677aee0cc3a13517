import CSQLite
import Glibc
import ObjectStore

// A report is of one committed state of the data, whoever writes meanwhile.
extension Readers {
    /// Opens a store for readings that all see the same committed state, however long they take.
    ///
    /// Beside a log that state is held by one reading transaction, for which no writer waits. A store in rollback mode, and one whose
    /// log is empty, is copied into memory first, unless that is too much.
    ///
    /// - Returns: readers of a held state or of a copy; of the file itself, as `opening` says, where what is written meanwhile shows in
    ///   the readings, and in the file's times.
    /// - Throws: what `open` throws.
    static func openOneState(
        _ file: StoreFile, isPrivate: Bool, allowsViews: Bool
    ) throws(StoreError) -> Readers {
        let deadline = ContinuousClock.now + .seconds(2)
        while true {
            let readers = try open(file, isPrivate: isPrivate, allowsViews: allowsViews)
            switch readers.opening {
            case .privateCopy: return readers
            case .readOnlySharedMemory:
                do throws(StoreError) {
                    try readers.hold()
                    return readers
                } catch {
                    // The log may have gone in between.
                    guard ContinuousClock.now < deadline else { throw error }
                }
            case .readOnly, .immutable:
                // A file that was cut off is read as far as it goes.
                guard readers.damage == nil, readers.stamps.main?.size ?? .max <= NamelessFile.largestSnapshot else {
                    return readers
                }
                if let copy = readers.copiedAtOnce(file, isPrivate: isPrivate, allowsViews: allowsViews) { return copy }
                guard ContinuousClock.now < deadline else { return readers }
            }
            usleep(5000)
        }
    }

    /// Readers of a copy of the store in one state; nil where it was written meanwhile, or there is no room.
    private func copiedAtOnce(_ file: StoreFile, isPrivate: Bool, allowsViews: Bool) -> Readers? {
        let before = file.stamps()
        // Under a reader's lock first. A file that is not in memory may take longer than a writer may wait: then without a lock.
        let locked = try? show { connection throws(StoreError) in
            NamelessFile.snapshot(connection, size: before.main?.size ?? .max, patience: ReaderSource.patience)
        }
        let isStill = { before.isSettled && before.journal?.size ?? 0 == 0 && file.stamps() == before }
        var copy = locked ?? nil
        // Without locks nothing but the files' times tells whether it is of one state.
        if opening == .immutable, copy != nil, before.log?.size ?? 0 > 0 || !isStill() { copy = nil }
        if copy == nil, before.isSettled, let made = NamelessFile.copy(of: file, isPrivate: isPrivate), isStill() { copy = made }
        guard let copy else { return nil }
        return try? Readers.make(
            copy.uri("mode=ro&immutable=1"), .privateCopy(suffix: ""), before, name: file.name, allowsViews: allowsViews)
    }
}

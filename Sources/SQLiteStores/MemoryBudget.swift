import Glibc
import ObjectStore
import Synchronization

/// How many bytes a fetch may hold in memory; what is more goes to files without names.
final class MemoryBudget: Sendable {
    /// Nil: not asked for yet.
    private let left: Mutex<Int?>
    private let limit: Int?
    let isPrivate: Bool
    private let fileCount = Atomic<Int>(0)
    /// Smaller pieces are not counted.
    private let least: Int

    /// - Parameters:
    ///   - limit: in bytes; nil: a quarter of what is free when much is first wanted, as the order itself needs as much again.
    ///   - isPrivate: whether nothing may reach a disk.
    init(limit: Int?, isPrivate: Bool) {
        self.limit = limit
        left = Mutex(limit)
        least = limit == nil ? 8 << 20 : 0
        self.isPrivate = isPrivate
    }

    /// How many files were made, for tests that count them.
    var files: Int { fileCount.load(ordering: .relaxed) }

    /// Takes what a piece of memory needs to grow; false, with nothing taken, where there is not so much left.
    func grow(_ size: Int, to newSize: Int) -> Bool {
        guard newSize >= least else { return true }
        let more = size < least ? newSize : newSize - size
        return left.withLock { left in
            let now = left ?? FreeMemory.bytes / 4
            left = now < more ? now : now - more
            return now >= more
        }
    }

    /// Gives back what a piece of memory had.
    func give(back size: Int) {
        guard size >= least else { return }
        left.withLock { $0 = $0.map { $0 + size } }
    }

    /// Whether so many bytes of the order itself may be held in memory. They stay when all else has gone, so as much has to be free
    /// beside them, and they are not counted.
    func holds(_ size: Int) -> Bool { limit.map { size <= $0 } ?? FreeMemory.has(size) }

    /// Whether so many bytes of the order have a place, in memory or on a disk.
    func hasPlace(for size: Int) -> Bool {
        if size <= OrderMemory.least || holds(size) { return true }
        return !isPrivate && FreeMemory.hasAddresses(size)
            && NamelessFile.Place.onDisk.contains { !$0.isInMemory && $0.hasRoom(for: Int64(size)) }
    }

    /// A new file on a disk that has room for so many bytes; nil where there is none, or nothing may be written.
    func file(_ size: Int) -> NamelessFile? {
        guard !isPrivate else { return nil }
        for place in NamelessFile.Place.onDisk where !place.isInMemory {
            guard let file = NamelessFile.make(in: place, size: Int64(size)) else { continue }
            fileCount.add(1, ordering: .relaxed)
            return file
        }
        return nil
    }
}

import CSQLite
import Glibc
import ObjectStore

extension NamelessFile {
    /// A larger file than this, in bytes, is not copied while its writer waits: this much is a matter of 20 ms.
    static let largestSnapshot: Int64 = 128 << 20
    /// What a file may have grown by while memory is made for it, in bytes.
    private static let growth: Int64 = 1 << 20

    /// A copy in memory of a database in rollback mode, in one committed state: made under the lock of a reader, which is held for no
    /// longer than the copying takes, so that whatever is read of the copy then keeps nobody waiting.
    ///
    /// - Parameters:
    ///   - size: of the file, as far as it is known.
    ///   - patience: for how long the lock may be held.
    /// - Returns: nil where there is no room, where the lock is not to be had, and where it would take longer.
    static func snapshot(_ connection: Connection, size: Int64, patience: Duration) -> NamelessFile? {
        guard size <= largestSnapshot else { return nil }
        let room = Int(size + growth)
        for place in Place.inMemory {
            // The memory is there before anybody has to wait.
            guard let copy = make(in: place, size: Int64(room)), posix_fallocate(copy.descriptor, 0, room) == 0 else { continue }
            let mapped = mmap(nil, room, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, copy.descriptor, 0)
            guard let mapped, mapped != MAP_FAILED else { continue }
            defer { munmap(mapped, room) }
            let buffer = UnsafeMutableRawBufferPointer(start: mapped, count: room)
            guard let count = fill(buffer, connection, patience), ftruncate(copy.descriptor, count) == 0 else { return nil }
            return copy
        }
        return nil
    }

    /// Copies the whole file; how many bytes there are, or nil.
    private static func fill(_ buffer: UnsafeMutableRawBufferPointer, _ connection: Connection, _ patience: Duration) -> Int? {
        do throws(StoreError) {
            try connection.run("BEGIN")
            defer { try? connection.run("COMMIT") }
            // Now the lock is taken; a journal that is hot would have made this fail.
            try connection.probe()
            let end = ContinuousClock.now + patience
            guard let size = Int(exactly: csqlite_size(connection.handle)), size > 0, size <= buffer.count else { return nil }
            var place = 0
            while place < size, let base = buffer.baseAddress {
                let count = min(1 << 20, size - place)
                // Sound: no more than is left of the buffer.
                guard csqlite_read(connection.handle, 0, base + place, Int32(count), Int64(place)) == SQLITE_OK else {
                    return nil
                }
                place += count
                guard ContinuousClock.now < end else { return nil }
            }
            return size
        } catch {
            return nil
        }
    }
}

package import Glibc

/// What a store's files look like, by nodes, sizes and times, or by the store's own count of commits; equal as long as nothing has
/// been committed.
package struct FileState: Sendable, Equatable {
    package let stamps: [Int64]
    /// False where the files were written a moment ago: what follows within one tick of their clock would leave the stamps as they
    /// are, and what was read may be half of what is coming. Not a part of what is compared.
    package let isSettled: Bool

    package init(stamps: [Int64], isSettled: Bool = true) {
        self.stamps = stamps
        self.isSettled = isSettled
    }

    /// The state of one regular file, by a name in UTF-8; nil where there is none.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// The state of a regular file; nil where it is another thing.
    ///
    /// The time of its last change of any kind counts beside that of its last writing, which anybody may put back. So other rights or
    /// another link make another state, too: then it is read once more for nothing.
    package init?(_ status: stat) {
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        let times = [status.st_mtim, status.st_ctim].map { (Int64($0.tv_sec), Int64($0.tv_nsec)) }
        self.init(
            stamps: [
                Int64(truncatingIfNeeded: status.st_dev), Int64(truncatingIfNeeded: status.st_ino), Int64(status.st_size),
            ] + times.flatMap { [$0.0, $0.1] }, isSettled: times.allSatisfy { Self.isPast(seconds: $0.0, nanoseconds: $0.1) })
    }

    /// Whether it is the same file as in another state, and shorter: one that is being written anew in its place, or became so.
    package func isShorter(than other: FileState) -> Bool {
        guard stamps.count == Self.fileStampCount, other.stamps.count == Self.fileStampCount else { return false }
        return stamps[0] == other.stamps[0] && stamps[1] == other.stamps[1] && stamps[2] < other.stamps[2]
    }

    /// Device, node, size, and two times of two numbers each.
    private static let fileStampCount = 7

    package static func == (left: FileState, right: FileState) -> Bool { left.stamps == right.stamps }

    /// Whether a time of a file is older than several ticks of the clock that such times are taken from (at most 10 ms each).
    package static func isPast(seconds: Int64, nanoseconds: Int64) -> Bool {
        var now = timespec()
        guard clock_gettime(CLOCK_REALTIME, &now) == 0 else { return true }
        let age = (Int64(now.tv_sec) &- seconds) &* 1_000_000_000 &+ (Int64(now.tv_nsec) &- nanoseconds)
        // The clock of another machine may be ahead: such a time says nothing.
        return age >= 40_000_000 || age < 0
    }
}

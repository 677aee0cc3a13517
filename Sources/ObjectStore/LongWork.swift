internal import CScheduling
import Dispatch

/// Work that takes the whole of one core or of both for a while, and gives way to keys at once.
///
/// Linux lets a thread that wakes up wait for the end of a running one's slice, about 4 ms with as many busy threads as cores: a key
/// would wait for it, and so would the terminal that shows the answer. So threads of long work say that theirs are long: whoever
/// wakes up with a shorter one goes first. Each gets as much of the processor as ever, and nothing is left behind on the
/// thread, which is one of Dispatch's pool.
package enum LongWork {
    /// Nanoseconds; the longest that Linux takes (`sched(7)`, from 6.12 on; before, the policy alone has to do).
    private static let longSlice: UInt64 = 100_000_000
    /// Nanoseconds, for what answers keys: less than usual, and enough for a frame, which a shorter one would interrupt.
    private static let shortSlice: UInt64 = 1_000_000

    /// Does some work on this thread.
    package static func run<Result, Failure: Error>(_ work: () throws(Failure) -> Result) throws(Failure) -> Result {
        let isOutermost = begin()
        defer { if isOutermost { end() } }
        return try work()
    }

    /// Does the iterations at once, as many as there are cores, and returns when all are done.
    package static func perform(iterations: Int, _ work: @Sendable (Int) -> Void) {
        DispatchQueue.concurrentPerform(iterations: iterations) { iteration in run { work(iteration) } }
    }

    /// From now on this thread, but none that it starts, goes before others whose slices are as usual. For the thread that answers keys.
    package static func preferThisThread() { _ = cscheduling_set(UInt32(cscheduling_usual), shortSlice) }

    /// Whether this thread is at long work.
    package static var isRunning: Bool { cscheduling_has(UInt32(cscheduling_batch), longSlice) == 1 }

    /// Answers whether it was not at long work already.
    private static func begin() -> Bool {
        // A new thread of the pool has the policy of the one that wanted it, but not its slice.
        guard cscheduling_has(UInt32(cscheduling_batch), longSlice) == 0 else { return false }
        return cscheduling_set(UInt32(cscheduling_batch), longSlice) == 0
    }

    private static func end() { _ = cscheduling_set(UInt32(cscheduling_usual), 0) }
}

import Foundation
import Synchronization

/// Makes the readers of one store read at the same time, and pause at the same time.
///
/// A writer in rollback mode gets its lock in a moment when this process has none. SQLite counts the locks of all connections of
/// a process as one, and lets one more in whatever another process waits for: two readers by turns would keep a writer
/// waiting for as long as they read. So a turn has one end for all, and the next begins when the last reader has left it.
final class ReadingTurns: @unchecked Sendable {
    // Sound: the condition guards all that changes.
    private let condition = NSCondition()
    private var readers = 0
    private var end = ContinuousClock.now
    private let length: Duration

    /// - Parameter length: of a turn (SPEC section 6: 50 ms at most, less what it takes to notice its end).
    init(length: Duration = .milliseconds(40)) { self.length = length }

    /// Waits until reading is allowed; the moment when the reader has to `leave`.
    func enter() -> ContinuousClock.Instant {
        condition.withLock {
            while readers > 0, ContinuousClock.now >= end { condition.wait() }
            if readers == 0 { end = .now + length }
            readers += 1
            return end
        }
    }

    /// The reader holds no lock any more.
    func leave() {
        condition.withLock {
            readers -= 1
            if readers == 0 { condition.broadcast() }
        }
    }
}

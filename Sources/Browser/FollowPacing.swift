/// Decides when the screens follow a change of the store: after what was read for the change before, and so rarely that reading
/// takes a small part of the time, from the writer as from the machine.
///
/// Times are counted from any moment.
struct FollowPacing {
    /// So many times as long as a following took, none begins after it: a writer that has to wait for readers loses less than 5 %.
    static let restFactor = 50
    /// But never longer, so that a change shows within SPEC's 2 s, whatever reading costs.
    static let longestRest = Duration.milliseconds(1200)

    /// Whether a change waits to be followed.
    private(set) var isDue = false
    private var started: Duration?
    private var earliest: Duration = .zero

    mutating func changeArrived() { isDue = true }

    /// How long to wait before following; nil where no change waits, or the one before is still being read.
    func wait(at now: Duration) -> Duration? {
        guard isDue, started == nil else { return nil }
        return max(.zero, earliest - now)
    }

    mutating func start(at now: Duration) {
        isDue = false
        started = now
    }

    /// Notes that nothing is being read any more.
    mutating func finish(at now: Duration) {
        guard let begun = started else { return }
        started = nil
        earliest = now + min((now - begun) * Self.restFactor, Self.longestRest)
    }
}

import ObjectStore

/// Decides when a store's files are looked at, and which looks are news: the rules of `StoreObservation` without clock and files.
///
/// Times are counted from any moment.
struct ObservationState {
    /// What a look is worth reporting for.
    enum News: Equatable {
        case changed
        case gone
    }

    /// How long after an event the files are looked at: events come in swarms.
    static let quiet = Duration.milliseconds(20)
    /// How long a store that keeps changing is waited for to stand still.
    static let patience = Duration.milliseconds(400)
    /// The least time between two reports, so that a screen is painted at most ten times a second: each report leads to two frames.
    static let interval = Duration.milliseconds(250)
    /// How long a store has to be away to be gone: one that takes another's place may leave a gap.
    static let absence = Duration.milliseconds(300)
    /// Between two looks where no events come.
    static let pollInterval = Duration.milliseconds(500)
    /// Between two looks where events come: should one be missed all the same, SPEC's 2 s still hold.
    static let safetyInterval = Duration.seconds(1)

    /// Whether events come.
    var hasEvents: Bool
    /// When to look next.
    private(set) var nextLook: Duration

    private var shown: FileState?
    /// Whether what is shown was taken before the files stood still, so that they may differ without another state.
    private var isShownDoubtful = false
    private var last: FileState?
    /// When the files were first seen, or heard, to be other than what is shown.
    private var restlessSince: Duration?
    private var goneSince: Duration?
    private var lastReport: Duration?

    /// - Parameter first: what is shown from the beginning.
    init(first: FileState?, hasEvents: Bool, now: Duration) {
        shown = first
        last = first
        isShownDoubtful = first?.isSettled == false
        self.hasEvents = hasEvents
        nextLook = now
        nextLook = now + (isShownDoubtful ? Self.quiet * 2 : restInterval)
    }

    private var restInterval: Duration { hasEvents ? Self.safetyInterval : Self.pollInterval }

    /// An event has come: the look is due soon, but not before the next report may be made.
    mutating func eventArrived(at now: Duration) {
        var due = now + Self.quiet
        if let lastReport { due = max(due, lastReport + Self.interval) }
        nextLook = min(nextLook, due)
    }

    /// Takes a look's result, and sets the time of the next one.
    mutating func take(_ look: FileState?, at now: Duration) -> News? {
        defer { last = look }
        guard let look else { return takeAbsence(at: now) }
        goneSince = nil
        guard look != shown || isShownDoubtful else {
            restlessSince = nil
            nextLook = now + restInterval
            return nil
        }
        if let lastReport, now < lastReport + Self.interval {
            nextLook = lastReport + Self.interval
            return nil
        }
        let isStill = look.isSettled || (look == last && restlessSince.map { now - $0 >= Self.quiet * 2 } ?? false)
        let since = restlessSince ?? now
        guard isStill || now - since >= Self.patience else {
            restlessSince = since
            nextLook = now + Self.quiet * 2
            return nil
        }
        shown = look
        isShownDoubtful = !isStill
        restlessSince = nil
        lastReport = now
        nextLook = now + (isStill ? restInterval : Self.interval)
        return .changed
    }

    private mutating func takeAbsence(at now: Duration) -> News? {
        restlessSince = nil
        let since = goneSince ?? now
        goneSince = since
        guard shown != nil || isShownDoubtful else {
            nextLook = now + restInterval
            return nil
        }
        guard now - since >= Self.absence else {
            nextLook = since + Self.absence
            return nil
        }
        shown = nil
        isShownDoubtful = false
        nextLook = now + restInterval
        return .gone
    }

    /// What was reported could not be read: it counts as not shown, and is reported again after a while if it stays like this.
    ///
    /// - Parameter refusals: how often in a row it could not be read before; each time the wait doubles, up to 8 s.
    mutating func refused(at now: Duration, refusals: Int) {
        shown = nil
        isShownDoubtful = true
        nextLook = now + Self.interval * (2 << min(max(refusals, 0), 4))
    }
}

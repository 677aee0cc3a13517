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
    /// The least time between two reports: each leads to two frames, and has a writer in rollback mode wait for some locks.
    static let interval = Duration.milliseconds(400)
    /// How long a store has to be away to be gone: one that takes another's place may leave a gap.
    static let absence = Duration.milliseconds(300)
    /// Between a look at what cannot be read and the next.
    static let firstRetry = Duration.milliseconds(500)
    /// Between two looks where no events come.
    static let pollInterval = Duration.milliseconds(500)
    /// Between two looks where events come: should one be missed all the same, SPEC's 2 s still hold.
    static let safetyInterval = Duration.seconds(1)

    /// Between two looks, whatever the events say: a look is a small thing, but not nothing to a writer in rollback mode.
    static let leastInterval = Duration.milliseconds(100)

    /// Whether events can come.
    var hasEvents: Bool
    /// Whether events come now. While a store keeps changing nobody listens: the kernel has each write pay for being told of.
    var isListening: Bool
    /// Whether there is nothing to wait for but events.
    private(set) var wantsEvents = false
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
    private var lastLook: Duration?

    /// - Parameter first: what is shown from the beginning.
    init(first: FileState?, hasEvents: Bool, now: Duration) {
        shown = first
        last = first
        isShownDoubtful = first?.isSettled == false
        self.hasEvents = hasEvents
        isListening = hasEvents
        nextLook = now
        nextLook = now + (isShownDoubtful ? Self.quiet * 2 : restInterval)
    }

    private var restInterval: Duration {
        guard hasEvents else { return Self.pollInterval }
        return isListening ? Self.safetyInterval : Self.interval
    }

    /// Events come from now on; what came before is found by one more look.
    mutating func beginListening(at now: Duration) {
        isListening = true
        nextLook = now + restInterval
    }

    /// An event has come, and no more will: the look is due soon, but not before the next report may be made.
    mutating func eventArrived(at now: Duration) {
        isListening = false
        var due = now + Self.quiet
        if let lastLook { due = max(due, lastLook + Self.leastInterval) }
        if let lastReport { due = max(due, lastReport + Self.interval) }
        nextLook = min(nextLook, due)
    }

    /// Takes a look's result, and sets the time of the next one.
    mutating func take(_ look: FileState?, at now: Duration) -> News? {
        defer { last = look }
        lastLook = now
        wantsEvents = false
        guard let look else { return takeAbsence(at: now) }
        goneSince = nil
        guard look != shown || isShownDoubtful else {
            restlessSince = nil
            wantsEvents = true
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
            wantsEvents = true
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
        wantsEvents = true
        nextLook = now + Self.firstRetry * (1 << min(max(refusals, 0), 4))
    }
}

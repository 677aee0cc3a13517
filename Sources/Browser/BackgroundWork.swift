import Dispatch
import ObjectStore
import Screens

/// The requests that are on their way, and the two queues that work on them.
///
/// Long scans have a queue of their own, so that rows of the screen never wait for one.
struct BackgroundWork {
    struct Reply: Sendable {
        let ticket: Int
        let entry: Int
        let reply: DataReply
        /// Whether the answer itself is still to come.
        var isEarly = false
    }

    private struct Outstanding {
        let entry: Int
        let isScan: Bool
        let isQuery: Bool
        /// Whether nobody waits for it.
        let isAhead: Bool
        let progress: FetchProgress
        let started: ContinuousClock.Instant
        /// What is being done, for the progress line.
        var verb = "loading"
        /// Whether there is something to show already.
        var isShown = false
    }

    private let post: @Sendable (Reply) -> Void
    private let scans = DispatchQueue(label: "tlbrowse.scans", qos: .userInitiated)
    private let rows = DispatchQueue(label: "tlbrowse.rows", qos: .userInteractive)
    private var outstanding: [Int: Outstanding] = [:]
    private var lastTicket = 0

    /// - Parameter post: takes a reply to the loop; called on the queues.
    init(post: @escaping @Sendable (Reply) -> Void) { self.post = post }

    var isIdle: Bool { outstanding.isEmpty }

    var hasScan: Bool { outstanding.values.contains { $0.isScan && !$0.isAhead } }

    mutating func start(_ request: DataRequest, from source: any ScreenSource, for entry: Int) {
        lastTicket += 1
        let ticket = lastTicket
        let isScan = request.kind.isScan
        // What was asked for before a new list or a new query is not wanted any more.
        let isAhead = request.kind == .searchTexts || request.kind == .sectionCounts
        // Counts give way to what somebody asks for.
        let isQuery = isScan && request.kind != .list && request.kind != .searchTexts
        if request.kind == .list { cancel(entry: entry) } else if isScan, !isAhead { cancelQueries(of: entry) }
        let progress = FetchProgress()
        outstanding[ticket] = Outstanding(
            entry: entry, isScan: isScan, isQuery: isQuery, isAhead: isAhead,
            progress: progress, started: .now, verb: request.kind.verb)
        let post = post
        begin(isLong: isScan) {
            let kind: DataReply.Kind
            do throws(StoreError) {
                guard !progress.isCancelled else { throw StoreError(file: "", cause: .cancelled) }
                kind = try source.answer(request, progress: progress) { early in
                    let reply = DataReply(early, generation: request.generation)
                    post(Reply(ticket: ticket, entry: entry, reply: reply, isEarly: true))
                }
            } catch {
                kind = .failure(request.kind, error)
            }
            post(Reply(ticket: ticket, entry: entry, reply: DataReply(kind, generation: request.generation)))
        }
    }

    /// Starts work that no screen waits for; its effects come as a reply to no screen. Long work can be cancelled like a scan.
    ///
    /// - Parameter verb: what is being done, for the progress line.
    mutating func start(_ job: @escaping BackgroundJob, isLong: Bool, verb: String = "working") {
        lastTicket += 1
        let ticket = lastTicket
        let progress = FetchProgress()
        outstanding[ticket] = Outstanding(
            entry: Self.noEntry, isScan: isLong, isQuery: false, isAhead: false, progress: progress, started: .now, verb: verb)
        let post = post
        begin(isLong: isLong) {
            post(Reply(ticket: ticket, entry: Self.noEntry, reply: DataReply(.effects(job(progress)), generation: 0)))
        }
    }

    /// Long work gives way to the loop and to what it shows.
    private func begin(isLong: Bool, _ work: @escaping @Sendable () -> Void) {
        if isLong { scans.async { LongWork.run(work) } } else { rows.async(execute: work) }
    }

    /// The number of no screen.
    private static let noEntry = 0

    /// Takes note that a reply has come. Whether somebody still waits for it the screen's generation says.
    /// After an early reply the request is still on its way.
    mutating func finish(_ reply: Reply) {
        if reply.isEarly { outstanding[reply.ticket]?.isShown = true } else { outstanding[reply.ticket] = nil }
    }

    /// Stops what a screen has asked for. Replies that come all the same are counted, and dropped.
    mutating func cancel(entry: Int) {
        for work in outstanding.values where work.entry == entry { work.progress.cancel() }
    }

    private func cancelQueries(of entry: Int) {
        for work in outstanding.values where work.entry == entry && work.isQuery { work.progress.cancel() }
    }

    /// Stops all scans; answers whether there was one.
    mutating func cancelScans() -> Bool {
        let running = outstanding.values.filter { $0.isScan && !$0.isAhead && !$0.progress.isCancelled }
        for work in running { work.progress.cancel() }
        return !running.isEmpty
    }

    /// How many milliseconds a frame should still wait for a reply that is about to come; nil for none.
    func grace(_ milliseconds: Int) -> Int? {
        let now = ContinuousClock.now
        let left = outstanding.values.compactMap { work -> Int? in
            // A letter that is typed is echoed at once; what it finds may follow.
            guard !work.isQuery, !work.isAhead, !work.isShown else { return nil }
            let age = (now - work.started) / .milliseconds(1)
            return age < Double(milliseconds) ? milliseconds - Int(age) : nil
        }
        return left.max()
    }

    /// What to say of a scan that takes longer than a moment (SPEC: 200 ms).
    ///
    /// - Parameter stopKey: the key that stops it, in parentheses.
    func progressText(stopKey: String) -> String? {
        guard let scan = outstanding.values.filter({ $0.isScan && !$0.isAhead }).min(by: { $0.started < $1.started }) else {
            // What is on screen is a matter of a moment, unless another process holds the store.
            let isLate = outstanding.values.contains {
                !$0.isAhead && !$0.isShown && (ContinuousClock.now - $0.started) / .seconds(1) > 0.2
            }
            return isLate ? "waiting for the store: a view may take long, or another process may hold it locked" : nil
        }
        let seconds = (ContinuousClock.now - scan.started) / .seconds(1)
        guard seconds > 0.2 else { return nil }
        let done = scan.progress.rowsDone
        guard let expected = scan.progress.rowsExpected, expected > 0 else {
            // A picture or an outline has no rows to count.
            return "\(scan.verb)…" + (done > 0 ? " \(done) rows" : "") + stopKey
        }
        var text = "\(scan.verb)… \(done) of \(expected) rows, \(min(100, done * 100 / expected)) %"
        if done > 0, seconds > 0.5 {
            let rate = Double(done) / seconds
            text += ", \(Int(rate)) a second, \(max(0, Int(Double(expected - done) / rate + 0.5))) s left"
        }
        return text + stopKey
    }
}

extension DataRequest.Kind {
    /// Whether it may take long: reads all rows.
    fileprivate var isScan: Bool {
        switch self {
        // A picture takes as long as its decoder does, and a new one takes the place of an older one.
        case .list, .searchTexts, .sectionCounts, .matches, .relatedHit, .picture, .outline: true
        case .rows, .detail, .value, .related: false
        }
    }

    /// What is being done, for the progress line.
    fileprivate var verb: String { if case .relatedHit = self { "searching" } else { "loading" } }
}

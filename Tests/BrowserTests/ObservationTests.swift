import ObjectStore
import PropertyLists
import TestSupport
import Testing

@testable import Browser

/// When a store is looked at and what is reported, played through with events and looks that a script gives.
struct ObservationTests {
    /// What happens at a moment, in milliseconds.
    enum Step {
        /// The files are like this from now on: a number of commits, nil for no file; settled or not.
        case files(Int, Int64?, Bool)
        /// The kernel tells of an event.
        case event(Int)
    }

    private struct Report: Equatable {
        let time: Int
        let news: ObservationState.News
        init(_ time: Int, _ news: ObservationState.News) {
            self.time = time
            self.news = news
        }
    }

    /// Plays a script to its end, looking whenever the rules want a look.
    private static func play(_ steps: [Step], until end: Int, hasEvents: Bool = true) -> (reports: [Report], looks: Int) {
        var state = ObservationState(first: FileState(stamps: [0]), hasEvents: hasEvents, now: .zero)
        var files: FileState? = FileState(stamps: [0])
        var reports: [Report] = []
        var looks = 0
        var rest = steps[...]
        for time in 0..<end {
            while let step = rest.first {
                switch step {
                case .files(time, let number, let isSettled): files = number.map { FileState(stamps: [$0], isSettled: isSettled) }
                case .event(time): state.eventArrived(at: .milliseconds(time))
                default: break
                }
                switch step {
                case .files(let when, _, _) where when <= time, .event(let when) where when <= time: rest = rest.dropFirst()
                default: break
                }
                if case .files(let when, _, _)? = rest.first, when > time { break }
                if case .event(let when)? = rest.first, when > time { break }
            }
            guard state.nextLook <= .milliseconds(time) else { continue }
            looks += 1
            if let news = state.take(files, at: .milliseconds(time)) { reports.append(Report(time, news)) }
        }
        return (reports, looks)
    }

    @Test func anEventLeadsToOneReportSoon() {
        let (reports, _) = Self.play([.files(100, 1, true), .event(100), .event(101)], until: 3000)
        #expect(reports == [Report(120, .changed)])
    }

    @Test func eventsWithoutACommitAreNoNews() {
        #expect(Self.play([.event(10), .event(500)], until: 3000).reports.isEmpty)
    }

    @Test func aMissedEventIsFoundAllTheSame() {
        let (reports, _) = Self.play([.files(100, 1, true)], until: 3000)
        #expect(reports == [Report(1000, .changed)])
    }

    @Test func withoutEventsTheFilesAreLookedAt() {
        let (reports, _) = Self.play([.files(100, 1, true)], until: 3000, hasEvents: false)
        #expect(reports == [Report(500, .changed)])
    }

    /// A thousand commits a second: no more than five reports in two seconds, and the last state is among them.
    @Test func aBusyWriterIsFollowedNowAndThen() {
        let steps = (1...4000).flatMap { [Step.files($0, Int64($0), true), .event($0)] }
        let (reports, looks) = Self.play(steps, until: 6000)
        #expect(reports.count >= 8 && reports.count <= 12)
        #expect(looks <= 50)
        for (before, after) in zip(reports, reports.dropFirst()) { #expect(after.time - before.time >= 400) }
        #expect((reports.last?.time ?? 0) >= 4000)
    }

    /// A document that is being written stands still before it is read; one that never does is read all the same.
    @Test func unsettledFilesAreWaitedFor() {
        var steps = (0..<10).flatMap { [Step.files(100 + $0 * 10, Int64($0 + 1), false), .event(100 + $0 * 10)] }
        steps += [.files(240, 10, true)]
        let (reports, _) = Self.play(steps, until: 2000)
        #expect(reports.count == 1 && reports[0].time >= 200 && reports[0].time <= 300)
        let restless = (0..<200).flatMap { [Step.files(100 + $0 * 10, Int64($0 + 1), false), .event(100 + $0 * 10)] }
        let (often, _) = Self.play(restless + [.files(2200, 200, true)], until: 4000)
        #expect(often.count >= 3)
        // What was read half-way is read once more when it stands still, which it does from 2,090 on.
        #expect((often.last?.time ?? 0) >= 2090)
    }

    /// While a store keeps changing its writer does not pay for events: nobody listens until a look finds nothing new.
    @Test func nobodyListensWhileAStoreKeepsChanging() {
        var state = ObservationState(first: FileState(stamps: [0]), hasEvents: true, now: .zero)
        var time = Duration.milliseconds(10)
        state.eventArrived(at: time)
        #expect(!state.isListening)
        for commit in 1...20 {
            time = state.nextLook
            _ = state.take(FileState(stamps: [Int64(commit)]), at: time)
            #expect(!state.wantsEvents && state.nextLook - time <= ObservationState.interval)
        }
        time = state.nextLook
        if state.take(FileState(stamps: [20]), at: time) != nil {
            time = state.nextLook
            #expect(state.take(FileState(stamps: [20]), at: time) == nil)
        }
        #expect(state.wantsEvents)
        state.beginListening(at: time)
        #expect(state.isListening && state.nextLook == time + ObservationState.safetyInterval)
        // Events that are no commits: ten looks a second, whatever comes.
        var looks = 0
        let end = time + .seconds(2)
        while time < end {
            state.eventArrived(at: time)
            time = state.nextLook
            #expect(state.take(FileState(stamps: [20]), at: time) == nil)
            state.beginListening(at: time)
            looks += 1
        }
        #expect(looks <= 21)
    }

    @Test func goneIsSaidOnceAndComingBackIsAChange() {
        let (reports, _) = Self.play(
            [.files(100, nil, true), .event(100), .files(2000, 7, true), .event(2000)], until: 4000)
        #expect(reports.map(\.news) == [.gone, .changed])
        #expect(reports[0].time >= 400 && reports[0].time <= 500)
        // A gap while one file takes another's place is none.
        let (gap, _) = Self.play([.files(100, nil, true), .event(100), .files(200, 8, true), .event(200)], until: 4000)
        #expect(gap.map(\.news) == [.changed])
        // The very store that went: it was said to be gone, so its return is news.
        let (back, _) = Self.play([.files(100, nil, true), .event(100), .files(2000, 0, true), .event(2000)], until: 4000)
        #expect(back.map(\.news) == [.gone, .changed])
    }

    @Test func whatCannotBeReadIsTriedAgainEverMoreRarely() {
        var state = ObservationState(first: FileState(stamps: [0]), hasEvents: true, now: .zero)
        var time = Duration.milliseconds(20)
        var waits: [Duration] = []
        for refusals in 0..<6 {
            #expect(state.take(FileState(stamps: [1]), at: time) == .changed)
            state.refused(at: time, refusals: refusals)
            waits.append(state.nextLook - time)
            time = state.nextLook
        }
        #expect(waits == [500, 1000, 2000, 4000, 8000, 8000].map { .milliseconds($0) })
    }

    // MARK: When the screens follow

    @Test func followingRestsInProportionToItsCost() {
        var pacing = FollowPacing()
        #expect(pacing.wait(at: .zero) == nil)
        pacing.changeArrived()
        #expect(pacing.wait(at: .zero) == .zero)
        pacing.start(at: .zero)
        pacing.changeArrived()
        #expect(pacing.wait(at: .milliseconds(5)) == nil)
        pacing.finish(at: .milliseconds(10))
        #expect(pacing.wait(at: .milliseconds(10)) == .milliseconds(500))
        #expect(pacing.wait(at: .milliseconds(510)) == .zero)
        pacing.start(at: .milliseconds(510))
        pacing.finish(at: .milliseconds(800))
        pacing.changeArrived()
        // However long it took, what comes then shows within two seconds.
        #expect(pacing.wait(at: .milliseconds(800)) == .milliseconds(1200))
    }

    // MARK: File systems

    @Test func sharedFileSystemsAreLookedAt() {
        let table = MountTable(
            text: """
                22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
                30 22 0:40 / /home rw - nfs4 server:/home rw
                31 22 0:41 / /mnt/two\\040words rw shared:2 master:1 - cifs //server/share rw
                32 30 8:2 / /home/local rw - ext4 /dev/sdb1 rw
                33 22 0:42 / /over rw - ext4 /dev/sdc1 rw
                34 22 0:43 / /over rw - fuse.sshfs host: rw
                nonsense
                """)
        #expect(table.type(of: "/etc") == "ext4" && !table.needsPolling("/etc"))
        #expect(table.needsPolling("/home/someone") && !table.needsPolling("/home/local/deep"))
        #expect(table.needsPolling("/mnt/two words/x") && !table.needsPolling("/homes"))
        // What was mounted last lies on top.
        #expect(table.needsPolling("/over"))
        #expect(MountTable(text: "").type(of: "/") == nil)
    }
}

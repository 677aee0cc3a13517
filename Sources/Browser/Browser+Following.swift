import Dispatch
import ObjectStore
import PlistConfig
import Screens

// The screens follow the store.
extension Browser {
    /// What became of following so far.
    struct Following {
        var pacing = FollowPacing()
        /// When the marks of changed rows grow old.
        var marksEnd: ContinuousClock.Instant?
        /// Screens with a list that came and whose objects' versions were not taken yet.
        var awaiting: Set<Int> = []
        /// Whether the store has changed at all.
        var hasFollowed = false
        let begun = ContinuousClock.now
        /// Why what is shown may be old. It stands in the last line, whatever key is pressed, until it is true no more.
        var standing: String?

        var now: Duration { ContinuousClock.now - begun }
    }

    /// How often marks grow older: each stays for one or two of these.
    private static let marksPeriod = Duration.seconds(1)

    func receive(_ report: StoreObservation.Report) {
        switch report {
        case .gone: stand("the store is not there any more; waiting for it to come back")
        case .unreadable(let error): stand("the store cannot be read as it is now: \(error.problem); what was read is shown")
        case .unfinished: stand("the file is being written; what was read before is shown")
        case .changed(let refresh):
            // It is back, even if it is what it was and nothing else changes on screen.
            let warning = navigator.damageWarning()
            if following.standing != warning { stand(warning) }
            if refresh == .otherSchema { followSchema() }
            following.pacing.changeArrived()
        }
    }

    private func stand(_ text: String?) {
        following.standing = text
        status = .quiet
        setNeedsPainting()
    }

    /// Takes the versions of lists that came, once all else is done: one pass over the store, for which texts would have to wait that
    /// the reader may search in before long.
    func beginFollowing() {
        guard !following.awaiting.isEmpty else { return }
        for numbered in stack where following.awaiting.contains(numbered.number) {
            (numbered.entry.source as? ListSource)?.follow()
        }
        following.awaiting = []
    }

    /// Follows a change that waits, if its time has come.
    func followInTime() {
        if work.isIdle { following.pacing.finish(at: following.now) }
        guard let wait = following.pacing.wait(at: following.now), wait == .zero, !work.hasScan else { return }
        following.pacing.start(at: following.now)
        following.hasFollowed = true
        for place in stack.indices where !stack[place].isOutdated { stack[place].entry.screen.follow() }
    }

    /// Milliseconds until there is something to do without an event.
    var followingWait: Int? {
        let now = ContinuousClock.now
        let waits = [
            following.marksEnd.map { $0 - now }, work.hasScan ? nil : following.pacing.wait(at: following.now),
        ].compactMap { $0 }
        return waits.min().map { max(0, Int($0 / .milliseconds(1))) + 1 }
    }

    /// Notes that marks may have been set.
    func beginMarks() {
        if following.hasFollowed, following.marksEnd == nil { following.marksEnd = .now + Self.marksPeriod }
    }

    func clearMarksInTime() {
        guard let end = following.marksEnd, ContinuousClock.now >= end else { return }
        following.marksEnd = nil
        for place in stack.indices where stack[place].entry.screen.clearMarks() {
            setNeedsPainting()
            following.marksEnd = .now + Self.marksPeriod
        }
    }

    // MARK: Another schema

    /// Resolves the screens' lists in the new schema. One that means nothing there keeps what it shows, and says why.
    private func followSchema() {
        var problem: String?
        for place in stack.indices {
            switch navigator.resolvedAnew(stack[place].entry) {
            case .success(let entry):
                stack[place].entry = entry
                stack[place].isOutdated = false
            case .failure(let fault):
                stack[place].isOutdated = true
                problem = problem ?? fault.problem
            }
        }
        if let problem {
            stand("the schema has changed: \(problem); what was read is shown")
        } else {
            say("the schema has changed")
        }
    }

    /// A list that means nothing in the schema is tried once more, and keeps what it shows if it still does not.
    func retryByHand() {
        let navigator = navigator
        let post = postReport
        DispatchQueue.global(qos: .userInitiated).async {
            do throws(StoreError) {
                _ = try navigator.refresh()
                post(.changed(.otherSchema))
            } catch {
                post(.unreadable(error))
            }
        }
    }

    /// Looks by hand whether the store has to be opened anew: documents are read once, and nobody may be watching.
    func refreshByHand() {
        let navigator = navigator
        let post = postReport
        DispatchQueue.global(qos: .userInitiated).async {
            do throws(StoreError) {
                let refresh = try navigator.refresh()
                if refresh != .same, refresh != .unfinished { post(.changed(refresh)) }
            } catch {
                post(.unreadable(error))
            }
        }
    }
}

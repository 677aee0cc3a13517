import Dispatch
package import ObjectStore
import Synchronization

/// Looks at a store's files twice a second and says when they have changed, gone or come back.
///
/// First look first: it is what the screens show. Changes may coalesce; only states that stood still from one look to the
/// next, or for two seconds were never still, are reported, so that a writer at work is neither disturbed nor caught half-way.
package final class StoreWatch: Sendable {
    package enum Change: Sendable, Equatable {
        case changed
        case gone
    }

    /// Time between two looks, in milliseconds. Looking rather than being told works on network file systems, too.
    private static let interval = 500
    /// So many looks a store may keep changing before it is read all the same: with the interval SPEC's 2 s.
    private static let patience = 2

    private struct State: Sendable {
        var shown: FileState?
        var last: FileState?
        var restless = 0
    }

    private let store: any ObjectStore
    private let queue = DispatchQueue(label: "tlbrowse.watch", qos: .utility)
    private let state: Mutex<State>
    private let isStopped = Atomic<Bool>(false)

    package init(store: any ObjectStore) {
        self.store = store
        let first = store.fileState()
        state = Mutex(State(shown: first, last: first))
    }

    /// Begins to look; `report` is called on a queue of its own.
    package func start(_ report: @escaping @Sendable (Change) -> Void) {
        queue.asyncAfter(deadline: .now() + .milliseconds(Self.interval)) { [weak self] in
            guard let self, !isStopped.load(ordering: .relaxed) else { return }
            if let change = look() { report(change) }
            start(report)
        }
    }

    package func stop() { isStopped.store(true, ordering: .relaxed) }

    /// One look: what has to be reported, if anything.
    func look() -> Change? {
        let now = store.fileState()
        return state.withLock { state in
            defer { state.last = now }
            guard now != state.shown else {
                state.restless = 0
                return nil
            }
            guard now == state.last || state.restless >= Self.patience else {
                state.restless += 1
                return nil
            }
            state.restless = 0
            state.shown = now
            return now == nil ? .gone : .changed
        }
    }
}

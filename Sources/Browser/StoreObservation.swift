import Dispatch
package import ObjectStore
import PropertyLists
import Synchronization

/// Follows what is committed to a store: the same for databases and documents.
///
/// - First value first: the state at the time of the start is what later ones are compared with, so that what is read after the
///   start misses nothing.
/// - Only committed states: a database says itself what is committed. What is written without it (a document, a copy over the
///   file) has to stand still for a moment; one that never does is read as it is after 0.4 s, and once more when it does.
/// - What can only be a part (a database shorter than its head says, a document that ends early or became shorter in its place) is
///   not taken for a change before it is whole, or, of a document, before it has stood still for a second.
/// - Changes may coalesce: there are at most five reports in two seconds, and the last one always comes.
/// - The writer is never held up: events wait in the kernel, looks take no lock that a writer would wait for.
/// - A change is reported within 0.5 s where events come, within 1 s where the files have to be looked at again and again (network
///   file systems, no watches left).
/// - A store that goes is reported once; one that comes back is a change.
///
/// Before a change is reported the store is brought up to date (`ObjectStore.refresh`).
package struct StoreObservation: Sendable {
    /// What there is to say of the store.
    package enum Report: Sendable, Equatable {
        /// Something was committed.
        case changed(StoreRefresh)
        /// Only a part of what is being written can be read yet: what was read before stays.
        case unfinished
        case gone
        /// What lies there now cannot be read; what was read before still can. It is tried again.
        case unreadable(StoreError)
    }

    private let store: any ObjectStore
    private let first: FileState?

    /// An observation of what is committed from now on.
    package init(of store: any ObjectStore) {
        self.store = store
        first = store.fileState()
    }

    /// Begins; `report` is called on a queue of its own until the observer is let go of. Nil where nothing can ever change.
    package func start(_ report: @escaping @Sendable (Report) -> Void) -> StoreObserver? {
        guard let file = store.file else { return nil }
        return StoreObserver(store, file: file, first: first, report)
    }
}

/// Keeps an observation alive.
package final class StoreObserver: Sendable {
    private struct State {
        var observed: ObservedStore
        var events: FolderEvents?
        /// Counts the looks that were planned: only the last one is made.
        var planned = 0
    }

    private let folder: String
    private let names: Set<String>
    private let isPolled: Bool
    private let queue = DispatchQueue(label: "tlbrowse.observation", qos: .utility)
    private let report: @Sendable (StoreObservation.Report) -> Void
    private let started = ContinuousClock.now
    private let state: Mutex<State>
    private let isStopped = Atomic<Bool>(false)

    init(
        _ store: any ObjectStore, file: String, first: FileState?, _ report: @escaping @Sendable (StoreObservation.Report) -> Void
    ) {
        self.report = report
        // By scalars: a character may begin with a slash.
        let parts = file.unicodeScalars.split(separator: "/", omittingEmptySubsequences: true).map { String($0) }
        let name = parts.last ?? file
        folder = (file.unicodeScalars.first == "/" ? "/" : "") + parts.dropLast().joined(separator: "/")
        names = [name, name + "-wal", name + "-journal"]
        isPolled = MountTable.current.needsPolling(folder)
        state = Mutex(State(observed: ObservedStore(store, first: first)))
        queue.async { [weak self] in self?.look() }
    }

    /// Ends it: nothing is reported any more.
    package func stop() { isStopped.store(true, ordering: .relaxed) }

    deinit { stop() }

    private var now: Duration { ContinuousClock.now - started }

    // MARK: On the queue

    private func look() {
        guard !isStopped.load(ordering: .relaxed) else { return }
        takeLook()
        // Only who waits for events listens: the kernel has a writer pay for each of them.
        let needsEvents = state.withLock { $0.observed.rules.wantsEvents && !$0.observed.rules.isListening }
        if needsEvents, listen(), !state.withLock({ $0.observed.isRefused }) { takeLook() }
        plan()
    }

    private func takeLook() {
        for found in state.withLock({ $0.observed.look(at: { now }) }) { report(found) }
    }

    /// Has the folder watched, now or again: it may have gone and come back. Answers whether it is.
    private func listen() -> Bool {
        guard !isPolled else { return false }
        var events = state.withLock { $0.events }
        if events?.listen() != true {
            events = FolderEvents(folder: folder.isEmpty ? "." : folder, names: names, queue: queue) { [weak self] in
                self?.eventArrived()
            }
        }
        return state.withLock { state in
            state.events = events
            state.observed.rules.hasEvents = events != nil
            if events != nil, !state.observed.isRefused { state.observed.rules.beginListening(at: now) }
            state.observed.rules.isListening = events != nil
            return events != nil
        }
    }

    private func eventArrived() {
        state.withLock { $0.observed.rules.eventArrived(at: now) }
        plan()
    }

    private func plan() {
        let (number, due) = state.withLock { state in
            state.planned += 1
            return (state.planned, state.observed.rules.nextLook)
        }
        let wait = max(.zero, due - now)
        let milliseconds = Int(wait / .milliseconds(1)) + 1
        queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in
            guard let self, state.withLock({ $0.planned == number }) else { return }
            look()
        }
    }
}

import Dispatch
import Fetching
import ObjectStore
import Synchronization

/// What tells the versions of a list's objects apart, as they were when the list was fetched last.
///
/// Made in the background after the list has come, and only where somebody follows it.
final class ListVersions: Sendable {
    private struct State {
        var predicate: ResolvedPredicate?
        var versions: RowVersions?
        var running: FetchProgress?
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "tlbrowse.versions", qos: .utility)

    /// Of longer lists only is told how many more or fewer they are: a pass over all values would cost seconds, and its result as
    /// much memory as the list itself.
    private static let mostObjects = 2_000_000

    /// Takes the versions as they are now, for later; at once, and in the background.
    func begin(_ fetcher: ListFetcher, predicate: ResolvedPredicate?, objectCount: Int) {
        guard objectCount <= Self.mostObjects, !isKnown(predicate) else { return }
        let progress = FetchProgress()
        state.withLock { $0.running = progress }
        queue.async { [self] in
            let versions = try? fetcher.versions(progress: progress)
            state.withLock { state in
                if state.running === progress { state.running = nil }
                guard !progress.isCancelled else { return }
                state.predicate = predicate
                state.versions = versions
            }
        }
    }

    private func isKnown(_ predicate: ResolvedPredicate?) -> Bool {
        state.withLock { ($0.versions != nil || $0.running != nil) && $0.predicate == predicate }
    }

    /// What has changed since the list was fetched before; nil where that is not known. Blocks.
    func changes(_ fetcher: ListFetcher, predicate: ResolvedPredicate?, objectCount: Int, progress: FetchProgress) -> RowChanges?
    {
        queue.sync {
            let (old, wasFor) = state.withLock { ($0.versions, $0.predicate) }
            guard let old, wasFor == predicate, objectCount <= Self.mostObjects,
                let new = try? fetcher.versions(progress: progress)
            else {
                state.withLock { $0.versions = nil }
                return nil
            }
            state.withLock { $0.versions = new }
            return new.changes(since: old)
        }
    }
}

import Dispatch
import Fetching
import ObjectStore
import Synchronization

/// A list as it was fetched last, with what tells the versions of its objects apart.
///
/// The versions are taken in the background after the list has come, and only where somebody follows it.
final class ListVersions: Sendable {
    private struct State {
        var predicate: ResolvedPredicate?
        var versions: RowVersions?
        /// The list, where it is known to be that of the versions: nothing was committed between the two.
        var list: ListContents?
        /// What the store looked like before the list was fetched, until the versions are there.
        var stateBefore: FileState?
        /// Another number for each list that came.
        var number = 0
        var running: FetchProgress?
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "tlbrowse.versions", qos: .utility)

    /// Of longer lists only is told how many more or fewer they are: their versions would take more than 100 MB.
    private static let mostObjects = 20_000_000

    /// The list as it is now: made of the one before where few of its objects have changed, else fetched.
    func contents(
        _ fetcher: ListFetcher, predicate: ResolvedPredicate?, previewLimit: Int?, progress: FetchProgress,
        preview: @escaping @Sendable (ListContents) -> Void
    ) throws(StoreError) -> ListContents {
        guard let old = known(predicate) else {
            let before = fetcher.store.fileState()
            let contents = try fetcher.contents(previewLimit: previewLimit, progress: progress, preview: preview)
            state.withLock { state in
                state.running?.cancel()
                state = State(
                    predicate: predicate, list: contents, stateBefore: before?.isSettled == true ? before : nil,
                    number: state.number + 1)
            }
            return contents
        }
        let before = fetcher.store.settledFileState()
        let found: (versions: RowVersions, changes: RowChanges, contents: ListContents?)?
        do throws(StoreError) {
            found = try fetcher.follow(old.list, since: old.versions, progress: progress)
        } catch {
            guard error.cause != .cancelled else { throw error }
            // The fetch says what is wrong.
            found = nil
        }
        if let contents = found?.contents {
            keep(contents, versions: found?.versions, predicate)
            return contents
        }
        var contents = try fetcher.contents(previewLimit: previewLimit, progress: progress, preview: preview)
        contents.changes = found?.changes
        let isOfVersions = before != nil && fetcher.store.fileState() == before
        keep(isOfVersions ? contents : nil, versions: found?.versions, predicate)
        return contents
    }

    /// Takes the versions of the list that came last, for later; at once, and in the background.
    func begin(_ fetcher: ListFetcher, predicate: ResolvedPredicate?, objectCount: Int) {
        guard objectCount <= Self.mostObjects else { return }
        let progress = FetchProgress()
        let number: Int? = state.withLock { state in
            guard state.predicate == predicate, state.versions == nil, state.running == nil else { return nil }
            state.running = progress
            return state.number
        }
        guard let number else { return }
        queue.async { [self] in
            let versions = try? fetcher.versions(progress: progress)
            let now = fetcher.store.fileState()
            state.withLock { state in
                guard state.number == number else { return }
                state.running = nil
                state.versions = versions
                if state.stateBefore == nil || now != state.stateBefore { state.list = nil }
                state.stateBefore = nil
            }
        }
    }

    /// Lets go of what is known of a list that is shown no more.
    func forget() {
        state.withLock { state in
            state.running?.cancel()
            state = State(number: state.number + 1)
        }
    }

    /// Waits for versions that are being taken.
    private func known(_ predicate: ResolvedPredicate?) -> (versions: RowVersions, list: ListContents?)? {
        guard state.withLock({ $0.predicate == predicate && ($0.versions != nil || $0.running != nil) }) else { return nil }
        queue.sync {}
        return state.withLock { state in
            guard let versions = state.versions, state.predicate == predicate else { return nil }
            return (versions, state.list)
        }
    }

    private func keep(_ list: ListContents?, versions: RowVersions?, _ predicate: ResolvedPredicate?) {
        var list = list
        // It would keep the list before it, and so on.
        list?.differences = nil
        list?.changes = nil
        state.withLock { state in
            state.running?.cancel()
            state = State(predicate: predicate, versions: versions, list: list, number: state.number + 1)
        }
    }
}

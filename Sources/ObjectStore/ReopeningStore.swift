import Synchronization

/// A store that is opened anew when what lies at its path asks for it: a document that has changed, a database with another schema.
///
/// Calls go to the store that is open; a call that is running when another takes its place comes to its end in the old one.
package final class ReopeningStore: ObjectStore {
    /// When a store has to be opened anew.
    package enum Rule: Sendable {
        /// When it says itself that its schema is another (`refresh`).
        case whenOutdated
        /// Whenever its file has changed: it was read as a whole.
        case whenChanged
    }

    private struct Opened: Sendable {
        var store: any ObjectStore
        /// What the file looked like before it was opened: what comes while it is being read is not in it.
        var state: FileState?
    }

    /// What was last read in part.
    private struct Unfinished {
        var state: FileState?
        /// When it was read first.
        var since: ContinuousClock.Instant
        /// When the first of those in a row was.
        var begin: ContinuousClock.Instant
    }

    package let file: String?
    private let rule: Rule
    /// What the file looks like now.
    private let state: @Sendable () -> FileState?
    private let open: @Sendable () throws(StoreError) -> any ObjectStore
    private let opened: Mutex<Opened>
    /// Held while the store is brought up to date: of two openings at once the older could take the place of the newer.
    private let refreshing = Mutex(Unfinished?.none)
    /// How long a whole document stays in its place when only a part of the new one can be read and nothing more comes.
    private let patience: Duration

    /// Opens the store.
    ///
    /// - Parameters:
    ///   - file: its path, without symbolic links, where that cannot be had from the store.
    ///   - state: what that file looks like; nil asks the file system.
    ///   - patience: how long a part of a document is taken for unfinished, if nothing more comes; ten times as long if more comes.
    ///   - open: opens it; called again later.
    package init(
        file: String? = nil, _ rule: Rule, state: (@Sendable () -> FileState?)? = nil, patience: Duration = .seconds(1),
        open: @escaping @Sendable () throws(StoreError) -> any ObjectStore
    ) throws(StoreError) {
        let state = state ?? { file.flatMap { FileState(path: $0) } }
        let before = state()
        let store = try open()
        self.file = file ?? store.file
        self.rule = rule
        self.state = state
        self.patience = patience
        self.open = open
        opened = Mutex(Opened(store: store, state: before))
    }

    private var store: any ObjectStore { opened.withLock { $0.store } }

    package var schema: Schema { store.schema }
    package var name: String { store.name }

    package func fileState() -> FileState? {
        switch rule {
        case .whenOutdated: store.fileState()
        case .whenChanged: state()
        }
    }

    package func refresh() throws(StoreError) -> StoreRefresh { try refresh(always: false) }

    package func reread() throws(StoreError) -> StoreRefresh { try refresh(always: true) }

    private func refresh(always: Bool) throws(StoreError) -> StoreRefresh {
        try refreshing.withLock { unfinished throws(StoreError) in
            let old = opened.withLock { $0 }
            let state = state()
            switch rule {
            case .whenOutdated:
                let refresh = try always ? old.store.reread() : old.store.refresh()
                guard refresh == .otherSchema else { return refresh }
            // What was read a moment after it was written may have been written once more within the same tick of the clock.
            case .whenChanged: guard always || state != old.state || old.state?.isSettled == false else { return .same }
            }
            let new = try open()
            if rule == .whenChanged {
                // Lines of a text are whole by themselves: of a part only its length says that more may come.
                let isDoubtful =
                    new.schema.isDamaged && !old.store.schema.isDamaged
                    || (old.state.map { state?.isShorter(than: $0) == true } ?? false)
                if isDoubtful, isUnfinished(state, now: .now, &unfinished) { return .unfinished }
            }
            unfinished = nil
            opened.withLock { $0 = Opened(store: new, state: state) }
            return new.schema.entities == old.store.schema.entities ? .reopened : .otherSchema
        }
    }

    /// Whether what was read in part is worth waiting for more.
    private func isUnfinished(
        _ state: FileState?, now: ContinuousClock.Instant, _ unfinished: inout Unfinished?
    ) -> Bool {
        guard let before = unfinished else {
            unfinished = Unfinished(state: state, since: now, begin: now)
            return true
        }
        if before.state != state { unfinished = Unfinished(state: state, since: now, begin: before.begin) }
        let since = before.state == state ? before.since : now
        return now - since < patience && now - before.begin < patience * 10
    }

    // MARK: What the open store answers

    /// Of what is open now: nothing takes its place there.
    package func ofOneState() throws(StoreError) -> any ObjectStore { try store.ofOneState() }

    package func lateWarnings(progress: FetchProgress) throws(StoreError) -> [String] {
        try store.lateWarnings(progress: progress)
    }

    package func fetch(_ request: FetchRequest, progress: FetchProgress) throws(StoreError) -> FetchedObjects {
        try store.fetch(request, progress: progress)
    }

    package func fetch(
        _ request: FetchRequest, first: FirstObjects?, progress: FetchProgress
    ) throws(StoreError) -> FetchedObjects {
        try store.fetch(request, first: first, progress: progress)
    }

    package func isQuick(_ request: FetchRequest) -> Bool { store.isQuick(request) }

    package func count(of entityName: String) throws(StoreError) -> Int { try store.count(of: entityName) }

    package func values(
        at keyPaths: [ObjectKeyPath], of keys: [ObjectKey], in entityName: String, as form: ValueForm
    ) throws(StoreError) -> [[Value]?] {
        try store.values(at: keyPaths, of: keys, in: entityName, as: form)
    }

    package func values(
        at keyPaths: [ObjectKeyPath], of keys: [ObjectKey], in entityName: String, as form: ValueForm, upTo most: Int
    ) throws(StoreError) -> [[Value]?]? {
        try store.values(at: keyPaths, of: keys, in: entityName, as: form, upTo: most)
    }

    package func scanTexts(
        at keyPaths: [ObjectKeyPath], of request: FetchRequest, progress: FetchProgress, into receivers: [any TextReceiver]
    ) throws(StoreError) {
        try store.scanTexts(at: keyPaths, of: request, progress: progress, into: receivers)
    }

    package func versions(
        at keyPaths: [ObjectKeyPath], of request: FetchRequest, progress: FetchProgress
    ) throws(StoreError) -> RowVersions? {
        try store.versions(at: keyPaths, of: request, progress: progress)
    }

    package func follow(
        _ objects: FetchedObjects?, since versions: RowVersions, at keyPaths: [ObjectKeyPath], of request: FetchRequest,
        progress: FetchProgress
    ) throws(StoreError) -> FollowedObjects? {
        try store.follow(objects, since: versions, at: keyPaths, of: request, progress: progress)
    }

    package func readableCount(
        of entityName: String, within seconds: Double
    ) throws(StoreError) -> (count: Int, isWhole: Bool) {
        try store.readableCount(of: entityName, within: seconds)
    }

    package var hasKeptState: Bool { store.hasKeptState }

    package func missingPart() -> StoreError? { store.missingPart() }

    package func takeDamage() -> [StoreDamage] { store.takeDamage() }

    package func danglingReferences(of relationshipName: String, from object: ObjectID) -> [Value] {
        store.danglingReferences(of: relationshipName, from: object)
    }

    package func uris(of keys: [ObjectKey], in entityName: String) -> ObjectURIs { store.uris(of: keys, in: entityName) }

    package func uri(of object: ObjectID) -> String { store.uri(of: object) }

    package func concreteEntityName(of object: ObjectID) throws(StoreError) -> String {
        try store.concreteEntityName(of: object)
    }
}

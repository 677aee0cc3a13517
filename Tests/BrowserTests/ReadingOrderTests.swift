import Dispatch
import ObjectStore
import Synchronization
import TerminalUI
import TestSupport
import Testing

@testable import Browser

/// In which order a store is read once there is a list.
struct ReadingOrderTests {
    /// The people, and what was read of them.
    private final class NotedStore: ObjectStore {
        enum Reading: Equatable {
            case list, texts, versions
        }

        private let people = PeopleStore.store()
        private let readings = Mutex<[Reading]>([])
        let versionsWereTaken = DispatchSemaphore(value: 0)

        var noted: [Reading] { readings.withLock { $0 } }
        var schema: Schema { people.schema }
        var name: String { people.name }
        let file: String? = nil

        func fetch(_ request: FetchRequest, progress: FetchProgress) throws(StoreError) -> FetchedObjects {
            readings.withLock { $0.append(.list) }
            return try people.fetch(request, progress: progress)
        }

        func scanTexts(
            at keyPaths: [ObjectKeyPath], of request: FetchRequest, progress: FetchProgress, into receivers: [any TextReceiver]
        ) throws(StoreError) {
            readings.withLock { $0.append(.texts) }
            try people.scanTexts(at: keyPaths, of: request, progress: progress, into: receivers)
        }

        func versions(
            at keyPaths: [ObjectKeyPath], of request: FetchRequest, progress: FetchProgress
        ) throws(StoreError) -> RowVersions? {
            readings.withLock { $0.append(.versions) }
            defer { versionsWereTaken.signal() }
            return try people.versions(at: keyPaths, of: request, progress: progress)
        }

        func values(
            at keyPaths: [ObjectKeyPath], of keys: [ObjectKey], in entityName: String, as form: ValueForm
        ) throws(StoreError) -> [[Value]?] { try people.values(at: keyPaths, of: keys, in: entityName, as: form) }
        func count(of entityName: String) throws(StoreError) -> Int { try people.count(of: entityName) }
        func uri(of object: ObjectID) -> String { people.uri(of: object) }
        func concreteEntityName(of object: ObjectID) throws(StoreError) -> String { try people.concreteEntityName(of: object) }
        func fileState() -> FileState? { people.fileState() }
        func refresh() throws(StoreError) -> StoreRefresh { try people.refresh() }
    }

    /// Each is a pass over the store, one at a time: a search that is begun at once would wait for the versions.
    @Test func textsAreReadBeforeVersions() throws {
        let store = NotedStore()
        let list = try PeopleStore.list(in: store)
        let navigator = ObjectNavigator(
            store: store, root: list, rootDetail: PeopleStore.detail, presentation: PeopleStore.presentation)
        let terminal = ScriptedTerminal([.idle(KeyScript.keys("q").map { .key($0) })])
        let browser = try #require(
            Browser(
                terminal: terminal, navigator: navigator, root: [navigator.entry(for: list)],
                observation: StoreObservation(of: store)))
        #expect(browser.run() == .quit)
        store.versionsWereTaken.wait()
        #expect(store.noted == [.list, .texts, .versions])
    }
}

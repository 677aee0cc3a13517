import Foundation
import ObjectStore
import PlistConfig
import Screens
import Synchronization
import TestSupport
import Testing

@testable import Browser

/// Looking at a store, keeping a place, writing a file.
struct StoreWatchTests {
    /// A store of which only the files' state counts.
    private final class Files: ObjectStore {
        let schema = PeopleStore.schema
        let name = "files"
        let state = Mutex<FileState?>(FileState(stamps: [0]))

        func fileState() -> FileState? { state.withLock { $0 } }
        func count(of entityName: String) throws(StoreError) -> Int { 0 }
        func uri(of object: ObjectID) -> String { "" }
        func concreteEntityName(of object: ObjectID) throws(StoreError) -> String { object.entityName }
        func fetch(_ request: FetchRequest, progress: FetchProgress) throws(StoreError) -> FetchedObjects {
            FetchedObjects(keys: [], sections: [])
        }
        func values(
            at keyPaths: [ObjectKeyPath], of keys: [ObjectKey], in entityName: String, as form: ValueForm
        ) throws(StoreError) -> [[Value]?] { keys.map { _ in nil } }
    }

    /// States by number, −1 for a store that is gone; what each look reports.
    @Test(
        arguments: [
            ([0, 0, 0], [nil, nil, nil]),
            ([1, 1, 1], [nil, .changed, nil]),
            ([1, 0, 0], [nil, nil, nil]),
            ([1, 2, 3, 4, 5, 6], [nil, nil, .changed, nil, nil, .changed]),
            ([-1, -1, -1, 2, 2], [nil, .gone, nil, nil, .changed]),
            ([-1, 0, 0], [nil, nil, nil]),
        ] as [([Int64], [StoreWatch.Change?])]) func looks(states: [Int64], wanted: [StoreWatch.Change?])
    {
        let files = Files()
        let watch = StoreWatch(store: files)
        let reported = states.map { state in
            files.state.withLock { $0 = state < 0 ? nil : FileState(stamps: [state]) }
            return watch.look()
        }
        #expect(reported == wanted)
    }

    @Test func placeIsKept() throws {
        let folder = try TestSupport.TemporaryFolder()
        defer { folder.remove() }
        let environment = ["XDG_STATE_HOME": folder.path]
        let saved = try #require(SavedPlace(list: "/l.plist", data: "/d.sqlite", environment: environment))
        #expect(saved.load() == nil)
        let place = ListPlace(key: 7, sectionTitle: "É", rowInSection: 2, offset: 3, exceptions: ["A", nil])
        let arrangement = ListArrangement(sort: [.init(keyPath: "born", ascending: false)], grouping: .some(.none))
        saved.save(place, arrangement: arrangement)
        let loaded = try #require(saved.load())
        #expect(loaded.place == place && loaded.arrangement == arrangement)
        #expect(SavedPlace(list: "/l.plist", data: "/other.sqlite", environment: environment)?.load() == nil)
        #expect(SavedPlace(list: "/l", data: "/d", environment: ["XDG_STATE_HOME": "relative"]) == nil)
        // Damage is no fault.
        for file in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where file.hasSuffix(".json") {
            try Data("{".utf8).write(to: URL(fileURLWithPath: folder.path + "/" + file))
        }
        #expect(saved.load() == nil)
    }

    @Test func writingNeverOverwrites() throws {
        let folder = try TestSupport.TemporaryFolder()
        defer { folder.remove() }
        let navigator = ObjectNavigator(
            store: PeopleStore.store(), root: nil, rootDetail: nil, presentation: PeopleStore.presentation)
        let browser = try #require(Browser(terminal: ScriptedTerminal([]), navigator: navigator, root: []))
        let file = folder.path + "/out"
        browser.write(Data("first".utf8), to: file)
        #expect(browser.status == .message("wrote 5 bytes to \(file)"))
        browser.write(Data("second".utf8), to: file)
        #expect(browser.status == .message("\(file): is there already"))
        #expect(FileManager.default.contents(atPath: file) == Data("first".utf8))
        // Nor through a link that leads nowhere yet.
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: folder.path + "/target")
        browser.write(Data("third".utf8), to: folder.path + "/link")
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/target"))
        browser.write(Data(), to: folder.path + "/none/out")
        #expect(browser.status == .message("\(folder.path)/none/out: No such file or directory"))
    }
}

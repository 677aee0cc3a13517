import Foundation
import ObjectStore
import PlistConfig
import Screens
import TestSupport
import Testing

@testable import Browser

/// Keeping a place, writing a file.
struct KeepingTests {
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

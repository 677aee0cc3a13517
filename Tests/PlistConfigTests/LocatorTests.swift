import Foundation
import PlistConfig
import PropertyLists
import Testing

/// A folder that goes away with the test.
final class Folder {
    let path = NSTemporaryDirectory() + "plist-config-" + UUID().uuidString

    init(_ files: [String: String]) throws {
        for (name, text) in files {
            let file = URL(fileURLWithPath: path + "/" + name)
            try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func locate(_ list: String, entity: String = "Event", dataFile: String? = nil) throws(Fault) -> String {
        var description = ListDescription(entityName: entity, sortKeyPaths: [], cellTextLabelKeyPath: "a")
        description.file = path + "/" + list
        description.dataFile = dataFile
        description.detailViewPropertyListFile = "Detail"
        return String(try DataLocator.data(for: description).dropFirst(path.count + 1))
    }
}

@Suite struct LocatorTests {
    @Test(arguments: [
        (["Event.sqlite", "Alpha.sqlite", "X_InitialData.sqlite"], "Event.sqlite"),
        (["event.json", "Alpha.sqlite"], "event.json"),
        (["Event.csv", "Event.db"], "Event.db"),
        (["Alpha.sqlite", "X_InitialData.sqlite"], "Alpha.sqlite"),
        (["AlphaRootView.json"], "AlphaRootView.json"),
        (["X_InitialData.sqlite", "Alpha_InitialData.sqlite"], "Alpha_InitialData.sqlite"),
        (["Y_InitialData.sqlite", "X_InitialData.sqlite", "W.sqlite"], "X_InitialData.sqlite"),
        (["../Data/Event.json"], "../Data/Event.json"),
        (["Data/Event.json", "../Data/Event.json"], "../Data/Event.json"),
        (["Data/Alpha.store"], "Data/Alpha.store"),
        (["X_InitialData.sqlite", "Data/Event.json"], "X_InitialData.sqlite"),
        (["Event.plist"], "Event.plist"),
    ])
    func findsDataByTheRule(files: [String], expected: String) throws {
        let folder = try Folder(
            Dictionary(uniqueKeysWithValues: (files + ["AlphaRootView.plist"]).map { ("Configs/" + $0, "( )") }))
        #expect(try folder.locate("Configs/AlphaRootView.plist") == "Configs/" + expected)
    }

    @Test func otherListsAndDetailsAreNoData() throws {
        let folder = try Folder(["AlphaView.plist": "", "Event.plist": listPlist(""), "Alpha.plist": "({rowInformation = ();})"])
        #expect(throws: Fault.self) { try folder.locate("AlphaView.plist") }
    }

    @Test func saysWhereItLooked() throws {
        let folder = try Folder(["AlphaListView.plist": "", "Event.txt": ""])
        let fault = #expect(throws: Fault.self) { try folder.locate("AlphaListView.plist") }
        let path = folder.path
        #expect(
            fault?.printedLine == """
                tlbrowse: \(path)/AlphaListView.plist: no data found: looked for Event, Alpha, AlphaListView, *_InitialData with one of the \
                suffixes .sqlite .sqlite3 .store .db .db3 .json .ndjson .jsonl .csv .tsv .plist .xml in \(path), \(path)/../Data, \(path)/Data \
                (name it with --data FILE or with the key dataFile)
                """)
    }

    @Test func theNamedFileOrNone() throws {
        let folder = try Folder(["c/L.plist": "", "d/x.db": "", "c/Event.sqlite": ""])
        #expect(try folder.locate("c/L.plist", dataFile: "../d/x.db") == "c/../d/x.db")
        let fault = #expect(throws: Fault.self) { try folder.locate("c/L.plist", dataFile: "y.db") }
        #expect(fault?.key == "dataFile")
        #expect(fault?.problem == "no such file: \(folder.path)/c/y.db")
    }

    @Test func relativePathsStayRelative() throws {
        var description = ListDescription(entityName: "NoSuchEntity", sortKeyPaths: [], cellTextLabelKeyPath: "a")
        description.file = "NoSuchView.plist"
        let fault = #expect(throws: Fault.self) { try DataLocator.data(for: description) }
        #expect(fault?.problem.hasSuffix("in ., ../Data, Data") == true)
    }

    @Test func detailPlistsBesideTheList() throws {
        let folder = try Folder(["L.plist": "", "EventDetailView.plist": "", "sub/x.plist": ""])
        let list = folder.path + "/L.plist"
        #expect(
            try DataLocator.detail(named: "EventDetailView", beside: list, key: "k") == folder.path + "/EventDetailView.plist")
        #expect(
            try DataLocator.detail(named: "EventDetailView.plist", beside: list, key: "k") == folder.path
                + "/EventDetailView.plist")
        #expect(try DataLocator.detail(named: "sub/x", beside: list, key: "k") == folder.path + "/sub/x.plist")
        let fault = #expect(throws: Fault.self) { try DataLocator.detail(named: "EventDetialView", beside: list, key: "k") }
        #expect(
            fault?.printedLine
                == "tlbrowse: \(list): k: no such file: \(folder.path)/EventDetialView.plist (did you mean “EventDetailView”?)")
    }

    @Test func relatedDetailsThroughOtherLists() throws {
        let folder = try Folder([
            "A.plist": listPlist("entityName = Event; detailViewPropertyListFile = Gone;"),
            "B.plist": listPlist("entityName = Event; detailViewPropertyListFile = EventDetail;"),
            "C.plist": "( 1, 2 )", "D.plist": "not a { plist", "EventDetail.plist": "()",
        ])
        let lists = DetailLocator.lists(beside: folder.path + "/C.plist")
        #expect(lists.map(\.detailName) == ["Gone", "EventDetail"])
        #expect(DetailLocator.detail(for: "Event", among: lists) == folder.path + "/EventDetail.plist")
        #expect(DetailLocator.detail(for: "Widget", among: lists) == nil)
    }

    @Test(arguments: [
        ("a.plist", "{ entityName = X; }", PlistKind.list), ("a", "{ cellTextLabelKeyPath = X; }", .list),
        ("a.plist", "{ controllerTitle = X; }", .data), ("a", "( { rowInformation = (); } )", .detail),
        ("a.plist", "( { a = b; } )", .data),
        ("a.json", "[ { \"rowInformation\": [] } ]", .data), ("a.json", "{ \"entityName\": 1 }", .data),
        ("a", "a,b\n1,2\n", .data),
        ("a", "/* c */ { sortKeyPaths = (a); }", .list), ("a.db", "SQLite format 3\0", .data), ("a", "", .data),
    ])
    func kinds(name: String, text: String, kind: PlistKind) throws {
        let folder = try Folder([name: text])
        #expect(PlistKind.of(file: folder.path + "/" + name) == kind)
    }

    @Test func brokenPlistsAreReportedAsPlists() throws {
        let folder = try Folder(["a.plist": "{ entityName = X; sortKeyPaths = ( "])
        guard case .unreadable(let error) = PlistKind.of(file: folder.path + "/a.plist") else {
            Issue.record("read")
            return
        }
        #expect(Fault(file: "a.plist", error).line == error.line)
        #expect(error.line != nil)
        #expect(PlistKind.of(file: folder.path + "/none.db") == .data)
        #expect(PlistKind.of(file: folder.path) == .data)
    }
}

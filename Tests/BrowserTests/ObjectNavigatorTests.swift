import Fetching
import Foundation
import IndexPathModel
import ObjectStore
import PlistConfig
@testable import Screens
import TestSupport
import Testing

@testable import Browser

/// Which plist lays out which object.
struct ObjectNavigatorTests {
    private static func rows(_ navigator: ObjectNavigator, _ object: ObjectID, layout: String? = nil) throws -> [String] {
        let detail = try navigator.fetcher(for: object, layout: layout).detail
        return detail.sections.flatMap(\.rows).map { $0.description.label ?? $0.description.attributeKeyPath }
    }

    private static func navigator(file: String? = nil, rootDetail: DetailDescription? = PeopleStore.detail) throws
        -> ObjectNavigator
    {
        let store = PeopleStore.store()
        var description = PeopleStore.description
        description.file = file
        let list = try #require(description.resolve(in: store.schema).list)
        return ObjectNavigator(store: store, root: list, rootDetail: rootDetail, presentation: PeopleStore.presentation)
    }

    /// A folder with list and detail plists, gone afterwards.
    private static func inFolder(_ files: [String: String], _ body: (String) throws -> Void) throws {
        let folder = NSTemporaryDirectory() + "navigator-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for (name, text) in files { try text.write(toFile: folder + "/" + name, atomically: true, encoding: .utf8) }
        try body(folder)
    }

    private static func detail(_ label: String) -> String {
        """
        ( { rowInformation = ( { rowType = CDLTableRowTypeSingleLineValueSmallLabel; rowLabel = "\(label)"; attributeKeyPath = name; } ); } )
        """
    }

    private static let person = ObjectID(entityName: "Person", key: 1)
    private static let pilot = ObjectID(entityName: "Person", key: 7)
    private static let town = ObjectID(entityName: "Town", key: 20)

    @Test func ownListsDetailAlsoForSubentities() throws {
        let navigator = try Self.navigator()
        #expect(try Self.rows(navigator, Self.person) == ["Name", "Town"])
        #expect(try Self.rows(navigator, Self.pilot) == ["Name", "Town"])
        // A pilot is known to be one.
        #expect(try navigator.fetcher(for: Self.pilot, layout: nil).detail.entityName == "Pilot")
    }

    @Test func schemaWhereThereIsNoPlist() throws {
        let navigator = try Self.navigator(rootDetail: nil)
        #expect(try Self.rows(navigator, Self.person) == ["name", "town", "tags"])
        #expect(try Self.rows(navigator, Self.pilot) == ["name", "wings", "town", "tags"])
        #expect(try Self.rows(navigator, Self.town) == ["name", "people"])
        #expect(try Self.rows(navigator, ObjectID(entityName: "Nothing", key: 1)).isEmpty)
    }

    @Test func plistsBesideTheList() throws {
        let towns = """
            { entityName = Town; sortKeyPaths = (name); cellTextLabelKeyPath = name; detailViewPropertyListFile = TownDetail; }
            """
        let pilots = towns.replacingOccurrences(of: "Town", with: "Pilot")
        let files = [
            "Towns.plist": towns, "TownDetail.plist": Self.detail("From the list"), "Pilots.plist": pilots,
            "PilotDetail.plist": Self.detail("Pilot's"), "Named.plist": Self.detail("Named"), "People.plist": "{}",
            "Broken.plist": "( {",
        ]
        try Self.inFolder(files) { folder in
            let navigator = try Self.navigator(file: folder + "/People.plist")
            #expect(try Self.rows(navigator, Self.town) == ["From the list"])
            // Its own entity's plist comes before that of the one above it.
            #expect(try Self.rows(navigator, Self.pilot) == ["Pilot's"])
            #expect(try Self.rows(navigator, Self.person) == ["Name", "Town"])
            // A plist that the row names comes first; one that is not there or is none is passed over.
            #expect(try Self.rows(navigator, Self.town, layout: "Named") == ["Named"])
            #expect(try Self.rows(navigator, Self.town, layout: "Missing") == ["From the list"])
            #expect(try Self.rows(navigator, Self.town, layout: "Broken") == ["From the list"])
        }
    }

    @Test func relationshipAsAList() throws {
        let navigator = try Self.navigator()
        let entry = try #require(navigator.list(of: Self.town, through: "people", breadcrumb: ["People", "Ulm"]))
        let list = try #require(entry.screen as? ListScreen)
        #expect(list.configuration.title == "People › Ulm › people" && list.configuration.entityName == "Person")
        let request = try #require(list.requests.first)
        guard case .list(let contents)? = try entry.source?.answer(request, progress: FetchProgress()) else {
            Issue.record("no list")
            return
        }
        #expect(Array(contents.model.items) == [1, 2])
        #expect(navigator.list(of: Self.town, through: "nothing", breadcrumb: []) == nil)
        #expect(navigator.list(of: ObjectID(entityName: "Nothing", key: 1), through: "x", breadcrumb: []) == nil)
    }

    @Test func entities() throws {
        let navigator = try Self.navigator()
        let entry = navigator.entityList(title: "Store")
        let list = try #require(entry.screen as? ListScreen)
        let request = try #require(list.requests.first)
        guard case .list(let contents)? = try entry.source?.answer(request, progress: FetchProgress()) else {
            Issue.record("no list")
            return
        }
        let keys = navigator.store.schema.entities.map { EntityListSource.key(of: $0.name) }
        #expect(Array(contents.model.items) == keys && Set(keys).count == 4)
        // The list narrows to the names that hold what is typed.
        for (typed, expected) in [("town", ["Town"]), ("PI", ["Pilot"]), ("", []), ("zzz", [])] {
            let asked = DataRequest(kind: .matches(SearchQuery(typed)), generation: request.generation, form: .typed)
            guard case .matches(let matches)? = try entry.source?.answer(asked, progress: FetchProgress()) else {
                Issue.record("no matches")
                continue
            }
            let names = navigator.store.schema.entities.map(\.name).filter {
                matches.contents.model.items.contains(EntityListSource.key(of: $0))
            }
            #expect(names == (typed.isEmpty ? navigator.store.schema.entities.map(\.name) : expected))
        }
        #expect(list.configuration.isSearchable)
        let tags = try #require(navigator.list(ofEntityAt: keys[3], breadcrumb: ["Store"])?.screen as? ListScreen)
        #expect(tags.configuration.entityName == "Tag")
        #expect(navigator.list(ofEntityAt: 4, breadcrumb: []) == nil && navigator.list(ofEntityAt: -1, breadcrumb: []) == nil)
    }

    /// What is printed of the list of entities is what is shown of it.
    @Test func entitiesShownArePrinted() throws {
        for (typed, names) in [("", ["Person", "Pilot", "Town", "Tag"]), ("t", ["Pilot", "Town", "Tag"]), ("town", ["Town"])] {
            #expect(try Set(Self.printedEntities(after: typed)) == Set(names))
        }
    }

    private static func printedEntities(after typed: String) throws -> [String] {
        var entry = try navigator().entityList(title: "Store")
        var list = try #require(entry.screen as? ListScreen)
        if !typed.isEmpty { list.search(for: typed) }
        var requests = list.requests + list.takeRequests()
        while !requests.isEmpty {
            for request in requests {
                guard let reply = try entry.source?.answer(request, progress: FetchProgress()) else { continue }
                _ = list.receive(DataReply(reply, generation: request.generation))
            }
            requests = list.takeRequests()
        }
        entry.screen = list
        var printed: [String] = []
        try inFolder([:]) { folder in
            let file = folder + "/entities.tsv"
            let job = try navigator().printing(entry, toFile: file, columns: 80)
            _ = job?(FetchProgress())
            let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").dropFirst()
            printed = lines.map { String($0.split(separator: "\t")[0]) }
        }
        return printed
    }
}

extension ListScreen {
    /// What a new screen asks for.
    fileprivate var requests: [DataRequest] {
        var copy = self
        return copy.takeRequests()
    }
}

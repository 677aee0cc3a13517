import CustomRows
import Fetching
import IndexPathModel
import ObjectStore
import PlistConfig
import Presentation
import TestSupport
import Testing

struct DetailFetcherTests {
    typealias Row = DetailDescription.Row

    static let store = PeopleStore.store([
        .init(
            "Person", 1,
            [
                "name": .string("Ann"), "born": .date(0), "isTall": .boolean(false), "notes": .string(""),
                "town": PeopleStore.id("Town", 7),
                "tags": .list([PeopleStore.id("Tag", 2), PeopleStore.id("Tag", 1), PeopleStore.id("Tag", 3)]),
                "seats": .list([PeopleStore.id("Seat", 1), PeopleStore.id("Seat", 2)]),
            ]),
        .init("Person", 2, [:]),
        .init("Town", 7, ["name": .string("Ulm")]), .init("Town", 8, ["name": .string("Bern")]),
        .init("Tag", 1, ["name": .string("b")]), .init("Tag", 2, ["name": .string("c")]),
        .init("Tag", 3, ["name": .string("A")]),
        .init("Seat", 1, ["order": .integer(2), "town": PeopleStore.id("Town", 7)]),
        .init("Seat", 2, ["order": .integer(1), "town": PeopleStore.id("Town", 8)]),
    ])

    static func fetcher(_ sections: [DetailDescription.Section]) -> DetailFetcher {
        let (detail, _) = DetailDescription(sections: sections).resolve(in: store.schema, entityName: "Person")
        return DetailFetcher(
            store: store, detail: detail, titleKeyPath: try? store.schema.keyPath("name", in: "Person"),
            presentation: PeopleStore.presentation)
    }

    static func contents(_ rows: [Row], of key: ObjectKey = 1, as form: ValueForm = .typed) throws -> [DetailRow] {
        let fetcher = fetcher([.init(rows: rows)])
        let contents = try fetcher.contents(
            of: ObjectID(entityName: "Person", key: key), as: form, progress: FetchProgress())
        guard case .rows(let shown)? = contents?.sections.first?.body else { return [] }
        return shown
    }

    private struct Shout: CustomRow {
        var keyPaths: [String] { ["name", "nothing"] }

        func content(_ values: [String: CustomRowValue]) -> CustomRowContent {
            CustomRowContent(label: "Shout", text: values == ["name": .text("Ann"), "nothing": .null] ? "ANN!" : "\(values)")
        }
    }

    @Test func customRows() throws {
        var registry = CustomRowRegistry.standard
        registry.register("Shout") { _ in Shout() }
        let rows = ["Shout", "DeleteRowController", "Nobody"].map { name in
            var row = Row(type: .custom, attributeKeyPath: "")
            row.customControllerClass = name
            return row
        }
        let description = DetailDescription(sections: [.init(rows: rows)])
        let (detail, faults) = description.resolve(
            in: Self.store.schema, entityName: "Person", customRows: registry.names)
        #expect(faults.map(\.severity) == [.warning])
        let fetcher = DetailFetcher(
            store: Self.store, detail: detail, titleKeyPath: nil, presentation: PeopleStore.presentation, customRows: registry)
        let contents = try fetcher.contents(of: ObjectID(entityName: "Person", key: 1), as: .typed, progress: FetchProgress())
        guard case .rows(let shown)? = contents?.sections.first?.body else { return }
        #expect(shown.map(\.label) == ["Shout", "Delete", nil])
        #expect(shown[0].value == PresentedText("ANN!"))
        #expect(shown[1].value == PresentedText("read-only", isPlaceholder: true))
        #expect(shown[2].unavailable == "no custom row “Nobody”")
    }

    @Test func valuesByTypeAndStyle() throws {
        var born = Row(type: .singleLineValueSmallLabel, label: "Born", attributeKeyPath: "born")
        born.dateFormatterStyle = .medium
        let rows = try Self.contents([
            Row(type: .singleLineValueNoLabel, attributeKeyPath: "name"), born,
            Row(type: .booleanSwitch, label: "Tall", attributeKeyPath: "isTall"),
            Row(type: .multiLineValueSmallLabel, label: "Notes", attributeKeyPath: "notes"),
            Row(type: .singleLineValueLargeLabel, label: "Mood", attributeKeyPath: "mood"),
            Row(type: .singleLineValueLargeLabel, label: "Bad", attributeKeyPath: "nmae"),
        ])
        #expect(rows.map(\.value.text) == ["Ann", "1 Jan 2001", "NO", "\"\"", "—", "—"])
        #expect(rows.map(\.isOn) == [nil, nil, false, nil, nil, nil])
        #expect(rows[3].value.isPlaceholder && rows[4].value.isPlaceholder)
        #expect(rows.map { $0.unavailable != nil } == [false, false, false, false, false, true])
    }

    /// A value of many lines is whole up to a megabyte; one that is cut says so, and is cut between characters.
    @Test(arguments: [20_000, 900_000, 1_000_000, 1_500_000]) func longValues(bytes: Int) throws {
        let text = String(repeating: "é", count: bytes / 2)
        let store = PeopleStore.store([.init("Person", 1, ["notes": .string(text)])])
        let description = DetailDescription(sections: [
            .init(rows: [
                Row(type: .multiLineValueNoLabel, attributeKeyPath: "notes"),
                Row(type: .singleLineValueNoLabel, attributeKeyPath: "notes"),
            ])
        ])
        let (detail, _) = description.resolve(in: store.schema, entityName: "Person")
        let fetcher = DetailFetcher(
            store: store, detail: detail, titleKeyPath: nil, presentation: PeopleStore.presentation)
        let contents = try fetcher.contents(of: ObjectID(entityName: "Person", key: 1), as: .typed, progress: FetchProgress())
        guard case .rows(let rows)? = contents?.sections.first?.body else { return }
        #expect(rows.map(\.isCut) == [bytes > 1_000_000, true])
        #expect(rows[0].isCut || rows[0].value.text == text)
        #expect(
            rows.allSatisfy { !$0.isCut || $0.value.text.dropLast().allSatisfy { $0 == "é" } && $0.value.text.hasSuffix("é…") })
    }

    @Test func storedForm() throws {
        let rows = try Self.contents(
            [
                Row(type: .singleLineValueNoLabel, attributeKeyPath: "born"),
                Row(type: .booleanSwitch, label: "Tall", attributeKeyPath: "isTall"),
                Row(type: .relationship, label: "Town", attributeKeyPath: "town.name"),
            ], as: .stored)
        #expect(rows.map(\.value.text) == ["0", "0", "Ulm"])
        // Reading values as stored does not take the way to the other object.
        #expect(rows[2].destination == ObjectID(entityName: "Town", key: 7))
    }

    @Test func missingValues() throws {
        let rows = try Self.contents(
            [
                Row(type: .booleanSwitch, label: "Tall", attributeKeyPath: "isTall"),
                Row(type: .relationship, label: "Town", attributeKeyPath: "town.name"),
            ], of: 2)
        #expect(rows.allSatisfy { $0.value == .null && $0.isOn == nil && $0.destination == nil })
        let fetcher = Self.fetcher([])
        #expect(
            try fetcher.contents(of: ObjectID(entityName: "Person", key: 99), as: .typed, progress: FetchProgress()) == nil)
        let found = try fetcher.contents(of: ObjectID(entityName: "Person", key: 2), as: .typed, progress: FetchProgress())
        #expect(found?.title == .null && found?.sections.isEmpty == true)
    }

    /// A to-many among other rows has a section of its own; titles stay with the first part, labels title the rest.
    @Test func toManyRowsCutTheirSection() throws {
        let fetcher = Self.fetcher([
            .init(
                title: "All",
                rows: [
                    Row(type: .singleLineValueNoLabel, attributeKeyPath: "name"),
                    Row(type: .toManyRelationship, label: "Tags", attributeKeyPath: "tags.name"),
                    Row(type: .singleLineValueNoLabel, attributeKeyPath: "notes"),
                ]),
            .init(
                title: "Seats",
                rows: [Row(type: .toManyOrderedRelationship, label: "x", attributeKeyPath: "seats.town.name")]),
        ])
        let id = ObjectID(entityName: "Person", key: 1)
        let contents = try #require(try fetcher.contents(of: id, as: .typed, progress: FetchProgress()))
        #expect(contents.title.text == "Ann")
        #expect(contents.sections.map(\.title) == ["All", "Tags", nil, "Seats"])
        guard case .related(let tags) = contents.sections[1].body, case .related(let seats) = contents.sections[3].body else {
            Issue.record("a to-many row without its section")
            return
        }
        // Sorted by what they show.
        #expect(tags.keys == [3, 1, 2] && tags.relationshipName == "tags")
        let rows = try fetcher.relatedRows(section: 1, keys: [1, 3, 77], as: .typed)
        #expect(rows[1] == RelatedRow(text: PresentedText("b"), destination: ObjectID(entityName: "Tag", key: 1)))
        #expect(rows[77] == .some(.none))
        // Through the intermediate entity, in its order; Enter leads to the far object.
        #expect(seats.keys == [2, 1])
        let towns = try fetcher.relatedRows(section: 3, keys: [1, 2], as: .typed)
        #expect(towns[2] == RelatedRow(text: PresentedText("Bern"), destination: ObjectID(entityName: "Town", key: 8)))
        #expect(towns[1]??.text.text == "Ulm")
        // Sections of rows, and none at all.
        #expect(try fetcher.relatedRows(section: 0, keys: [1], as: .typed).isEmpty)
        #expect(try fetcher.relatedRows(section: 9, keys: [1], as: .typed).isEmpty)
    }

    /// As stored, a switch is the number that it is.
    @Test func switchesAsStored() throws {
        let row = Row(type: .booleanSwitch, label: "Tall", attributeKeyPath: "isTall")
        let stored = try Self.contents([row], as: .stored) + Self.contents([row], of: 2, as: .stored)
        #expect(stored.map(\.isOn) == [nil, nil])
        #expect(stored.map(\.value) == [PresentedText("0"), PresentedText("NULL", isPlaceholder: true)])
        #expect(try Self.contents([row]).map(\.isOn) == [false])
    }

    @Test(arguments: [
        ("{\"a\": 1}", true), (" [1]", true), ("[]", true), ("[1", false), ("{", false), ("plain", false), ("1", false),
    ]) func shortOutlinesOpen(text: String, opens: Bool) throws {
        let store = PeopleStore.store([.init("Person", 1, ["notes": .string(text)])])
        let row = Row(type: .multiLineValueSmallLabel, label: "Notes", attributeKeyPath: "notes")
        let (detail, _) = DetailDescription(sections: [.init(rows: [row])]).resolve(in: store.schema, entityName: "Person")
        let fetcher = DetailFetcher(
            store: store, detail: detail, titleKeyPath: nil, presentation: PeopleStore.presentation)
        let contents = try fetcher.contents(of: ObjectID(entityName: "Person", key: 1), as: .typed, progress: FetchProgress())
        guard case .rows(let shown)? = contents?.sections.first?.body else { return }
        #expect(shown.map(\.hasViewer) == [opens])
    }

    /// The objects that ordered lines show, in their order; in another order as that says; fewer where a filter says so.
    @Test func membersOfLines() throws {
        let row = Row(type: .toManyOrderedRelationship, label: "Towns", attributeKeyPath: "seats.town.name")
        let contents = try Self.fetcher([.init(rows: [row])]).contents(
            of: ObjectID(entityName: "Person", key: 1), as: .typed, progress: FetchProgress())
        guard case .related(let related)? = contents?.sections.first?.body, let lines = related.lines else {
            Issue.record("no lines")
            return
        }
        let members = try #require(LineMembers(of: ObjectID(entityName: "Person", key: 1), lines))
        let town = try #require(Self.store.schema.entity(named: "Town"))
        let list = try #require(ListDescription.fromSchema(town, in: Self.store.schema).resolve(in: Self.store.schema).list)
        var request = list.request
        request.sortDescriptors = [SortDescriptor(.relationshipOrder)]
        func keys(_ request: FetchRequest) throws -> [ObjectKey] {
            let fetcher = ListFetcher(
                store: Self.store, list: list, presentation: PeopleStore.presentation, request: request, members: members)
            return Array(try fetcher.contents(progress: FetchProgress()).model.items)
        }
        #expect(try keys(request) == [8, 7])
        request.sortDescriptors = [
            SortDescriptor(.keyPath(try Self.store.schema.keyPath("name", in: "Town")), ascending: false)
        ]
        #expect(try keys(request) == [7, 8])
    }
}

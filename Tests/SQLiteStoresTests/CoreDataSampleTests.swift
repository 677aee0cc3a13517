import Foundation
import ObjectStore
import SQLiteStores
import Testing

/// CDL's and others' real stores, without a model.
@Suite(.enabled(if: Samples.areThere)) struct CoreDataSampleTests {
    private func open(_ path: String) throws -> SQLiteObjectStore {
        try SQLiteObjectStore.open(path: Samples.folder + "/" + path)
    }

    @Test func alphaEvents() throws {
        let store = try open("cdl/AlphaEvents/AlphaEvents_InitialData.sqlite")
        #expect(store.schema.entities.map(\.name) == ["Event"])
        #expect(store.schema.origin == .inferred)
        let events = try store.list("Event", sort: ["name"], section: "nameFirstLetter")
        #expect(
            events.sections.map(\.value) == [.string("#"), .string("A"), .string("D"), .string("F"), .string("K"), .string("Q")])
        #expect(events.sections.map(\.count) == [1, 1, 1, 1, 1, 2])
        #expect(
            try store.column("name", of: events, in: "Event")
                == ["123456", "Alpha", "Delta", "Foxtrot", "Kilo", "Queen", "Quilt"].map { .string($0) })
        let dates = try store.column("timeStamp", of: events, in: "Event")
        // 7 April 2010 01:04:48 UTC.
        #expect(dateSeconds(dates[1]).rounded(.down) == 292_295_088)
        #expect(dates[6] == .null)
        let years = try store.column("timeStamp.@year", of: events, in: "Event")
        #expect(years[1] == .integer(2010) && years[6] == .null)
    }

    private func dateSeconds(_ value: Value) -> Double { if case .date(let seconds) = value { seconds } else { .nan } }

    @Test func widgetsInferRelationships() throws {
        let store = try open("cdl/CoreDataSampleFor436/CoreDataSampleFor436_InitialData.sqlite")
        let widget = try #require(store.schema.entity(named: "Widget"))
        #expect(widget.relationship(named: "type")?.destinationEntityName == "WidgetType")
        let between = try #require(store.schema.entity(named: "WidgetToManufacturingProcess"))
        #expect(between.relationship(named: "manufacturingProcess")?.destinationEntityName == "ManufacturingProcess")
        #expect(between.relationship(named: "widgets")?.destinationEntityName == "Widget")
        let list = try store.list("Widget", sort: ["type.name", "name"], section: "type.name")
        #expect(list.keys.count == 3)
        let types = try store.column("type.name", of: list, in: "Widget")
        // One widget has no type: it stays in the list, first, under NULL.
        #expect(types[0] == .null && list.sections[0] == .init(value: .null, count: 1))
        #expect(types[1...].allSatisfy { if case .string = $0 { true } else { false } })
        let processes = try store.column("widgetToManufacturingProcess.manufacturingProcess.name", of: list, in: "Widget")
        #expect(processes.allSatisfy { if case .list(let items) = $0 { !items.isEmpty } else { false } })
        #expect(try store.column("widgetToManufacturingProcess.@count", of: list, in: "Widget").count == 3)
    }

    @Test func rowsInTheLogAreSeen() throws {
        let store = try open("coredata/apptentive/v2wal/ATDataModel.sqlite")
        let total = try store.schema.entities.filter { $0.superentityName == nil && !$0.isSystem }
            .reduce(0) { try $0 + store.count(of: $1.name) }
        // With three rows in the join table they are the thirteen that are all in the log.
        #expect(total == 10)
        let links = try store.column("displaytypes.@count", of: store.list("ATRecord"), in: "ATRecord")
        #expect(links.reduce(0) { if case .integer(let count) = $1 { $0 + count } else { $0 } } == 3)
    }

    @Test func joinTableGivesBothDirections() throws {
        let store = try open("coredata/apptentive/ATDataModelv1.sqlite")
        let record = try #require(store.schema.entity(named: "ATRecord"))
        #expect(record.relationship(named: "displaytypes")?.destinationEntityName == "ATMessageDisplayType")
        let types = try store.list("ATMessageDisplayType")
        let messages = try store.column("messages", of: types, in: "ATMessageDisplayType")
        let objects = messages.flatMap { if case .list(let items) = $0 { items } else { [Value]() } }
        #expect(!objects.isEmpty)
        for case .object(let object) in objects {
            #expect(store.schema.subentities(of: "ATMessage").map(\.name).contains(object.entityName))
        }
    }

    @Test func everySampleOpensAndReadsWhole() throws {
        for path in [
            "cdl/ToManyEvents/ToManyEvents_InitialData.sqlite", "coredata/apptentive/ATDataModelv6.sqlite",
            "coredata/coredataplus/SampleModel_V1.sqlite", "coredata/contentful/Test.sqlite", "coredata/notes/NoteStore.sqlite",
        ] {
            let store = try open(path)
            for entity in store.schema.entities {
                let list = try store.list(entity.name)
                #expect(list.keys.count == (try store.count(of: entity.name)))
                let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
                let rows = try store.values(
                    at: store.paths(names, in: entity.name), of: Array(list.keys), in: entity.name, as: .typed)
                #expect(rows.allSatisfy { $0?.count == names.count })
                if let key = list.keys.first {
                    #expect(store.uri(of: ObjectID(entityName: entity.name, key: key)).hasPrefix("x-coredata://"))
                }
            }
        }
    }
}

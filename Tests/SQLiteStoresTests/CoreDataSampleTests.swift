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

/// The same stores with their models.
@Suite(.enabled(if: Samples.areThere)) struct ModelledSampleTests {
    private func open(_ path: String) throws -> SQLiteObjectStore {
        try SQLiteObjectStore.open(path: Samples.folder + "/" + path, options: StoreOptions(models: .files))
    }

    /// Every property of the model is found in the tables, every relationship agrees with its inverse, object by object.
    @Test(arguments: [
        "cdl/AlphaEvents/AlphaEvents_InitialData.sqlite", "cdl/CoreDataSampleFor436/CoreDataSampleFor436_InitialData.sqlite",
        "cdl/ToManyEvents/ToManyEvents_InitialData.sqlite", "coredata/apptentive/ATDataModelv6.sqlite",
        "coredata/coredataplus/SampleModel_V1.sqlite", "coredata/contentful/Test.sqlite", "coredata/notes/NoteStore.sqlite",
    ]) func inversesAgree(_ path: String) throws {
        let store = try open(path)
        #expect(store.schema.origin != .inferred)
        #expect(store.schema.warnings.isEmpty, "\(store.schema.warnings)")
        var disagreeing: Set<String> = []
        for entity in store.schema.entities where !entity.isSystem {
            let list = try store.list(entity.name)
            #expect(try store.count(of: entity.name) == list.keys.count)
            for relationship in entity.relationships {
                guard let inverse = relationship.inverseName else { continue }
                let there = try store.column(relationship.name, of: list, in: entity.name)
                for (key, value) in zip(list.keys, there) {
                    let objects: [Value] = if case .list(let items) = value { items } else { value == .null ? [] : [value] }
                    for case .object(let object) in objects.prefix(20) {
                        let back = try store.values(
                            at: store.paths([inverse], in: object.entityName), of: [object.key], in: object.entityName, as: .typed
                        )
                        let found: [Value] =
                            switch back.first??.first {
                            case .list(let items)?: items
                            case let value?: [value]
                            default: []
                            }
                        let agrees = found.contains { if case .object(let other) = $0 { other.key == key } else { false } }
                        if !agrees { disagreeing.insert("\(entity.name).\(relationship.name) → \(object.entityName).\(inverse)") }
                    }
                }
            }
        }
        // In this one file the way back from cloudState is NULL in every row.
        #expect(disagreeing.filter { !$0.contains("ICCloudState.cloudSyncingObject") }.isEmpty, "\(disagreeing)")
    }

    @Test func widgetsThroughTheIntermediateEntity() throws {
        let store = try open("cdl/CoreDataSampleFor436/CoreDataSampleFor436_InitialData.sqlite")
        let list = try store.list("Widget", sort: ["name"])
        #expect(
            try store.column("name", of: list, in: "Widget") == ["a new test", "B New test", "C new test"].map { .string($0) })
        #expect(
            try store.column("isCurrentProduct", of: list, in: "Widget") == [.boolean(false), .boolean(true), .boolean(true)])
        let counts = try store.column("manufacturingProcesses.@count", of: list, in: "Widget")
        #expect(counts == [.integer(3), .integer(3), .integer(3)])
        let names = try store.column("manufacturingProcesses.manufacturingProcess.name", of: list, in: "Widget")
        #expect(names.allSatisfy { if case .list(let items) = $0 { items.count == 3 && !items.contains(.null) } else { false } })
    }

    @Test func numberedColumnsOfNotes() throws {
        let store = try open("coredata/notes/NoteStore.sqlite")
        #expect(store.schema.origin == .cachedModel)
        let note = try #require(store.schema.entity(named: "ICNote"))
        let notes = try store.list("ICNote")
        #expect(!notes.keys.isEmpty && note.relationship(named: "folder") != nil)
        let folders = try store.column("folder", of: notes, in: "ICNote")
        for case .object(let folder) in folders { #expect(folder.entityName == "ICFolder") }
        #expect(folders.contains { $0 != .null })
    }
}

import CSQLite
import Foundation
import Testing

@testable import SQLiteStores

/// The models among the samples, where they are at hand: forms of one model that were written by different programs must agree.
@Suite(.enabled(if: FileManager.default.fileExists(atPath: "/work/shared/samples/README.md")))
struct ManagedObjectModelSampleTests {
    static let samples = "/work/shared/samples/"

    private func model(_ path: String, matching hashes: [String: [UInt8]]? = nil) throws -> ManagedObjectModel {
        try ManagedObjectModel.read(path: Self.samples + path, matching: hashes)
    }

    /// The cached model of a store, read from a copy in memory.
    private func cachedModel(of store: String) throws -> ManagedObjectModel {
        var database: OpaquePointer?
        defer { sqlite3_close(database) }
        let opened = sqlite3_open_v2(
            "file:\(Self.samples)\(store)?immutable=1", &database, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nil)
        try #require(opened == SQLITE_OK)
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        try #require(sqlite3_prepare_v2(database, "SELECT Z_CONTENT FROM Z_MODELCACHE", -1, &statement, nil) == SQLITE_OK)
        try #require(sqlite3_step(statement) == SQLITE_ROW)
        let count = Int(sqlite3_column_bytes(statement, 0))
        let start = try #require(sqlite3_column_blob(statement, 0))
        return try ManagedObjectModel.read(modelCache: [UInt8](UnsafeRawBufferPointer(start: start, count: count)))
    }

    @Test func compiledSourceAndCachedFormsAgree() throws {
        let compiled = try model("coredata/coredataplus/SampleModel.momd")
        let source = try model("coredata/coredataplus/SampleModel.xcdatamodel")
        #expect(compiled.entities == source.entities)
        #expect(compiled.entities.map(\.name) == ["Car", "ExpensiveSportCar", "Person", "SportCar"])
        #expect(try cachedModel(of: "coredata/coredataplus/SampleModel_V1.sqlite").entities == source.entities)
        #expect(Set(compiled.versionHashes.keys) == Set(compiled.entities.map(\.name)))
    }

    @Test func cachedModelAgreesWithItsSource() throws {
        let source = try model("coredata/contentful/Test.xcdatamodel")
        #expect(try cachedModel(of: "coredata/contentful/Test.sqlite").entities == source.entities)
    }

    @Test func choosesTheVersionOfTheHashes() throws {
        let third = try model("coredata/coredataplus/SampleModel.momd/SampleModel3.mom")
        #expect(third.entities.contains { $0.name == "Maker" })
        #expect(third.versionHashes.count == 5)
        #expect(try model("coredata/coredataplus/SampleModel.momd", matching: third.versionHashes) == third)
        var damaged = third.versionHashes
        damaged["Car"] = [1, 2, 3]
        #expect(try model("coredata/coredataplus/SampleModel.momd", matching: damaged) == third)
        let current = try model("coredata/coredataplus/SampleModel.momd")
        #expect(try model("coredata/coredataplus/SampleModel.momd", matching: ["Nothing": [0]]) == current)
    }

    @Test func ownPropertiesAreThoseThatNoAncestorHas() throws {
        let entities = try model("coredata/coredataplus/SampleModel.momd").entities
        let sportCar = try #require(entities.first { $0.name == "SportCar" })
        #expect(sportCar.superentityName == "Car" && sportCar.attributes.isEmpty && sportCar.relationships.isEmpty)
        #expect(entities.first { $0.name == "ExpensiveSportCar" }?.attributes.map(\.name) == ["isLimitedEdition"])
    }

    @Test func readsTheSourceModelsOf2009() throws {
        let widgets = try model("cdl/CoreDataSampleFor436/CoreDataSampleFor436.xcdatamodel")
        #expect(
            widgets.entities.map(\.name) == [
                "ManufacturingProcess", "ManufacturingProcessType", "Widget", "WidgetToManufacturingProcess", "WidgetType",
            ])
        let widget = try #require(widgets.entities.first { $0.name == "Widget" })
        #expect(
            widget.attributes.map(\.name) == [
                "detail", "isCurrentProduct", "name", "nameFirstLetter", "releaseDate", "timeStamp",
            ])
        #expect(widget.attributes.map(\.typeCode) == [700, 800, 700, 700, 900, 900])
        #expect(widget.attributes.map(\.isOptional) == [true, true, false, true, false, true])
        #expect(widget.attributes.map(\.isTransient) == [false, false, false, true, false, false])
        let processes = try #require(widget.relationships.first)
        #expect(processes.destinationEntityName == "WidgetToManufacturingProcess" && processes.inverseName == "widgets")
        #expect(processes.isToMany && processes.deleteRule == 2)
        let type = try #require(widget.relationships.last)
        #expect(type.destinationEntityName == "WidgetType" && !type.isToMany && type.isOptional && type.deleteRule == 1)
        for name in ["GettingStarted", "ToManyEvents", "AlphaEvents"] {
            #expect(try model("cdl/\(name)/\(name).xcdatamodel").entities.contains { $0.name == "Event" })
        }
    }

    @Test func readsInheritanceInSource() throws {
        let entities = try model("coredata/apptentive/ATDataModel.xcdatamodel").entities
        let supers = Dictionary(uniqueKeysWithValues: entities.map { ($0.name, $0.superentityName) })
        #expect(supers["ATUpgradeRequestMessage"] == "ATTextMessage" && supers["ATTextMessage"] == "ATMessage")
        #expect(entities.first { $0.name == "ATRecord" }?.isAbstract == true)
    }

    /// Every cached model names the entities that its store numbers, but for those of the history.
    @Test func cachedModelsNameTheStoresEntities() throws {
        var count = 0
        for name in FileManager.default.enumerator(atPath: Self.samples + "coredata")?.compactMap({ $0 as? String }) ?? []
        where name.hasSuffix(".sqlite") {
            let tables = try texts(in: "coredata/" + name, "SELECT name FROM sqlite_master")
            guard tables.contains("Z_MODELCACHE") else { continue }
            let model = try cachedModel(of: "coredata/" + name)
            let numbered = try texts(in: "coredata/" + name, "SELECT Z_NAME FROM Z_PRIMARYKEY WHERE Z_ENT < 16000")
            #expect(Set(model.entities.map(\.name)) == Set(numbered), "\(name)")
            count += 1
        }
        #expect(count >= 3)
    }

    private func texts(in store: String, _ sql: String) throws -> [String] {
        var database: OpaquePointer?
        defer { sqlite3_close(database) }
        try #require(
            sqlite3_open_v2("file:\(Self.samples)\(store)?immutable=1", &database, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nil)
                == SQLITE_OK)
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        try #require(sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK)
        var texts: [String] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            if let text = sqlite3_column_text(statement, 0) { texts.append(String(cString: text)) }
        }
        return texts
    }

    @Test func findsModelsBesideAStore() {
        let folder = Self.samples + "coredata/coredataplus"
        #expect(
            ManagedObjectModel.candidates(beside: folder) == [folder + "/SampleModel.momd", folder + "/SampleModel.xcdatamodel"])
        #expect(ManagedObjectModel.candidates(beside: folder + "/none") == [])
    }
}

import Foundation
import PropertyLists
import TestSupport
import Testing

@testable import SQLiteStores

/// Models that are made here, in the forms that Core Data's programs write.
@Suite struct ManagedObjectModelTests {
    private var expected: [ManagedObjectModel.EntityDescription] {
        var name = ManagedObjectModel.AttributeDescription(name: "name", typeCode: 700)
        name.isOptional = false
        var animal = ManagedObjectModel.EntityDescription(name: "Animal")
        animal.isAbstract = true
        animal.attributes = [name]
        var photo = ManagedObjectModel.AttributeDescription(name: "photo", typeCode: 1000)
        photo.allowsExternalStorage = true
        var owner = ManagedObjectModel.RelationshipDescription(name: "owner", destinationEntityName: "Person")
        owner.inverseName = "dogs"
        var dog = ManagedObjectModel.EntityDescription(name: "Dog")
        dog.superentityName = "Animal"
        dog.attributes = [photo]
        dog.relationships = [owner]
        var colour = ManagedObjectModel.AttributeDescription(name: "colour", typeCode: 1800)
        colour.isTransient = true
        colour.valueTransformerName = "Paint"
        var dogs = ManagedObjectModel.RelationshipDescription(name: "dogs", destinationEntityName: "Dog")
        dogs.inverseName = "owner"
        dogs.isToMany = true
        dogs.isOrdered = true
        dogs.isOptional = false
        dogs.deleteRule = 2
        var person = ManagedObjectModel.EntityDescription(name: "Person")
        person.attributes = [colour]
        person.relationships = [dogs]
        return [animal, dog, person]
    }

    /// Calls `body` with a new folder, which is removed afterwards.
    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("Models-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    private func write(_ bytes: [UInt8], _ path: String) throws {
        let folder = (path as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    private func error(_ body: () throws -> ManagedObjectModel) -> ManagedObjectModelError? {
        do {
            _ = try body()
            return nil
        } catch {
            return error as? ManagedObjectModelError
        }
    }

    // MARK: Forms

    @Test func everyFormSaysTheSame() throws {
        for knownKeys in [false, true] {
            for proxies in [false, true] {
                for named in [false, true] {
                    let bytes = compiled(knownKeys: knownKeys, proxies: proxies, named: named)
                    #expect(try ManagedObjectModel.read(bytes: bytes, file: "x").entities == expected)
                }
            }
        }
        #expect(try ManagedObjectModel.read(bytes: Array(Self.contents.utf8), file: "x").entities == expected)
        // The old form knows no external storage and no order.
        var old = expected
        old[1].attributes[0].allowsExternalStorage = false
        old[2].attributes[0].valueTransformerName = nil
        old[2].relationships[0].isOrdered = false
        for wrapped in [false, true] {
            #expect(try ManagedObjectModel.read(bytes: design(generalization: wrapped), file: "x").entities == old)
        }
    }

    @Test func readsFoldersOfEveryKind() throws {
        try withFolder { folder in
            try write(Array(Self.contents.utf8), folder + "/A.xcdatamodel/contents")
            try write(design(generalization: false), folder + "/B.xcdatamodel/elements")
            try write(compiled(), folder + "/C.mom")
            #expect(try ManagedObjectModel.read(path: folder + "/A.xcdatamodel").entities == expected)
            #expect(try ManagedObjectModel.read(path: folder + "/B.xcdatamodel").entities.count == 3)
            #expect(try ManagedObjectModel.read(path: folder + "/C.mom").entities == expected)
            // A folder of versions whose current one is named, is the only one, or has the folder's name.
            let empty = Array("<model><entity name=\"Only\"/></model>".utf8)
            try write(empty, folder + "/D.xcdatamodeld/D.xcdatamodel/contents")
            try write(Array(Self.contents.utf8), folder + "/D.xcdatamodeld/D 2.xcdatamodel/contents")
            #expect(try ManagedObjectModel.read(path: folder + "/D.xcdatamodeld/").entities.map(\.name) == ["Only"])
            try write(
                Array("{ _XCCurrentVersionName = \"D 2.xcdatamodel\"; }".utf8), folder + "/D.xcdatamodeld/.xccurrentversion")
            #expect(try ManagedObjectModel.read(path: folder + "/D.xcdatamodeld").entities == expected)
            try write(empty, folder + "/E.xcdatamodeld/V1.xcdatamodel/contents")
            #expect(try ManagedObjectModel.read(path: folder + "/E.xcdatamodeld").entities.count == 1)
            try write(empty, folder + "/E.xcdatamodeld/V2.xcdatamodel/contents")
            #expect(
                error { try ManagedObjectModel.read(path: folder + "/E.xcdatamodeld") }?.cause
                    == .noCurrentVersion(["V1.xcdatamodel", "V2.xcdatamodel"]))
            #expect(
                ManagedObjectModel.candidates(beside: folder)
                    == ["A.xcdatamodel", "B.xcdatamodel", "C.mom", "D.xcdatamodeld", "E.xcdatamodeld"].map { folder + "/" + $0 })
        }
    }

    @Test func choosesAmongCompiledVersions() throws {
        try withFolder { folder in
            let bundle = folder + "/M.momd"
            try write(compiled(), bundle + "/M.mom")
            #expect(try ManagedObjectModel.read(path: bundle).entities == expected)
            try write(compiled(knownKeys: true), bundle + "/M 2.mom")
            #expect(error { try ManagedObjectModel.read(path: bundle) }?.cause == .noCurrentVersion(["M 2.mom", "M.mom"]))
            let info = """
                { NSManagedObjectModel_CurrentVersionName = "M 2"; NSManagedObjectModel_VersionHashes = {
                M = { Dog = <01>; Person = <02>; }; "M 2" = { Dog = <03>; Person = <02>; Cat = <04>; }; "../x" = { Dog = <09>; }; }; }
                """
            try write(Array(info.utf8), bundle + "/VersionInfo.plist")
            #expect(try ManagedObjectModel.read(path: bundle).versionHashes == ["Dog": [3], "Person": [2], "Cat": [4]])
            let first = try ManagedObjectModel.read(path: bundle, matching: ["Dog": [1], "Person": [2]])
            #expect(first.versionHashes == ["Dog": [1], "Person": [2]])
            #expect(try ManagedObjectModel.read(path: bundle + "/M.mom").versionHashes == first.versionHashes)
            // A version without a file of its own is never taken, even if it would fit.
            #expect(try ManagedObjectModel.read(path: bundle, matching: ["Dog": [9]]).versionHashes.count > 1)
        }
    }

    // MARK: Faults

    @Test func namesWhatIsNoModel() throws {
        try withFolder { folder in
            #expect(
                error { try ManagedObjectModel.read(path: folder) }?.problem
                    == "not a Core Data model: a folder without a model in it")
            #expect(error { try ManagedObjectModel.read(path: folder + "/none.mom") }?.problem == "no such file")
            try write(Array("SQLite format 3\0".utf8), folder + "/a.mom")
            #expect(
                error { try ManagedObjectModel.read(path: folder + "/a.mom") }?.problem
                    == "not a Core Data model: it is a SQLite database")
            try write(Array("<plist><dict/></plist>".utf8), folder + "/b.mom")
            #expect(
                error { try ManagedObjectModel.read(path: folder + "/b.mom") }?.problem
                    == "not a Core Data model: line 1: <plist> where <model> belongs")
            try write(Array("<model>\n<entity name='A'>\n<attribute/></entity></model>".utf8), folder + "/c.xcdatamodel/contents")
            let fault = error { try ManagedObjectModel.read(path: folder + "/c.xcdatamodel") }
            #expect(fault?.file == folder + "/c.xcdatamodel/contents")
            #expect(fault?.problem == "not a Core Data model: line 3: <attribute> without the attribute name")
            try write(Array("{ a = b }".utf8), folder + "/d.momd/VersionInfo.plist")
            #expect(error { try ManagedObjectModel.read(path: folder + "/d.momd") }?.file == folder + "/d.momd/VersionInfo.plist")
        }
        var writer = KeyedArchiveWriter()
        writer.top = [("root", writer.array([]))]
        #expect(
            error { try ManagedObjectModel.read(bytes: writer.bytes(), file: "x") }?.problem
                == "not a Core Data model: its archive holds an object of class NSArray")
        let deep = "<model>" + String(repeating: "<entity name='a'>", count: 5000)
        #expect(
            error { try ManagedObjectModel.read(bytes: Array(deep.utf8), file: "x") }?.problem
                == "nested more than 64 levels deep (line 1)")
    }

    @Test func mendsWhatTheFileGetsWrong() throws {
        let text = """
            <model><entity name="A" parentEntity="B"/><entity name="B" parentEntity="A"/><entity name="C" parentEntity="Nowhere"/>
            <entity name="D"><attribute name="x" attributeType="String"/><attribute name="x" attributeType="Date"/></entity>
            <entity name="D"/><entity name="E" parentEntity="D"><attribute name="x" attributeType="Date"/><attribute name="y"/></entity>
            <entity name="F" parentEntity="F"/></model>
            """
        let entities = try ManagedObjectModel.read(bytes: Array(text.utf8), file: "x").entities
        #expect(entities.map(\.name) == ["A", "B", "C", "D", "E", "F"])
        #expect(entities.map(\.superentityName) == [nil, nil, nil, nil, "D", nil])
        #expect(entities[3].attributes.map(\.typeCode) == [700])
        #expect(entities[4].attributes.map(\.name) == ["y"] && entities[4].attributes[0].typeCode == 0)
    }

    @Test func inflatesTheCacheWithinBounds() throws {
        let bytes = compiled(knownKeys: true)
        let stored = Self.storedDeflate(bytes)
        #expect(try ManagedObjectModel.read(modelCache: stored).entities == expected)
        #expect(try ManagedObjectModel.read(modelCache: bytes).entities == expected)
        #expect(
            error { try ManagedObjectModel.read(modelCache: Array(stored.dropLast(9))) }?.problem
                == "not a Core Data model: the cached model is damaged or cut off")
        #expect(
            error { try ManagedObjectModel.read(modelCache: []) }?.problem == "not a Core Data model: the cached model is empty")
        #expect(error { try ManagedObjectModel.read(modelCache: [0xFF, 0xFF, 0xFF]) } != nil)
    }

    /// Raw deflate without compression: blocks with their lengths.
    private static func storedDeflate(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let block = rest.prefix(1000)
            rest = rest.dropFirst(1000)
            let low = UInt8(truncatingIfNeeded: block.count)
            let high = UInt8(truncatingIfNeeded: block.count >> 8)
            result += [rest.isEmpty ? 1 : 0, low, high, ~low, ~high] + Array(block)
        }
        return result
    }

    @Test func survivesMutations() throws {
        let sources = [
            compiled(), compiled(knownKeys: true, proxies: true), design(generalization: true), Array(Self.contents.utf8),
        ]
        var models = 0
        var faults = 0
        for (index, source) in sources.enumerated() {
            for seed in 0..<600 {
                var generator = SplitMix(state: UInt64(index * 10_000 + seed))
                var bytes = source
                for _ in 0..<Int.random(in: 1...6, using: &generator) {
                    bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
                }
                if let fault = error({ try ManagedObjectModel.read(bytes: bytes, file: "x") }) {
                    #expect(!fault.problem.contains("\n"))
                    faults += 1
                } else {
                    models += 1
                }
            }
        }
        #expect(models > 100 && faults > 100)
    }
}

/// The same numbers on every machine for a seed.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}

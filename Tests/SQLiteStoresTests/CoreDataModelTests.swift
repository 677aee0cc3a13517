import CSQLite
import Foundation
import ObjectStore
import SQLiteStores
import Testing

/// Stores of shapes that a model describes: numbered columns, join tables, order columns, data outside.
@Suite struct CoreDataModelTests {
    private typealias EntityDescription = ManagedObjectModel.EntityDescription
    private typealias AttributeDescription = ManagedObjectModel.AttributeDescription
    private typealias RelationshipDescription = ManagedObjectModel.RelationshipDescription

    private static func relationship(
        _ name: String, _ destination: String, inverse: String?, many: Bool = false, ordered: Bool = false
    ) -> ManagedObjectModel.RelationshipDescription {
        var description = RelationshipDescription(name: name, destinationEntityName: destination)
        description.inverseName = inverse
        description.isToMany = many
        description.isOrdered = ordered
        return description
    }

    /// Base (1) ← Left (2), Right (3); Item (4); Person (5).
    static let model: ManagedObjectModel = {
        var base = EntityDescription(name: "Base")
        base.isAbstract = true
        base.attributes = [AttributeDescription(name: "title", typeCode: 700)]
        var left = EntityDescription(name: "Left")
        left.superentityName = "Base"
        left.attributes = [
            AttributeDescription(name: "state", typeCode: 800), AttributeDescription(name: "identifier", typeCode: 1100),
        ]
        left.relationships = [relationship("items", "Item", inverse: "owner", many: true, ordered: true)]
        var right = EntityDescription(name: "Right")
        right.superentityName = "Base"
        var transient = AttributeDescription(name: "shown", typeCode: 700)
        transient.isTransient = true
        right.attributes = [AttributeDescription(name: "state", typeCode: 700), transient]
        right.relationships = [relationship("extras", "Item", inverse: nil, many: true)]
        var item = EntityDescription(name: "Item")
        var data = AttributeDescription(name: "data", typeCode: 1000)
        data.allowsExternalStorage = true
        item.attributes = [
            AttributeDescription(name: "label", typeCode: 700), data, AttributeDescription(name: "made", typeCode: 900),
        ]
        item.relationships = [
            relationship("owner", "Base", inverse: "items"),
            relationship("tags", "Item", inverse: "tagged", many: true, ordered: true),
            relationship("tagged", "Item", inverse: "tags", many: true),
        ]
        var person = EntityDescription(name: "Person")
        person.relationships = [
            relationship("friends", "Person", inverse: "friends", many: true),
            relationship("likes", "Item", inverse: "likedBy", many: true),
        ]
        item.relationships.append(relationship("likedBy", "Person", inverse: "likes", many: true))
        return ManagedObjectModel(entities: [base, left, right, item, person], versionHashes: ["Item": [1, 2], "Person": [9]])
    }()

    private static let tables = """
        CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
        INSERT INTO Z_PRIMARYKEY VALUES (1, 'Base', 0, 3), (2, 'Left', 1, 0), (3, 'Right', 1, 0), (4, 'Item', 0, 5), (5, 'Person', 0, 2),
          (16001, 'CHANGE', 0, 0);
        CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
        INSERT INTO Z_METADATA VALUES (1, 'STORE', x'00');
        CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);
        INSERT INTO Z_MODELCACHE VALUES (x'0102');
        CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER);
        CREATE TABLE ZBASE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZSTATE INTEGER, ZTITLE VARCHAR, ZSTATE1 VARCHAR, ZIDENTIFIER BLOB);
        INSERT INTO ZBASE VALUES (1, 2, 1, 1, 'left one', NULL, x'00112233445566778899AABBCCDDEEFF'), (2, 3, 1, NULL, 'right two', 'open', NULL),
          (3, 2, 1, 7, 'left three', NULL, x'0011');
        CREATE TABLE ZITEM (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZOWNER INTEGER, Z1_OWNER INTEGER, Z_FOK_OWNER INTEGER,
          Z3EXTRAS INTEGER, ZLABEL VARCHAR, ZMADE TIMESTAMP, ZDATA BLOB);
        INSERT INTO ZITEM VALUES (1, 4, 1, 1, 2, 4096, 2, 'a', 5, x'01414243'), (2, 4, 1, 1, 2, 2048, NULL, 'b', 5.5, NULL),
          (3, 4, 1, 1, 2, 3072, 2, 'c', NULL, CAST('\u{2}01234567-89AB-CDEF-0123-456789ABCDEF' AS BLOB) || x'00'),
          (4, 4, 1, 9, 2, 1, NULL, 'd', NULL, CAST('\u{2}11111111-89AB-CDEF-0123-456789ABCDEF' AS BLOB) || x'00'),
          (5, 4, 1, NULL, NULL, NULL, NULL, 'e', 1e300, x'02');
        UPDATE ZITEM SET ZDATA = CAST(ZDATA AS BLOB) WHERE Z_PK IN (3, 4);
        CREATE TABLE Z_4TAGS (Z_4TAGGED INTEGER, Z_4TAGS1 INTEGER, Z_FOK_4TAGS1 INTEGER, PRIMARY KEY (Z_4TAGGED, Z_4TAGS1));
        INSERT INTO Z_4TAGS VALUES (1, 2, 30), (1, 3, 20), (2, 1, 10);
        CREATE TABLE Z_5FRIENDS (Z_5FRIENDS INTEGER, REFLEXIVE INTEGER, PRIMARY KEY (Z_5FRIENDS, REFLEXIVE));
        INSERT INTO Z_5FRIENDS VALUES (2, 1), (1, 2);
        CREATE TABLE Z_5LIKES (Z_4LIKES INTEGER, Z_5LIKEDBY INTEGER, PRIMARY KEY (Z_4LIKES, Z_5LIKEDBY));
        INSERT INTO Z_5LIKES VALUES (5, 1), (4, 1), (4, 2);
        CREATE TABLE ZPERSON (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER);
        INSERT INTO ZPERSON VALUES (1, 5, 1), (2, 5, 1);
        """

    static func options(_ model: ManagedObjectModel?, hashes: [String: [UInt8]] = [:]) -> StoreOptions {
        StoreOptions(
            models: ModelSource(
                cachedModel: { _ in
                    guard let model else { throw ModelSource.unreadable("Z_MODELCACHE", "no model") }
                    return model
                },
                modelFile: { path, _ throws(StoreError) in throw ModelSource.unreadable(path, "not a model") },
                versionHashes: { _ in hashes }))
    }

    @Test func modelIsFoundInTheTables() throws {
        let folder = try TemporaryFolder()
        let path = try folder.database(CoreDataModelTests.tables)
        try FileManager.default.createDirectory(
            atPath: folder.file(".store_SUPPORT/_EXTERNAL_DATA"), withIntermediateDirectories: true)
        let outside = folder.file(".store_SUPPORT/_EXTERNAL_DATA/01234567-89AB-CDEF-0123-456789ABCDEF")
        #expect(FileManager.default.createFile(atPath: outside, contents: Data("big".utf8)))
        let store = try SQLiteObjectStore.open(path: path, options: CoreDataModelTests.options(CoreDataModelTests.model))
        #expect(store.schema.origin == .cachedModel && store.schema.warnings.isEmpty, "\(store.schema.warnings)")
        #expect(store.schema.entities.map(\.name) == ["Base", "Left", "Right", "Item", "Person", "CHANGE"])
        #expect(store.schema.entities.filter(\.isSystem).map(\.name) == ["CHANGE"])
        #expect(store.schema.entity(named: "Base")?.isAbstract == true)
        let right = try #require(store.schema.entity(named: "Right"))
        #expect(right.attribute(named: "state")?.columnName == "ZSTATE1" && right.attribute(named: "shown")?.isTransient == true)

        #expect(try store.list("Base").keys == [1, 2, 3])
        #expect(try store.list("Left").keys == [1, 3] && store.count(of: "Left") == 2 && store.count(of: "Base") == 3)
        let lefts = try store.values(
            at: store.paths(["title", "state", "identifier", "items.label", "items"], in: "Left"), of: [1, 3, 2], in: "Left",
            as: .typed)
        let uuid = try #require(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF"))
        func item(_ key: Int64) -> Value { .object(ObjectID(entityName: "Item", key: key)) }
        #expect(
            lefts[0] == [
                .string("left one"), .boolean(true), .uuid(uuid), .list(["b", "c", "a"].map { .string($0) }),
                .list([item(2), item(3), item(1)]),
            ])
        #expect(lefts[1] == [.string("left three"), .integer(7), .data(Data([0, 0x11])), .list([]), .list([])])
        #expect(lefts[2] == nil, "a row of another entity is none of this one's")
        #expect(try store.column("extras.label", of: store.list("Right"), in: "Right") == [.list([.string("a"), .string("c")])])

        let items = try store.list("Item")
        let owner = Value.object(ObjectID(entityName: "Left", key: 1))
        let gone = Value.danglingReference(entityName: "Base", key: "9")
        #expect(try store.column("owner", of: items, in: "Item") == [owner, owner, owner, gone, .null])
        #expect(try store.column("owner.title", of: items, in: "Item")[3] == gone)
        #expect(try store.column("made", of: items, in: "Item") == [.date(5), .date(5.5), .null, .null, .double(1e300)])
        #expect(
            try store.column("data", of: items, in: "Item") == [
                .data(Data("ABC".utf8)), .null, .data(Data("big".utf8)), .string("11111111-89AB-CDEF-0123-456789ABCDEF"),
                .data(Data([2])),
            ])
        let stored = try store.column("data", of: items, in: "Item", as: .stored)
        #expect(stored[0] == .data(Data([1, 0x41, 0x42, 0x43])))
        #expect(try store.column("tags", of: items, in: "Item")[0...1] == [.list([item(3), item(2)]), .list([item(1)])])
        #expect(
            try store.column("tagged", of: items, in: "Item")[0...2] == [.list([item(2)]), .list([item(1)]), .list([item(1)])])
        func person(_ key: Int64) -> Value { .object(ObjectID(entityName: "Person", key: key)) }
        #expect(
            try store.column("likedBy", of: items, in: "Item")[3...4] == [.list([person(1), person(2)]), .list([person(1)])])
        #expect(try store.column("friends", of: store.list("Person"), in: "Person") == [.list([person(2)]), .list([person(1)])])
        #expect(try store.column("likes.@count", of: store.list("Person"), in: "Person") == [.integer(2), .integer(1)])

        // An ordered relationship as a list of its own.
        let scope = FetchRequest.Scope.related(to: ObjectID(entityName: "Left", key: 1), through: "items")
        let ordered = try store.fetch(
            FetchRequest(entityName: "Item", scope: scope, sortDescriptors: [SortKey(.relationshipOrder)]),
            progress: FetchProgress())
        #expect(ordered.keys == [2, 3, 1])
        let tagScope = FetchRequest.Scope.related(to: ObjectID(entityName: "Item", key: 1), through: "tags")
        let tags = try store.fetch(
            FetchRequest(entityName: "Item", scope: tagScope, sortDescriptors: [SortKey(.relationshipOrder)]),
            progress: FetchProgress())
        #expect(tags.keys == [3, 2])
        #expect(try store.concreteEntityName(of: ObjectID(entityName: "Base", key: 2)) == "Right")
        #expect(store.uri(of: ObjectID(entityName: "Base", key: 3)) == "x-coredata://STORE/Left/p3")
    }

    @Test func modelThatDoesNotFitIsSaid() throws {
        let folder = try TemporaryFolder()
        let path = try folder.database(CoreDataModelTests.tables)
        var model = CoreDataModelTests.model
        model.entities.removeAll { $0.name == "Person" }
        model.entities[3].relationships.removeAll { $0.name == "likedBy" }
        model.entities[3].attributes.append(AttributeDescription(name: "missing", typeCode: 700))
        model.entities.append(EntityDescription(name: "Stranger"))
        let store = try SQLiteObjectStore.open(
            path: path, options: CoreDataModelTests.options(model, hashes: ["Item": [3], "Person": [9]]))
        #expect(
            store.schema.warnings == [
                "The model is of another version than the store; these entities differ: Item.",
                "The model has entities that the store does not have: Stranger.",
                "The model lacks entities of the store, which are inferred: Person.",
                "“Item.missing” is in the model, but the store has no column ZMISSING.",
            ])
        #expect(store.schema.entity(named: "Item")?.attribute(named: "missing")?.isTransient == true)
        #expect(store.schema.entity(named: "Person")?.relationship(named: "likes")?.destinationEntityName == "Item")
        #expect(try store.list("Person").keys == [1, 2])
    }

    @Test func withoutAModelNamesComeFromTheTables() throws {
        let folder = try TemporaryFolder()
        let path = try folder.database(CoreDataModelTests.tables)
        let store = try SQLiteObjectStore.open(path: path, options: CoreDataModelTests.options(nil))
        #expect(store.schema.origin == .inferred)
        #expect(store.schema.warnings == ["The model cached in the store cannot be read: no model."])
        let item = try #require(store.schema.entity(named: "Item"))
        // The twin column names the declared destination.
        #expect(item.relationship(named: "owner")?.destinationEntityName == "Base")
        #expect(item.attributes.map(\.name) == ["label", "made", "data"])
        #expect(item.attribute(named: "MADE")?.type == .date)
        #expect(store.schema.entity(named: "Left")?.relationship(named: "item")?.isOrdered == true)
        #expect(store.schema.entity(named: "Right")?.relationship(named: "extras")?.isToMany == true)
        #expect(store.schema.entity(named: "Person")?.relationship(named: "friends")?.inverseName == "friends")
        #expect(try store.column("tags1.label", of: store.list("Item"), in: "Item")[0] == .list([.string("c"), .string("b")]))
        #expect(try store.column("data", of: store.list("Item"), in: "Item")[0] == .data(Data([1, 0x41, 0x42, 0x43])))
        #expect(try store.column("state", of: store.list("Left"), in: "Left")[0] == .integer(1))
    }

    @Test func modelNamedByTheUserMustBeReadable() throws {
        let folder = try TemporaryFolder()
        let path = try folder.database(CoreDataModelTests.tables)
        var options = CoreDataModelTests.options(CoreDataModelTests.model)
        options.modelPath = "/no/such.mom"
        #expect(throws: StoreError(file: "/no/such.mom", cause: .engine("not a model"))) {
            try SQLiteObjectStore.open(path: path, options: options)
        }
    }
}

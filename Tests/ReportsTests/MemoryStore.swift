import ObjectStore

/// Events with guests, in memory.
struct MemoryStore: ObjectStore {
    /// Values of an event by key path text; guests by event.
    var events: [ObjectKey: [String: Value]] = [:]
    var guests: [ObjectKey: [String: Value]] = [:]
    var guestsOfEvent: [ObjectKey: ContiguousArray<ObjectKey>] = [:]
    /// Reading an event from this one on fails.
    var brokenFrom: ObjectKey = .max

    /// What a fetch of the whole entity finds.
    var fetched = FetchedObjects(keys: [], sections: [])

    let name = "memory"
    let schema: Schema = {
        let names: [(String, AttributeType)] = [
            ("name", .string), ("when", .date), ("free", .boolean), ("price", .double), ("seats", .int64), ("logo", .binary),
            ("token", .uuid),
        ]
        var attributes = names.map { Attribute(name: $0.0, type: $0.1, columnName: "Z" + $0.0.uppercased()) }
        attributes.append(Attribute(name: "mood", type: .string, columnName: nil))
        let event = Entity(
            name: "Event", tableName: "ZEVENT", attributes: attributes,
            relationships: [
                Relationship(name: "host", destinationEntityName: "Guest", isToMany: false),
                Relationship(
                    name: "guests", destinationEntityName: "Guest", isToMany: true, isOrdered: true, inverseName: "event"),
            ])
        let guest = Entity(
            name: "Guest", tableName: "ZPERSON", superentityName: "Person",
            attributes: [Attribute(name: "name", type: .string, columnName: "ZNAME")],
            relationships: [Relationship(name: "event", destinationEntityName: "Event", isToMany: false, inverseName: "guests")])
        let person = Entity(name: "Person", tableName: "ZPERSON", isAbstract: true)
        let history = Entity(name: "ATRANSACTION", tableName: "ATRANSACTION", isSystem: true)
        return Schema(entities: [event, guest, person, history], origin: .cachedModel, warnings: ["the model is a guess"])
    }()

    func fetch(_ request: FetchRequest, progress: FetchProgress) throws(StoreError) -> FetchedObjects {
        guard case .related(let object, "guests") = request.scope else { return fetched }
        let keys = guestsOfEvent[object.key] ?? []
        return FetchedObjects(keys: keys, sections: keys.isEmpty ? [] : [.init(value: .null, count: keys.count)])
    }

    func count(of entityName: String) throws(StoreError) -> Int { entityName == "Event" ? 12_345 : 1 }

    func values(
        at keyPaths: [ObjectKeyPath], of keys: [ObjectKey], in entityName: String, as form: ValueForm
    ) throws(StoreError) -> [[Value]?] {
        let objects = entityName == "Event" ? events : guests
        var result: [[Value]?] = []
        for key in keys {
            if key >= brokenFrom { throw StoreError(file: name, cause: .busy) }
            result.append(objects[key].map { values in keyPaths.map { values[$0.text] ?? .null } })
        }
        return result
    }

    func uri(of object: ObjectID) -> String { "x-coredata://U/\(object.entityName)/p\(object.key)" }
    func concreteEntityName(of object: ObjectID) throws(StoreError) -> String { object.entityName }
}

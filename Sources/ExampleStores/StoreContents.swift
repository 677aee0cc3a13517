/// The objects of a store before it is written, and what may be wrong with them.
struct StoreContents {
    enum Value {
        case null
        case integer(Int)
        case real(Double)
        case text(String)
    }

    /// An object of an entity by its primary key, which counts from 1.
    struct ObjectID: Hashable {
        let entity: String
        let key: Int
    }

    let model: StoreModel
    /// By entity, in the order of their keys: values and to-one keys by property name.
    private(set) var rows: [String: [[String: Value]]] = [:]
    /// Pairs of owner's and destination's key, by join table.
    private(set) var joins: [String: [(owner: Int, destination: Int)]] = [:]

    init(model: StoreModel) {
        self.model = model
    }

    /// Adds an object with all its values.
    /// - Throws: a complaint where the model does not know a property, or demands one that is missing.
    mutating func insert(_ entity: String, _ values: [String: Value], to destinations: [String: ObjectID] = [:]) throws
        -> ObjectID
    {
        guard let description = model.entity(entity) else { throw Complaint("there is no entity \(entity)") }
        var row = values
        for name in values.keys where !description.attributes.contains(where: { $0.name == name }) {
            throw Complaint("\(entity) has no attribute \(name)")
        }
        for attribute in description.attributes where !attribute.isOptional {
            if case .null = values[attribute.name] ?? .null { throw Complaint("\(entity) without \(attribute.name): \(values)") }
        }
        for (name, destination) in destinations {
            guard let relationship = description.relationships.first(where: { $0.name == name && !$0.isToMany }),
                relationship.destination == destination.entity
            else { throw Complaint("\(entity) has no to-one \(name) to \(destination.entity)") }
            row[name] = .integer(destination.key)
        }
        rows[entity, default: []].append(row)
        return ObjectID(entity: entity, key: rows[entity]?.count ?? 0)
    }

    /// Joins two objects by a many-to-many relationship, named from the entity of the lower number.
    mutating func join(_ owner: ObjectID, _ name: String, _ destination: ObjectID) throws {
        guard let entity = model.entity(owner.entity),
            let join = entity.relationships.filter({ $0.name == name }).compactMap({ model.join(of: $0, from: entity) }).first
        else { throw Complaint("\(owner.entity).\(name) has no join table") }
        joins[join.tableName, default: []].append((owner.key, destination.key))
    }
}

/// What is wrong with the tables, in a sentence.
struct Complaint: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

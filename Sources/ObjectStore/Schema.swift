/// The entities of a store, as its model says or as they were inferred.
package struct Schema: Sendable, Equatable {
    /// Where the description came from.
    package enum Origin: Sendable, Equatable {
        /// The model that Core Data keeps inside the store.
        case cachedModel
        /// A model file, by path.
        case modelFile(String)
        /// Made from tables and columns.
        case inferred
    }

    /// In the store's own order; system entities come last.
    package var entities: [Entity]
    package var origin: Origin
    /// What the reader should know, such as a model that does not fit; whole sentences.
    package var warnings: [String]
    /// Whether the store's file is known to be damaged, as a warning says: what is shown may not be all.
    package var isDamaged = false
    /// Names of what the store says of itself; the values, which an app may have filled with secrets, are not read.
    package var metadataKeys: [String] = []

    package init(entities: [Entity], origin: Origin, warnings: [String] = []) {
        self.entities = entities
        self.origin = origin
        self.warnings = warnings
    }

    /// The entity of this name; exactly, else whatever its case. O(entities).
    package func entity(named name: String) -> Entity? {
        entities.first { $0.name == name } ?? entities.first { $0.name.lowercased() == name.lowercased() }
    }

    /// The entity to begin with where there is only one: neither the system's nor nested in another.
    package var onlyEntity: Entity? {
        let entities = entities.filter { !$0.isSystem && !$0.isNested }
        return entities.count == 1 ? entities[0] : nil
    }

    /// The entity and everything below it, in the store's order. O(entities × depth).
    package func subentities(of name: String) -> [Entity] {
        entities.filter { candidate in
            var current: Entity? = candidate
            var steps = 0
            while let entity = current, steps <= entities.count {
                if entity.name == name { return true }
                current = entity.superentityName.flatMap { parent in entities.first { $0.name == parent } }
                steps += 1
            }
            return false
        }
    }
}

/// A kind of object: a Core Data entity, a table, a view or a document collection.
package struct Entity: Sendable, Equatable {
    package var name: String
    package var tableName: String
    package var superentityName: String?
    package var isAbstract: Bool
    /// History, CloudKit, shadow tables: left out of listings, never out of reach.
    package var isSystem: Bool
    /// Whether its objects stand within those of another entity, as records do that are nested in a document's records: lists of
    /// entities show it, but it is nothing to begin with.
    package var isNested = false
    /// Inherited ones included.
    package var attributes: [Attribute]
    /// Inherited ones included.
    package var relationships: [Relationship]

    package init(
        name: String, tableName: String, superentityName: String? = nil, isAbstract: Bool = false, isSystem: Bool = false,
        attributes: [Attribute] = [], relationships: [Relationship] = []
    ) {
        self.name = name
        self.tableName = tableName
        self.superentityName = superentityName
        self.isAbstract = isAbstract
        self.isSystem = isSystem
        self.attributes = attributes
        self.relationships = relationships
    }

    /// The attribute of this name; exactly, else whatever its case.
    package func attribute(named name: String) -> Attribute? {
        attributes.first { $0.name == name } ?? attributes.first { $0.name.lowercased() == name.lowercased() }
    }

    /// The relationship of this name; exactly, else whatever its case.
    package func relationship(named name: String) -> Relationship? {
        relationships.first { $0.name == name } ?? relationships.first { $0.name.lowercased() == name.lowercased() }
    }
}

/// Attribute types by Core Data's names; the raw value is what `--schema` prints.
package enum AttributeType: String, Sendable, Equatable, CaseIterable {
    case int16 = "Int16"
    case int32 = "Int32"
    case int64 = "Int64"
    case decimal = "Decimal"
    case double = "Double"
    case float = "Float"
    case string = "String"
    case boolean = "Boolean"
    case date = "Date"
    case binary = "Binary"
    case uuid = "UUID"
    case uri = "URI"
    case transformable = "Transformable"
}

/// What an attribute's values may be besides what its type says; documents know no types of columns.
package struct AttributeTraits: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Values are lists of plain values (a value that is none counts as a list of itself); as one text their members are joined by `, `.
    package static let list = AttributeTraits(rawValue: 1)
    /// Booleans stand among values of other types; as texts they are `YES` and `NO`.
    package static let mixed = AttributeTraits(rawValue: 2)
}

/// A stored property.
package struct Attribute: Sendable, Equatable {
    package var name: String
    package var type: AttributeType
    /// Nil where nothing is stored (transient attributes).
    package var columnName: String?
    package var traits: AttributeTraits = []
    package var isTransient: Bool { columnName == nil }

    package init(name: String, type: AttributeType, columnName: String?) {
        self.name = name
        self.type = type
        self.columnName = columnName
    }
}

/// A way from an object to others.
package struct Relationship: Sendable, Equatable {
    package var name: String
    package var destinationEntityName: String
    package var isToMany: Bool
    package var isOrdered: Bool
    package var inverseName: String?
    /// Whether the object at its end is a part of this one alone, as a record nested in a record is.
    package var isNested = false

    package init(
        name: String, destinationEntityName: String, isToMany: Bool, isOrdered: Bool = false, inverseName: String? = nil
    ) {
        self.name = name
        self.destinationEntityName = destinationEntityName
        self.isToMany = isToMany
        self.isOrdered = isOrdered
        self.inverseName = inverseName
    }
}

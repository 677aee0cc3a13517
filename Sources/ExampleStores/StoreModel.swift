/// What a Core Data model says of a store, as far as the examples need it: no inheritance, nothing ordered.
struct StoreModel {
    enum AttributeType: String {
        case integer16 = "Integer 16"
        case boolean = "Boolean"
        case double = "Double"
        case string = "String"

        /// The column's type in SQL.
        var columnType: String {
            switch self {
            case .integer16, .boolean: "INTEGER"
            case .double: "FLOAT"
            case .string: "VARCHAR"
            }
        }
    }

    struct Attribute {
        let name: String
        let type: AttributeType
        var isOptional = false
    }

    struct Relationship {
        let name: String
        let destination: String
        let inverse: String
        var isToMany = false
        var deletionRule = "Nullify"
    }

    struct Entity {
        let name: String
        var attributes: [Attribute] = []
        var relationships: [Relationship] = []

        var tableName: String { "Z" + name.uppercased() }
    }

    /// A many-to-many relationship, from the entity of the lower number.
    struct Join {
        let relationship: Relationship
        let tableName: String
        /// The column that holds the keys of the objects the relationship starts from, and of those it leads to.
        let ownerColumn: String
        let destinationColumn: String
    }

    /// By name; the position, counted from 1, is `Z_ENT`.
    let entities: [Entity]

    init(entities: [Entity]) {
        self.entities = entities.sorted { $0.name.lowercased() < $1.name.lowercased() }
    }

    func number(of entity: String) -> Int {
        (entities.firstIndex { $0.name == entity } ?? -1) + 1
    }

    func entity(_ name: String) -> Entity? {
        entities.first { $0.name == name }
    }

    /// The join table of a relationship of this entity; nil if it is not many-to-many, or if the other side names it.
    func join(of relationship: Relationship, from entity: Entity) -> Join? {
        guard relationship.isToMany,
            let back = self.entity(relationship.destination)?.relationships.first(where: { $0.name == relationship.inverse }),
            back.isToMany
        else { return nil }
        let here = number(of: entity.name)
        let there = number(of: relationship.destination)
        guard here < there else { return nil }
        return Join(
            relationship: relationship, tableName: "Z_\(here)\(relationship.name.uppercased())",
            ownerColumn: "Z_\(here)\(back.name.uppercased())", destinationColumn: "Z_\(there)\(relationship.name.uppercased())")
    }

    /// The statements that make an empty store, columns in Core Data's order: numbers, keys of to-one relationships,
    /// fractions, texts.
    var schemaStatements: [String] {
        var statements: [String] = []
        for entity in entities {
            let attributes = entity.attributes.sorted { $0.name < $1.name }
            let toOne = entity.relationships.filter { !$0.isToMany }.sorted { $0.name < $1.name }
            var columns = ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"]
            for type in ["INTEGER", "FLOAT", "VARCHAR"] {
                columns += attributes.filter { $0.type.columnType == type }.map { "Z\($0.name.uppercased()) \(type)" }
                if type == "INTEGER" { columns += toOne.map { "Z\($0.name.uppercased()) INTEGER" } }
            }
            statements.append("CREATE TABLE \(entity.tableName) ( \(columns.joined(separator: ", ")) )")
            for relationship in toOne {
                let column = "Z" + relationship.name.uppercased()
                statements.append("CREATE INDEX \(entity.tableName)_\(column)_INDEX ON \(entity.tableName) (\(column))")
            }
            for join in entity.relationships.compactMap({ self.join(of: $0, from: entity) }) {
                statements.append(
                    "CREATE TABLE \(join.tableName) ( \(join.ownerColumn) INTEGER, \(join.destinationColumn) INTEGER, "
                        + "PRIMARY KEY (\(join.ownerColumn), \(join.destinationColumn)) )")
            }
        }
        return statements + [
            "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
            "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
        ]
    }

    /// The model as Xcode writes it: the file `contents` of an `.xcdatamodel`.
    var contents: String {
        var lines = [
            #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#,
            #"<model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="">"#,
        ]
        for entity in entities {
            lines.append(#"    <entity name="\#(entity.name)" syncable="YES">"#)
            for attribute in entity.attributes.sorted(by: { $0.name < $1.name }) {
                let optional = attribute.isOptional ? #" optional="YES""# : ""
                lines.append(
                    #"        <attribute name="\#(attribute.name)"\#(optional) attributeType="\#(attribute.type.rawValue)"/>"#)
            }
            for relationship in entity.relationships.sorted(by: { $0.name < $1.name }) {
                let count = relationship.isToMany ? #"toMany="YES""# : #"maxCount="1""#
                lines.append(
                    #"        <relationship name="\#(relationship.name)" optional="YES" \#(count) "#
                        + #"deletionRule="\#(relationship.deletionRule)" destinationEntity="\#(relationship.destination)" "#
                        + #"inverseName="\#(relationship.inverse)" inverseEntity="\#(relationship.destination)"/>"#)
            }
            lines.append("    </entity>")
        }
        return (lines + ["</model>", ""]).joined(separator: "\n")
    }
}

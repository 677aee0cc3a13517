package import ObjectStore

/// What `--schema` prints: the entities with their properties, inherited ones too; system entities are left out.
package struct SchemaReport {
    private let entities: [Entity]
    private let metadataKeys: [String]
    private let count: (String) throws(StoreError) -> Int?

    /// - Parameter count: number of an entity's objects, those of its sub-entities included; nil where counting takes too long.
    package init(schema: Schema, count: @escaping (String) throws(StoreError) -> Int?) {
        entities = schema.entities.filter { !$0.isSystem }
        metadataKeys = schema.metadataKeys
        self.count = count
    }

    // MARK: JSON

    /// The JSON of SPEC section 1, an entity after the other, a property a line.
    ///
    /// - Parameter withMetadata: adds the names of a Core Data store's metadata; never their values, which may be secret.
    package func json(withMetadata: Bool = false) throws(StoreError) -> String {
        var texts: [String] = []
        for entity in entities { texts.append(try json(entity)) }
        let metadata = withMetadata ? ", \"metadataKeys\": " + array(metadataKeys.map { string($0) }, indent: "  ") : ""
        return "{\"entities\": " + array(texts, indent: "  ") + metadata + "}\n"
    }

    private func json(_ entity: Entity) throws(StoreError) -> String {
        let attributes = entity.attributes.map { attribute in
            object([
                ("name", string(attribute.name)),
                ("type", string((attribute.traits.contains(.list) ? .transformable : attribute.type).rawValue)),
                ("column", string(attribute.columnName)),
            ])
        }
        let relationships = entity.relationships.map { relationship in
            object([
                ("name", string(relationship.name)), ("destination", string(relationship.destinationEntityName)),
                ("toMany", String(relationship.isToMany)), ("ordered", String(relationship.isOrdered)),
                ("inverse", string(relationship.inverseName)),
            ])
        }
        return object([
            ("name", string(entity.name)), ("table", string(entity.tableName)), ("superentity", string(entity.superentityName)),
            ("abstract", String(entity.isAbstract)), ("count", try count(entity.name).map(String.init) ?? "null"),
            ("attributes", array(attributes, indent: "    ")), ("relationships", array(relationships, indent: "    ")),
        ])
    }

    private func string(_ text: String?) -> String { text.map { PrintedValue.json($0) } ?? "null" }

    private func object(_ members: [(String, String)]) -> String {
        "{" + members.map { "\"\($0)\": \($1)" }.joined(separator: ", ") + "}"
    }

    private func array(_ elements: [String], indent: String) -> String {
        elements.isEmpty ? "[]" : "[\n" + elements.map { indent + $0 }.joined(separator: ",\n") + "\n" + indent.dropLast(2) + "]"
    }

    // MARK: Text

    /// A line for each entity (name, table, parent, count), and below it one for each property.
    package func text(columns: Int = 80, measure: TextMeasure) throws(StoreError) -> String {
        var lines: [String] = []
        for entity in entities {
            let count = try count(entity.name)
            var left = measure.printable(entity.name)
            if entity.tableName != entity.name { left += "  table \(measure.printable(entity.tableName))" }
            if let parent = entity.superentityName { left += "  is a \(measure.printable(parent))" }
            if entity.isAbstract { left += "  abstract" }
            let right = count.map { "\(TextForm.grouped($0)) object\($0 == 1 ? "" : "s")" } ?? "(takes too long to count)"
            lines.append(measure.line(left, right, columns: columns - 1))
            lines += propertyLines(entity, measure)
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private func propertyLines(_ entity: Entity, _ measure: TextMeasure) -> [String] {
        let attributes = entity.attributes.map { attribute in
            (
                attribute.name, attribute.traits.contains(.list) ? "list" : attribute.type.rawValue,
                attribute.columnName ?? "transient"
            )
        }
        let relationships = entity.relationships.map { relationship in
            let kind = relationship.isToMany ? (relationship.isOrdered ? "ordered to-many" : "to-many") : "to-one"
            let inverse = relationship.inverseName.map { ", inverse \($0)" } ?? ""
            return (relationship.name, kind, relationship.destinationEntityName + inverse)
        }
        let rows = (attributes + relationships).map { (measure.printable($0), $1, measure.printable($2)) }
        let nameWidth = rows.map { measure.width($0.0) }.max() ?? 0
        let kindWidth = rows.map { $0.1.count }.max() ?? 0
        return rows.map { name, kind, rest in
            let gap = String(repeating: " ", count: nameWidth - measure.width(name) + 2)
            return "    " + name + gap + kind + String(repeating: " ", count: kindWidth - kind.count + 2) + rest
        }
    }
}

package import ObjectStore

extension ListDescription {
    /// Columns beside the text in a list made from the schema.
    private static let columnsFromSchema = 2

    /// A list made from the schema: by the attribute that names the objects, in the order that a person expects, in sections by its first
    /// letter where it is a string, and a few further attributes as columns; with the schema also what the objects of to-one
    /// relationships are called.
    ///
    /// An entity without readable attributes has an empty text key path: its objects are shown by entity and key.
    package static func fromSchema(_ entity: Entity, in schema: Schema? = nil) -> ListDescription {
        let display = entity.displayAttribute
        let sort = display.map { [SortEntry(keyPath: $0.name, selector: .localizedStandardCompare)] } ?? []
        var list = ListDescription(entityName: entity.name, sortKeyPaths: sort, cellTextLabelKeyPath: display?.name ?? "")
        list.controllerTitle = entity.name
        if let display, display.type == .string {
            list.sectionKeyPath = "\(display.name).\(ObjectKeyPath.Derivation.firstLetter.rawValue)"
            list.sectionIndexTitlesEnabled = true
            list.sectionIndexTitlesAlphabetical = true
        }
        list.cellDetailTextLabelKeyPaths = columns(of: entity, besides: display, in: schema)
        list.showsDetailColumns = !list.cellDetailTextLabelKeyPaths.isEmpty
        return list
    }

    /// The first readable attributes that are no keys of tables, then names of related objects; keys only where there is nothing else.
    private static func columns(of entity: Entity, besides display: Attribute?, in schema: Schema?) -> [String] {
        let readable = entity.attributes.filter { !$0.isTransient && $0.type.isReadable && $0.name != display?.name }
        let isKey = { (attribute: Attribute) in
            attribute.type == .uuid || ["Id", "ID", "_id"].contains { attribute.name.hasSuffix($0) } || attribute.name == "id"
        }
        let related = entity.relationships.compactMap { relationship -> String? in
            guard !relationship.isToMany,
                let name = schema?.entity(named: relationship.destinationEntityName)?.displayAttribute, !isKey(name)
            else { return nil }
            return "\(relationship.name).\(name.name)"
        }
        let chosen = readable.filter { !isKey($0) }.map(\.name) + related
        return Array((chosen.isEmpty ? readable.map(\.name) : chosen).prefix(columnsFromSchema))
    }
}

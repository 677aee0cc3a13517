package import ObjectStore

extension DetailDescription {
    /// A detail made from the schema: every stored attribute and every relationship, labelled by its name; each to-many has a section
    /// of its own, after the rest.
    package static func fromSchema(_ entity: Entity, in schema: Schema) -> DetailDescription {
        var rows = entity.attributes.filter { !$0.isTransient }.map(Row.init(attribute:))
        var sections: [Section] = []
        for relationship in entity.relationships {
            if relationship.isNested {
                rows += nestedRows(relationship, in: schema)
                continue
            }
            let row = Row(relationship: relationship, in: schema)
            if relationship.isToMany {
                sections.append(Section(title: relationship.name, rows: [row]))
            } else {
                rows.append(row)
            }
        }
        if !rows.isEmpty { sections.insert(Section(rows: rows), at: 0) }
        return DetailDescription(sections: sections)
    }

    /// So many rows for the values in one nested record, and in those that are nested in it.
    private static let mostNestedRows = 100

    /// A row for each value of a record that is nested in the object, however deep, labelled by its key path; it leads to the record
    /// that it is of. One row where there is nothing to show but the record.
    private static func nestedRows(_ relationship: Relationship, in schema: Schema) -> [Row] {
        var rows: [Row] = []
        func add(_ relationship: Relationship, _ prefix: String, _ open: [String]) {
            let keyPath = prefix + relationship.name
            guard let entity = schema.entity(named: relationship.destinationEntityName), !open.contains(entity.name) else {
                return
            }
            let before = rows.count
            for attribute in entity.attributes where !attribute.isTransient && rows.count < mostNestedRows {
                let leaf = "\(keyPath).\(attribute.name)"
                rows.append(Row(type: .relationship, label: leaf, attributeKeyPath: leaf))
            }
            for inner in entity.relationships where inner.isNested { add(inner, keyPath + ".", open + [entity.name]) }
            if rows.count == before, rows.count < mostNestedRows {
                rows.append(Row(type: .relationship, label: keyPath, attributeKeyPath: keyPath))
            }
        }
        add(relationship, "", [])
        return rows
    }
}

extension DetailDescription.Row {
    fileprivate init(attribute: Attribute) {
        let type: DetailDescription.RowType =
            switch attribute.type {
            case .string: .multiLineValueSmallLabel
            case .boolean: .booleanSwitch
            default: .singleLineValueSmallLabel
            }
        self.init(type: type, label: attribute.name, attributeKeyPath: attribute.name)
        if attribute.type == .date {
            dateFormatterStyle = .medium
            timeFormatterStyle = .medium
        }
    }

    fileprivate init(relationship: Relationship, in schema: Schema) {
        let shown = schema.entity(named: relationship.destinationEntityName)?.displayAttribute?.name
        let keyPath = relationship.name + (shown.map { ".\($0)" } ?? "")
        let type: DetailDescription.RowType =
            !relationship.isToMany ? .relationship : relationship.isOrdered ? .toManyOrderedRelationship : .toManyRelationship
        self.init(type: type, label: relationship.name, attributeKeyPath: keyPath)
    }
}

extension Entity {
    /// The attribute that names an object to a reader: one called a name or a title, else the first string, else the first that can be
    /// read; nil where nothing but bytes is stored.
    package var displayAttribute: Attribute? {
        let readable = attributes.filter { !$0.isTransient && $0.type.isReadable }
        let plain = readable.filter { !$0.traits.contains(.list) }
        let stored = plain.isEmpty ? readable : plain
        let strings = stored.filter { $0.type == .string }
        let own = name.lowercased()
        let singular = own.hasSuffix("ies") ? own.dropLast(3) + "y" : own.hasSuffix("s") ? own.dropLast() : own[...]
        let exact = [
            "name", "title", "\(own)name", "\(singular)name", "\(own)title", "\(singular)title", "fullname", "displayname",
        ]
        let likely = ["lastname", "companyname", "label", "subject", "summary", "headline", "caption"]
        func string(called wanted: String) -> Attribute? {
            strings.first { $0.name.lowercased().filter { $0 != "_" && $0 != " " } == wanted }
        }
        // A person's title is how to address them, or what they do.
        let family = ["lastname", "surname", "familyname"].lazy.compactMap(string(called:)).first
        for wanted in exact + likely {
            if let attribute = string(called: wanted) { return wanted == "title" ? family ?? attribute : attribute }
        }
        let ending = strings.first { string in ["name", "title"].contains { string.name.lowercased().hasSuffix($0) } }
        return ending ?? strings.first ?? stored.first
    }
}

extension AttributeType {
    /// Whether a value is something to read, not bytes.
    var isReadable: Bool { self != .binary && self != .transformable }
}

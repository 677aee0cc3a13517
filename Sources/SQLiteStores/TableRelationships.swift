import ObjectStore

/// Makes relationships of foreign keys, with the names that SPEC section 6 gives them.
struct TableRelationships {
    let catalog: Catalog
    private(set) var entities: [Entity]
    private(set) var mappings: [String: EntityMapping]

    private struct Reference {
        var table: Catalog.Table
        var target: Catalog.Table
        var columns: [String]
        /// Nil: the target's key.
        var targetColumns: [String]?
    }

    init(catalog: Catalog, entities: [Entity], mappings: [String: EntityMapping]) {
        self.catalog = catalog
        self.entities = entities
        self.mappings = mappings
    }

    mutating func build() {
        let references = catalog.tables.flatMap { table in table.foreignKeys.compactMap { reference($0, of: table) } }
        // To-one names first, for all tables: what comes back must not take them.
        var names: [String] = []
        for reference in references {
            let name = freeName(toOneName(reference), in: reference.table.name) { appended(reference) }
            names.append(name)
            add(
                Relationship(name: name, destinationEntityName: reference.target.name, isToMany: false),
                .foreignKey(reference.columns, destination: reference.targetColumns), to: reference.table.name)
        }
        for (reference, name) in zip(references, names) where pairs(reference.table, references) == nil {
            let rivals = references.filter { $0.table.name == reference.table.name && $0.target.name == reference.target.name }
            let long =
                TableRelationships.lowerFirst(reference.table.name) + "By"
                + TableRelationships.upperFirst(reference.columns.joined())
            let short = rivals.count > 1 ? long : TableRelationships.lowerFirst(reference.table.name)
            let back = freeName(short, in: reference.target.name) { long }
            add(
                Relationship(name: back, destinationEntityName: reference.table.name, isToMany: true, inverseName: name),
                .inverse(reference.columns, owner: reference.targetColumns, order: nil), to: reference.target.name)
            setInverse(back, of: name, in: reference.table.name)
        }
        for table in catalog.tables {
            guard let (first, second) = pairs(table, references) else { continue }
            let isSelf = first.target.name == second.target.name
            let there = addFar(from: first, to: second, isSelf: isSelf)
            let back = addFar(from: second, to: first, isSelf: isSelf)
            setInverse(back, of: there, in: first.target.name)
            setInverse(there, of: back, in: second.target.name)
        }
    }

    private func reference(_ key: Catalog.ForeignKey, of table: Catalog.Table) -> Reference? {
        guard mappings[table.name] != nil, let target = catalog.table(key.table), let destination = mappings[target.name],
            key.columns.allSatisfy({ table.column($0) != nil })
        else { return nil }
        let columns = key.columns.compactMap { table.column($0)?.name }
        let wanted = (key.destination ?? target.primaryKey).compactMap { target.column($0)?.name }
        if wanted.isEmpty, key.destination == nil, columns.count == 1, case .table = destination.source {
            return Reference(table: table, target: target, columns: columns, targetColumns: nil)
        }
        guard wanted.count == columns.count else { return nil }
        if wanted.count == 1, wanted.first == TableSchemaBuilder.rowidAlias(target) {
            return Reference(table: table, target: target, columns: columns, targetColumns: nil)
        }
        return Reference(table: table, target: target, columns: columns, targetColumns: wanted)
    }

    /// The two foreign keys that a table consists of; nil for any other table.
    private func pairs(_ table: Catalog.Table, _ references: [Reference]) -> (Reference, Reference)? {
        let own = references.filter { $0.table.name == table.name }
        guard own.count == 2, table.foreignKeys.count == 2 else { return nil }
        let columns = own[0].columns + own[1].columns
        guard Set(columns).count == columns.count, Set(columns) == Set(table.columns.map(\.name)) else { return nil }
        return (own[0], own[1])
    }

    // MARK: Names

    private func toOneName(_ reference: Reference) -> String {
        guard reference.columns.count == 1, let column = reference.columns.first else {
            return TableRelationships.lowerFirst(reference.target.name)
        }
        for ending in ["_id", "_ID", "Id", "ID"] where column.hasSuffix(ending) && column.count > ending.count {
            let name = TableRelationships.lowerFirst(String(column.dropLast(ending.count)))
            if !name.isEmpty { return name }
        }
        return appended(reference)
    }

    private func appended(_ reference: Reference) -> String {
        TableRelationships.lowerFirst(reference.columns.joined()) + TableRelationships.upperFirst(reference.target.name)
    }

    private mutating func addFar(from near: Reference, to far: Reference, isSelf: Bool) -> String {
        let short = TableRelationships.lowerFirst(far.target.name)
        let long = short + "By" + TableRelationships.upperFirst(isSelf ? far.columns.joined() : far.table.name)
        let name = freeName(isSelf ? long : short, in: near.target.name) { long }
        add(
            Relationship(name: name, destinationEntityName: far.target.name, isToMany: true),
            .joinTable(
                near.table.name, owner: near.columns, ownerColumns: near.targetColumns, destination: far.columns,
                destinationColumns: far.targetColumns, order: nil), to: near.target.name)
        return name
    }

    /// A name that no other property of the entity has: the one wanted, the longer one, or that with a number.
    private func freeName(_ wanted: String, in entity: String, _ longer: () -> String) -> String {
        guard let found = entities.first(where: { $0.name == entity }) else { return wanted }
        let taken = Set((found.attributes.map(\.name) + found.relationships.map(\.name)).map { $0.lowercased() })
        if !taken.contains(wanted.lowercased()) { return wanted }
        let long = longer()
        if !taken.contains(long.lowercased()) { return long }
        var number = 2
        while taken.contains(long.lowercased() + String(number)) { number += 1 }
        return long + String(number)
    }

    /// As a property is written: words run together, the first letter (or a leading abbreviation) in lower case.
    static func lowerFirst(_ text: String) -> String {
        let name = words(text)
        let capitals = name.prefix { $0.isUppercase }
        if capitals.count <= 1 || capitals.count == name.count { return capitals.lowercased() + name.dropFirst(capitals.count) }
        let next = name.dropFirst(capitals.count).first
        // In XMLFile the F begins the next word; in ALBUM_ID there is none.
        let count = next?.isLowercase == true ? capitals.count - 1 : capitals.count
        return name.prefix(count).lowercased() + name.dropFirst(count)
    }

    static func upperFirst(_ text: String) -> String {
        let name = words(text)
        return name.prefix(1).uppercased() + name.dropFirst()
    }

    /// Without what a key path could not hold; a letter after such a character begins a word.
    private static func words(_ text: String) -> String {
        var result = ""
        var beginsWord = false
        for character in text {
            guard character.isLetter || character.isNumber || character == "_" else {
                beginsWord = !result.isEmpty
                continue
            }
            result += beginsWord ? character.uppercased() : String(character)
            beginsWord = false
        }
        return result
    }

    // MARK: Entities

    private mutating func add(_ relationship: Relationship, _ mapping: RelationshipMapping, to entity: String) {
        guard let index = entities.firstIndex(where: { $0.name == entity }) else { return }
        entities[index].relationships.append(relationship)
        mappings[entity]?.relationships[relationship.name] = mapping
    }

    private mutating func setInverse(_ inverse: String, of name: String, in entity: String) {
        guard let index = entities.firstIndex(where: { $0.name == entity }),
            let position = entities[index].relationships.firstIndex(where: { $0.name == name })
        else { return }
        entities[index].relationships[position].inverseName = inverse
    }
}

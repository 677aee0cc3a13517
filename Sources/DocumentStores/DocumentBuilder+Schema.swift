import ObjectStore
import SQLiteStores

/// The schema of what was read.
extension DocumentBuilder {
    struct Result {
        var schema: Schema
        var tables: [String: PrivateTable]
    }

    /// Decides on names and types, and readies the tables for looking up.
    func result() throws(ReadingFault) -> Result {
        // Of an entity whose records were all taken back nothing is left.
        for entity in entities {
            for field in entity.fields {
                if field.toOne?.rows == 0 { field.toOne = nil }
                if field.toMany?.rows == 0 { field.toMany = nil }
            }
        }
        let dropped = wrappers()
        let kept = entities.filter { !dropped[$0.number] }
        let names = entityNames(kept)
        var made: [Int: Entity] = [:]
        var tables: [Int: PrivateTable] = [:]
        var fieldNames: [Int: [Int: String]] = [:]
        for entity in kept {
            let name = names[entity.number] ?? entity.key
            var table = PrivateTable(name: entity.tableName, key: "k")
            var result = Entity(name: name, tableName: entity.key)
            result.isNested = entity.parent.map { !dropped[$0.number] } ?? false && !isOutermostList(entity)
            fieldNames[entity.number] = try attributes(of: entity, &result, &table)
            table.identifyingColumns = identifyingColumns(of: entity)
            made[entity.number] = result
            tables[entity.number] = table
        }
        for entity in kept {
            for (index, field) in entity.fields.enumerated() {
                // A key with one record here and a list of them there is to-many altogether.
                guard let child = field.toMany ?? field.toOne, !dropped[child.number] else { continue }
                let name = fieldNames[entity.number]?[index] ?? field.key
                try relate(entity, index, name, child, &made, &tables)
            }
        }
        // The one object around everything says least, so it comes last.
        let order = rootIsObject ? kept.filter { $0 !== root } + kept.filter { $0 === root } : kept
        var schema = Schema(entities: order.compactMap { made[$0.number] }, origin: .inferred, warnings: warnings.sentences)
        // Something of the document is missing, not only odd.
        schema.isDamaged = warnings.count(.end) + warnings.count(.line) > 0
        return Result(
            schema: schema,
            tables: Dictionary(
                kept.compactMap { entity in made[entity.number].flatMap { e in tables[entity.number].map { (e.name, $0) } } },
                uniquingKeysWith: { first, _ in first }))
    }

    /// Entities that only hold others together: one record at most, without values of its own.
    private func wrappers() -> [Bool] {
        var dropped = [Bool](repeating: false, count: entities.count)
        for entity in entities {
            let isOutermost = entity.parent.map { dropped[$0.number] } ?? rootIsObject
            let hasValues = entity.fields.contains { $0.statistics.values > 0 }
            let holdsOthers = entity.fields.contains { $0.toOne != nil || $0.toMany != nil }
            if entity !== root, entity.rows == 0 {
                dropped[entity.number] = true
                continue
            }
            let isList = entity.parent?.fields.contains { $0.toMany === entity } ?? false
            dropped[entity.number] = isOutermost && !isList && entity.rows <= 1 && !hasValues && holdsOthers
        }
        return dropped
    }

    /// Whether it is a list that the one object around everything holds, itself or by single records.
    private func isOutermostList(_ entity: EntityBuilder) -> Bool {
        guard rootIsObject, entity.parent?.fields.contains(where: { $0.toMany === entity }) ?? false else { return false }
        var outer = entity.parent
        while let current = outer {
            guard current.rows <= 1 else { return false }
            outer = current.parent
        }
        return true
    }

    private func entityNames(_ kept: [EntityBuilder]) -> [Int: String] {
        var names: [Int: String] = [:]
        var taken: Set<String> = []
        // Keys are what a list plist knows; the object around them all takes what is left.
        for entity in rootIsObject ? kept.filter({ $0 !== root }) + kept.filter({ $0 === root }) : kept {
            var candidates = [entity.key.isEmpty ? "record" : entity.key]
            if let parent = entity.parent, let outer = names[parent.number] { candidates.append(outer + capitalised(entity.key)) }
            let name = DocumentBuilder.unique(candidates, &taken)
            names[entity.number] = name
        }
        return names
    }

    private func capitalised(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

    /// The first name that is free whatever its case, else the last with a number.
    static func unique(_ candidates: [String], _ taken: inout Set<String>) -> String {
        for candidate in candidates where taken.insert(candidate.lowercased()).inserted { return candidate }
        let base = candidates.last ?? ""
        var number = 2
        while true {
            let name = base + String(number)
            if taken.insert(name.lowercased()).inserted { return name }
            number += 1
        }
    }

    /// A key as a step of a key path: without what key paths mean something by.
    static func keyPathName(_ key: String) -> String {
        if key.isEmpty { return "value" }
        let name = key.contains(".") ? String(key.map { $0 == "." ? "_" : $0 }) : key
        return name.hasPrefix("@") ? "_" + name.dropFirst() : name
    }

    /// A key as the last step of a key path, where it means itself, dots and all: unless it leads into a record beside it, says what
    /// is made of a value, or has an empty step.
    private static func attributeName(_ key: String, records: Set<String>) -> String {
        let steps = key.split(separator: ".", omittingEmptySubsequences: false)
        let isTaken =
            steps.contains("") || steps.last.flatMap { ObjectKeyPath.Derivation(rawValue: String($0)) } != nil
            || steps.count > 1 && records.contains(String(steps[0]))
        return isTaken ? keyPathName(key) : key
    }

    /// What tells a record of a dictionary from others: the record that holds the dictionary, where there is more than one, and its key.
    private func identifyingColumns(of entity: EntityBuilder) -> [String] {
        guard let field = entity.memberKeyField, let column = entity.fields[field].column, !entity.repeatsMemberKeys else {
            return []
        }
        var columns = [EntityBuilder.columnName(column)]
        let parents = entity.columns.indices.filter { if case .parent = entity.columns[$0] { true } else { false } }
        guard parents.count <= 1 else { return [] }
        if let parent = parents.first, let outer = entity.parent, outer.rows > 1 {
            columns.insert(EntityBuilder.columnName(parent), at: 0)
        }
        return columns
    }

    // MARK: Attributes

    /// Adds the attributes; the names of the fields that hold records.
    private func attributes(
        of entity: EntityBuilder, _ result: inout Entity, _ table: inout PrivateTable
    ) throws(ReadingFault) -> [Int: String] {
        // Keys that differ in their case only are different keys.
        var taken: Set<String> = []
        var names: [Int: String] = [:]
        let holding = entity.fields.map { $0.toOne != nil || $0.toMany != nil }
        let records = Set(zip(entity.fields, holding).filter(\.1).map { DocumentBuilder.keyPathName($0.0.key) })
        // Keys that keep their name come first, so that no other takes it.
        let wanted = zip(entity.fields, holding).map { field, holdsRecords in
            holdsRecords
                ? DocumentBuilder.keyPathName(field.key) : DocumentBuilder.attributeName(field.key, records: records)
        }
        for isRenamed in [false, true] {
            for (index, field) in entity.fields.enumerated() where (wanted[index] != field.key) == isRenamed {
                names[index] = uniqueName(wanted[index], &taken)
                guard let name = names[index], name != field.key else { continue }
                warnings.add(
                    .renamed, "The key “\(field.key)” of “\(result.name)” is called “\(name)” in key paths.")
            }
        }
        var conversions: [String] = []
        for (index, field) in entity.fields.enumerated() {
            let holdsRecords = field.toOne != nil || field.toMany != nil
            if holdsRecords, field.statistics.values == 0 { continue }
            var name = names[index] ?? field.key
            if holdsRecords {
                name = uniqueName(name + "Value", &taken)
                warnings.add(
                    .mixed,
                    "“\(field.key)” of “\(result.name)” holds records and plain values; the plain ones are under “\(name)”.")
            }
            let column = try valueColumn(of: entity, field: index).map { EntityBuilder.columnName($0) }
            if let column, let numbers = field.statistics.inferredNumbers { try readNumbers(column, numbers, of: entity, index) }
            let type = field.statistics.type
            // A key that is never more than null still is one.
            var attribute = Attribute(name: name, type: type, columnName: field.key)
            if field.statistics.hasLists { attribute.traits.insert(.list) }
            if field.spellsBooleans { attribute.traits.insert(.mixed) }
            result.attributes.append(attribute)
            table.columns[name] = column
            table.sources[name] = field.sourceColumn.map { EntityBuilder.columnName($0) }
            if type == .date, field.statistics.dateTexts > 0 { table.textDates.insert(name) }
            if let column, type == .double, field.statistics.integers > 0 {
                // One number, one spelling: else 3 and 3.0 would be two sections.
                conversions.append(
                    "\(column) = CASE typeof(\(column)) WHEN 'integer' THEN CAST(\(column) AS REAL) ELSE \(column) END")
            }
        }
        if !conversions.isEmpty {
            try database.execute("UPDATE \(entity.tableName) SET " + conversions.joined(separator: ", "))
        }
        return names
    }

    /// Texts become the numbers that they spell; the spelling stays where the number alone would have another.
    private func readNumbers(
        _ column: String, _ statistics: ColumnStatistics, of entity: EntityBuilder, _ field: Int
    ) throws(ReadingFault) {
        guard let source = try sourceColumn(of: entity, field: field).map({ EntityBuilder.columnName($0) }) else { return }
        entity.fields[field].statistics = statistics
        try database.execute(
            "UPDATE \(entity.tableName) SET \(source) = \(column), \(column) = CAST(\(column) AS NUMERIC);"
                + " UPDATE \(entity.tableName) SET \(source) = NULL WHERE CAST(\(column) AS TEXT) = \(source)")
    }

    // MARK: Relationships

    private func relate(
        _ entity: EntityBuilder, _ field: Int, _ name: String, _ child: EntityBuilder, _ made: inout [Int: Entity],
        _ tables: inout [Int: PrivateTable]
    ) throws(ReadingFault) {
        let isToMany = entity.fields[field].toMany != nil
        guard let owner = made[entity.number], let destination = made[child.number],
            let parent = child.parentColumn(entity: entity.number, field: field).map({ EntityBuilder.columnName($0) })
        else { return }
        var relationship = Relationship(
            name: name, destinationEntityName: destination.name, isToMany: isToMany, isOrdered: isToMany)
        relationship.isNested = !isToMany
        let hasWayBack = !(rootIsObject && entity === root)
        if hasWayBack {
            // Named after what it leads to; beside other names of the child.
            let base = DocumentBuilder.keyPathName(owner.name.prefix(1).lowercased() + owner.name.dropFirst())
            var back = entity === child ? "parent" : base
            // Keys that hold records become relationships of this name still.
            var known = Set(destination.attributes.map(\.name) + destination.relationships.map(\.name))
            for field in child.fields { known.insert(DocumentBuilder.keyPathName(field.key)) }
            if known.contains(back) { back += "Parent" }
            var number = 2
            while known.contains(back) {
                back = base + String(number)
                number += 1
            }
            relationship.inverseName = back
            made[child.number]?.relationships.append(
                Relationship(name: back, destinationEntityName: owner.name, isToMany: false, inverseName: name))
            tables[child.number]?.relationships[back] = .toOne(column: parent)
        }
        made[entity.number]?.relationships.append(relationship)
        if isToMany {
            tables[entity.number]?.relationships[name] = .toMany(column: parent)
            // Without it each look at a record's children would read all there are.
            try database.execute("CREATE INDEX \(child.tableName)\(parent) ON \(child.tableName)(\(parent))")
        } else if let column = entity.fields[field].toOneColumn {
            tables[entity.number]?.relationships[name] = .toOne(column: EntityBuilder.columnName(column))
        }
    }
}

extension ColumnStatistics {
    /// What there is where all texts are the numbers that they spell; nil where they are not.
    var inferredNumbers: ColumnStatistics? {
        guard numberTexts > 0, numberTexts == values, emptyLists == 0 else { return nil }
        var numbers = ColumnStatistics()
        numbers.integers = integerTexts
        // Exact, whatever they are: their spelling is kept.
        if integerTexts < numberTexts { numbers.longNumbers = numberTexts - integerTexts }
        return numbers
    }

    /// The type of all values; those that have none in common are a string's, each kept as it is.
    var type: AttributeType {
        switch values {
        case 0: .string
        case integers: .int64
        // Numbers that no double can tell from their neighbours stay what they are.
        case doubles + integers + longNumbers: longNumbers == 0 && (longIntegers == 0 || integers == 0) ? .double : .decimal
        case booleans: .boolean
        case texts: texts == dateTexts ? .date : .string
        case dates: .date
        case data: .binary
        default: .string
        }
    }
}

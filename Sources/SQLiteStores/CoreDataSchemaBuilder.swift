import ObjectStore

/// Puts a model and a store's tables together: which entity, attribute and relationship lies in which table and column.
///
/// The rules are those measured on real stores (reference, part 1, sections 2 to 4).
struct CoreDataSchemaBuilder {
    typealias EntityRow = CoreDataStoreReader.EntityRow

    let rows: [EntityRow]
    let catalog: Catalog
    let model: ManagedObjectModel?
    var warnings: [String] = []

    /// Entities by number, and the way up from each to its root; cycles in the file are cut.
    let rowsByNumber: [Int64: EntityRow]
    let rowsByName: [String: EntityRow]
    let descriptions: [String: ManagedObjectModel.EntityDescription]
    private let lines: [Int64: [EntityRow]]

    init(rows: [EntityRow], catalog: Catalog, model: ManagedObjectModel?) {
        self.rows = rows
        self.catalog = catalog
        self.model = model
        rowsByNumber = Dictionary(rows.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
        rowsByName = Dictionary(rows.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        descriptions = Dictionary((model?.entities ?? []).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let parents = rowsByNumber
        lines = parents.mapValues { row in
            var line = [row]
            // Real hierarchies are a handful deep.
            while line.count < 64, let last = line.last, last.superNumber != 0, let parent = parents[last.superNumber],
                !line.contains(parent)
            {
                line.append(parent)
            }
            return line
        }
    }

    /// Whether a model that nobody named belongs to this store: the same entities, no other hash, no missing column.
    static func fits(
        _ model: ManagedObjectModel, rows: [EntityRow], catalog: Catalog, storeHashes: [String: [UInt8]]
    ) -> Bool {
        let builder = CoreDataSchemaBuilder(rows: rows, catalog: catalog, model: model)
        guard Set(model.entities.map(\.name)) == Set(rows.filter { !builder.isSystem($0) }.map(\.name)) else { return false }
        guard builder.differingEntities(storeHashes).isEmpty else { return false }
        let columns = builder.assignColumns()
        return columns.allSatisfy { builder.catalog.table($0.value.table)?.column($0.value.column) != nil }
    }

    /// Entities whose version hash in the model is not the store's.
    func differingEntities(_ storeHashes: [String: [UInt8]]) -> [String] {
        guard let model else { return [] }
        return model.versionHashes.filter { name, hash in storeHashes[name].map { $0 != hash } ?? false }.map(\.key).sorted()
    }

    // MARK: Hierarchy

    /// From the entity to its root, itself first.
    func lineage(_ row: EntityRow) -> [EntityRow] { lines[row.number] ?? [row] }

    func root(_ row: EntityRow) -> EntityRow { lineage(row).last ?? row }

    func table(_ row: EntityRow) -> Catalog.Table? {
        let name = root(row).name.uppercased()
        return catalog.table("Z" + name) ?? catalog.table("A" + name)
    }

    func isSystem(_ row: EntityRow) -> Bool {
        row.number >= 16001 || row.name.hasPrefix("NSCK") || root(row).name.hasPrefix("NSCK")
            || table(row).map { $0.name.hasPrefix("ANSCK") || $0.name.hasPrefix("ACLOUDKIT") } ?? false
    }

    // MARK: Columns of the model's properties

    struct PropertyKey: Hashable {
        var entity: String
        var property: String
    }

    struct Place: Equatable {
        var table: String
        var column: String
    }

    /// The column of each stored attribute and to-one relationship of the model, by the entity that declares it.
    ///
    /// Entities in the order of their numbers, properties by name: the first owner of a name keeps it, later ones of the same
    /// hierarchy get 1, 2, 3.
    func assignColumns() -> [PropertyKey: Place] {
        var places: [PropertyKey: Place] = [:]
        var taken: [String: Set<String>] = [:]
        for row in rows.sorted(by: { $0.number < $1.number }) {
            guard let entity = descriptions[row.name], let table = table(row) else { continue }
            let attributes = entity.attributes.filter { !$0.isTransient && $0.typeCode != 0 }.map(\.name)
            let toOnes = entity.relationships.filter { !$0.isToMany && !$0.isTransient }.map(\.name)
            for name in (attributes + toOnes).sorted() {
                let base = "Z" + name.uppercased()
                var column = base
                var number = 0
                while taken[table.name]?.contains(column) == true {
                    number += 1
                    column = base + String(number)
                }
                taken[table.name, default: []].insert(column)
                places[PropertyKey(entity: row.name, property: name)] = Place(table: table.name, column: column)
            }
        }
        return places
    }

    // MARK: Building

    mutating func build(
        origin: Schema.Origin, storeHashes: [String: [UInt8]], inference: CoreDataInference
    ) throws(StoreError) -> StoreMapping {
        noteDifferences(storeHashes)
        let places = assignColumns()
        var entities: [Entity] = []
        var mappings: [String: EntityMapping] = [:]
        var inferred: CoreDataInference.Result?
        for row in rows {
            var entity = Entity(
                name: row.name, tableName: table(row)?.name ?? "", superentityName: rowsByNumber[row.superNumber]?.name,
                isAbstract: descriptions[row.name]?.isAbstract ?? false, isSystem: isSystem(row))
            var mapping = EntityMapping(source: source(row), filter: filter(row))
            let isDescribed = lineage(row).allSatisfy { descriptions[$0.name] != nil }
            if isDescribed {
                for ancestor in lineage(row).reversed() {
                    addProperties(of: ancestor, to: &entity, &mapping, places)
                }
            } else {
                if inferred == nil { inferred = try inference.infer(self) }
                inferred?.add(to: &entity, &mapping, root: root(row).name)
            }
            if mapping.source == .nothing {
                // No rows, so no columns to read them from.
                for index in entity.attributes.indices { entity.attributes[index].columnName = nil }
                mapping.attributes = [:]
                mapping.relationships = [:]
            }
            if mapping.source == .nothing, !entity.isSystem {
                warnings.append("The entity “\(row.name)” has no table in this store.")
            }
            entities.append(entity)
            mappings[row.name] = mapping
        }
        entities = entities.filter { !$0.isSystem } + entities.filter(\.isSystem)
        warnings = Array(warnings.prefix(200))
        return StoreMapping(
            schema: Schema(entities: entities, origin: origin, warnings: warnings), entities: mappings, storeIdentifier: nil,
            externalDataFolder: nil)
    }

    private mutating func noteDifferences(_ storeHashes: [String: [UInt8]]) {
        guard let model else { return }
        let differing = differingEntities(storeHashes)
        if !differing.isEmpty {
            warnings.append(
                "The model is of another version than the store; these entities differ: \(differing.joined(separator: ", ")).")
        }
        let unknown = model.entities.map(\.name).filter { rowsByName[$0] == nil }
        if !unknown.isEmpty {
            warnings.append("The model has entities that the store does not have: \(unknown.joined(separator: ", ")).")
        }
        let undescribed = rows.filter { !isSystem($0) && descriptions[$0.name] == nil }.map(\.name)
        if !undescribed.isEmpty {
            warnings.append("The model lacks entities of the store, which are inferred: \(undescribed.joined(separator: ", ")).")
        }
    }

    private func source(_ row: EntityRow) -> RowSource {
        guard let table = table(row), table.kind == .table, !table.isWithoutRowid, table.column("Z_PK") != nil else {
            return .nothing
        }
        return .table(table.name, key: "Z_PK")
    }

    private func filter(_ row: EntityRow) -> EntityMapping.Filter? {
        let top = root(row)
        let family = rows.filter { root($0) == top }
        guard family.count > 1, table(row)?.column("Z_ENT") != nil else { return nil }
        let below = family.filter { lineage($0).contains(row) }
        return EntityMapping.Filter(
            column: "Z_ENT", numbers: row == top ? nil : below.map(\.number),
            entityNames: Dictionary(family.map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first }))
    }

    private mutating func addProperties(
        of row: EntityRow, to entity: inout Entity, _ mapping: inout EntityMapping, _ places: [PropertyKey: Place]
    ) {
        guard let description = descriptions[row.name] else { return }
        for attribute in description.attributes where !entity.attributes.contains(where: { $0.name == attribute.name }) {
            let type = CoreDataSchemaBuilder.type(attribute.typeCode)
            let place = places[PropertyKey(entity: row.name, property: attribute.name)]
            let column = place.flatMap { catalog.table($0.table)?.column($0.column)?.name }
            if let place, column == nil, entity.name == row.name {
                warnings.append("“\(row.name).\(attribute.name)” is in the model, but the store has no column \(place.column).")
            }
            entity.attributes.append(Attribute(name: attribute.name, type: type, columnName: column))
            guard let column else { continue }
            mapping.attributes[attribute.name] = AttributeMapping(
                column: column, type: type, externalStorage: attribute.allowsExternalStorage ? .tagged : .never)
        }
        for relationship in description.relationships where !relationship.isTransient {
            guard rowsByName[relationship.destinationEntityName] != nil, entity.relationship(named: relationship.name) == nil
            else {
                continue
            }
            entity.relationships.append(
                Relationship(
                    name: relationship.name, destinationEntityName: relationship.destinationEntityName,
                    isToMany: relationship.isToMany,
                    isOrdered: relationship.isOrdered, inverseName: relationship.inverseName))
            if let path = relationshipMapping(relationship, of: row, places) {
                mapping.relationships[relationship.name] = path
            } else if entity.name == row.name {
                warnings.append("“\(row.name).\(relationship.name)” is in the model, but the store has no columns for it.")
            }
        }
    }

    /// By Core Data's number for the type; an undefined one is shown as what is stored.
    static func type(_ code: Int) -> AttributeType {
        switch code {
        case 100: .int16
        case 200: .int32
        case 300: .int64
        case 400: .decimal
        case 500: .double
        case 600: .float
        case 700: .string
        case 800: .boolean
        case 900: .date
        case 1000: .binary
        case 1100: .uuid
        case 1200: .uri
        default: .transformable
        }
    }
}

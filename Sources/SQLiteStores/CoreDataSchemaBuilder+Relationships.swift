import ObjectStore

extension CoreDataSchemaBuilder {
    /// Where the tables keep a relationship of the model (reference, part 1, section 4); nil if they do not show it.
    func relationshipMapping(
        _ relationship: ManagedObjectModel.RelationshipDescription, of row: EntityRow, _ places: [PropertyKey: Place]
    ) -> RelationshipMapping? {
        guard let destination = rowsByName[relationship.destinationEntityName], let destinationTable = table(destination) else {
            return nil
        }
        if !relationship.isToMany {
            guard let place = places[PropertyKey(entity: row.name, property: relationship.name)],
                let column = catalog.table(place.table)?.column(place.column)?.name
            else { return nil }
            return .foreignKey([column], destination: nil)
        }
        if let inverseName = relationship.inverseName, let inverse = self.relationship(inverseName, of: destination) {
            if inverse.description.isToMany {
                return joinTable(relationship, owner: row, inverse: inverseName, destination: destination)
            }
            guard let place = places[PropertyKey(entity: inverse.owner.name, property: inverseName)],
                let column = destinationTable.column(place.column)?.name
            else { return nil }
            let order = destinationTable.column("Z_FOK_" + column.dropFirst())?.name
            return .inverse([column], owner: nil, order: order)
        }
        return withoutInverse(relationship, owner: row, destinationTable)
    }

    /// A relationship by name, own or inherited, and the entity that declares it.
    private func relationship(
        _ name: String, of row: EntityRow
    ) -> (description: ManagedObjectModel.RelationshipDescription, owner: EntityRow)? {
        for ancestor in lineage(row) {
            if let found = descriptions[ancestor.name]?.relationships.first(where: { $0.name == name }) {
                return (found, ancestor)
            }
        }
        return nil
    }

    /// `Z<owner><NAME>` in the destination's table.
    private func withoutInverse(
        _ relationship: ManagedObjectModel.RelationshipDescription, owner: EntityRow, _ table: Catalog.Table
    ) -> RelationshipMapping? {
        let name = relationship.name.uppercased()
        let wanted = "Z\(owner.number)\(name)"
        let column =
            table.column(wanted)
            ?? table.columns.first { CoreDataSchemaBuilder.numbered($0.name, prefix: "Z").map { $0.name == name } ?? false }
        guard let column else { return nil }
        return .inverse([column.name], owner: nil, order: table.column("Z_FOK_" + column.name.dropFirst())?.name)
    }

    /// The table of pairs, named by either side; its columns may stand in either order and may be numbered.
    private func joinTable(
        _ relationship: ManagedObjectModel.RelationshipDescription, owner: EntityRow, inverse: String, destination: EntityRow
    ) -> RelationshipMapping? {
        let name = relationship.name.uppercased()
        let back = inverse.uppercased()
        let ownerNumbers = Set(lineage(owner).map(\.number))
        let destinationNumbers = Set(lineage(destination).map(\.number))
        var best: (score: Int, mapping: RelationshipMapping)?
        for table in catalog.tables where table.kind == .table {
            guard let title = CoreDataSchemaBuilder.numbered(table.name, prefix: "Z_"), title.name == name || title.name == back
            else {
                continue
            }
            let isOwn = name == back && owner == destination
            // The column of a relationship holds the keys of its destinations.
            guard let toDestination = joinColumn(name, destinationNumbers, table),
                let toOwner = isOwn
                    ? table.columns.first(where: { $0.name != toDestination.name && !$0.name.hasPrefix("Z_FOK_") })?.name
                    : joinColumn(back, ownerNumbers, table, besides: toDestination.name)?.name
            else { continue }
            var score = toDestination.score
            if (title.name == name && ownerNumbers.contains(title.number))
                || (title.name == back && destinationNumbers.contains(title.number))
            {
                score += 2
            }
            guard best.map({ score > $0.score }) ?? true else { continue }
            best = (
                score,
                .joinTable(
                    table.name, owner: [toOwner], ownerColumns: nil, destination: [toDestination.name], destinationColumns: nil,
                    order: table.column("Z_FOK_" + toDestination.name.dropFirst(2))?.name)
            )
        }
        return best?.mapping
    }

    private func joinColumn(
        _ name: String, _ numbers: Set<Int64>, _ table: Catalog.Table, besides: String? = nil
    ) -> (name: String, score: Int)? {
        var best: (name: String, score: Int)?
        for column in table.columns where column.name != besides && !column.name.hasPrefix("Z_FOK_") {
            guard let parts = CoreDataSchemaBuilder.numbered(column.name, prefix: "Z_") else { continue }
            let isExact = parts.name == name
            guard isExact || CoreDataSchemaBuilder.withoutDigits(parts.name) == name else { continue }
            let score = (isExact ? 2 : 0) + (numbers.contains(parts.number) ? 4 : 0)
            if best.map({ score > $0.score }) ?? true { best = (column.name, score) }
        }
        return best
    }

    /// `Z_12NAME` → 12 and `NAME`; nil for anything of another shape.
    static func numbered(_ text: String, prefix: String) -> (number: Int64, name: String)? {
        guard text.hasPrefix(prefix) else { return nil }
        let rest = text.dropFirst(prefix.count)
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        guard !digits.isEmpty, let number = Int64(digits), digits.count < rest.count else { return nil }
        return (number, String(rest.dropFirst(digits.count)))
    }

    static func withoutDigits(_ text: String) -> String {
        var result = text
        while let last = result.last, last.isASCII, last.isNumber { result.removeLast() }
        return result
    }
}

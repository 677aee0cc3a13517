package import ObjectStore

/// How a list is sorted and grouped, chosen on the spot; what is nil stays as the plist says.
package struct ListArrangement: Sendable, Equatable, Codable {
    package struct SortKey: Sendable, Equatable, Codable {
        package var keyPath: String
        package var ascending: Bool

        package init(keyPath: String, ascending: Bool) {
            self.keyPath = keyPath
            self.ascending = ascending
        }
    }

    /// Whether to group at all, and by what.
    package enum Grouping: Sendable, Equatable, Codable {
        case none
        case keyPath(String)
    }

    package var sort: [SortKey]?
    package var grouping: Grouping?

    package init(sort: [SortKey]? = nil, grouping: Grouping? = nil) {
        self.sort = sort
        self.grouping = grouping
    }

    /// This arrangement, and another one's where this one says nothing.
    package func over(_ other: ListArrangement) -> ListArrangement {
        ListArrangement(sort: sort ?? other.sort, grouping: grouping ?? other.grouping)
    }
}

extension ListDescription {
    /// The list arranged in another way. Strings are compared as the plist's first sort key has it.
    package func arranged(_ arrangement: ListArrangement) -> ListDescription {
        var description = self
        if let sort = arrangement.sort {
            let selector = sortKeyPaths.first?.selector ?? .localizedStandardCompare
            description.sortKeyPaths = sort.map { SortEntry(keyPath: $0.keyPath, ascending: $0.ascending, selector: selector) }
        }
        switch arrangement.grouping {
        case .none?: description.sectionKeyPath = nil
        case .keyPath(let path)?:
            description.sectionKeyPath = path
            // An index of the sections' own letters fits any grouping; the alphabet only the plist's own.
            if path != sectionKeyPath {
                description.sectionIndexTitlesEnabled = true
                description.sectionIndexTitlesAlphabetical =
                    path.hasSuffix(ObjectKeyPath.Derivation.firstLetter.rawValue)
                    || path == ObjectKeyPath.Derivation.nameFirstLetter.rawValue
            }
        case nil: break
        }
        return description
    }
}

extension ResolvedList {
    /// The list arranged in another way, with the same predicate; nil where the arrangement does not fit the schema.
    package func arranged(_ arrangement: ListArrangement, in schema: Schema) -> ResolvedList? {
        var arranged = description.arranged(arrangement).resolve(in: schema).list
        // The command line's filter is not in the description.
        arranged?.predicate = predicate
        return arranged
    }
}

extension Schema {
    /// The key paths that the objects of an entity may be sorted by: stored attributes, then what to-one relationships are called by.
    package func sortChoices(of entity: Entity) -> [String] {
        let own = entity.attributes.filter { !$0.isTransient && $0.type.isOrderable }.map(\.name)
        let related = entity.relationships.filter { !$0.isToMany }.compactMap { relationship in
            self.entity(named: relationship.destinationEntityName)?.displayAttribute.map { "\(relationship.name).\($0.name)" }
        }
        return own + related
    }

    /// The key paths that they may be grouped by: the same, and parts of texts and dates.
    package func groupingChoices(of entity: Entity) -> [String] {
        sortChoices(of: entity).flatMap { choice -> [String] in
            guard let path = try? keyPath(choice, in: entity.name), let type = path.type else { return [choice] }
            switch type {
            case .string, .uri: return ["\(choice).@firstLetter", choice]
            case .date: return ["\(choice).@year", "\(choice).@month", "\(choice).@day"]
            default: return [choice]
            }
        }
    }
}

extension AttributeType {
    /// Whether an order by it means anything to a reader.
    fileprivate var isOrderable: Bool {
        switch self {
        case .binary, .transformable: false
        default: true
        }
    }
}

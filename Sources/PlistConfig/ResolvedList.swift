package import ObjectStore

/// A list description whose names have been found in a schema: what a list is fetched and shown by.
package struct ResolvedList: Sendable, Equatable {
    package let description: ListDescription
    package let entity: Entity
    /// Entries on transient attributes are left out.
    package let sortDescriptors: [SortDescriptor]
    /// Nil: one list without sections.
    package let sectionKeyPath: ObjectKeyPath?
    /// Nil: a transient attribute, shown as NULL.
    package let textKeyPath: ObjectKeyPath?
    /// One for each of the description's `cellDetailTextLabelKeyPaths`, nil where that is a transient attribute.
    package let detailTextKeyPaths: [ObjectKeyPath?]
    /// Only objects for which it is true are listed: the plist's filter, and what the command line adds to it. Nil: all.
    package var predicate: ResolvedPredicate?

    package init(
        description: ListDescription, entity: Entity, sortDescriptors: [SortDescriptor], sectionKeyPath: ObjectKeyPath?,
        textKeyPath: ObjectKeyPath?, detailTextKeyPaths: [ObjectKeyPath?], predicate: ResolvedPredicate? = nil
    ) {
        self.predicate = predicate
        self.description = description
        self.entity = entity
        self.sortDescriptors = sortDescriptors
        self.sectionKeyPath = sectionKeyPath
        self.textKeyPath = textKeyPath
        self.detailTextKeyPaths = detailTextKeyPaths
    }

    /// The fetch that the list is made of.
    package var request: FetchRequest {
        FetchRequest(
            entityName: entity.name, sortDescriptors: sortDescriptors, sectionKeyPath: sectionKeyPath,
            fetchLimit: description.fetchLimit, predicate: predicate)
    }
}

extension ListDescription {
    /// Finds the entity and the key paths in a schema; all faults in one run, nil if one of them is more than a warning.
    ///
    /// Through a to-many a sort or section key path is a fault, a text is a list. Transient attributes are warnings. O(key paths × properties).
    package func resolve(in schema: Schema) -> (list: ResolvedList?, faults: [Fault]) {
        var resolver = KeyPathResolver(schema: schema, file: file ?? entityName)
        guard let entity = resolver.entity(entityName, key: file == nil ? nil : ListKey.entityName.rawValue) else {
            return (nil, resolver.faults)
        }
        resolver.entityName = entity.name

        var descriptors: [SortDescriptor] = []
        // An empty one stands where loading has found a fault.
        for (index, entry) in sortKeyPaths.enumerated() where !entry.keyPath.isEmpty {
            let key = "\(ListKey.sortKeyPaths.rawValue)[\(index)]"
            if let path = resolver.orderingKeyPath(entry.keyPath, key: key) {
                descriptors.append(SortDescriptor(.keyPath(path), ascending: entry.ascending, selector: entry.selector))
            }
        }
        let section = sectionKeyPath.flatMap { resolver.orderingKeyPath($0, key: sectionKey) }
        if let otherSectionKeyPath {
            _ = resolver.orderingKeyPath(otherSectionKeyPath, key: ListKey.sectionNameKeyPath.rawValue)
        }
        // Empty where a schema has nothing to show, or where loading has said so.
        let text =
            cellTextLabelKeyPath.isEmpty
            ? nil : resolver.keyPath(cellTextLabelKeyPath, key: ListKey.cellTextLabelKeyPath.rawValue)
        let details = cellDetailTextLabelKeyPaths.enumerated().map { index, path -> ObjectKeyPath? in
            guard !path.isEmpty else { return nil }
            let key = ListKey.cellDetailTextLabelKeyPath.rawValue
            return resolver.keyPath(path, key: showsDetailColumns ? "\(key)[\(index)]" : key)
        }
        let predicate = filterPredicate.flatMap { resolver.predicate($0, key: ListKey.filterPredicate.rawValue) }
        guard !resolver.faults.hasFault else { return (nil, resolver.faults) }
        let list = ResolvedList(
            description: self, entity: entity, sortDescriptors: descriptors, sectionKeyPath: section, textKeyPath: text,
            detailTextKeyPaths: details, predicate: predicate)
        return (list, resolver.faults)
    }
}

/// Resolves the key paths of one plist against one entity and gathers what does not fit.
struct KeyPathResolver {
    let schema: Schema
    let file: String
    var entityName = ""
    var faults: [Fault] = []

    init(schema: Schema, file: String) {
        self.schema = schema
        self.file = file
    }

    mutating func complain(_ key: String?, _ complaint: Complaint) {
        faults.append(Fault(file: file, key: key, complaint))
    }

    mutating func entity(_ name: String, key: String?) -> Entity? {
        if let entity = schema.entity(named: name) { return entity }
        let known = schema.entities.filter { !$0.isSystem }.map(\.name)
        complain(key, .unknownEntity(name, nearest: nearestName(to: name, among: known)))
        return nil
    }

    /// A key path whose value is shown; nil and a complaint where it means nothing or has no value.
    mutating func keyPath(_ text: String, key: String) -> ObjectKeyPath? {
        do {
            let path = try schema.keyPath(text, in: entityName)
            checkTypes(of: path, key: key)
            return path
        } catch {
            complain(key, .keyPath(error))
            return nil
        }
    }

    /// Warns of a derived value or an aggregate that the attribute's type has none of.
    mutating func checkTypes(of path: ObjectKeyPath, key: String) {
        let name: String
        switch path.ending {
        case .attribute(let attribute), .aggregate(_, let attribute): name = attribute
        case .object, .count, .members, .memberCount: return
        }
        guard let type = schema.entity(named: path.destinationEntityName)?.attribute(named: name)?.type else { return }
        switch path.derivation {
        case .year?, .month?, .day?:
            if type != .date { complain(key, .noDate(path.text, ofType: type.rawValue)) }
        case .firstLetter?, .nameFirstLetter?, nil: break
        }
        if case .aggregate(let aggregate, _) = path.ending, aggregate == .sum || aggregate == .average,
            [.string, .binary, .uuid, .uri, .transformable].contains(type)
        {
            complain(key, .noNumber(path.text, ofType: type.rawValue))
        }
    }

    /// So many faults of one predicate are said: a stranger's may have thousands.
    private static let mostPredicateFaults = 20

    mutating func predicate(_ text: String, key: String) -> ResolvedPredicate? {
        // What is no predicate is said by loading.
        guard let format = try? PredicateFormat(text) else { return nil }
        let (predicate, faults) = format.resolution(in: schema, entityName: entityName)
        for fault in faults.prefix(Self.mostPredicateFaults) { complain(key, .predicate(fault)) }
        return predicate
    }

    /// A key path that rows are sorted or grouped by: one value for each object.
    mutating func orderingKeyPath(_ text: String, key: String) -> ObjectKeyPath? {
        do {
            let path = try schema.keyPath(text, in: entityName)
            if path.isToMany {
                complain(key, .toManyInOrder(text))
            } else if path.ending == .object {
                complain(key, .objectInOrder(text))
            } else {
                checkTypes(of: path, key: key)
                return path
            }
        } catch .transient {
            complain(key, .transientInOrder(text))
        } catch {
            complain(key, .keyPath(error))
        }
        return nil
    }
}

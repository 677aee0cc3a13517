extension ManagedObjectModel {
    /// Entities as a store can rely on them, whatever the file says: sorted by name and no two of one name, super-entities that
    /// exist and are not their own descendants, and own properties only. O(properties · depth of inheritance).
    static func finished(_ entities: [EntityDescription]) -> [EntityDescription] {
        var byName: [String: EntityDescription] = [:]
        for entity in entities where byName[entity.name] == nil { byName[entity.name] = entity }
        let names = byName.keys.sorted()
        let asWritten = byName
        for name in names { byName[name]?.superentityName = validSuperentity(of: name, in: asWritten) }
        let propertyNames = byName.mapValues { entity in
            Set(entity.attributes.map(\.name)).union(entity.relationships.map(\.name))
        }
        return names.compactMap { name in
            guard var entity = byName[name] else { return nil }
            var inherited: Set<String> = []
            for ancestor in ancestors(of: entity, in: byName) { inherited.formUnion(propertyNames[ancestor] ?? []) }
            var seen = inherited
            entity.attributes = entity.attributes.sorted { $0.name < $1.name }.filter { seen.insert($0.name).inserted }
            entity.relationships = entity.relationships.sorted { $0.name < $1.name }.filter { seen.insert($0.name).inserted }
            return entity
        }
    }

    /// Deeper than any real hierarchy.
    private static let inheritanceLimit = 256

    private static func ancestors(of entity: EntityDescription, in entities: [String: EntityDescription]) -> [String] {
        var names: [String] = []
        var next = entity.superentityName
        while let name = next, names.count < inheritanceLimit {
            names.append(name)
            next = entities[name]?.superentityName
        }
        return names
    }

    /// The name of an entity's super-entity; nil where there is none of that name, or following it never ends.
    private static func validSuperentity(of name: String, in entities: [String: EntityDescription]) -> String? {
        guard let entity = entities[name], let superentity = entity.superentityName, entities[superentity] != nil else {
            return nil
        }
        let ancestors = ancestors(of: entity, in: entities)
        return ancestors.count < inheritanceLimit && !ancestors.contains(name) ? superentity : nil
    }
}

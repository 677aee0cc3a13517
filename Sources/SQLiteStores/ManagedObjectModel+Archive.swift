internal import PropertyLists

/// The compiled form: an archive of `NSManagedObjectModel`, as in `.mom` files and in a store's model cache.
extension ManagedObjectModel {
    /// Properties and, in units of 64 bytes, their names: more than any real model has. What is beyond was made to exhaust us.
    static let propertyLimit = 1 << 20

    /// What a property or entity of this name takes of the limit.
    static func charge(_ name: String) -> Int { 1 + name.utf8.count / 64 }

    static func read(
        archive: KeyedArchive, root: KeyedArchive.Object, file: String
    ) throws(ManagedObjectModelError) -> ManagedObjectModel {
        guard let all = archive.dictionary(archive.fields(of: root)["NSEntities"]) else {
            throw ManagedObjectModelError(file: file, cause: .notAModel("its archive has no entities"))
        }
        var entities: [EntityDescription] = []
        var seen: Set<KeyedArchive.Object> = []
        var room = propertyLimit
        for value in all.values {
            guard case .object(let object) = value, seen.insert(object).inserted else { continue }
            let fields = archive.fields(of: object)
            guard let name = archive.text(fields["NSEntityName"]) else { continue }
            room -= charge(name)
            var entity = EntityDescription(name: name)
            entity.isAbstract = archive.flag(fields["NSIsAbstract"]) ?? false
            if case .object(let superentity) = fields["NSSuperentity"] {
                entity.superentityName = archive.text(archive.fields(of: superentity)["NSEntityName"])
            }
            for property in archive.values(of: fields["NSProperties"]).prefix(max(room, 0)) {
                room -= add(property, of: archive, to: &entity)
                guard room >= 0 else { break }
            }
            guard room >= 0 else {
                throw ManagedObjectModelError(file: file, cause: .notAModel("more than \(propertyLimit) properties"))
            }
            entities.append(entity)
        }
        return ManagedObjectModel(entities: finished(entities))
    }

    /// Adds a property; returns what it takes of the limit.
    private static func add(_ value: KeyedArchive.Value, of archive: KeyedArchive, to entity: inout EntityDescription) -> Int {
        guard case .object(var object) = value else { return 1 }
        var fields = archive.fields(of: object)
        // What a sub-entity inherits can stand for the property of the ancestor; a proxy of a proxy is not met.
        if case .object(let underlying) = fields["NSUnderlyingProperty"] {
            object = underlying
            fields = archive.fields(of: object)
        }
        guard let name = archive.text(fields["NSPropertyName"]) else { return 1 }
        let classes = archive.classNames(of: object)
        if classes.contains("NSAttributeDescription") {
            var attribute = AttributeDescription(name: name, typeCode: archive.number(fields["NSAttributeType"]) ?? 0)
            attribute.isOptional = flag(fields, "NSIsOptional", bit: 2, of: archive)
            attribute.isTransient = flag(fields, "NSIsTransient", bit: 8, of: archive)
            attribute.allowsExternalStorage = (archive.number(fields["NSFlagsKey"]) ?? 0) & 4 != 0
            attribute.valueTransformerName = archive.text(fields["NSValueTransformerName"])
            entity.attributes.append(attribute)
        } else if classes.contains("NSRelationshipDescription") {
            guard
                let destination = archive.text(fields["_NSDestinationEntityName"])
                    ?? self.name(of: fields["NSDestinationEntity"], field: "NSEntityName", archive)
            else { return charge(name) }
            var relationship = RelationshipDescription(name: name, destinationEntityName: destination)
            relationship.inverseName =
                archive.text(fields["_NSInverseRelationshipName"])
                ?? self.name(of: fields["NSInverseRelationship"], field: "NSPropertyName", archive)
            relationship.isToMany = (archive.number(fields["NSMaxCount"]) ?? 0) != 1
            relationship.isOrdered = flag(fields, "NSIsOrdered", bit: 1024, of: archive)
            relationship.isOptional = flag(fields, "NSIsOptional", bit: 2, of: archive)
            relationship.isTransient = flag(fields, "NSIsTransient", bit: 8, of: archive)
            relationship.deleteRule = archive.number(fields["NSDeleteRule"]) ?? 0
            entity.relationships.append(relationship)
        }
        return charge(name)
    }

    /// A flag of its own field where it is written, else of the word `_P`.
    private static func flag(_ fields: KeyedArchive.Fields, _ name: String, bit: Int, of archive: KeyedArchive) -> Bool {
        archive.flag(fields[name]) ?? ((archive.number(fields["_P"]) ?? 0) & bit != 0)
    }

    private static func name(of value: KeyedArchive.Value, field: String, _ archive: KeyedArchive) -> String? {
        guard case .object(let object) = value else { return nil }
        return archive.text(archive.fields(of: object)[field])
    }
}

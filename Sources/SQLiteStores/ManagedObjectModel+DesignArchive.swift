internal import PropertyLists

/// The older source form, `elements` in an `.xcdatamodel`: an archive of `XDPMModel`, whose settings hang on stereotypes.
extension ManagedObjectModel {
    static func read(
        designArchive archive: KeyedArchive, root: KeyedArchive.Object, file: String
    ) throws(ManagedObjectModelError) -> ManagedObjectModel {
        let reader = DesignArchiveReader(archive: archive)
        guard case .object(let package) = archive.fields(of: root)["_xd_rootPackage"],
            let classes = archive.dictionary(archive.fields(of: package)["XDBucketForClassesstorage"])
        else { throw ManagedObjectModelError(file: file, cause: .notAModel("its archive has no entities")) }
        var entities: [EntityDescription] = []
        var seen: Set<KeyedArchive.Object> = []
        var room = propertyLimit
        for value in classes.values {
            guard case .object(let object) = value, seen.insert(object).inserted else { continue }
            let entity = reader.entity(object, room: &room)
            guard room >= 0 else {
                throw ManagedObjectModelError(file: file, cause: .notAModel("more than \(propertyLimit) properties"))
            }
            if let entity { entities.append(entity) }
        }
        return ManagedObjectModel(entities: finished(entities))
    }
}

private struct DesignArchiveReader {
    let archive: KeyedArchive

    func entity(_ object: KeyedArchive.Object, room: inout Int) -> ManagedObjectModel.EntityDescription? {
        let fields = archive.fields(of: object)
        guard let name = archive.text(fields["_name"]) else { return nil }
        var entity = ManagedObjectModel.EntityDescription(name: name)
        let settings = settings(fields)
        entity.isAbstract = settings["XD_PSK_isAbstract"].flatMap(archive.flag) ?? false
        entity.superentityName = superentityName(fields, of: object)
        room -= ManagedObjectModel.charge(name)
        for value in archive.values(of: fields["XDBucketForOwnedAttributesstorage"]).prefix(max(room, 0)) {
            room -= 1
            guard room >= 0 else { break }
            guard case .object(let property) = value else { continue }
            switch archive.className(of: property) {
            case "XDPMAttribute":
                guard let attribute = attribute(property) else { continue }
                room -= ManagedObjectModel.charge(attribute.name)
                entity.attributes.append(attribute)
            case "XDPMRelationship":
                guard let relationship = relationship(property) else { continue }
                room -= ManagedObjectModel.charge(relationship.name)
                entity.relationships.append(relationship)
            default: break
            }
        }
        return entity
    }

    private func attribute(_ object: KeyedArchive.Object) -> ManagedObjectModel.AttributeDescription? {
        let fields = archive.fields(of: object)
        guard let name = archive.text(fields["_name"]) else { return nil }
        let settings = settings(fields)
        let typeCode = settings["XD_PAttK_attributeType"].flatMap(archive.number) ?? 0
        var attribute = ManagedObjectModel.AttributeDescription(name: name, typeCode: typeCode)
        attribute.isOptional = settings["XD_PPSK_isOptional"].flatMap(archive.flag) ?? false
        attribute.isTransient = settings["XD_PPSK_isTransient"].flatMap(archive.flag) ?? false
        attribute.valueTransformerName = settings["XD_PAttK_valueTransformerName"].flatMap(archive.text)
        return attribute
    }

    private func relationship(_ object: KeyedArchive.Object) -> ManagedObjectModel.RelationshipDescription? {
        let fields = archive.fields(of: object)
        let settings = settings(fields)
        guard let name = archive.text(fields["_name"]), let destination = settings["XD_PRK_destination"].flatMap(self.name) else {
            return nil
        }
        var relationship = ManagedObjectModel.RelationshipDescription(name: name, destinationEntityName: destination)
        relationship.inverseName = settings["XD_PRK_inverseRelationship"].flatMap(self.name)
        let maximum = settings["XD_PRK_maxCount"].flatMap(archive.number)
        relationship.isToMany = settings["XD_PRK_isToMany"].flatMap(archive.flag) ?? (maximum != 1)
        relationship.isOptional = settings["XD_PPSK_isOptional"].flatMap(archive.flag) ?? false
        relationship.isTransient = settings["XD_PPSK_isTransient"].flatMap(archive.flag) ?? false
        relationship.deleteRule = settings["XD_PRK_deleteRule"].flatMap(archive.number) ?? 1
        return relationship
    }

    /// The settings of all the stereotypes of an element, by their names, which differ among stereotypes.
    private func settings(_ fields: KeyedArchive.Fields) -> [String: KeyedArchive.Value] {
        var settings: [String: KeyedArchive.Value] = [:]
        // There are two of them with some eight settings each.
        for stereotype in archive.values(of: fields["XDBucketForStereotypesstorage"]).prefix(16) {
            guard case .object(let object) = stereotype,
                let own = archive.dictionary(archive.fields(of: object)["XDBucketForOwnedAttributesstorage"])
            else { continue }
            for (key, value) in zip(own.keys, own.values).prefix(64) {
                guard let name = archive.text(key), case .object(let setting) = value else { continue }
                settings[name] = archive.fields(of: setting)["_default"]
            }
        }
        return settings
    }

    private func name(of value: KeyedArchive.Value) -> String? {
        guard case .object(let object) = value else { return nil }
        return archive.text(archive.fields(of: object)["_name"])
    }

    /// The form of a generalization is not known from any file: either the entity itself, or an object one of whose fields is it.
    private func superentityName(_ fields: KeyedArchive.Fields, of object: KeyedArchive.Object) -> String? {
        guard case .object(let general)? = archive.items(fields["XDBucketForGeneralizationsstorage"])?.first else { return nil }
        if archive.className(of: general) == "XDPMEntity" { return name(of: .object(general)) }
        for value in archive.fields(of: general).values.prefix(32) {
            if case .object(let entity) = value, entity != object, archive.className(of: entity) == "XDPMEntity" {
                return name(of: value)
            }
        }
        return nil
    }
}

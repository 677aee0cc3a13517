package import ObjectStore

extension DetailDescription {
    /// Finds every row's names in a schema; all faults in one run. Always a detail: a row at fault says so in its place.
    ///
    /// `customRows` are the names of the custom rows that are registered in code.
    package func resolve(in schema: Schema, entityName: String, customRows: Set<String> = []) -> (
        detail: ResolvedDetail, faults: [Fault]
    ) {
        var resolver = KeyPathResolver(schema: schema, file: file ?? entityName)
        guard let entity = resolver.entity(entityName, key: nil) else {
            let reason = resolver.faults.first?.problem ?? ""
            let rows = sections.map { section in
                ResolvedDetail.Section(
                    title: section.title,
                    rows: section.rows.map { ResolvedDetail.Row(description: $0, content: .unavailable(reason)) })
            }
            return (ResolvedDetail(entityName: entityName, sections: rows), resolver.faults)
        }
        resolver.entityName = entity.name
        let resolved = sections.enumerated().map { sectionIndex, section in
            let rows = section.rows.enumerated().map { rowIndex, row in
                let place = "[\(sectionIndex)].\(DetailSectionKey.rowInformation.rawValue)[\(rowIndex)]"
                let content = resolver.content(of: row, at: place, entity: entity, customRows: customRows)
                return ResolvedDetail.Row(description: row, content: content)
            }
            return ResolvedDetail.Section(title: section.title, rows: rows)
        }
        return (ResolvedDetail(entityName: entity.name, sections: resolved), resolver.faults)
    }
}

extension KeyPathResolver {
    fileprivate mutating func content(
        of row: DetailDescription.Row, at place: String, entity: Entity, customRows: Set<String>
    ) -> ResolvedDetail.Content {
        let key = "\(place).\(DetailRowKey.attributeKeyPath.rawValue)"
        if let problem = row.problem {
            // What loading found is reported already; what else is wrong belongs to the same run.
            if row.keyPathIsSound, !row.attributeKeyPath.isEmpty { lookUp(row.attributeKeyPath, of: row.type, key: key) }
            return .unavailable(problem)
        }
        switch row.type {
        case .custom:
            let name = row.customControllerClass ?? ""
            if customRows.contains(name) { return .custom(name) }
            let complaint = Complaint.unknownCustomRow(name)
            complain("\(place).\(DetailRowKey.rowCustomControllerClass.rawValue)", complaint)
            return .unavailable(complaint.problem)
        case .relationship: return toOne(row.attributeKeyPath, key: key, entity: entity)
        case .toManyRelationship: return toMany(row.attributeKeyPath, key: key, entity: entity)
        case .toManyOrderedRelationship: return orderedToMany(row.attributeKeyPath, key: key, entity: entity)
        default: return value(row, at: place, key: key)
        }
    }

    /// Complains of the names of a row that is at fault already.
    private mutating func lookUp(_ text: String, of type: DetailDescription.RowType, key: String) {
        switch type {
        case .relationship, .toManyRelationship, .toManyOrderedRelationship:
            // Where it ends is what loading may have found wrong.
            do {
                _ = try schema.keyPath(text, in: entityName)
            } catch .unknownKey(let name, let entity, let nearest) {
                complain(key, .keyPath(.unknownKey(name, entity: entity, nearest: nearest)))
            } catch {}
        default: _ = keyPath(text, key: key)
        }
    }

    private mutating func unavailable(_ key: String, _ complaint: Complaint) -> ResolvedDetail.Content {
        complain(key, complaint)
        return .unavailable(complaint.problem)
    }

    private mutating func value(_ row: DetailDescription.Row, at place: String, key: String) -> ResolvedDetail.Content {
        do {
            let path = try schema.keyPath(row.attributeKeyPath, in: entityName)
            checkTypes(of: path, key: key)
            let hasStyle = [row.dateFormatterStyle, row.timeFormatterStyle].contains { $0 != nil && $0 != DateStyle.none }
            if path.type == .date, !hasStyle { complain(place, .dateWithoutStyle) }
            if row.type == .booleanSwitch, let type = path.type, !type.canBeSwitch {
                complain(key, .notABoolean(row.attributeKeyPath, type: type.rawValue))
            }
            return .value(path)
        } catch .transient(let name, let entity) {
            complain(key, .keyPath(.transient(name, entity: entity)))
            return .noValue
        } catch {
            return unavailable(key, .keyPath(error))
        }
    }

    private mutating func toOne(_ text: String, key: String, entity: Entity) -> ResolvedDetail.Content {
        let parts = RelationshipKeyPath(text)
        switch find(parts.relationship, in: entity, form: "relationship.attribute") {
        case .failure(let complaint): return unavailable(key, complaint.complaint)
        case .success(let relationship) where relationship.isToMany: return unavailable(key, .isToMany(relationship.name))
        case .success(let relationship):
            do {
                let target = try schema.keyPath(relationship.name, in: entity.name)
                let display = parts.showsObject(of: schema.entity(named: relationship.destinationEntityName))
                return .toOne(
                    ResolvedDetail.ToOne(target: target, display: display ? target : try schema.keyPath(text, in: entity.name)))
            } catch {
                return unavailable(key, .keyPath(error))
            }
        }
    }

    private mutating func toMany(_ text: String, key: String, entity: Entity) -> ResolvedDetail.Content {
        let parts = RelationshipKeyPath(text)
        switch find(parts.relationship, in: entity, form: "relationship.attribute") {
        case .failure(let complaint): return unavailable(key, complaint.complaint)
        case .success(let relationship) where !relationship.isToMany: return unavailable(key, .isToOne(relationship.name))
        case .success(let relationship): return lines(of: relationship, parts, key: key, ordered: false)
        }
    }

    /// The objects at the far end of a relationship, each a line: sorted by what they show, or in the relationship's own order.
    private mutating func lines(
        of relationship: Relationship, _ parts: RelationshipKeyPath, key: String, ordered: Bool
    ) -> ResolvedDetail.Content {
        let destination = relationship.destinationEntityName
        do {
            let showsObject = parts.showsObject(of: schema.entity(named: destination))
            let display = showsObject ? nil : try schema.keyPath(parts.rest, in: destination)
            var descriptors: [SortDescriptor] = []
            if ordered || (relationship.isOrdered && display == nil) {
                descriptors = [SortDescriptor(.relationshipOrder)]
            } else if let display, !display.isToMany, display.ending != .object {
                descriptors = [SortDescriptor(.keyPath(display))]
            }
            return .toMany(
                ResolvedDetail.ToMany(
                    relationshipName: relationship.name, entityName: destination, sortDescriptors: descriptors, display: display,
                    target: nil))
        } catch {
            return unavailable(key, .keyPath(error))
        }
    }

    /// CDL's way, through an intermediate entity with an attribute `order`; ours besides, a relationship that Core Data keeps in order.
    private mutating func orderedToMany(_ text: String, key: String, entity: Entity) -> ResolvedDetail.Content {
        let form = "toIntermediate.toObject.attribute"
        let parts = RelationshipKeyPath(text)
        let relationship: Relationship
        switch find(parts.relationship, in: entity, form: form) {
        case .failure(let complaint): return unavailable(key, complaint.complaint)
        case .success(let found): relationship = found
        }
        guard relationship.isToMany else { return unavailable(key, .isToOne(relationship.name)) }
        let onward = RelationshipKeyPath(parts.rest)
        let intermediate = schema.entity(named: relationship.destinationEntityName)
        if relationship.isOrdered, intermediate?.relationship(named: onward.relationship) == nil || onward.rest.isEmpty {
            return lines(of: relationship, parts, key: key, ordered: true)
        }
        guard let intermediate, !onward.relationship.isEmpty else { return unavailable(key, .keyPathLength(text, form: form)) }
        switch find(onward.relationship, in: intermediate, form: form) {
        case .failure(let complaint): return unavailable(key, complaint.complaint)
        case .success(let toObject) where toObject.isToMany: return unavailable(key, .isToMany(toObject.name))
        case .success(let toObject):
            guard let order = intermediate.attribute(named: "order"), !order.isTransient else {
                let nearest = nearestName(to: "order", among: intermediate.attributes.map(\.name))
                return unavailable(key, .noOrderAttribute(entity: intermediate.name, nearest: nearest))
            }
            // What was inferred from tables may have missed a way back that is there.
            if schema.origin != .inferred {
                for (way, owner) in [(relationship, entity), (toObject, intermediate)] where way.inverseName == nil {
                    complain(key, .noInverse(way.name, entity: owner.name))
                }
            }
            do {
                let target = try schema.keyPath(toObject.name, in: intermediate.name)
                let showsObject = onward.showsObject(of: schema.entity(named: toObject.destinationEntityName))
                let display = showsObject ? target : try schema.keyPath(parts.rest, in: intermediate.name)
                let descriptor = SortDescriptor(.keyPath(try schema.keyPath(order.name, in: intermediate.name)))
                return .toMany(
                    ResolvedDetail.ToMany(
                        relationshipName: relationship.name, entityName: intermediate.name, sortDescriptors: [descriptor],
                        display: display, target: target))
            } catch {
                return unavailable(key, .keyPath(error))
            }
        }
    }

    private struct NotFound: Error {
        var complaint: Complaint
    }

    private func find(_ name: String, in entity: Entity, form: String) -> Result<Relationship, NotFound> {
        if let relationship = entity.relationship(named: name) { return .success(relationship) }
        if entity.attribute(named: name) != nil { return .failure(NotFound(complaint: .notARelationship(name, form: form))) }
        let nearest = nearestName(to: name, among: entity.relationships.map(\.name))
        return .failure(NotFound(complaint: .keyPath(.unknownKey(name, entity: entity.name, nearest: nearest))))
    }
}

/// A key path that begins with a relationship.
private struct RelationshipKeyPath {
    let relationship: String
    /// What follows; empty if nothing does.
    let rest: String

    init(_ text: String) {
        let keys = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        relationship = keys.first ?? ""
        rest = keys.count > 1 ? keys[1] : ""
    }

    /// No attribute, or `description` where the entity has none of that name: the object itself, as in CDL.
    func showsObject(of entity: Entity?) -> Bool {
        rest.isEmpty || (rest == "description" && entity?.attribute(named: rest) == nil)
    }
}

extension AttributeType {
    /// A number can stand for a switch.
    fileprivate var canBeSwitch: Bool {
        switch self {
        case .boolean, .int16, .int32, .int64, .decimal, .double, .float: true
        case .string, .date, .binary, .uuid, .uri, .transformable: false
        }
    }
}

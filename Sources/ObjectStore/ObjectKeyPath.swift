/// A key path as written, resolved against a schema: which relationships it crosses and what it ends in.
///
/// `type.name` crosses `type` and ends in the attribute `name`; `tags.@count` ends in an operator; `name.@firstLetter` in a
/// derived value. The rules are those of key-value coding, plus the endings that SPEC section 2 adds.
package struct ObjectKeyPath: Hashable, Sendable {
    /// What is read at the end of the path.
    package enum Ending: Hashable, Sendable {
        /// An attribute, by its schema name.
        case attribute(String)
        /// The object or objects themselves.
        case object
        /// `@count`, or an aggregate over the attribute of this name.
        case count
        case aggregate(Aggregate, attribute: String)
        /// The members of the lists that the attribute of this name holds, one by one; in predicates only.
        case members(String)
        /// How many members the attribute's list has.
        case memberCount(String)
    }

    package enum Aggregate: String, Hashable, Sendable, CaseIterable {
        case sum = "@sum"
        case average = "@avg"
        case minimum = "@min"
        case maximum = "@max"
    }

    /// What is made of the value that was read.
    package enum Derivation: String, Hashable, Sendable, CaseIterable {
        /// First letter, upper-cased, without diacritics; anything else gives `#`.
        case firstLetter = "@firstLetter"
        case year = "@year"
        case month = "@month"
        case day = "@day"
        /// CDL's how-to rule for the transient `nameFirstLetter`: the first character upper-cased, a digit gives `#`, nothing gives "".
        case nameFirstLetter
    }

    /// As the plist spells it.
    package let text: String
    /// The entity it starts from.
    package let entityName: String
    /// Names of the relationships crossed, in order, as the schema spells them.
    package let relationships: [String]
    package let ending: Ending
    package let derivation: Derivation?
    /// Whether a to-many relationship is crossed without an operator: then the value is a list.
    package let isToMany: Bool
    /// Type of the value at the end; nil for objects.
    package let type: AttributeType?
    /// The entity that the ending belongs to.
    package let destinationEntityName: String
    /// Those of the attribute at the end, where nothing is made of its value.
    package let traits: AttributeTraits

    /// Internal to the resolver and to tests: nothing is checked here.
    package init(
        text: String, entityName: String, relationships: [String], ending: Ending, derivation: Derivation?, isToMany: Bool,
        type: AttributeType?, destinationEntityName: String, traits: AttributeTraits = []
    ) {
        self.text = text
        self.entityName = entityName
        self.relationships = relationships
        self.ending = ending
        self.derivation = derivation
        self.isToMany = isToMany
        self.type = type
        self.destinationEntityName = destinationEntityName
        self.traits = traits
    }

    /// Of a path that ends in an attribute with lists, the path to their members; nil for any other.
    package var members: ObjectKeyPath? {
        guard case .attribute(let name) = ending, traits.contains(.list) else { return nil }
        return ObjectKeyPath(
            text: text, entityName: entityName, relationships: relationships, ending: .members(name), derivation: nil,
            isToMany: true, type: .string, destinationEntityName: destinationEntityName, traits: .mixed)
    }
}

/// Why a key path means nothing in an entity.
package enum KeyPathFault: Error, Hashable, Sendable {
    case empty
    case unknownKey(String, entity: String, nearest: String?)
    /// The path goes on after an attribute.
    case notARelationship(String, entity: String)
    case unknownOperator(String, nearest: String?)
    /// `@sum` and its kin need a to-many relationship before them and an attribute after.
    case misplacedOperator(String)
    /// A transient attribute has no value to sort, group or show.
    case transient(String, entity: String)
}

extension Schema {
    /// Resolves a key path as written against an entity.
    ///
    /// Names are found exactly, else whatever their case. Where the entity does not store `nameFirstLetter` but has `name`, that
    /// key means the how-to's rule.
    package func keyPath(_ text: String, in entityName: String) throws(KeyPathFault) -> ObjectKeyPath {
        var keys = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard !text.isEmpty, !keys.contains("") else { throw .empty }
        guard var entity = entity(named: entityName) else {
            throw .unknownKey(keys[0], entity: entityName, nearest: nil)
        }

        var derivation = keys.last.flatMap(ObjectKeyPath.Derivation.init(rawValue:))
        if derivation == .nameFirstLetter { derivation = nil }
        if derivation != nil { keys.removeLast() }
        guard !keys.isEmpty else { throw .misplacedOperator(text) }

        var crossed: [String] = []
        var isToMany = false
        func path(_ ending: ObjectKeyPath.Ending, _ type: AttributeType?, derivation: ObjectKeyPath.Derivation?) -> ObjectKeyPath
        {
            ObjectKeyPath(
                text: text, entityName: entityName, relationships: crossed, ending: ending, derivation: derivation,
                isToMany: isToMany, type: type, destinationEntityName: entity.name)
        }
        func path(to attribute: Attribute) -> ObjectKeyPath {
            ObjectKeyPath(
                text: text, entityName: entityName, relationships: crossed, ending: .attribute(attribute.name),
                derivation: derivation, isToMany: isToMany, type: derivedType(derivation, attribute.type),
                destinationEntityName: entity.name, traits: derivation == nil ? attribute.traits : [])
        }

        for (index, key) in keys.enumerated() {
            let isLast = index == keys.count - 1
            // A column may be called anything: exactly its name means it, dots, @ and all.
            let rest = isLast ? key : keys[index...].joined(separator: ".")
            if let attribute = entity.attributes.first(where: { $0.name == rest && !$0.isTransient }),
                !entity.relationships.contains(where: { $0.name == rest })
            {
                return path(to: attribute)
            }
            if key.hasPrefix("@") {
                return try operatorPath(key, rest: keys[(index + 1)...], entity: entity, isToMany: isToMany) {
                    isToMany = false
                    return path($0, $1, derivation: derivation)
                }
            }
            if let relationship = entity.relationship(named: key) {
                guard let destination = self.entity(named: relationship.destinationEntityName) else {
                    throw .unknownKey(key, entity: entity.name, nearest: nil)
                }
                crossed.append(relationship.name)
                isToMany = isToMany || relationship.isToMany
                entity = destination
                if isLast { return path(.object, nil, derivation: nil) }
                continue
            }
            if let attribute = entity.attribute(named: key), !attribute.isTransient {
                guard isLast else {
                    if attribute.traits.contains(.list), !isToMany, keys[(index + 1)...] == ["@count"] {
                        return path(.memberCount(attribute.name), .int64, derivation: derivation)
                    }
                    // A misspelt ending is no way on.
                    if keys.count == index + 2, keys[index + 1].hasPrefix("@") { throw unknownOperator(keys[index + 1]) }
                    throw .notARelationship(key, entity: entity.name)
                }
                return path(to: attribute)
            }
            if isLast, key == ObjectKeyPath.Derivation.nameFirstLetter.rawValue, let name = entity.attribute(named: "name") {
                return path(.attribute(name.name), .string, derivation: .nameFirstLetter)
            }
            if entity.attribute(named: key) != nil { throw .transient(key, entity: entity.name) }
            let known = entity.attributes.map(\.name) + entity.relationships.map(\.name)
            throw .unknownKey(key, entity: entity.name, nearest: nearestName(to: key, among: known))
        }
        throw .empty
    }

    private func derivedType(_ derivation: ObjectKeyPath.Derivation?, _ type: AttributeType) -> AttributeType {
        switch derivation {
        case nil: type
        case .firstLetter, .nameFirstLetter: .string
        case .year, .month, .day: .int64
        }
    }

    private func unknownOperator(_ key: String) -> KeyPathFault {
        let known = ["@count"] + ObjectKeyPath.Aggregate.allCases.map(\.rawValue)
        // What needs a to-many relationship is out of place, not unknown.
        if known.contains(key) { return .misplacedOperator(key) }
        let endings = ObjectKeyPath.Derivation.allCases.filter { $0 != .nameFirstLetter }.map(\.rawValue)
        return .unknownOperator(key, nearest: nearestName(to: key, among: known + endings))
    }

    private func operatorPath(
        _ key: String, rest: ArraySlice<String>, entity: Entity, isToMany: Bool,
        make: (ObjectKeyPath.Ending, AttributeType?) -> ObjectKeyPath
    ) throws(KeyPathFault) -> ObjectKeyPath {
        if key == "@count" {
            guard isToMany, rest.isEmpty else { throw .misplacedOperator(key) }
            return make(.count, .int64)
        }
        guard let aggregate = ObjectKeyPath.Aggregate(rawValue: key) else {
            throw unknownOperator(key)
        }
        guard isToMany, rest.count == 1, let name = rest.first else { throw .misplacedOperator(key) }
        guard let attribute = entity.attribute(named: name), !attribute.isTransient else {
            throw .unknownKey(name, entity: entity.name, nearest: nearestName(to: name, among: entity.attributes.map(\.name)))
        }
        return make(.aggregate(aggregate, attribute: attribute.name), aggregate == .average ? .double : attribute.type)
    }
}

import Foundation

/// Finds the names of a predicate in a schema.
struct PredicateResolver {
    typealias Node = ResolvedPredicate.Node
    typealias Operand = ResolvedPredicate.Operand
    typealias Expression = PredicateFormat.Expression

    let text: String
    let schema: Schema
    /// Entity of the object in question, then those of the variables, from the outermost `SUBQUERY` in.
    let entityNames: [String]
    let variables: [String]

    /// What may be compared with what.
    enum Category: String {
        case text = "a text"
        case number = "a number"
        case date = "a date"
        case uuid = "a UUID"
        case bytes = "bytes"
        case object = "an object"

        init(_ type: AttributeType?) {
            self =
                switch type {
                case nil: .object
                case .string, .uri: .text
                case .int16, .int32, .int64, .decimal, .double, .float, .boolean: .number
                case .date: .date
                case .uuid: .uuid
                case .binary, .transformable: .bytes
                }
        }
    }

    /// One side of a comparison.
    enum Side {
        /// Something of a type.
        case typed(Operand, AttributeType?, Expression)
        /// A literal, which takes the type of the other side.
        case literal(Expression)
    }

    func fault(_ offset: Int, _ cause: PredicateFault.Cause) -> PredicateFault {
        PredicateFault(text: text, offset: offset, cause: cause)
    }

    func node(_ node: PredicateFormat.Node) throws(PredicateFault) -> Node {
        switch node {
        case .constant(let value): return .constant(value)
        case .not(let inner): return .not(try self.node(inner))
        case .and(let nodes): return .and(try all(nodes))
        case .or(let nodes): return .or(try all(nodes))
        case .comparison(let comparison): return try self.comparison(comparison)
        }
    }

    /// The first fault of each comparison.
    func faults(of node: PredicateFormat.Node) -> [PredicateFault] {
        switch node {
        case .constant: return []
        case .not(let inner): return faults(of: inner)
        case .and(let nodes), .or(let nodes): return nodes.flatMap(faults)
        case .comparison(let comparison):
            do throws(PredicateFault) {
                _ = try self.comparison(comparison)
                return []
            } catch {
                return [error]
            }
        }
    }

    private func all(_ nodes: [PredicateFormat.Node]) throws(PredicateFault) -> [Node] {
        var resolved: [Node] = []
        for node in nodes { resolved.append(try self.node(node)) }
        return resolved
    }

    // MARK: Key paths

    /// A key path with the place of the entity that it starts from.
    func keyPath(
        _ keys: String, _ variable: String?, _ expression: Expression
    ) throws(PredicateFault) -> (path: ObjectKeyPath, base: Int) {
        var base = 0
        if let variable {
            guard let place = variables.lastIndex(of: variable) else {
                throw fault(expression.offset, .unknownVariable(variable))
            }
            base = place + 1
        }
        let entityName = entityNames[base]
        if keys.isEmpty {
            let itself = ObjectKeyPath(
                text: variable.map { "$" + $0 } ?? "SELF", entityName: entityName, relationships: [], ending: .object,
                derivation: nil, isToMany: false, type: nil, destinationEntityName: entityName)
            return (itself, base)
        }
        do throws(KeyPathFault) {
            return (try schema.keyPath(keys, in: entityName), base)
        } catch {
            throw fault(place(of: error, in: expression), .keyPath(error))
        }
    }

    /// Where in the predicate the key stands that a fault is about.
    private func place(of fault: KeyPathFault, in expression: Expression) -> Int {
        let key: String
        switch fault {
        case .unknownKey(let name, _, _), .notARelationship(let name, _), .unknownOperator(let name, _),
            .misplacedOperator(let name), .transient(let name, _):
            key = name
        case .empty: return expression.offset
        }
        let rest = Array(text).dropFirst(expression.offset)
        let wanted = Array(key)
        for start in rest.indices where rest[start...].starts(with: wanted) { return start }
        return expression.offset
    }

    /// The to-many key path that a quantifier, `IN` or `SUBQUERY` needs; nil for anything else.
    private func toMany(_ expression: Expression) throws(PredicateFault) -> (path: ObjectKeyPath, base: Int)? {
        guard case .keyPath(let keys, let variable) = expression.kind else { return nil }
        let (path, base) = try keyPath(keys, variable, expression)
        if let members = path.members { return (members, base) }
        return path.isToMany ? (path, base) : nil
    }

    // MARK: Sides

    func side(_ expression: Expression) throws(PredicateFault) -> Side {
        switch expression.kind {
        case .keyPath(let keys, let variable):
            let (path, base) = try keyPath(keys, variable, expression)
            guard !path.isToMany else { throw fault(expression.offset, .toMany(path.text)) }
            return .typed(.path(path, base: base), path.type, expression)
        case .subqueryCount(let collection, let variable, let condition):
            guard let (path, base) = try toMany(collection), path.ending == .object else {
                throw fault(collection.offset, .expected("a to-many key path that ends in objects", found: "something else"))
            }
            let inner = PredicateResolver(
                text: text, schema: schema, entityNames: entityNames + [path.destinationEntityName],
                variables: variables + [variable])
            return .typed(.subqueryCount(path, base: base, try inner.node(condition)), .int64, expression)
        case .now: return .typed(.value(.date(Date().timeIntervalSinceReferenceDate)), .date, expression)
        case .cast(let inner, let type): return try cast(inner, type, expression)
        case .list: throw fault(expression.offset, .expected("a value", found: "a list"))
        case .string, .integer, .number, .boolean, .null: return .literal(expression)
        }
    }

    private func cast(_ inner: Expression, _ type: String, _ expression: Expression) throws(PredicateFault) -> Side {
        switch (type, inner.kind) {
        case ("NSDate", .integer(let seconds)): return .typed(.value(.date(Double(seconds))), .date, expression)
        case ("NSDate", .number(let seconds, _)): return .typed(.value(.date(seconds)), .date, expression)
        case ("NSDate", .now): return .typed(.value(.date(Date().timeIntervalSinceReferenceDate)), .date, expression)
        case ("NSDate", .string): return .typed(.value(try literal(inner, as: .date)), .date, expression)
        case ("NSNumber", .string), ("NSNumber", .integer), ("NSNumber", .number), ("NSNumber", .boolean):
            return .typed(.value(try literal(inner, as: .double)), .double, expression)
        case ("NSString", .string), ("NSString", .integer), ("NSString", .number):
            return .typed(.value(try literal(inner, as: .string)), .string, expression)
        default: throw fault(inner.offset, .notCastable(type))
        }
    }

    // MARK: Comparisons

    private func comparison(_ comparison: PredicateFormat.Comparison) throws(PredicateFault) -> Node {
        guard let quantifier = comparison.quantifier else {
            // A list that contains a value is a value in the list.
            if comparison.relation == .contains, case .list(let items) = comparison.left.kind {
                return try member(try side(comparison.right), of: items, comparison)
            }
            // As it is of an array: the value is one of its members.
            if comparison.relation == .contains, let (path, base) = try toMany(comparison.left), case .members = path.ending {
                return try anyMember(path, base, comparison.left, is: try side(comparison.right), comparison)
            }
            return try relate(try side(comparison.left), comparison)
        }
        guard let (path, base) = try toMany(comparison.left) else {
            guard case .keyPath(let keys, _) = comparison.left.kind else {
                throw fault(
                    comparison.left.offset, .expected("a to-many key path after \(quantifier.rawValue)", found: "a value"))
            }
            throw fault(comparison.left.offset, .notToMany(keys, quantifier: quantifier.rawValue))
        }
        let condition = try relate(.typed(.element(path), path.type, comparison.left), comparison)
        let node = Node.quantified(isAll: quantifier == .all, path, base: base, condition)
        return quantifier == .none ? .not(node) : node
    }

    private func relate(_ left: Side, _ comparison: PredicateFormat.Comparison) throws(PredicateFault) -> Node {
        switch comparison.relation {
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
            guard let order = comparison.relation.order else { return .unknown }
            return try compare(left, order, try side(comparison.right), comparison)
        case .between:
            guard case .list(let bounds) = comparison.right.kind, bounds.count == 2 else {
                throw fault(comparison.right.offset, .twoBounds)
            }
            return .and([
                try compare(left, .greaterOrEqual, try side(bounds[0]), comparison),
                try compare(left, .lessOrEqual, try side(bounds[1]), comparison),
            ])
        case .isIn: return try isIn(left, comparison)
        case .beginsWith: return try match(left, .beginsWith, try side(comparison.right), comparison)
        case .endsWith: return try match(left, .endsWith, try side(comparison.right), comparison)
        case .contains: return try match(left, .contains, try side(comparison.right), comparison)
        case .like: return try match(left, .like, try side(comparison.right), comparison)
        case .matches: return try match(left, .matches, try side(comparison.right), comparison)
        }
    }

    private func isIn(_ left: Side, _ comparison: PredicateFormat.Comparison) throws(PredicateFault) -> Node {
        if case .list(let items) = comparison.right.kind { return try member(left, of: items, comparison) }
        if let (path, base) = try toMany(comparison.right) {
            return try anyMember(path, base, comparison.right, is: left, comparison)
        }
        // A text in a text.
        switch try side(comparison.right) {
        case .typed(_, let type, _) where Category(type) == .text: break
        case .literal(let expression):
            guard case .string = expression.kind else { fallthrough }
        default:
            throw fault(comparison.right.offset, .noList("a value"))
        }
        return try match(try side(comparison.right), .contains, left, comparison)
    }

    /// Whether one of the values at the end of a to-many key path is this one.
    private func anyMember(
        _ path: ObjectKeyPath, _ base: Int, _ expression: Expression, is value: Side, _ comparison: PredicateFormat.Comparison
    ) throws(PredicateFault) -> Node {
        let element = Side.typed(.element(path), path.type, expression)
        return .quantified(isAll: false, path, base: base, try compare(element, .equal, value, comparison))
    }

    private func member(
        _ left: Side, of items: [Expression], _ comparison: PredicateFormat.Comparison
    ) throws(PredicateFault) -> Node {
        var operands: [Operand] = []
        var first: Operand?
        for item in items {
            let (operand, other, _) = try pair(left, try side(item), comparison)
            first = operand
            operands.append(other)
        }
        guard let first else { return .constant(false) }
        return .member(first, of: operands, comparison.options)
    }

    private func compare(
        _ left: Side, _ order: ResolvedPredicate.Order, _ right: Side, _ comparison: PredicateFormat.Comparison
    ) throws(PredicateFault) -> Node {
        let (first, second, category) = try pair(left, right, comparison)
        if first == .value(.null) || second == .value(.null) {
            let other = second == .value(.null) ? first : second
            switch order {
            case .equal: return .isNull(other)
            case .notEqual: return .not(.isNull(other))
            default: return .unknown
            }
        }
        if order != .equal, order != .notEqual, [.uuid, .object].contains(category) {
            throw fault(comparison.offset, .notOrdered(name(of: left)))
        }
        return .compare(first, order, second, comparison.options)
    }

    private func match(
        _ left: Side, _ match: ResolvedPredicate.TextMatch, _ right: Side, _ comparison: PredicateFormat.Comparison
    ) throws(PredicateFault) -> Node {
        for side in [left, right] {
            guard case .typed(_, let type, let expression) = side, Category(type) != .text else { continue }
            throw fault(
                expression.offset,
                .notAText(
                    name(of: side), type: type?.rawValue ?? "object", relation: comparison.relation.rawValue))
        }
        if match == .like || match == .matches {
            guard case .literal(let pattern) = right, pattern.kind.isTextOrNull else {
                throw fault(comparison.right.offset, .patternIsNoText(comparison.relation.rawValue))
            }
            if match == .matches, case .string(let pattern) = pattern.kind, !pattern.isEmpty,
                (try? NSRegularExpression(pattern: pattern)) == nil
            {
                throw fault(comparison.right.offset, .pattern(pattern))
            }
        }
        let text = try operand(left, as: .string)
        let pattern = try operand(right, as: .string)
        if text == .value(.null) || pattern == .value(.null) { return .unknown }
        return .match(text, match, pattern, comparison.options)
    }
}

extension PredicateFormat.Relation {
    fileprivate var order: ResolvedPredicate.Order? {
        switch self {
        case .equal: .equal
        case .notEqual: .notEqual
        case .less: .less
        case .lessOrEqual: .lessOrEqual
        case .greater: .greater
        case .greaterOrEqual: .greaterOrEqual
        default: nil
        }
    }
}

extension PredicateFormat.Expression.Kind {
    fileprivate var isTextOrNull: Bool {
        switch self {
        case .string, .null: true
        default: false
        }
    }
}

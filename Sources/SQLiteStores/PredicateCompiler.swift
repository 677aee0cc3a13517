import Foundation
import ObjectStore

/// Turns a predicate into an SQL condition. Its values are bound, never written into the text; but for whole numbers, which cannot be
/// anything else: SQLite looks each parameter up among all.
///
/// Paths of the object in question share the joins of the statement's own paths; each `SUBQUERY` has joins of its own.
struct PredicateCompiler {
    typealias Node = ResolvedPredicate.Node
    typealias Operand = ResolvedPredicate.Operand

    /// What is bound, in the order of the parameters.
    private(set) var parameters: [Value] = []
    /// Whether the condition begins with a pass over other rows, which each statement makes anew.
    private(set) var makesPasses = false
    /// Compiler of the object in question, then those of the variables, from the outermost `SUBQUERY` in.
    private var scopes: [KeyPathCompiler]
    /// Values that quantifiers around look at, the innermost last.
    private var elements: [KeyPathCompiler.Column] = []
    private var sources: [RowSource] = []
    private let firstParameter: Int
    private var subqueries = 0
    private let folding = PredicateFolding()

    /// - Parameters:
    ///   - paths: the compiler of the statement, which the condition's joins are added to.
    ///   - firstParameter: number of the first parameter that is free.
    init(_ paths: KeyPathCompiler, firstParameter: Int) {
        scopes = [paths]
        self.firstParameter = firstParameter
    }

    /// The statement's compiler with the joins and sources of the condition.
    var paths: KeyPathCompiler {
        var paths = scopes[0]
        for source in sources { paths.use(source) }
        return paths
    }

    mutating func condition(_ node: Node) throws(StoreError) -> String {
        switch node {
        case .constant(let value): return value ? "1" : "0"
        case .unknown: return "NULL"
        case .not(let inner): return "NOT (\(try condition(inner)))"
        case .and(let nodes): return try joined(nodes[...], " AND ")
        case .or(let nodes): return try joined(nodes[...], " OR ")
        case .compare(let left, let order, let right, let options): return try compare(left, order, right, options)
        case .isNull(let operand): return "\(try plain(operand)) IS NULL"
        case .member(let operand, let list, let options): return try member(operand, list, options)
        case .match(let text, let match, let pattern, let options): return try self.match(text, match, pattern, options)
        case .quantified(let isAll, let path, let base, let condition): return try quantified(isAll, path, base, condition)
        }
    }

    private mutating func joined(_ nodes: ArraySlice<Node>, _ word: String) throws(StoreError) -> String {
        var conditions: [String] = []
        for node in nodes { conditions.append(try condition(node)) }
        return conditions.isEmpty ? "1" : conditions[...].balanced(by: word)
    }

    // MARK: Operands

    private mutating func bind(_ value: Value) -> String {
        if case .integer(let number) = value { return number < 0 ? "(\(number))" : String(number) }
        parameters.append(value)
        return "?\(firstParameter + parameters.count - 1)"
    }

    private mutating func column(_ operand: Operand) throws(StoreError) -> KeyPathCompiler.Column? {
        switch operand {
        case .path(let path, let base):
            guard path.relationships.isEmpty, path.ending == .object else { return try scopes[base].column(path) }
            return try scopes[base].ending(path, scopes[base].root)
        case .element: return elements.last
        case .value, .spelledNumber, .subqueryCount: return nil
        }
    }

    /// The operand as what is compared: dates as seconds since 2001, objects as their key.
    private mutating func value(_ operand: Operand) throws(StoreError) -> String {
        if let column = try column(operand) {
            let dates = PredicateFunction.code(column)
            if let derivation = column.derivation {
                return
                    "\(PredicateFunction.Name.derived.rawValue)(\(column.sql), \(PredicateFunction.code(derivation)), \(dates))"
            }
            guard case .attribute(let attribute) = column.shape, attribute.type == .date, attribute.dates != .referenceSeconds
            else { return column.sql }
            return "\(PredicateFunction.Name.date.rawValue)(\(column.sql), \(dates))"
        }
        switch operand {
        case .value(let value): return bind(value)
        case .spelledNumber(_, let spelling): return bind(.string(spelling))
        case .subqueryCount(let path, let base, let node): return try subqueryCount(path, base, node)
        case .path, .element: return "NULL"
        }
    }

    /// The operand as it is stored, for a look whether it is there at all.
    private mutating func plain(_ operand: Operand) throws(StoreError) -> String {
        if let column = try column(operand), column.derivation == nil {
            // What is no number to compare with still is something.
            return column.sourceSQL.map { "ifnull(\(column.sql), \($0))" } ?? column.sql
        }
        return try value(operand)
    }

    /// The operand as a text folded for the options.
    private mutating func text(_ operand: Operand, _ options: PredicateOptions, isOrdered: Bool) throws(StoreError) -> String {
        guard !options.isEmpty else { return try value(operand) }
        let rule = PredicateFolding.Rule(options, isOrdered: isOrdered)
        if case .value(.string(let text)) = operand { return bind(.string(folding.fold(text, rule))) }
        return "\(PredicateFunction.Name.fold.rawValue)(\(try value(operand)), \(rule.rawValue))"
    }

    // MARK: Comparisons

    private mutating func compare(
        _ left: Operand, _ order: ResolvedPredicate.Order, _ right: Operand, _ options: PredicateOptions
    ) throws(StoreError) -> String {
        for (operand, other) in [(left, right), (right, left)] {
            guard case .value(.uuid) = operand else { continue }
            let isMember = try member(other, [operand], options)
            return order == .notEqual ? "NOT (\(isMember))" : isMember
        }
        if case .spelledNumber(let number, let spelling) = right {
            return try compare(left, sign(order), number, spelling)
        }
        if case .spelledNumber(let number, let spelling) = left {
            return try compare(right, sign(order.flipped), number, spelling)
        }
        let first = try text(left, options, isOrdered: true)
        // A column may come with a collation; equal texts are equal here to the letter.
        return "\(first) COLLATE BINARY \(sign(order)) \(try text(right, options, isOrdered: true))"
    }

    private func sign(_ order: ResolvedPredicate.Order) -> String {
        switch order {
        case .equal: "="
        case .notEqual: "<>"
        case .less: "<"
        case .lessOrEqual: "<="
        case .greater: ">"
        case .greaterOrEqual: ">="
        }
    }

    /// A text attribute beside a number: a number that is stored, and a text that is one, is less or greater as numbers are; a
    /// text is equal to what was written.
    private mutating func compare(
        _ operand: Operand, _ sign: String, _ number: Value, _ spelling: String
    ) throws(StoreError) -> String {
        let stored = try value(operand)
        let number = bind(number)
        guard sign == "=" || sign == "<>" else {
            return "\(PredicateFunction.Name.number.rawValue)(\(stored)) \(sign) \(number)"
        }
        let text = "\(stored) COLLATE BINARY \(sign) \(bind(.string(spelling)))"
        return "CASE typeof(\(stored)) WHEN 'text' THEN \(text) ELSE \(stored) \(sign) \(number) END"
    }

    private mutating func member(
        _ operand: Operand, _ list: [Operand], _ options: PredicateOptions
    ) throws(StoreError) -> String {
        let first = try text(operand, options, isOrdered: true)
        var items: [String] = []
        var alternatives: [String] = []
        if let texts = manyTexts(in: list, options) {
            return "\(first) COLLATE BINARY IN (SELECT value FROM json_each(\(bind(.string(texts)))))"
        }
        for item in list {
            if case .spelledNumber(let number, let spelling) = item {
                alternatives.append(try compare(operand, "=", number, spelling))
                continue
            }
            guard case .value(.uuid(let uuid)) = item else {
                items.append(try text(item, options, isOrdered: true))
                continue
            }
            // Core Data stores bytes, others write text.
            items.append(bind(.uuid(uuid)))
            items.append(bind(.string(uuid.uuidString)))
            items.append(bind(.string(uuid.uuidString.lowercased())))
        }
        guard !alternatives.isEmpty else { return "\(first) COLLATE BINARY IN (\(items.joined(separator: ", ")))" }
        if !items.isEmpty { alternatives.append("\(first) COLLATE BINARY IN (\(items.joined(separator: ", ")))") }
        return alternatives[...].balanced(by: " OR ")
    }

    /// From so many texts on a list is bound as one parameter.
    private static let fewTexts = 500

    /// A long list of nothing but texts, as a JSON array; nil for any other.
    private func manyTexts(in list: [Operand], _ options: PredicateOptions) -> String? {
        guard list.count > Self.fewTexts else { return nil }
        let rule = options.isEmpty ? nil : PredicateFolding.Rule(options, isOrdered: true)
        var texts: [String] = []
        texts.reserveCapacity(list.count)
        for item in list {
            // SQLite's JSON ends a text at its NUL.
            guard case .value(.string(let text)) = item, !text.utf8.contains(0) else { return nil }
            texts.append(rule.map { folding.fold(text, $0) } ?? text)
        }
        guard let json = try? JSONEncoder().encode(texts) else { return nil }
        return String(decoding: json, as: UTF8.self)
    }

    private mutating func match(
        _ text: Operand, _ match: ResolvedPredicate.TextMatch, _ pattern: Operand, _ options: PredicateOptions
    ) throws(StoreError) -> String {
        // A regular expression sees to the case by itself: folding its pattern would change \W to \w.
        let folded = match == .matches ? options.intersection(.diacriticInsensitive) : options
        let second = try self.text(pattern, folded, isOrdered: false)
        let function: PredicateFunction.Name =
            switch match {
            case .beginsWith: .begins
            case .endsWith: .ends
            case .contains: .contains
            case .like: .like
            case .matches:
                .matches
            }
        guard function != .matches else {
            let first = try self.text(text, folded, isOrdered: false)
            return "\(function.rawValue)(\(first), \(second), \(options.contains(.caseInsensitive) ? 1 : 0))"
        }
        // These fold their text themselves, which spares a copy of each.
        let rule = options.isEmpty ? [] : PredicateFolding.Rule(options, isOrdered: false)
        return "\(function.rawValue)(\(try value(text)), \(second), \(rule.rawValue))"
    }

    // MARK: To-many

    private mutating func rows(
        _ path: ObjectKeyPath, _ base: Int, looksAtEach: Bool = true
    ) throws(StoreError) -> (chain: KeyPathCompiler.Chain, column: KeyPathCompiler.Column) {
        let steps = try scopes[base].steps(path)
        let firstToMany = steps.firstIndex { $0.relationship.isToMany } ?? steps.count
        let start = try scopes[base].join(steps[..<firstToMany], from: scopes[base].root)
        guard case .members(let name) = path.ending else {
            let chain = try scopes[base].chain(steps[firstToMany...], from: start, looksAtEach: looksAtEach)
            return (chain, try scopes[base].ending(path, chain.alias))
        }
        guard firstToMany < steps.count else {
            let from = try scopes[base].members(of: name, in: path.destinationEntityName, start)
            let chain = KeyPathCompiler.Chain(from: from, condition: "1", alias: start, order: [])
            return (chain, try scopes[base].ending(path, start))
        }
        var chain = try scopes[base].chain(steps[firstToMany...], from: start, looksAtEach: looksAtEach)
        chain.from += " JOIN " + (try scopes[base].members(of: name, in: path.destinationEntityName, chain.alias))
        return (chain, try scopes[base].ending(path, chain.alias))
    }

    private mutating func quantified(
        _ isAll: Bool, _ path: ObjectKeyPath, _ base: Int, _ node: Node
    ) throws(StoreError) -> String {
        let isAlone = node.isAboutElementAlone
        let (chain, column) = try rows(path, base, looksAtEach: !isAlone)
        elements.append(column)
        let inner = try condition(node)
        elements.removeLast()
        if let link = chain.link, isAlone {
            // The owners found in one pass: without an index a look at each owner's rows would be a pass for each.
            makesPasses = true
            let wanted = isAll ? "(\(inner)) IS NOT TRUE" : inner
            let owners = "SELECT \(link.inner) FROM \(chain.from) WHERE \(link.inner) IS NOT NULL AND \(wanted)"
            return "(\(link.outer) IN (\(owners))) IS \(isAll ? "NOT " : "")TRUE"
        }
        return isAll
            ? "NOT EXISTS (SELECT 1 FROM \(chain.from) WHERE \(chain.condition) AND (\(inner)) IS NOT TRUE)"
            : "EXISTS (SELECT 1 FROM \(chain.from) WHERE \(chain.condition) AND \(inner))"
    }

    private mutating func subqueryCount(_ path: ObjectKeyPath, _ base: Int, _ node: Node) throws(StoreError) -> String {
        let (chain, column) = try rows(path, base)
        subqueries += 1
        scopes.append(
            KeyPathCompiler(
                scopes[0].mapping, file: scopes[0].file, root: chain.alias, prefix: "s\(subqueries)j",
                indexesRelationships: scopes[0].indexesRelationships))
        let inner = try condition(node)
        let own = scopes.removeLast()
        sources += own.sources
        let joins = own.joins.map { " " + $0 }.joined()
        return "(SELECT count(\(column.sql)) FROM \(chain.from)\(joins) WHERE \(chain.condition) AND \(inner))"
    }
}

extension ResolvedPredicate.Node {
    /// Whether it looks at the quantifier's value and at literals only, so that it means the same for every object.
    fileprivate var isAboutElementAlone: Bool {
        func isAlone(_ operands: ResolvedPredicate.Operand...) -> Bool {
            operands.allSatisfy { operand in
                switch operand {
                case .element, .value, .spelledNumber: true
                case .path, .subqueryCount: false
                }
            }
        }
        switch self {
        case .constant, .unknown: return true
        case .not(let node): return node.isAboutElementAlone
        case .and(let nodes), .or(let nodes): return nodes.allSatisfy(\.isAboutElementAlone)
        case .compare(let left, _, let right, _), .match(let left, _, let right, _): return isAlone(left, right)
        case .isNull(let operand): return isAlone(operand)
        case .member(let operand, let list, _): return isAlone(operand) && list.allSatisfy { isAlone($0) }
        case .quantified: return false
        }
    }
}

extension ArraySlice<String> {
    /// Conditions as one: halves rather than a chain, whose depth SQLite bounds. O(n log n) of their length.
    fileprivate func balanced(by word: String) -> String {
        guard count > 1 else { return first ?? "" }
        let middle = startIndex + count / 2
        return "(\(self[..<middle].balanced(by: word))\(word)\(self[middle...].balanced(by: word)))"
    }
}

import Foundation

/// Makes predicates at random, each with its plain meaning.
struct PredicateGenerator {
    typealias Plain = PredicateWorld.Plain
    typealias Kind = PredicateWorld.Kind
    typealias Options = PlainPredicate.Options

    /// Something of a kind, as text and as a value.
    struct Term {
        var text: String
        var value: (PlainPredicate.Scope) -> Plain
    }

    /// Where paths may start: the object in question or a variable.
    struct Start {
        var prefix: String
        var place: Int
        var entity: String
    }

    let world: PredicateWorld
    var generator: SeededGenerator
    private var variables = 0

    init(_ world: PredicateWorld, seed: UInt64) {
        self.world = world
        generator = SeededGenerator(seed: seed)
    }

    private mutating func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &generator) < share }
    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    private mutating func pick<Item>(_ items: [Item]) -> Item { items[Int.random(in: 0..<items.count, using: &generator)] }

    // MARK: Compounds

    mutating func predicate(_ starts: [Start], depth: Int = 3) -> PlainPredicate {
        if depth > 0, chance(0.5) {
            switch number(0...2) {
            case 0:
                let inner = predicate(starts, depth: depth - 1)
                return PlainPredicate(text: "\(pick(["NOT", "!", "not"])) (\(inner.text))") {
                    PlainPredicate.not(inner.holds($0))
                }
            case 1:
                let parts = (0..<number(2...3)).map { _ in predicate(starts, depth: depth - 1) }
                let word = pick([" AND ", " && ", " and "])
                return PlainPredicate(text: parts.map { "(\($0.text))" }.joined(separator: word)) { scope in
                    PlainPredicate.all(parts.lazy.map { $0.holds(scope) })
                }
            default:
                let parts = (0..<number(2...3)).map { _ in predicate(starts, depth: depth - 1) }
                let word = pick([" OR ", " || ", " or "])
                return PlainPredicate(text: parts.map { "(\($0.text))" }.joined(separator: word)) { scope in
                    PlainPredicate.any(parts.lazy.map { $0.holds(scope) })
                }
            }
        }
        switch number(0...9) {
        case 0: return quantified(starts)
        case 1: return depth > 0 && chance(0.5) ? subquery(starts, depth: depth - 1) : quantified(starts)
        case 2: return isThere(starts)
        case 3 where chance(0.2):
            let value = chance(0.5)
            return PlainPredicate(text: value ? "TRUEPREDICATE" : "falsepredicate") { _ in value }
        case 3: return memberOfToMany(starts)
        default:
            let kind: Kind = pick([.text, .text, .number, .date, .boolean])
            return comparison(path(kind, starts), kind, starts)
        }
    }

    // MARK: Leaves

    /// A comparison of a term with something of its kind.
    private mutating func comparison(_ left: Term, _ kind: Kind, _ starts: [Start]) -> PlainPredicate {
        if kind == .text, chance(0.5) { return textComparison(left, starts) }
        let options = kind == .text ? options() : Options()
        switch number(0...5) {
        case 0:
            let items = (0..<number(0...3)).map { _ in chance(0.1) ? Self.null : operand(kind, starts) }
            return PlainPredicate(
                text: "\(left.text) IN\(options.text) {\(items.map(\.text).joined(separator: ", "))}"
            ) { scope in
                PlainPredicate.any(
                    items.map { PlainPredicate.order(left.value(scope), $0.value(scope), options).map { $0 == 0 } })
            }
        case 1:
            let low = operand(kind, starts)
            let high = operand(kind, starts)
            return PlainPredicate(text: "\(left.text) BETWEEN\(options.text) {\(low.text), \(high.text)}") { scope in
                let value = left.value(scope)
                return PlainPredicate.all([
                    PlainPredicate.order(value, low.value(scope), options).map { $0 >= 0 },
                    PlainPredicate.order(value, high.value(scope), options).map { $0 <= 0 },
                ])
            }
        default:
            let order = pick(PlainPredicate.orders)
            let right = operand(kind, starts)
            let isSwapped =
                chance(0.2) && !left.text.hasPrefix("ANY") && !left.text.hasPrefix("ALL")
                && !left.text.hasPrefix("NONE") && !left.text.hasPrefix("SOME")
            let (first, second) = isSwapped ? (right, left) : (left, right)
            return PlainPredicate(text: "\(first.text) \(order.sign)\(options.text) \(second.text)") { scope in
                PlainPredicate.order(first.value(scope), second.value(scope), options).map(order.holds)
            }
        }
    }

    private static var null: Term { Term(text: "nil") { _ in .null } }

    private mutating func options() -> Options { Options(cased: chance(0.4), bare: chance(0.3)) }

    private mutating func textComparison(_ left: Term, _ starts: [Start]) -> PlainPredicate {
        let options = options()
        switch number(0...4) {
        case 0:
            let pattern = (0..<number(0...3)).map { _ in
                chance(0.5) ? pick(["*", "?"]) : PredicateWorld.text(&generator, longest: 1)
            }.joined()
            return PlainPredicate(text: "\(left.text) LIKE\(options.text) \(quoted(pattern))") { scope in
                guard case .text(let text) = left.value(scope) else { return nil }
                return PlainPredicate.like(options.seen(text)[...], options.seen(pattern)[...])
            }
        case 1:
            let pieces = (0..<number(0...3)).map { _ in
                PlainPredicate.Piece(
                    letter: chance(0.4) ? nil : pick(["a", "A", "b", "e", "\u{E9}", "\u{C9}", "1"]),
                    repeats: chance(0.5) ? pick(["*", "+", "?"]) : nil)
            }
            let pattern = pieces.map(\.text).joined()
            return PlainPredicate(text: "\(left.text) MATCHES\(options.text) \(quoted(pattern))") { scope in
                guard case .text(let text) = left.value(scope) else { return nil }
                let folding = Options(bare: options.bare)
                let seen = pieces.map { piece in
                    PlainPredicate.Piece(
                        letter: piece.letter.map { Array(folding.seen(String($0)).unicodeScalars)[0] }, repeats: piece.repeats)
                }
                return PlainPredicate.matches(
                    Array(folding.seen(text).unicodeScalars)[...], seen[...], ignoresCase: options.cased)
            }
        default:
            let word = pick(["BEGINSWITH", "ENDSWITH", "CONTAINS"])
            let right = operand(.text, starts, longest: 2)
            return PlainPredicate(text: "\(left.text) \(chance(0.2) ? word.lowercased() : word)\(options.text) \(right.text)") {
                PlainPredicate.find(word, left.value($0), right.value($0), options)
            }
        }
    }

    private mutating func isThere(_ starts: [Start]) -> PlainPredicate {
        let start = pick(starts)
        let isEqual = chance(0.5)
        let word = "\(isEqual ? "==" : "!=") \(pick(["nil", "NULL", "null"]))"
        if let one = PredicateWorld.shapes[start.entity]?.one.first, chance(0.4) {
            return PlainPredicate(text: "\(start.prefix)\(one.key) \(word)") { ($0[start.place].one[one.key] == nil) == isEqual }
        }
        let left = path(pick([.text, .number, .date]), starts)
        return PlainPredicate(text: "\(left.text) \(word)") { (left.value($0) == .null) == isEqual }
    }

    // MARK: To-many

    /// Relationships from an entity that cross at least one to-many, and where they lead.
    private mutating func toMany(from entity: String) -> (keys: [String], entity: String)? {
        let album = [["artist", "album"], ["tag"], ["tag", "album"], ["tag", "album", "artist"]]
        let chains = ["Album": album, "Artist": [["album"], ["album", "tag"]], "Tag": [["album"], ["album", "artist"]]]
        guard let keys = chains[entity].map({ pick($0) }) else { return nil }
        var reached = entity
        for key in keys {
            guard let shape = PredicateWorld.shapes[reached], let next = shape.one[key] ?? shape.many[key] else { return nil }
            reached = next
        }
        return (keys, reached)
    }

    private mutating func quantified(_ starts: [Start]) -> PlainPredicate {
        let start = pick(starts)
        guard let (keys, entity) = toMany(from: start.entity), let shape = PredicateWorld.shapes[entity] else {
            return PlainPredicate(text: "TRUEPREDICATE") { _ in true }
        }
        let (attribute, kind) = pick(shape.attributes)
        let word = pick(["ANY", "SOME", "ALL", "NONE"])
        let text = "\(word) \(start.prefix)\((keys + [attribute]).joined(separator: "."))"
        // The element goes through the comparison as a scope of its own, at the end.
        let inner = comparison(Term(text: text) { $0.last?.values["element"] ?? .null }, kind, starts)
        let world = world
        return PlainPredicate(text: inner.text) { scope in
            let values = world.values(keys, attribute: attribute, of: scope[start.place], in: start.entity)
            let results = values.map { value in
                inner.holds(scope + [PredicateWorld.Thing(id: 0, values: ["element": value])])
            }
            switch word {
            case "ALL": return results.allSatisfy { $0 == true }
            case "NONE": return !results.contains(true)
            default: return results.contains(true)
            }
        }
    }

    /// `value IN path`.
    private mutating func memberOfToMany(_ starts: [Start]) -> PlainPredicate {
        let start = pick(starts)
        guard let (keys, entity) = toMany(from: start.entity), let shape = PredicateWorld.shapes[entity] else {
            return PlainPredicate(text: "TRUEPREDICATE") { _ in true }
        }
        let (attribute, kind) = pick(shape.attributes)
        let left = operand(kind, starts)
        let options = kind == .text ? options() : Options()
        let text = "\(left.text) IN\(options.text) \(start.prefix)\((keys + [attribute]).joined(separator: "."))"
        let world = world
        return PlainPredicate(text: text) { scope in
            world.values(keys, attribute: attribute, of: scope[start.place], in: start.entity).contains {
                PlainPredicate.order($0, left.value(scope), options) == 0
            }
        }
    }

    private mutating func subquery(_ starts: [Start], depth: Int) -> PlainPredicate {
        let start = pick(starts)
        guard let (keys, entity) = toMany(from: start.entity) else {
            return PlainPredicate(text: "TRUEPREDICATE") { _ in true }
        }
        variables += 1
        let variable = "$v\(variables)"
        let inner = predicate(
            starts + [Start(prefix: variable + ".", place: starts.count, entity: entity)], depth: depth)
        let order = pick(PlainPredicate.orders)
        let count = number(0...3)
        let world = world
        let text =
            "SUBQUERY(\(start.prefix)\(keys.joined(separator: ".")), \(variable), \(inner.text)).@count \(order.sign) \(count)"
        let place = starts.count
        return PlainPredicate(text: text) { scope in
            let found = world.values(keys, attribute: nil, of: scope[start.place], in: start.entity).filter { value in
                guard case .object(let id) = value, let thing = world.things[entity]?[id] else { return false }
                return inner.holds(Array(scope.prefix(place)) + [thing]) == true
            }
            return order.holds(found.count < count ? -1 : found.count > count ? 1 : 0)
        }
    }

    // MARK: Terms

    private mutating func operand(_ kind: Kind, _ starts: [Start], longest: Int = 4) -> Term {
        if chance(0.2) { return path(kind, starts) }
        switch kind {
        case .text:
            let text = PredicateWorld.text(&generator, longest: longest)
            return Term(text: quoted(text)) { _ in .text(text) }
        case .number:
            let half = number(0...14)
            let isHalf = half % 2 == 1
            return Term(text: isHalf ? "\(half / 2).5" : pick(["\(half / 2)", "\(half / 2).0", "\"\(half / 2)\""])) { _ in
                .number(Double(half) / 2)
            }
        case .boolean:
            let flag = chance(0.5)
            return Term(text: flag ? pick(["YES", "true", "1"]) : pick(["NO", "FALSE", "0"])) { _ in .number(flag ? 1 : 0) }
        case .date:
            let day = number(1...6)
            let seconds = Double(3376 + day) * 86_400
            let casts = ["CAST(\(Int(seconds)), \"NSDate\")", "CAST(\"2010-04-0\(day)\", 'NSDate')"]
            return Term(text: pick(casts + ["\"2010-04-0\(day)\"", "'2010-04-0\(day)T00:00:00Z'"])) { _ in .date(seconds) }
        }
    }

    /// A key path that gives one value.
    private mutating func path(_ kind: Kind, _ starts: [Start]) -> Term {
        let start = pick(starts)
        let world = world
        func value(_ keys: [String], _ attribute: String) -> (PlainPredicate.Scope) -> Plain {
            { world.values(keys, attribute: attribute, of: $0[start.place], in: start.entity).first ?? .null }
        }
        guard let shape = PredicateWorld.shapes[start.entity] else { return Self.null }
        if kind == .number, chance(0.4), let (keys, entity) = toMany(from: start.entity) {
            return aggregate(start, keys, entity)
        }
        if kind == .text, chance(0.15), let name = shape.attributes.first(where: { $0.kind == .text })?.name {
            let plain = value([], name)
            return Term(text: "\(start.prefix)\(name).@firstLetter") { scope in
                guard case .text(let text) = plain(scope), let first = text.first,
                    let letter = PredicateWorld.letters.first(where: {
                        Array($0.text.unicodeScalars) == Array(String(first).unicodeScalars)
                    })
                else { return .text("#") }
                // There is no upper-case letter for ß but two of them.
                return .text(letter.first == "ß" ? "S" : letter.first)
            }
        }
        var chains: [([String], String, Kind)] = shape.attributes.map { ([], $0.name, $0.kind) }
        for (key, entity) in shape.one {
            chains += (PredicateWorld.shapes[entity]?.attributes ?? []).map { ([key], $0.name, $0.kind) }
        }
        let fitting = chains.filter { $0.2 == kind }
        guard !fitting.isEmpty else { return fallback(kind) }
        let (keys, attribute, _) = pick(fitting)
        let written = keys.isEmpty && start.prefix.isEmpty && chance(0.1) ? "SELF.\(attribute)" : attribute
        return Term(
            text: start.prefix + (keys + [written]).joined(separator: "."), value: value(keys, attribute))
    }

    /// Where an entity has no attribute of a kind.
    private mutating func fallback(_ kind: Kind) -> Term {
        switch kind {
        case .date: Term(text: "CAST(0, \"NSDate\")") { _ in .date(0) }
        case .boolean, .number: Term(text: "CAST(1, \"NSNumber\")") { _ in .number(1) }
        case .text: Term(text: "CAST(1, \"NSString\")") { _ in .text("1") }
        }
    }

    private mutating func aggregate(_ start: Start, _ keys: [String], _ entity: String) -> Term {
        let world = world
        let path = start.prefix + keys.joined(separator: ".")
        let numbers = PredicateWorld.shapes[entity]?.attributes.filter { $0.kind == .number }.map(\.name) ?? []
        guard chance(0.5), !numbers.isEmpty else {
            return Term(text: path + ".@count") { scope in
                let values = world.values(keys, attribute: nil, of: scope[start.place], in: start.entity)
                return .number(Double(values.filter { $0 != .null }.count))
            }
        }
        let attribute = pick(numbers)
        let word = pick(["@sum", "@avg", "@min", "@max"])
        return Term(text: "\(path).\(word).\(attribute)") { scope in
            let found = world.values(keys, attribute: attribute, of: scope[start.place], in: start.entity)
            let values = found.compactMap { value -> Double? in
                if case .number(let number) = value { number } else { nil }
            }
            switch word {
            case "@sum": return .number(values.reduce(0, +))
            case "@avg": return values.isEmpty ? .null : .number(values.reduce(0, +) / Double(values.count))
            case "@min": return values.min().map { .number($0) } ?? .null
            default: return values.max().map { .number($0) } ?? .null
            }
        }
    }

    private mutating func quoted(_ text: String) -> String { chance(0.5) ? "\"\(text)\"" : "'\(text)'" }
}

/// Reads tokens as a predicate, by recursive descent.
struct PredicateParser {
    typealias Node = PredicateFormat.Node
    typealias Token = PredicateScanner.Token

    let text: String
    private let tokens: [Token]
    private var position = 0
    private var depth = 0

    init(_ text: String) throws(PredicateFault) {
        self.text = text
        var scanner = try PredicateScanner(text)
        tokens = try scanner.tokens()
    }

    mutating func parse() throws(PredicateFault) -> Node {
        let node = try alternatives()
        guard token.kind == .end else { throw unexpected("AND, OR or the end") }
        return node
    }

    // MARK: Tokens

    /// The last one is `end`, which is never passed.
    var token: Token { tokens[min(position, tokens.count - 1)] }
    private var following: Token { tokens[min(position + 1, tokens.count - 1)] }

    mutating func advance() { position = min(position + 1, tokens.count - 1) }

    func fault(_ offset: Int, _ cause: PredicateFault.Cause) -> PredicateFault {
        PredicateFault(text: text, offset: offset, cause: cause)
    }

    func unexpected(_ expected: String) -> PredicateFault {
        fault(token.offset, .expected(expected, found: Self.describe(token)))
    }

    private static func describe(_ token: Token) -> String {
        switch token.kind {
        case .word(let name): "“\(name)”"
        case .key(let name): "“#\(name)”"
        case .variable(let name): "“$\(name)”"
        case .keyOperator(let name): "“\(name)”"
        case .string: "a text"
        case .integer, .number: "a number"
        case .symbol(let symbol): "“\(symbol)”"
        case .end: "the end"
        }
    }

    func isWord(_ word: String, at token: Token? = nil) -> Bool {
        guard case .word(let found) = (token ?? self.token).kind else { return false }
        return found.count == word.count && found.uppercased() == word
    }

    func isSymbol(_ symbol: String, at token: Token? = nil) -> Bool { (token ?? self.token).kind == .symbol(symbol) }

    mutating func expect(_ symbol: String) throws(PredicateFault) {
        guard isSymbol(symbol) else { throw unexpected("“\(symbol)”") }
        advance()
    }

    /// Goes one level deeper for what `body` reads.
    mutating func nested<Result>(
        _ body: (inout PredicateParser) throws(PredicateFault) -> Result
    ) throws(PredicateFault) -> Result {
        guard depth < PredicateFormat.deepestNesting else { throw fault(token.offset, .tooDeep) }
        depth += 1
        let result = try body(&self)
        depth -= 1
        return result
    }

    // MARK: Compounds

    mutating func alternatives() throws(PredicateFault) -> Node {
        var nodes = [try conjunction()]
        while isWord("OR") || isSymbol("||") {
            advance()
            nodes.append(try conjunction())
        }
        return nodes.count == 1 ? nodes[0] : .or(nodes)
    }

    private mutating func conjunction() throws(PredicateFault) -> Node {
        var nodes = [try term()]
        while isWord("AND") || isSymbol("&&") {
            advance()
            nodes.append(try term())
        }
        return nodes.count == 1 ? nodes[0] : .and(nodes)
    }

    private mutating func term() throws(PredicateFault) -> Node {
        if isWord("NOT") || isSymbol("!") {
            advance()
            return .not(try nested { parser throws(PredicateFault) in try parser.term() })
        }
        if isWord("TRUEPREDICATE") || isWord("FALSEPREDICATE") {
            let value = isWord("TRUEPREDICATE")
            advance()
            return .constant(value)
        }
        if isSymbol("("), !beginsExpression() {
            advance()
            let node = try nested { parser throws(PredicateFault) in try parser.alternatives() }
            try expect(")")
            return node
        }
        return try comparison()
    }

    /// Whether the parenthesis here holds an expression: then an operator follows its end.
    private func beginsExpression() -> Bool {
        var open = 0
        for index in position..<tokens.count {
            if isSymbol("(", at: tokens[index]) { open += 1 }
            if isSymbol(")", at: tokens[index]) { open -= 1 }
            guard open == 0 else { continue }
            let after = tokens[min(index + 1, tokens.count - 1)]
            return relation(of: after) != nil
        }
        return false
    }

    // MARK: Comparisons

    private mutating func comparison() throws(PredicateFault) -> Node {
        var quantifier: PredicateFormat.Quantifier?
        if case .word(let word) = token.kind, let named = PredicateFormat.Quantifier(rawValue: word.uppercased()) {
            quantifier = named
            advance()
        }
        let left = try expression()
        let offset = token.offset
        guard let relation = relation(of: token) else {
            throw unexpected("a comparison (== != < <= > >= BETWEEN IN BEGINSWITH ENDSWITH CONTAINS LIKE MATCHES)")
        }
        advance()
        let options = try options()
        let right = try expression()
        return .comparison(
            PredicateFormat.Comparison(
                quantifier: quantifier, left: left, relation: relation, options: options, right: right, offset: offset))
    }

    private func relation(of token: Token) -> PredicateFormat.Relation? {
        switch token.kind {
        case .symbol(let symbol):
            switch symbol {
            case "=", "==": .equal
            case "!=", "<>": .notEqual
            case "<=", "=<": .lessOrEqual
            case ">=", "=>": .greaterOrEqual
            case "<": .less
            case ">": .greater
            default: nil
            }
        case .word(let word): word.first?.isLetter == true ? PredicateFormat.Relation(rawValue: word.uppercased()) : nil
        default: nil
        }
    }

    private mutating func options() throws(PredicateFault) -> PredicateOptions {
        guard isSymbol("[") else { return [] }
        advance()
        guard case .word(let letters) = token.kind else { throw unexpected("c, d or cd") }
        var options: PredicateOptions = []
        for (place, letter) in letters.enumerated() {
            switch letter {
            case "c", "C": options.insert(.caseInsensitive)
            case "d", "D": options.insert(.diacriticInsensitive)
            // Core Data's promise that texts are normalised already: it changes no result here.
            case "n", "N": break
            default: throw fault(token.offset + place, .unknownOption(String(letter)))
            }
        }
        advance()
        try expect("]")
        return options
    }
}

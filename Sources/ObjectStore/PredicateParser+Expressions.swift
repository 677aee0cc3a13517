extension PredicateParser {
    typealias Expression = PredicateFormat.Expression

    /// Words that are no names of keys unless `#` stands before them.
    private static let reserved: Set<String> = [
        "AND", "OR", "NOT", "ANY", "ALL", "NONE", "SOME", "IN", "BETWEEN", "BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE",
        "MATCHES",
        "TRUEPREDICATE", "FALSEPREDICATE",
    ]

    mutating func expression() throws(PredicateFault) -> Expression {
        let expression = try primary()
        if isSymbol("[") { throw fault(token.offset, .indexExpression) }
        for sign in ["+", "-", "*", "/", "**"] where isSymbol(sign) { throw fault(token.offset, .arithmetic(sign)) }
        return expression
    }

    private mutating func primary() throws(PredicateFault) -> Expression {
        let offset = token.offset
        switch token.kind {
        case .string(let text):
            advance()
            return Expression(kind: .string(text), offset: offset)
        case .integer, .number, .symbol("-"): return try number(offset)
        case .symbol("("):
            advance()
            let inner = try nested { parser throws(PredicateFault) in try parser.expression() }
            try expect(")")
            return inner
        case .symbol("{"): return try list(offset)
        case .variable(let name):
            advance()
            return Expression(kind: .keyPath(try rest(of: []), variable: name), offset: offset)
        case .key(let name):
            advance()
            return Expression(kind: .keyPath(try rest(of: [name]), variable: nil), offset: offset)
        case .word(let word): return try self.word(word, offset)
        case .symbol, .keyOperator, .end: throw unexpected("a key path or a value")
        }
    }

    private mutating func number(_ offset: Int) throws(PredicateFault) -> Expression {
        let isNegative = isSymbol("-")
        if isNegative { advance() }
        let kind: Expression.Kind
        switch token.kind {
        case .integer(let value): kind = .integer(isNegative ? -value : value)
        // 9223372036854775808 is none, but its negative is.
        case .number(_, "9223372036854775808") where isNegative: kind = .integer(.min)
        case .number(let value, let spelling):
            kind = .number(isNegative ? -value : value, spelling: (isNegative ? "-" : "") + spelling)
        default: throw unexpected("a number after “-”")
        }
        advance()
        return Expression(kind: kind, offset: offset)
    }

    private mutating func list(_ offset: Int) throws(PredicateFault) -> Expression {
        advance()
        var items: [Expression] = []
        if !isSymbol("}") {
            items.append(try nested { parser throws(PredicateFault) in try parser.expression() })
            while isSymbol(",") {
                advance()
                items.append(try nested { parser throws(PredicateFault) in try parser.expression() })
            }
        }
        guard isSymbol("}") else { throw unexpected("“,” or “}”") }
        advance()
        return Expression(kind: .list(items), offset: offset)
    }

    private mutating func word(_ word: String, _ offset: Int) throws(PredicateFault) -> Expression {
        let upper = word.uppercased()
        if Self.reserved.contains(upper) { throw unexpected("a key path or a value") }
        advance()
        if isSymbol("(") {
            switch upper {
            case "CAST": return try cast(offset)
            case "SUBQUERY": return try subquery(offset)
            case "NOW":
                advance()
                try expect(")")
                return Expression(kind: .now, offset: offset)
            default: throw fault(offset, .unknownFunction(word))
            }
        }
        // A key path may begin like a literal: `no.name`.
        if !isSymbol(".") {
            switch upper {
            case "NIL", "NULL": return Expression(kind: .null, offset: offset)
            case "YES", "TRUE": return Expression(kind: .boolean(true), offset: offset)
            case "NO", "FALSE": return Expression(kind: .boolean(false), offset: offset)
            default: break
            }
        }
        return Expression(kind: .keyPath(try rest(of: upper == "SELF" ? [] : [word]), variable: nil), offset: offset)
    }

    /// The key path that goes on here with `.key` or `.@operator`.
    private mutating func rest(of first: [String]) throws(PredicateFault) -> String {
        var keys = first
        while isSymbol(".") {
            advance()
            switch token.kind {
            case .word(let name), .key(let name), .keyOperator(let name): keys.append(name)
            default: throw unexpected("a key after “.”")
            }
            advance()
        }
        return keys.joined(separator: ".")
    }

    private mutating func cast(_ offset: Int) throws(PredicateFault) -> Expression {
        advance()
        let value = try nested { parser throws(PredicateFault) in try parser.expression() }
        try expect(",")
        guard case .string(let type) = token.kind else { throw unexpected("a type in quotes, as \"NSDate\"") }
        guard ["NSDate", "NSNumber", "NSString"].contains(type) else { throw fault(token.offset, .unknownType(type)) }
        advance()
        try expect(")")
        return Expression(kind: .cast(value, type: type), offset: offset)
    }

    private mutating func subquery(_ offset: Int) throws(PredicateFault) -> Expression {
        advance()
        let collection = try nested { parser throws(PredicateFault) in try parser.expression() }
        guard case .keyPath = collection.kind else {
            throw fault(collection.offset, .expected("a to-many key path", found: "something else"))
        }
        try expect(",")
        guard case .variable(let variable) = token.kind else { throw unexpected("a variable, as $x") }
        advance()
        try expect(",")
        let node = try nested { parser throws(PredicateFault) in try parser.alternatives() }
        try expect(")")
        guard isSymbol(".") else { throw unexpected("“.@count”") }
        advance()
        guard token.kind == .keyOperator("@count") else { throw unexpected("“@count”") }
        advance()
        return Expression(kind: .subqueryCount(collection, variable: variable, node), offset: offset)
    }
}

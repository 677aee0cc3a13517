/// A predicate in `NSPredicate`'s format language, parsed; names are not looked up yet.
///
/// Key words are recognised whatever their case; a name that is one is written with `#` before it. `AND` binds closer than `OR`, `NOT`
/// closer than both. Escapes in texts are those of `NSPredicate`; a backslash before anything else stays, so that patterns can be
/// written as they are. `%@` and `%K` have nothing to stand for here, and are faults.
package struct PredicateFormat: Sendable, Hashable {
    /// As written.
    package let text: String
    let root: Node

    /// Longest text that is parsed, in characters: lists of ten thousand values are pasted into a predicate.
    package static let longestText = 1 << 18
    /// How deep parentheses, `NOT`, lists and `SUBQUERY` may nest.
    package static let deepestNesting = 32

    /// - Throws: the first fault, with its place.
    /// - Complexity: O(characters × nesting).
    package init(_ text: String) throws(PredicateFault) {
        self.text = text
        var parser = try PredicateParser(text)
        root = try parser.parse()
    }

    indirect enum Node: Sendable, Hashable {
        case constant(Bool)
        case not(Node)
        case and([Node])
        case or([Node])
        case comparison(Comparison)
    }

    struct Comparison: Sendable, Hashable {
        var quantifier: Quantifier?
        var left: Expression
        var relation: Relation
        var options: PredicateOptions
        var right: Expression
        /// Where the operator stands.
        var offset: Int
    }

    enum Quantifier: String, Sendable, Hashable, CaseIterable {
        case any = "ANY"
        case some = "SOME"
        case all = "ALL"
        case none = "NONE"
    }

    enum Relation: String, Sendable, Hashable, CaseIterable {
        case equal = "=="
        case notEqual = "!="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
        case between = "BETWEEN"
        case isIn = "IN"
        case beginsWith = "BEGINSWITH"
        case endsWith = "ENDSWITH"
        case contains = "CONTAINS"
        case like = "LIKE"
        case matches = "MATCHES"
    }

    struct Expression: Sendable, Hashable {
        var kind: Kind
        /// Where it begins, in characters from 0.
        var offset: Int

        indirect enum Kind: Sendable, Hashable {
            /// Empty for the object itself; from the variable of a `SUBQUERY` where one is named.
            case keyPath(String, variable: String?)
            case string(String)
            case integer(Int64)
            /// With its spelling, for comparison with a text.
            case number(Double, spelling: String)
            case boolean(Bool)
            case null
            case now
            case list([Expression])
            case cast(Expression, type: String)
            case subqueryCount(Expression, variable: String, Node)
        }
    }
}

/// How texts are compared: `[c]`, `[d]`, `[cd]`.
package struct PredicateOptions: OptionSet, Sendable, Hashable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Whatever their case.
    package static let caseInsensitive = PredicateOptions(rawValue: 1)
    /// Whatever their diacritics.
    package static let diacriticInsensitive = PredicateOptions(rawValue: 2)
}

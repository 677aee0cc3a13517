/// A predicate whose key paths have been found in a schema, and whose values have the types of what they are compared with.
///
/// Truth is SQL's, as in Core Data's SQLite stores: a comparison with NULL is neither true nor false, not even `!=` or under `NOT`, and
/// only what is true matches. So `name != "x"` leaves objects without a name out; `name == nil` finds them. `ANY` and `SUBQUERY` look
/// for objects for which their condition is true; `ALL` holds if it is true for each, and so for none at all; `NONE` is `NOT ANY`.
package struct ResolvedPredicate: Sendable, Hashable {
    /// As written.
    package let text: String
    package let root: Node

    package init(text: String, root: Node) {
        self.text = text
        self.root = root
    }

    /// Both at once.
    package func and(_ other: ResolvedPredicate) -> ResolvedPredicate {
        ResolvedPredicate(text: "(\(text)) AND (\(other.text))", root: .and([root, other.root]))
    }

    package indirect enum Node: Sendable, Hashable {
        case constant(Bool)
        /// A comparison with nothing: neither true nor false.
        case unknown
        case not(Node)
        case and([Node])
        case or([Node])
        case compare(Operand, Order, Operand, PredicateOptions)
        case isNull(Operand)
        /// Equal to one of the list; false for an empty one.
        case member(Operand, of: [Operand], PredicateOptions)
        case match(Operand, TextMatch, Operand, PredicateOptions)
        /// Whether the condition is true for one (or all) of the values at the end of a to-many key path: there `.element`.
        case quantified(isAll: Bool, ObjectKeyPath, base: Int, Node)
    }

    package enum Order: Sendable, Hashable, CaseIterable {
        case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual

        /// The same with its sides exchanged.
        package var flipped: Order {
            switch self {
            case .equal, .notEqual: self
            case .less: .greater
            case .lessOrEqual: .greaterOrEqual
            case .greater: .less
            case .greaterOrEqual: .lessOrEqual
            }
        }
    }

    package enum TextMatch: Sendable, Hashable, CaseIterable {
        case beginsWith, endsWith, contains
        /// `*` stands for any characters, `?` for one, a backslash before either for itself.
        case like
        /// A regular expression (ICU's) for the whole text.
        case matches
    }

    package indirect enum Operand: Sendable, Hashable {
        /// From the object in question (base 0), or from the variable of the so-many-th `SUBQUERY` around.
        case path(ObjectKeyPath, base: Int)
        /// The value that a quantifier looks at.
        case element(ObjectKeyPath)
        /// Dates as `.date`, objects as their key.
        case value(Value)
        /// A number that a text attribute is compared with, and how it was written.
        case spelledNumber(Value, String)
        /// How many of the objects at the end of a to-many key path the condition is true for; they are the variable of the next base.
        case subqueryCount(ObjectKeyPath, base: Int, Node)
    }
}

extension PredicateFormat {
    /// Finds the key paths in a schema and gives the values their types.
    ///
    /// - Throws: the first fault, with its place.
    /// - Complexity: O(characters × properties of an entity).
    package func resolve(in schema: Schema, entityName: String) throws(PredicateFault) -> ResolvedPredicate {
        let resolver = PredicateResolver(text: text, schema: schema, entityNames: [entityName], variables: [])
        return ResolvedPredicate(text: text, root: try resolver.node(root))
    }

    /// As `resolve`, with all that is wrong: the first fault of each of the comparisons that `AND`, `OR` and `NOT` join, in order.
    package func resolution(in schema: Schema, entityName: String) -> (predicate: ResolvedPredicate?, faults: [PredicateFault]) {
        do {
            return (try resolve(in: schema, entityName: entityName), [])
        } catch {
            let resolver = PredicateResolver(text: text, schema: schema, entityNames: [entityName], variables: [])
            return (nil, resolver.faults(of: root))
        }
    }
}

/// What is wrong with a predicate, and at which character; its words stand here and nowhere else.
package struct PredicateFault: Error, Sendable, Hashable {
    package enum Cause: Sendable, Hashable {
        case tooLong
        case tooDeep
        case expected(String, found: String)
        case unterminatedText
        case unknownEscape(String)
        /// `%@`, `%K` and their kin.
        case argument(String)
        case unknownFunction(String)
        case arithmetic(String)
        case indexExpression
        case unknownOption(String)
        case optionOfNumbers(String)

        case keyPath(KeyPathFault)
        case unknownVariable(String)
        case unknownType(String)
        case notCastable(String)
        case toMany(String)
        case notToMany(String, quantifier: String)
        case object(String)
        case notAText(String, type: String, relation: String)
        case notOrdered(String)
        case literal(String, type: AttributeType)
        case differentTypes(String, String)
        case noList(String)
        case twoBounds
        case patternIsNoText(String)
        case pattern(String)
    }

    /// The predicate, as written.
    package let text: String
    /// In characters, from 0.
    package let offset: Int
    package let cause: Cause

    package init(text: String, offset: Int, cause: Cause) {
        self.text = text
        self.offset = offset
        self.cause = cause
    }

    /// What is wrong and where, counting characters from 1: `character 8: expected …`.
    package var problem: String { "character \(offset + 1): \(reason)" }

    /// Characters of the predicate that are shown before and after the one at fault.
    private static let excerptReach = 32

    /// `problem`, and the place itself, for where nothing else shows it: `…, at ▸ in “name = ▸= 3”`. One line whatever the predicate is.
    package var problemWithPlace: String {
        guard cause != .tooLong, !text.isEmpty else { return problem }
        let start = max(0, offset - Self.excerptReach)
        let before = text.dropFirst(start).prefix(max(0, offset - start))
        let rest = text.dropFirst(offset)
        let after = rest.prefix(Self.excerptReach)
        let excerpt = (start > 0 ? "…" : "") + before + "▸" + after + (after.endIndex < rest.endIndex ? "…" : "")
        return "\(problem), at ▸ in “\(String(excerpt.map { $0.isNewline ? " " : $0 }))”"
    }

    /// What is wrong, in words.
    package var reason: String {
        switch cause {
        case .tooLong: "longer than \(PredicateFormat.longestText) characters"
        case .tooDeep: "nested deeper than \(PredicateFormat.deepestNesting) levels"
        case .expected(let expected, let found): "expected \(expected), found \(found)"
        case .unterminatedText: "the text that begins here has no end"
        case .unknownEscape(let escape): "“\(escape)” is no character"
        case .argument(let argument): "“\(argument)” stands for an argument, and there are none here"
        case .unknownFunction(let name): "no function “\(name)”"
        case .arithmetic(let sign): "“\(sign)”: arithmetic is not supported"
        case .indexExpression: "“[”: elements cannot be picked by their place"
        case .unknownOption(let option): "no option “\(option)”"
        case .optionOfNumbers(let option): "“[\(option)]” compares texts, and these are none"
        case .keyPath(let fault): fault.problem
        case .unknownVariable(let name): "no variable “$\(name)” here"
        case .unknownType(let name): "cannot cast to “\(name)”"
        case .notCastable(let type): "this cannot be cast to \(type)"
        case .toMany(let path): "“\(path)” leads to many values"
        case .notToMany(let path, let quantifier): "\(quantifier) needs a to-many relationship, and “\(path)” crosses none"
        case .object(let path): "“\(path)” is an object, not a value"
        case .notAText(let name, let type, let relation): "\(relation) compares texts, and \(name) is of type \(type)"
        case .notOrdered(let name): "\(name) is neither less nor greater than another"
        case .literal(let literal, let type): "\(literal) is no \(type.rawValue)"
        case .differentTypes(let left, let right): "\(left) cannot be compared with \(right)"
        case .noList(let found): "expected a list { … } or a key path, found \(found)"
        case .twoBounds: "BETWEEN needs a list of two"
        case .patternIsNoText(let relation): "\(relation) needs a text in quotes"
        case .pattern(let pattern): "“\(pattern)” is not a regular expression"
        }
    }

    /// What to do about it, where there is something.
    package var remedy: String? {
        switch cause {
        case .argument(let argument): argument == "%K" ? "write the key path itself" : "write the value itself, texts in quotes"
        case .unterminatedText: "end it with the same quote"
        case .unknownFunction: "known: CAST, SUBQUERY, now()"
        case .unknownOption: "[c] whatever the case, [d] whatever the diacritics, [cd] both"
        case .keyPath(let fault): fault.remedy
        case .unknownType: "known: \"NSDate\", \"NSNumber\", \"NSString\""
        case .toMany: "begin with ANY, ALL or NONE, or end it with @count"
        case .notToMany(_, let quantifier): "leave \(quantifier) out"
        case .object(let path): "add an attribute: \(path).name; or compare it with nil"
        case .literal(_, .date): "write \"2010-04-07\", \"2010-04-07T01:04:48Z\" or CAST(seconds since 2001, \"NSDate\")"
        case .literal(_, .boolean): "write YES or NO"
        case .literal(_, .binary), .literal(_, .transformable): "only == nil and != nil are possible"
        case .literal(_, .uuid): "write it in quotes, as \"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\""
        case .expected(_, let found) where found == "“NOT”": "write NOT before the comparison: NOT (name IN {…})"
        case .twoBounds: "write BETWEEN {1, 10}"
        default: nil
        }
    }
}

extension KeyPathFault {
    /// What is wrong, in words.
    package var problem: String {
        switch self {
        case .empty: "the key path has an empty part"
        case .unknownKey(let key, let entity, _): "“\(entity)” has no property “\(key)”"
        case .notARelationship(let key, let entity): "“\(key)” of “\(entity)” is an attribute, the key path cannot go on after it"
        case .unknownOperator(let name, _): "no operator “\(name)”"
        case .misplacedOperator(let name): "“\(name)” is out of place"
        case .transient(let key, let entity): "“\(key)” of “\(entity)” is transient, so it has no value here"
        }
    }

    /// What to do about it, where there is something.
    package var remedy: String? {
        switch self {
        case .unknownKey(_, _, let nearest): nearest.map { "did you mean “\($0)”?" } ?? "--schema lists what there is"
        case .unknownOperator(_, let nearest): nearest.map { "did you mean “\($0)”?" }
        case .misplacedOperator: "operators follow a to-many relationship: tags.@count, orders.@sum.total"
        case .transient, .empty, .notARelationship: nil
        }
    }
}

import Foundation

// Literals take the type of what they are compared with.
extension PredicateResolver {
    /// Both sides with their types made one.
    func pair(
        _ left: Side, _ right: Side, _ comparison: PredicateFormat.Comparison
    ) throws(PredicateFault) -> (Operand, Operand, Category) {
        let category: Category
        let result: (Operand, Operand)
        switch (left, right) {
        case (.typed(let first, let type, _), .typed(let second, let other, let expression)):
            category = Category(type)
            guard category == Category(other) else {
                throw fault(expression.offset, .differentTypes(name(of: left), name(of: right)))
            }
            guard category != .bytes else { throw fault(comparison.offset, .notOrdered(name(of: left))) }
            result = (first, second)
        case (.typed(let first, let type, _), .literal(let expression)):
            category = Category(type)
            result = (first, try literalOperand(expression, beside: first, type, comparison.options))
        case (.literal(let expression), .typed(let second, let type, _)):
            category = Category(type)
            result = (try literalOperand(expression, beside: second, type, comparison.options), second)
        case (.literal(let first), .literal(let second)):
            let type: AttributeType = first.kind.isText || second.kind.isText ? .string : .double
            category = Category(type)
            result = (.value(try literal(first, as: type)), .value(try literal(second, as: type)))
        }
        if !comparison.options.isEmpty, category != .text, result.0 != .value(.null), result.1 != .value(.null) {
            throw fault(comparison.offset, .optionOfNumbers(comparison.options.letters))
        }
        return (result.0, result.1, category)
    }

    /// A literal beside an attribute. A text attribute may hold numbers as well, as a column without a type does: beside those a
    /// number is one, beside a text it is what was written.
    private func literalOperand(
        _ expression: Expression, beside other: Operand, _ type: AttributeType?, _ options: PredicateOptions
    ) throws(PredicateFault) -> Operand {
        if case .boolean(let flag) = expression.kind, other.isMixed { return .value(.string(flag ? "YES" : "NO")) }
        guard type == .string, options.isEmpty else { return .value(try literal(expression, as: type)) }
        switch expression.kind {
        case .integer(let number): return .spelledNumber(.integer(number), String(number))
        case .number(let number, let spelling): return .spelledNumber(.double(number), spelling)
        default: return .value(try literal(expression, as: type))
        }
    }

    func operand(_ side: Side, as type: AttributeType) throws(PredicateFault) -> Operand {
        switch side {
        case .typed(let operand, _, _): operand
        case .literal(let expression): .value(try literal(expression, as: type))
        }
    }

    /// How a side is called in messages.
    func name(of side: Side) -> String {
        switch side {
        case .typed(let operand, let type, _):
            switch operand {
            case .path(let path, _), .element(let path): "“\(path.text)” (\(Category(type).rawValue))"
            case .value, .spelledNumber, .subqueryCount: Category(type).rawValue
            }
        case .literal(let expression): expression.kind.spelling
        }
    }

    /// A literal as a value of a type; nil stands for objects, of which only the URI of one in a Core Data store can be written.
    func literal(_ expression: Expression, as type: AttributeType?) throws(PredicateFault) -> Value {
        let kind = expression.kind
        if kind == .null { return .null }
        let value: Value? =
            switch type {
            case nil: objectKey(kind).map { .integer($0) }
            case .string, .uri:
                switch kind {
                case .string(let text): .string(text)
                case .integer(let number): .string(String(number))
                case .number(_, let spelling): .string(spelling)
                default: nil
                }
            case .boolean:
                switch kind {
                case .boolean(let flag): .integer(flag ? 1 : 0)
                case .integer(let number): .integer(number)
                case .number(let number, _): .double(number)
                default: nil
                }
            case .int16, .int32, .int64, .decimal, .double, .float:
                switch kind {
                case .integer(let number): .integer(number)
                case .number(let number, _): .double(number)
                case .boolean(let flag): .integer(flag ? 1 : 0)
                case .string(let text): number(text)
                default: nil
                }
            case .date: if case .string(let text) = kind { TextDate.seconds(text).map { .date($0) } } else { nil }
            case .uuid: if case .string(let text) = kind { UUID(uuidString: text).map { .uuid($0) } } else { nil }
            case .binary, .transformable: nil
            }
        if let value { return value }
        guard let type else { throw fault(expression.offset, .differentTypes(kind.spelling, "an object")) }
        throw fault(expression.offset, .literal(kind.spelling, type: type))
    }

    private func number(_ text: String) -> Value? {
        if let whole = Int64(text) { return .integer(whole) }
        return Double(text).flatMap { $0.isFinite ? .double($0) : nil }
    }

    /// `x-coredata://STORE/Entity/p7` is 7.
    private func objectKey(_ kind: Expression.Kind) -> ObjectKey? {
        guard case .string(let text) = kind, text.hasPrefix("x-coredata://"), let last = text.split(separator: "/").last,
            last.first == "p"
        else { return nil }
        return ObjectKey(last.dropFirst())
    }
}

extension ResolvedPredicate.Operand {
    /// Whether its values may be booleans among others.
    fileprivate var isMixed: Bool {
        switch self {
        case .path(let path, _), .element(let path): path.traits.contains(.mixed)
        case .value, .spelledNumber, .subqueryCount: false
        }
    }
}

extension PredicateOptions {
    /// As they are written.
    var letters: String { (contains(.caseInsensitive) ? "c" : "") + (contains(.diacriticInsensitive) ? "d" : "") }
}

extension PredicateFormat.Expression.Kind {
    fileprivate var isText: Bool { if case .string = self { true } else { false } }

    /// As it is called in messages.
    fileprivate var spelling: String {
        switch self {
        case .string(let text): "“\(text.count > 40 ? text.prefix(40) + "…" : text)”"
        case .integer(let number): String(number)
        case .number(_, let spelling): spelling
        case .boolean(let flag): flag ? "YES" : "NO"
        case .null: "nil"
        case .keyPath(let keys, _): "“\(keys)”"
        case .now, .cast, .subqueryCount: "this"
        case .list: "a list"
        }
    }
}

internal import Foundation

/// Parses the XML format of property lists, by an explicit stack.
struct XMLPropertyListParser {
    private enum Container {
        case plist
        case array([PropertyList])
        case dictionary(PropertyListEntries, key: String?)
    }

    private var scanner: XMLScanner
    private let limits: PropertyListLimits
    private var stack: [(container: Container, line: Int)] = []
    private var result: PropertyList?
    private var charged = 0

    init(text: [UInt8], limits: PropertyListLimits) {
        scanner = XMLScanner(text: text)
        self.limits = limits
    }

    /// The whole text's value. Linear in its length.
    mutating func parse() throws(PropertyListError) -> PropertyList {
        while true {
            switch try scanner.next() {
            case .start(let name, _, let isEmpty): try begin(name, isEmpty: isEmpty)
            case .end(let name): try end(name)
            case .text(let text):
                guard text.utf8.allSatisfy({ $0 <= 0x20 }) else {
                    throw scanner.failure("text “\(shortened(text))” outside of a <string>")
                }
            case .endOfFile:
                if let (container, line) = stack.last {
                    throw scanner.failure("the file ends inside the <\(name(of: container))> that begins in line \(line)")
                }
                guard let result else { throw scanner.failure("no value in it") }
                return result
            }
        }
    }

    private func shortened(_ text: String) -> String {
        let trimmed = text.drop { $0.isWhitespace }.prefix { !$0.isNewline }
        return trimmed.count > 30 ? trimmed.prefix(30) + "…" : String(trimmed)
    }

    private func name(of container: Container) -> String {
        switch container {
        case .plist: "plist"
        case .array: "array"
        case .dictionary: "dict"
        }
    }

    private mutating func begin(_ name: String, isEmpty: Bool) throws(PropertyListError) {
        switch name {
        case "plist":
            guard stack.isEmpty, result == nil else { throw scanner.failure("<plist> inside a property list") }
            if !isEmpty { stack.append((.plist, scanner.line)) }
        case "array": try open(.array([]), isEmpty: isEmpty)
        case "dict": try open(.dictionary(PropertyListEntries(), key: nil), isEmpty: isEmpty)
        case "key":
            guard case .dictionary(let entries, let pending)? = stack.last?.container else {
                throw scanner.failure("<key> outside of a <dict>")
            }
            if let pending { throw scanner.failure("the key “\(shortened(pending))” has no value") }
            let key = isEmpty ? "" : try content(of: name)
            stack[stack.count - 1].container = .dictionary(entries, key: key)
        default: try add(try scalar(name, isEmpty: isEmpty))
        }
    }

    private mutating func open(_ container: Container, isEmpty: Bool) throws(PropertyListError) {
        // The <plist> itself is no level.
        let plist: Int
        if case .plist? = stack.first?.container { plist = 1 } else { plist = 0 }
        guard stack.count - plist < limits.depth else {
            throw PropertyListError(cause: .tooDeep(limit: limits.depth, line: scanner.line))
        }
        try expectValue()
        if isEmpty { try add(value(of: container)) } else { stack.append((container, scanner.line)) }
    }

    private func value(of container: Container) -> PropertyList {
        switch container {
        case .plist: .array([])
        case .array(let items): .array(items)
        case .dictionary(let entries, _):
            if entries.list.count == 1, let entry = entries.list.first, entry.key == "CF$UID",
                case .integer(let number) = entry.value,
                let uid = UInt32(exactly: number)
            {
                .uid(UInt64(uid))
            } else {
                .dictionary(entries.list)
            }
        }
    }

    private mutating func end(_ name: String) throws(PropertyListError) {
        guard let (container, line) = stack.last else { throw scanner.failure("</\(name)> without its beginning") }
        let expected = self.name(of: container)
        guard name == expected else {
            throw scanner.failure("</\(name)> where </\(expected)> belongs, which began in line \(line)")
        }
        if case .dictionary(_, let pending?) = container { throw scanner.failure("the key “\(shortened(pending))” has no value") }
        stack.removeLast()
        if case .plist = container { return }
        try add(value(of: container))
    }

    /// Throws when no value may stand here.
    private func expectValue() throws(PropertyListError) {
        switch stack.last?.container {
        case .dictionary(_, nil): throw scanner.failure("a value without a <key> before it")
        case .plist, nil:
            guard result == nil else { throw scanner.failure("more than one value at the top") }
        default: break
        }
    }

    private mutating func add(_ value: PropertyList) throws(PropertyListError) {
        charged &+= PropertyListLimits.bytesPerValue
        guard charged <= limits.expandedBytes else {
            throw PropertyListError(cause: .expandsTooFar(limit: limits.expandedBytes))
        }
        try expectValue()
        let top = stack.count - 1
        guard top >= 0 else {
            result = value
            return
        }
        // Taken out of the stack while it grows: two owners would copy it for each value.
        let container = stack[top].container
        stack[top].container = .plist
        switch container {
        case .plist: result = value
        case .array(var items):
            items.append(value)
            stack[top].container = .array(items)
        case .dictionary(var entries, let key):
            entries.set(value, for: key ?? "")
            stack[top].container = .dictionary(entries, key: nil)
        }
    }

    private mutating func scalar(_ name: String, isEmpty: Bool) throws(PropertyListError) -> PropertyList {
        switch name {
        case "true", "false":
            if !isEmpty {
                guard try content(of: name).isEmpty else { throw scanner.failure("<\(name)> is not empty") }
            }
            return .boolean(name == "true")
        case "string", "integer", "real", "date", "data": break
        default: throw scanner.failure("<\(name)> is not an element of property lists")
        }
        let text = isEmpty ? "" : try content(of: name)
        switch name {
        case "string": return .string(text)
        case "integer": return try integer(text)
        case "real":
            guard let number = XMLPropertyListValues.real(text) else {
                throw scanner.failure("<real> is “\(shortened(text))”, not a number")
            }
            return .real(number)
        case "date":
            guard let date = XMLPropertyListValues.date(text) else {
                throw scanner.failure("<date> is “\(shortened(text))”, not like 2001-12-31T23:59:59Z")
            }
            return .date(date)
        default:
            guard let data = XMLPropertyListValues.data(text) else { throw scanner.failure("<data> is not in base64") }
            return .data(data)
        }
    }

    private func integer(_ text: String) throws(PropertyListError) -> PropertyList {
        switch XMLPropertyListValues.integer(text) {
        case .signed(let number): return .integer(number)
        case .wider(let number): return .real(Double(number))
        case .overflow: throw scanner.failure("<integer> is “\(shortened(text))”, more than 64 bits hold")
        case nil: throw scanner.failure("<integer> is “\(shortened(text))”, not a whole number")
        }
    }

    /// The text up to the end of the element, which must hold nothing else.
    private mutating func content(of name: String) throws(PropertyListError) -> String {
        let line = scanner.line
        var content = ""
        while true {
            switch try scanner.next() {
            case .text(let text): content += text
            case .end(let other):
                guard other == name else {
                    throw scanner.failure("</\(other)> where </\(name)> belongs, which began in line \(line)")
                }
                return content
            case .start(let other, _, _): throw scanner.failure("<\(other)> inside of the <\(name)> that begins in line \(line)")
            case .endOfFile: throw scanner.failure("the file ends inside the <\(name)> that begins in line \(line)")
            }
        }
    }
}

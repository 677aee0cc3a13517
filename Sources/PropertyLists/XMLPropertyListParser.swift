internal import Foundation

/// Parses the XML format of property lists, by an explicit stack.
struct XMLPropertyListParser: TextPropertyListParser {
    /// An element that is open. Its parts are changed in place: taken out and put back, they would be copied for each value.
    private struct Container {
        enum Kind: String {
            case plist
            case array
            case dictionary = "dict"
        }

        let kind: Kind
        let line: Int
        var items: [PropertyList] = []
        var entries = PropertyListEntries()
        /// The key that waits for its value.
        var key: String?

        init(_ kind: Kind, line: Int) {
            self.kind = kind
            self.line = line
        }

        var value: PropertyList {
            guard kind == .dictionary else { return .array(items) }
            if entries.list.count == 1, let entry = entries.list.first, entry.key == "CF$UID",
                case .integer(let number) = entry.value,
                let uid = UInt32(exactly: number)
            {
                return .uid(UInt64(uid))
            }
            return .dictionary(entries.list)
        }
    }

    private var scanner: XMLScanner
    private let limits: PropertyListLimits
    private var stack: [Container] = []
    private var result: PropertyList?
    private var charged = 0
    /// Keys that came again in their dictionary.
    private(set) var repeatedKeys: [PropertyListReading.RepeatedKey] = []

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
                if let open = stack.last {
                    throw scanner.failure("the file ends inside the <\(open.kind.rawValue)> that begins in line \(open.line)")
                }
                guard let result else { throw scanner.failure("no value in it") }
                return result
            }
        }
    }

    /// After a fault: what was whole before it, as far as it is kept.
    var salvaged: PropertyList? {
        let open = stack.drop { $0.kind == .plist }
        guard var outermost = open.first else { return result }
        if outermost.kind == .dictionary, let key = outermost.key, let next = open.dropFirst().first, next.kind == .array {
            outermost.entries.set(next.value, for: key)
        }
        return outermost.value
    }

    private func shortened(_ text: String) -> String {
        let trimmed = text.drop { $0.isWhitespace }.prefix { !$0.isNewline }
        return trimmed.count > 30 ? trimmed.prefix(30) + "…" : String(trimmed)
    }

    private mutating func begin(_ name: String, isEmpty: Bool) throws(PropertyListError) {
        switch name {
        case "plist":
            guard stack.isEmpty, result == nil else { throw scanner.failure("<plist> inside a property list") }
            if !isEmpty { stack.append(Container(.plist, line: scanner.line)) }
        case "array": try open(.array, isEmpty: isEmpty)
        case "dict": try open(.dictionary, isEmpty: isEmpty)
        case "key":
            guard let open = stack.indices.last, stack[open].kind == .dictionary else {
                throw scanner.failure("<key> outside of a <dict>")
            }
            if let pending = stack[open].key { throw scanner.failure("the key “\(shortened(pending))” has no value") }
            stack[open].key = isEmpty ? "" : try content(of: name)
        default: try add(try scalar(name, isEmpty: isEmpty))
        }
    }

    private mutating func open(_ kind: Container.Kind, isEmpty: Bool) throws(PropertyListError) {
        // The <plist> itself is no level.
        guard stack.count - (stack.first?.kind == .plist ? 1 : 0) < limits.depth else {
            throw PropertyListError(cause: .tooDeep(limit: limits.depth, line: scanner.line))
        }
        try expectValue()
        let container = Container(kind, line: scanner.line)
        if isEmpty { try add(container.value) } else { stack.append(container) }
    }

    private mutating func end(_ name: String) throws(PropertyListError) {
        guard let open = stack.last else { throw scanner.failure("</\(name)> without its beginning") }
        let expected = open.kind.rawValue
        guard name == expected else {
            throw scanner.failure("</\(name)> where </\(expected)> belongs, which began in line \(open.line)")
        }
        if let pending = open.key { throw scanner.failure("the key “\(shortened(pending))” has no value") }
        stack.removeLast()
        if open.kind != .plist { try add(open.value) }
    }

    /// Throws when no value may stand here.
    private func expectValue() throws(PropertyListError) {
        guard let open = stack.indices.last, stack[open].kind != .plist else {
            guard result == nil else { throw scanner.failure("more than one value at the top") }
            return
        }
        if stack[open].kind == .dictionary, stack[open].key == nil { throw scanner.failure("a value without a <key> before it") }
    }

    private mutating func add(_ value: PropertyList) throws(PropertyListError) {
        charged &+= PropertyListLimits.bytesPerValue
        guard charged <= limits.expandedBytes else {
            throw PropertyListError(cause: .expandsTooFar(limit: limits.expandedBytes))
        }
        try expectValue()
        guard let open = stack.indices.last else {
            result = value
            return
        }
        switch stack[open].kind {
        case .plist: result = value
        case .array: stack[open].items.append(value)
        case .dictionary:
            let key = stack[open].key ?? ""
            if !stack[open].entries.set(value, for: key), repeatedKeys.count < PropertyListReading.mostRepeatedKeys {
                repeatedKeys.append(PropertyListReading.RepeatedKey(key: key, line: scanner.line))
            }
            stack[open].key = nil
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
        case .wider(let number): return .unsigned(number)
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

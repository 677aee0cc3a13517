import PropertyLists

/// Reads JSON by the letter of RFC 8259; no recursion, so the depth of a text costs no stack.
struct JSONParser {
    /// Where and why a text is no JSON.
    struct Failure: Error, Equatable {
        var reason: String
        /// 0-based, in bytes.
        var position: Int
    }

    /// More levels than this are not read: a value is taken apart level by level when it goes.
    static let deepest = 512

    /// A container that is being filled: its members are the last ones read, from `start` on.
    private struct Open {
        let isObject: Bool
        let start: Int
    }

    private let bytes: [UInt8]
    private var position = 0
    private var open: [Open] = []
    /// What is read of the open containers, and the names of what stands in objects.
    private var members: [JSONValue.Member] = []
    /// Names of the values that are still to come, one for each open container.
    private var names: [String] = []

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// O(n).
    static func parse(_ bytes: [UInt8]) throws(Failure) -> JSONValue {
        var parser = JSONParser(bytes)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { parser.position = 3 }
        return try parser.document()
    }

    private mutating func document() throws(Failure) -> JSONValue {
        while true {
            var finished = try begin()
            // Hands a finished value to its container, which may finish that one too.
            while let value = finished {
                guard let container = open.last else {
                    skipSpace()
                    guard position == bytes.count else { throw failure("something follows the value") }
                    return value
                }
                finished = try add(value, to: container)
            }
        }
    }

    /// Reads a scalar or an empty container; nil where a container was opened.
    private mutating func begin() throws(Failure) -> JSONValue? {
        skipSpace()
        switch peek {
        case UInt8(ascii: "["):
            position += 1
            skipSpace()
            if take("]") { return .array([]) }
            try enter(isObject: false)
            return nil
        case UInt8(ascii: "{"):
            position += 1
            skipSpace()
            if take("}") { return .object([]) }
            try enter(isObject: true)
            return nil
        case UInt8(ascii: "\""): return .string(try string())
        default: return try word()
        }
    }

    private mutating func enter(isObject: Bool) throws(Failure) {
        guard open.count < Self.deepest else { throw failure("nested more than \(Self.deepest) levels deep") }
        open.append(Open(isObject: isObject, start: members.count))
        if isObject { try memberName() } else { names.append("") }
    }

    /// The container, where the value was its last one; nil where more is to come.
    private mutating func add(_ value: JSONValue, to container: Open) throws(Failure) -> JSONValue? {
        members.append(JSONValue.Member(name: names.removeLast(), value: value))
        skipSpace()
        if take(",") {
            skipSpace()
            if container.isObject { try memberName() } else { names.append("") }
            return nil
        }
        guard take(container.isObject ? "}" : "]") else { throw failure("no comma or end after a value") }
        open.removeLast()
        // A copy, not a slice: with a slice of them alive, taking them away would copy all the others, for each container.
        let own = Array(members[container.start...])
        members.removeLast(own.count)
        return container.isObject ? .object(own) : .array(own.map(\.value))
    }

    private mutating func memberName() throws(Failure) {
        guard peek == UInt8(ascii: "\"") else { throw failure("no name of a member") }
        let name = try string()
        skipSpace()
        guard take(":") else { throw failure("no colon after a name") }
        names.append(name)
    }

    // MARK: Scalars

    private mutating func word() throws(Failure) -> JSONValue {
        let start = position
        while let byte = peek, byte == 0x2B || byte == 0x2D || byte == 0x2E || isLetterOrDigit(byte) { position += 1 }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        switch text {
        case "null": return .null
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        default:
            guard Self.isNumber(bytes[start..<position]) else {
                position = start
                throw failure("no value")
            }
            return .number(text)
        }
    }

    private func isLetterOrDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 }

    private static func isNumber(_ text: ArraySlice<UInt8>) -> Bool {
        var rest = text
        func digits() -> Int {
            let count = rest.prefix { $0 &- 0x30 < 10 }.count
            rest = rest.dropFirst(count)
            return count
        }
        if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
        let startsWithZero = rest.first == UInt8(ascii: "0")
        let whole = digits()
        guard whole > 0, whole == 1 || !startsWithZero else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            guard digits() > 0 else { return false }
        }
        if let exponent = rest.first, exponent | 0x20 == UInt8(ascii: "e") {
            rest = rest.dropFirst()
            if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { rest = rest.dropFirst() }
            guard digits() > 0 else { return false }
        }
        return rest.isEmpty
    }

    private mutating func string() throws(Failure) -> String {
        position += 1
        var text: [UInt8] = []
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                position += 1
                try escape(&text)
            case 0..<0x20: throw failure("a control character in a string")
            default:
                text.append(byte)
                position += 1
            }
        }
        throw failure("a string without an end")
    }

    private mutating func escape(_ text: inout [UInt8]) throws(Failure) {
        guard let byte = peek else { throw failure("a string without an end") }
        position += 1
        if let meant = JSONEscape.byte(for: byte) { return text.append(meant) }
        guard byte == UInt8(ascii: "u") else { throw failure("an escape that is none") }
        var units = [try unit()]
        if UTF16.isLeadSurrogate(units[0]), peek == UInt8(ascii: "\\"), position + 1 < bytes.count,
            bytes[position + 1] == UInt8(ascii: "u")
        {
            position += 2
            units.append(try unit())
        }
        text += String(decoding: units, as: UTF16.self).utf8
    }

    private mutating func unit() throws(Failure) -> UInt16 {
        guard position + 4 <= bytes.count, let unit = JSONEscape.unit(bytes[position..<position + 4]) else {
            throw failure("an escape that is none")
        }
        position += 4
        return unit
    }

    // MARK: Bytes

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private func failure(_ reason: String) -> Failure { Failure(reason: reason, position: position) }
}

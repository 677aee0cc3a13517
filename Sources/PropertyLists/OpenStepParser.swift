internal import Foundation

/// Parses the old-style format of OpenStep: `{ key = value; }`, `( item, item )`, `<0fbd77>`, quoted and bare strings.
///
/// Numbers and flags stay strings, as in Foundation. A file of `key = value;` pairs without braces (a strings file) is a
/// dictionary. A key given twice has its last value, as in Foundation.
struct OpenStepParser: TextPropertyListParser {
    let text: [UInt8]
    let limits: PropertyListLimits
    var position = 0
    var line = 1
    private var charged = 0
    /// Keys that came again in their dictionary.
    private(set) var repeatedKeys: [PropertyListReading.RepeatedKey] = []
    /// After a fault: what was whole before it, as far as it is kept.
    private(set) var salvaged: PropertyList?
    /// After a fault: the array, one of the outermost dictionary's values, that it lies in.
    private var brokenArray: PropertyList?

    init(text: [UInt8], limits: PropertyListLimits) {
        self.text = text
        self.limits = limits
    }

    /// The whole text's value. Linear in its length.
    mutating func parse() throws(PropertyListError) -> PropertyList {
        try skipBlank()
        guard position < text.count else { throw PropertyListError(cause: .empty) }
        let start = (position, line)
        let startsWithString = text[position] != UInt8(ascii: "{") && text[position] != UInt8(ascii: "(")
        let value = try self.value(depth: 1)
        try skipBlank()
        guard position < text.count else { return value }
        if startsWithString, case .string = value {
            (position, line) = start
            return try dictionary(depth: 1, opened: nil)
        }
        throw failure("\(found) after the end of the property list")
    }

    private mutating func value(depth: Int) throws(PropertyListError) -> PropertyList {
        charged &+= PropertyListLimits.bytesPerValue
        guard charged <= limits.expandedBytes else {
            throw PropertyListError(cause: .expandsTooFar(limit: limits.expandedBytes))
        }
        try skipBlank()
        guard position < text.count else { throw failure("the file ends where a value belongs") }
        switch text[position] {
        case UInt8(ascii: "{"):
            let opened = line
            position += 1
            return try dictionary(depth: depth, opened: opened)
        case UInt8(ascii: "("): return try array(depth: depth)
        case UInt8(ascii: "<"): return .data(try data())
        default: return .string(try string(expecting: "a value"))
        }
    }

    private func checkDepth(_ depth: Int) throws(PropertyListError) {
        guard depth <= limits.depth else { throw PropertyListError(cause: .tooDeep(limit: limits.depth, line: line)) }
    }

    /// A dictionary's pairs; after its `{` in line `opened`, or to the end of a strings file.
    private mutating func dictionary(depth: Int, opened: Int?) throws(PropertyListError) -> PropertyList {
        try checkDepth(depth)
        var entries = PropertyListEntries()
        var key = ""
        do throws(PropertyListError) {
            try readEntries(&entries, key: &key, depth: depth, opened: opened)
        } catch {
            if depth == 1 {
                if let brokenArray { entries.set(brokenArray, for: key) }
                salvaged = .dictionary(entries.list)
            }
            throw error
        }
        return .dictionary(entries.list)
    }

    /// `key` is the last one read.
    private mutating func readEntries(
        _ entries: inout PropertyListEntries, key: inout String, depth: Int, opened: Int?
    ) throws(PropertyListError) {
        while true {
            try skipBlank()
            guard position < text.count else {
                guard let opened else { return }
                throw failure("the file ends inside the dictionary that begins in line \(opened): a “}” is missing")
            }
            if opened != nil, text[position] == UInt8(ascii: "}") {
                position += 1
                return
            }
            key = try string(expecting: opened == nil ? "a key" : "a key or “}”")
            let keyLine = line
            try skipBlank()
            if position < text.count, text[position] == UInt8(ascii: ";") {
                // A key alone stands for itself.
                if !entries.set(.string(key), for: key) { noteRepeated(key, line: keyLine) }
            } else {
                try expectEquals(after: key)
                if !entries.set(try value(depth: depth + 1), for: key) { noteRepeated(key, line: keyLine) }
                try skipBlank()
                guard position < text.count, text[position] == UInt8(ascii: ";") else {
                    throw failure(
                        "“;” is missing after the value of “\(shortened(key))”", line: keyLine == line ? line : lastLine)
                }
            }
            position += 1
        }
    }

    private mutating func noteRepeated(_ key: String, line: Int) {
        guard repeatedKeys.count < PropertyListReading.mostRepeatedKeys else { return }
        repeatedKeys.append(PropertyListReading.RepeatedKey(key: key, line: line))
    }

    private mutating func expectEquals(after key: String) throws(PropertyListError) {
        guard position < text.count, text[position] == UInt8(ascii: "=") else {
            if position < text.count, text[position] == UInt8(ascii: ":") {
                throw failure("“:” where “=” belongs; it looks like JSON")
            }
            throw failure("“=” is missing after the key “\(shortened(key))”")
        }
        position += 1
    }

    private mutating func array(depth: Int) throws(PropertyListError) -> PropertyList {
        try checkDepth(depth)
        var items: [PropertyList] = []
        do throws(PropertyListError) {
            try readItems(&items, depth: depth)
        } catch {
            if depth == 1 { salvaged = .array(items) }
            if depth == 2 { brokenArray = .array(items) }
            throw error
        }
        return .array(items)
    }

    private mutating func readItems(_ items: inout [PropertyList], depth: Int) throws(PropertyListError) {
        let opened = line
        position += 1
        while true {
            try skipBlank()
            guard position < text.count else {
                throw failure("the file ends inside the array that begins in line \(opened): a “)” is missing")
            }
            if text[position] == UInt8(ascii: ")") { break }
            items.append(try value(depth: depth + 1))
            try skipBlank()
            guard position < text.count, text[position] == UInt8(ascii: ",") else { break }
            position += 1
        }
        guard position < text.count, text[position] == UInt8(ascii: ")") else {
            throw failure("“,” or “)” is missing in the array that begins in line \(opened)")
        }
        position += 1
    }

    private mutating func data() throws(PropertyListError) -> Data {
        position += 1
        var bytes: [UInt8] = []
        var high: UInt8?
        while position < text.count {
            let byte = text[position]
            if byte == UInt8(ascii: ">") {
                guard high == nil else { throw failure("an odd number of digits in <…>") }
                position += 1
                return Data(bytes)
            }
            if let digit = JSONEscape.digit(byte).map(UInt8.init) {
                if let first = high {
                    bytes.append(first << 4 | digit)
                    high = nil
                } else {
                    high = digit
                }
            } else if isBlank(byte) {
                if byte == UInt8(ascii: "\n") { line += 1 }
            } else {
                throw failure("\(found) in <…>, where only hexadecimal digits belong")
            }
            position += 1
        }
        throw failure("the file ends inside <…>: a “>” is missing")
    }
}

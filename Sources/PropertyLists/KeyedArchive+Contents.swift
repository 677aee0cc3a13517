package import Foundation

extension KeyedArchive {
    /// What an object is, where its class is one of Foundation's that stand for a plain value.
    package enum Contents: Sendable {
        case array(Elements)
        case set(Elements)
        case dictionary(keys: Elements, values: Elements)
        /// A string, number, date, data or null that was archived as an object.
        case value(Value)
        case uuid(UUID)
        /// The address, resolved against its base as text where it has one.
        case url(String)
        /// Any other class: its fields are all that is known.
        case fields(Fields)
    }

    /// What an object is, told by its fields (mutable, private and sub-classes have the same). O(fields).
    package func contents(of object: Object) -> Contents {
        let fields = fields(of: object)
        if let container = container(object, fields) { return container }
        switch fields["NS.string"] {
        case .string(let text): return .value(.string(text))
        case .data(let range): return .value(.string(String(decoding: list.bytes[range], as: UTF8.self)))
        default: break
        }
        if case .data(let range) = fields["NS.bytes"], classNames(of: object).contains("NSString") {
            return .value(.string(String(decoding: list.bytes[range], as: UTF8.self)))
        }
        switch fields["NS.time"] {
        case .real(let seconds), .date(let seconds): return .value(.date(seconds))
        case .integer(let seconds): return .value(.date(Double(seconds)))
        default: break
        }
        if case .data(let range) = fields["NS.data"], fields.names.count == 2 { return .value(.data(range)) }
        if case .data(let range) = fields["NS.uuidbytes"], range.count == 16 {
            let bytes = Array(list.bytes[range])
            return .uuid(NSUUID(uuidBytes: bytes) as UUID)
        }
        if let address = address(fields, depth: 0) { return .url(address) }
        for name in ["NS.intval", "NS.dblval", "NS.boolval"] where fields.contains(name) {
            if name == "NS.boolval", case .integer(let number) = fields[name] { return .value(.boolean(number != 0)) }
            return .value(fields[name])
        }
        if let decimal = decimal(fields) { return .value(.string(decimal)) }
        if className(of: object) == "NSNull" { return .value(.null) }
        return .fields(fields)
    }

    private func container(_ object: Object, _ fields: Fields) -> Contents? {
        if case .list(let items) = fields["NS.objects"] {
            if case .list(let keys) = fields["NS.keys"] { return .dictionary(keys: keys, values: items) }
            return sequence(object, items)
        }
        // Core Data's dictionary with a fixed set of keys, which all of a kind share.
        if case .object(let mapping) = fields["searchMapping"], case .object(let keys) = self.fields(of: mapping)["keys"],
            case .object(let values) = fields["values"], let names = items(of: keys), let items = items(of: values)
        {
            return .dictionary(keys: names, values: items)
        }
        // Ordered sets, and arrays written before there were lists: one field for each element.
        let items = positions(of: "NS.object.", in: fields)
        guard !items.isEmpty else {
            switch className(of: object) {
            case "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSOrderedSet", "NSMutableOrderedSet":
                return fields.names.count == 1 ? sequence(object, elements(fields, at: [])) : nil
            case "NSDictionary", "NSMutableDictionary":
                guard fields.names.count == 1 else { return nil }
                return .dictionary(keys: elements(fields, at: []), values: elements(fields, at: []))
            default: return nil
            }
        }
        let keys = positions(of: "NS.key.", in: fields)
        if keys.count == items.count { return .dictionary(keys: elements(fields, at: keys), values: elements(fields, at: items)) }
        return sequence(object, elements(fields, at: items))
    }

    /// The elements of an object that is an array; nil for any other.
    private func items(of object: Object) -> Elements? {
        if case .list(let items) = fields(of: object)["NS.objects"] { items } else { nil }
    }

    private func sequence(_ object: Object, _ items: Elements) -> Contents {
        switch className(of: object) {
        case "NSSet", "NSMutableSet", "NSCountedSet": .set(items)
        default: .array(items)
        }
    }

    /// Where the fields `prefix0`, `prefix1`, … lie, in the order of their numbers.
    private func positions(of prefix: String, in fields: Fields) -> [Int] {
        fields.names.enumerated()
            .compactMap { position, name in
                guard name.hasPrefix(prefix), let number = Int(name.dropFirst(prefix.count)) else { return nil }
                return (number, position)
            }
            .sorted { (left: (Int, Int), right: (Int, Int)) in left < right }
            .map { $0.1 }
    }

    private func address(_ fields: Fields, depth: Int) -> String? {
        guard case .string(let relative) = fields["NS.relative"] else { return nil }
        guard depth < 8, case .object(let base) = fields["NS.base"], let text = address(self.fields(of: base), depth: depth + 1)
        else {
            return relative
        }
        return URL(string: relative, relativeTo: URL(string: text))?.absoluteString ?? relative
    }

    /// `NSDecimalNumber`: up to eight 16-bit digits, least first, and a power of ten.
    private func decimal(_ fields: Fields) -> String? {
        guard case .data(let range) = fields["NS.mantissa"], range.count <= 16, range.count.isMultiple(of: 2),
            case .integer(let exponent) = fields["NS.exponent"], (-200...200).contains(exponent)
        else { return nil }
        // 2 is big-endian, as CoreFoundation numbers the orders.
        var isBigEndian = false
        if case .integer(2) = fields["NS.mantissa.bo"] { isBigEndian = true }
        var length = range.count / 2
        if case .integer(let count) = fields["NS.length"], let count = Int(exactly: count), (0...length).contains(count) {
            length = count
        }
        var isNegative = false
        switch fields["NS.negative"] {
        case .boolean(let flag): isNegative = flag
        case .integer(let number): isNegative = number != 0
        default: break
        }
        // A negative number without digits is how the class says that it is none.
        if length == 0 { return isNegative ? "NaN" : "0" }
        var mantissa: UInt128 = 0
        for index in (0..<length).reversed() {
            let first = UInt128(list.bytes[range.lowerBound + 2 * index])
            let second = UInt128(list.bytes[range.lowerBound + 2 * index + 1])
            mantissa = mantissa << 16 | (isBigEndian ? first << 8 | second : second << 8 | first)
        }
        var digits = String(mantissa)
        if exponent >= 0 {
            if mantissa != 0 { digits += String(repeating: "0", count: Int(exponent)) }
        } else {
            let places = Int(-exponent)
            if digits.count <= places { digits = String(repeating: "0", count: places - digits.count + 1) + digits }
            digits.insert(".", at: digits.index(digits.endIndex, offsetBy: -places))
            while digits.last == "0" { digits.removeLast() }
            if digits.last == "." { digits.removeLast() }
        }
        return (isNegative ? "-" : "") + digits
    }
}

internal import Foundation

/// The binary format (`bplist00`), read one object at a time: nothing is expanded before it is asked for, and objects refer to
/// each other by number, so that shared, cyclic and damaged files cost no more than what is looked at.
package struct BinaryPropertyList: Sendable {
    /// The number of an object, its place in the file's offset table.
    package struct Reference: Hashable, Sendable {
        package let number: Int
    }

    /// References in a row, decoded as they are asked for.
    package struct References: RandomAccessCollection, Sendable {
        fileprivate let list: BinaryPropertyList
        fileprivate let offset: Int
        package let count: Int

        package var startIndex: Int { 0 }
        package var endIndex: Int { count }

        /// O(1). `position` must be one of the indices, as for any collection.
        package subscript(position: Int) -> Reference {
            precondition(position >= 0 && position < count)
            let size = list.referenceSize
            let number = list.unsigned(at: offset + position * size, size: size) ?? .max
            return Reference(number: Int(exactly: number) ?? .max)
        }
    }

    /// An object.
    package enum Node: Sendable {
        case null
        case boolean(Bool)
        case integer(Int64)
        /// An integer above `Int64.max`.
        case unsigned(UInt64)
        case real(Double)
        /// Seconds since 2001-01-01 00:00:00 UTC.
        case date(Double)
        /// The bytes' place in the file.
        case data(Range<Int>)
        case string(String)
        case uid(UInt64)
        case array(References)
        case set(References)
        case dictionary(keys: References, values: References)
    }

    /// The whole file.
    package let bytes: [UInt8]
    /// How many objects there are.
    package let objectCount: Int
    /// The object that is the property list.
    package let top: Reference
    /// Where reading broke off, in bytes from the beginning; nil for a file that is whole.
    package let brokenAt: Int?
    let referenceSize: Int
    private let offsetSize: Int
    /// Where the objects end: at the offset table, or where a damaged file breaks off.
    private let tableOffset: Int
    /// Where the objects of a damaged file were found; its own table is not there.
    private let found: [Int]

    private static let trailerSize = 32
    static let headerSize = 8

    /// Reads the trailer only. O(1).
    package init(bytes: [UInt8]) throws(PropertyListError) {
        guard bytes.starts(with: "bplist".utf8) else { throw .malformed("not in the binary format") }
        guard bytes.count >= Self.headerSize + Self.trailerSize else {
            throw .malformed("the binary file is cut off after its beginning")
        }
        guard bytes[6] == UInt8(ascii: "0") else {
            let version = String(
                decoding: bytes[6..<8].map { (0x20..<0x7F).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
            throw .malformed("its binary format is version “\(version)”; only version 00 is known")
        }
        let trailer = bytes.count - Self.trailerSize
        self.bytes = bytes
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        func number(at offset: Int) -> Int? {
            var value: UInt64 = 0
            for byte in bytes[offset..<(offset + 8)] { value = value << 8 | UInt64(byte) }
            return Int(exactly: value)
        }
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), let count = number(at: trailer + 8), count >= 1,
            let top = number(at: trailer + 16), top < count, let table = number(at: trailer + 24), table > Self.headerSize,
            table < trailer, count <= (trailer - table) / offsetSize
        else { throw .malformed("the end of the binary file is damaged or cut off: it does not describe its objects") }
        objectCount = count
        self.top = Reference(number: top)
        tableOffset = table
        found = []
        brokenAt = nil
    }

    /// Over objects that were found without the file's table.
    init(bytes: [UInt8], found: [Int], referenceSize: Int, brokenAt: Int) {
        self.bytes = bytes
        self.found = found
        self.referenceSize = referenceSize
        self.brokenAt = brokenAt
        offsetSize = 0
        objectCount = found.count
        top = Reference(number: 0)
        tableOffset = bytes.count
    }

    /// A big-endian unsigned integer of up to 8 bytes among the objects; nil when it lies outside.
    func unsigned(at offset: Int, size: Int) -> UInt64? {
        guard offset >= 0, size >= 0, size <= 8, offset <= bytes.count - size else { return nil }
        var value: UInt64 = 0
        for index in offset..<(offset + size) { value = value << 8 | UInt64(bytes[index]) }
        return value
    }

    /// Where an object begins; nil when the table gives no place between header and table.
    private func offset(of reference: Reference) -> Int? {
        guard reference.number >= 0, reference.number < objectCount else { return nil }
        if brokenAt != nil { return found[reference.number] }
        guard let value = unsigned(at: tableOffset + reference.number * offsetSize, size: offsetSize),
            let offset = Int(exactly: value),
            offset >= Self.headerSize, offset < tableOffset
        else { return nil }
        return offset
    }

    /// An object; throws where the file is damaged. O(1), but for strings linear in their length.
    package func node(_ reference: Reference) throws(PropertyListError) -> Node {
        guard let offset = offset(of: reference) else {
            guard let brokenAt else {
                let place = tableOffset + max(0, min(reference.number, objectCount - 1)) * offsetSize
                throw .malformed(
                    reference.number < objectCount
                        ? "its table of objects is damaged at byte \(place)"
                        : "damaged: one of its values refers to none of its \(objectCount) objects")
            }
            throw .malformed("a value is lost: the file is cut off or damaged at byte \(brokenAt)")
        }
        do {
            return try node(at: offset)
        } catch {
            throw .malformed("damaged at byte \(offset): \(error.reason)")
        }
    }

    /// A dictionary; nil for anything else, without reading it.
    func dictionary(_ reference: Reference) throws(PropertyListError) -> Node? {
        guard let offset = offset(of: reference), bytes[offset] >> 4 == 0xD else { return nil }
        return try node(reference)
    }

    func isString(_ reference: Reference) -> Bool {
        guard let offset = offset(of: reference) else { return false }
        return (0x5...0x7).contains(bytes[offset] >> 4)
    }

    /// A string of up to `limit` bytes in the file; nil for longer ones and for anything else. O(limit).
    func string(_ reference: Reference, limit: Int) -> String? {
        guard let offset = offset(of: reference) else { return nil }
        let unit: Int
        switch bytes[offset] >> 4 {
        case 0x5, 0x7: unit = 1
        case 0x6: unit = 2
        default: return nil
        }
        guard let range = try? extent(after: offset, low: Int(bytes[offset] & 0x0F), unit: unit, what: ""), range.count <= limit
        else {
            return nil
        }
        return unit == 2 ? utf16(range) : String(decoding: bytes[range], as: UTF8.self)
    }

    /// Where the object at `offset` ends; nil where it is damaged or goes beyond the end. O(1).
    func end(ofObjectAt offset: Int) -> Int? {
        guard offset >= Self.headerSize, offset < tableOffset else { return nil }
        let low = Int(bytes[offset] & 0x0F)
        let size: Int
        switch bytes[offset] >> 4 {
        case 0x0 where low == 0 || low == 8 || low == 9: size = 0
        case 0x1 where low <= 4: size = 1 << low
        case 0x2 where low == 2 || low == 3: size = 1 << low
        case 0x3 where low == 3: size = 8
        case 0x8 where low < 8: size = low + 1
        case 0x4, 0x5, 0x7: return try? extent(after: offset, low: low, unit: 1, what: "").upperBound
        case 0x6: return try? extent(after: offset, low: low, unit: 2, what: "").upperBound
        case 0xA, 0xB, 0xC: return try? extent(after: offset, low: low, unit: referenceSize, what: "").upperBound
        case 0xD: return try? extent(after: offset, low: low, unit: 2 * referenceSize, what: "").upperBound
        default: return nil
        }
        return offset + 1 + size <= tableOffset ? offset + 1 + size : nil
    }

    private struct Damage: Error { let reason: String }

    private func node(at offset: Int) throws(Damage) -> Node {
        let marker = bytes[offset]
        let low = Int(marker & 0x0F)
        switch marker >> 4 {
        case 0x0:
            switch low {
            case 0x0: return .null
            case 0x8: return .boolean(false)
            case 0x9: return .boolean(true)
            default: throw unknown(marker)
            }
        case 0x1: return try integer(at: offset + 1, power: low)
        case 0x2:
            if low == 2, let bits = inside(offset + 1, 4) {
                return .real(Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))))
            }
            if low == 3, let bits = inside(offset + 1, 8) { return .real(Double(bitPattern: bits)) }
            throw Damage(reason: "a real number that is cut off or of an unknown size")
        case 0x3:
            guard low == 3, let bits = inside(offset + 1, 8) else {
                throw Damage(reason: "a date that is cut off or of an unknown size")
            }
            return .date(Double(bitPattern: bits))
        case 0x4: return .data(try extent(after: offset, low: low, unit: 1, what: "data"))
        case 0x5, 0x7:
            return .string(String(decoding: bytes[try extent(after: offset, low: low, unit: 1, what: "a string")], as: UTF8.self))
        case 0x6: return .string(utf16(try extent(after: offset, low: low, unit: 2, what: "a string")))
        case 0x8:
            guard low < 8, let value = inside(offset + 1, low + 1) else {
                throw Damage(reason: "a UID that is cut off or too wide")
            }
            return .uid(value)
        case 0xA: return .array(references(try extent(after: offset, low: low, unit: referenceSize, what: "an array")))
        case 0xB, 0xC: return .set(references(try extent(after: offset, low: low, unit: referenceSize, what: "a set")))
        case 0xD:
            let range = try extent(after: offset, low: low, unit: 2 * referenceSize, what: "a dictionary")
            let middle = range.lowerBound + range.count / 2
            return .dictionary(keys: references(range.lowerBound..<middle), values: references(middle..<range.upperBound))
        default: throw unknown(marker)
        }
    }

    private func unknown(_ marker: UInt8) -> Damage {
        Damage(reason: "unknown kind 0x" + (marker < 16 ? "0" : "") + String(marker, radix: 16))
    }

    /// An integer that lies between header and offset table; nil when it does not.
    private func inside(_ offset: Int, _ size: Int) -> UInt64? {
        offset + size <= tableOffset ? unsigned(at: offset, size: size) : nil
    }

    private func references(_ range: Range<Int>) -> References {
        References(list: self, offset: range.lowerBound, count: range.count / referenceSize)
    }

    /// Up to four bytes are unsigned, eight are signed; sixteen hold what is unsigned and needs all of eight.
    private func integer(at offset: Int, power: Int) throws(Damage) -> Node {
        if power <= 2, let value = inside(offset, 1 << power) { return .integer(Int64(truncatingIfNeeded: value)) }
        if power == 3, let value = inside(offset, 8) { return .integer(Int64(bitPattern: value)) }
        if power == 4, let high = inside(offset, 8), let low = inside(offset + 8, 8) {
            let signed = Int64(bitPattern: low)
            if high == 0 { return signed >= 0 ? .integer(signed) : .unsigned(low) }
            if high == .max, signed < 0 { return .integer(signed) }
            throw Damage(reason: "an integer of more than 64 bits")
        }
        throw Damage(reason: "an integer that is cut off or of an unknown size")
    }

    /// Where the contents of a counted object lie.
    private func extent(after offset: Int, low: Int, unit: Int, what: String) throws(Damage) -> Range<Int> {
        var count = low
        var start = offset + 1
        if low == 0x0F {
            guard start < tableOffset, bytes[start] >> 4 == 1, bytes[start] & 0x0F <= 3 else {
                throw Damage(reason: "\(what) without a length")
            }
            let size = 1 << Int(bytes[start] & 0x0F)
            guard let value = inside(start + 1, size), let length = Int(exactly: value) else {
                throw Damage(reason: "\(what) whose length is cut off or negative")
            }
            count = length
            start += 1 + size
        }
        let (length, overflow) = count.multipliedReportingOverflow(by: unit)
        guard !overflow, start <= tableOffset, length <= tableOffset - start else {
            throw Damage(reason: "\(what) of \(count) goes beyond the end")
        }
        return start..<(start + length)
    }

    private func utf16(_ range: Range<Int>) -> String {
        let units = stride(from: range.lowerBound, to: range.upperBound, by: 2).lazy.map {
            UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
        }
        return String(decoding: Array(units), as: UTF16.self)
    }
}

import Foundation
import PropertyLists

/// Bytes read as a protobuf message. That is a guess: the format has neither signature nor names, and its numbers no types.
enum ProtobufMessage {
    /// Longest message that is looked at, in bytes.
    private static let longest = 1 << 20
    private static let mostFields = 20_000
    private static let mostDepth = 16
    /// Field numbers of messages that people write are small; in bytes at random they are not.
    private static let largestNumber: UInt64 = 10_000

    /// The fields by their numbers; nil for bytes that are no message or too few to tell.
    ///
    /// - Complexity: O(bytes × depth), the depth being bounded.
    static func fields(of bytes: Data) -> PropertyList? {
        guard (4...longest).contains(bytes.count) else { return nil }
        var budget = mostFields
        return message([UInt8](bytes)[...], depth: 0, &budget).map(PropertyList.dictionary)
    }

    private static func message(_ bytes: ArraySlice<UInt8>, depth: Int, _ budget: inout Int) -> [PropertyList.Entry]? {
        guard depth < mostDepth, !bytes.isEmpty else { return nil }
        var rest = bytes
        var entries: [PropertyList.Entry] = []
        while !rest.isEmpty {
            budget -= 1
            guard budget > 0, let tag = varint(&rest), (1...largestNumber).contains(tag >> 3),
                let value = value(ofType: tag & 7, &rest, depth: depth, &budget)
            else { return nil }
            entries.append(PropertyList.Entry(key: String(tag >> 3), value: value))
        }
        return entries
    }

    private static func value(
        ofType type: UInt64, _ rest: inout ArraySlice<UInt8>, depth: Int, _ budget: inout Int
    ) -> PropertyList? {
        switch type {
        case 0: return varint(&rest).map { .integer(Int64(bitPattern: $0)) }
        case 1:
            return fixed(8, &rest).map { number($0, Double(bitPattern: $0)) }
        case 5:
            return fixed(4, &rest).map { number($0, Double(Float(bitPattern: UInt32(truncatingIfNeeded: $0)))) }
        case 2:
            guard let length = varint(&rest).flatMap({ Int(exactly: $0) }), length <= rest.count else { return nil }
            let contents = rest.prefix(length)
            rest = rest.dropFirst(length)
            if let text = text(contents) { return .string(text) }
            if let fields = message(contents, depth: depth + 1, &budget) { return .dictionary(fields) }
            return .data(Data(contents))
        // Groups are long out of use.
        default: return nil
        }
    }

    /// Seven bits a byte, the lowest first; nil at the end and for what no encoder writes.
    private static func varint(_ rest: inout ArraySlice<UInt8>) -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            guard let byte = rest.popFirst(), shift < 63 || byte < 2 else { return nil }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return byte == 0 && shift > 0 ? nil : value }
        }
        return nil
    }

    private static func fixed(_ count: Int, _ rest: inout ArraySlice<UInt8>) -> UInt64? {
        guard rest.count >= count else { return nil }
        let value = rest.prefix(count).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        rest = rest.dropFirst(count)
        return value
    }

    /// Bits that may be an integer or a floating point number: the latter where that is of a size that people use.
    private static func number(_ bits: UInt64, _ real: Double) -> PropertyList {
        (1e-9...1e15).contains(abs(real)) ? .real(real) : .integer(Int64(bitPattern: bits))
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        let isPrintable = text.unicodeScalars.allSatisfy { scalar in
            scalar.value >= 0x20 && !(0x7F..<0xA0).contains(scalar.value) || scalar == "\n" || scalar == "\t"
        }
        return isPrintable ? text : nil
    }
}

import Foundation
import PropertyLists

/// Bytes read as a message of Protocol Buffers, whose format says neither names nor types: a guess, never more.
struct ProtobufMessage: Sendable {
    enum Content: Sendable {
        case number(UInt64)
        case fixed64(UInt64)
        case fixed32(UInt32)
        /// Bytes, in the message's array: text, a message or neither.
        case bytes(Range<Int>)
    }

    struct Field: Sendable {
        let number: Int
        let content: Content
    }

    private let bytes: [UInt8]
    let fields: [Field]

    /// The largest field number that is believed; real messages hardly go beyond a few hundred.
    private static let largestNumber = 5_000
    /// Most fields of one message.
    private static let mostFields = 100_000

    /// Nil for bytes that are no message from the first to the last, or too few to be told from chance.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 4, let fields = Self.fields(bytes, 0..<bytes.count), fields.count > 1 || Self.hasText(fields, bytes)
        else { return nil }
        self.init(bytes: bytes, fields: fields)
    }

    private init(bytes: [UInt8], fields: [Field]) {
        self.bytes = bytes
        self.fields = fields
    }

    private static func hasText(_ fields: [Field], _ bytes: [UInt8]) -> Bool {
        fields.contains { field in
            if case .bytes(let range) = field.content { range.count >= 3 && text(bytes, range) != nil } else { false }
        }
    }

    /// The fields that fill the range; nil where something else does. O(n).
    private static func fields(_ bytes: [UInt8], _ range: Range<Int>) -> [Field]? {
        var position = range.lowerBound
        var fields: [Field] = []
        func number() -> UInt64? {
            var value: UInt64 = 0
            for shift in stride(from: UInt64(0), to: 64, by: 7) {
                guard position < range.upperBound else { return nil }
                let byte = bytes[position]
                position += 1
                // The tenth byte has room for one bit.
                if shift == 63, byte > 1 { return nil }
                value |= UInt64(byte & 0x7F) << shift
                if byte < 0x80 { return value }
            }
            return nil
        }
        func fixed(_ count: Int) -> UInt64? {
            guard range.upperBound - position >= count else { return nil }
            defer { position += count }
            return bytes[position..<position + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        while position < range.upperBound {
            guard fields.count < mostFields, let tag = number(), let field = Int(exactly: tag >> 3),
                (1...largestNumber).contains(field)
            else { return nil }
            switch tag & 7 {
            case 0:
                guard let value = number() else { return nil }
                fields.append(Field(number: field, content: .number(value)))
            case 1:
                guard let value = fixed(8) else { return nil }
                fields.append(Field(number: field, content: .fixed64(value)))
            case 2:
                guard let length = number().flatMap(Int.init(exactly:)), length <= range.upperBound - position else { return nil }
                fields.append(Field(number: field, content: .bytes(position..<position + length)))
                position += length
            case 5:
                guard let value = fixed(4) else { return nil }
                fields.append(Field(number: field, content: .fixed32(UInt32(truncatingIfNeeded: value))))
            default: return nil
            }
        }
        return fields.isEmpty ? nil : fields
    }

    /// Text without control characters; nil for anything else, and for nothing.
    private static func text(_ bytes: [UInt8], _ range: Range<Int>) -> String? {
        guard !range.isEmpty, let text = String(validating: bytes[range], as: UTF8.self),
            text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F || $0 == "\n" || $0 == "\t" || $0 == "\r" })
        else { return nil }
        return text
    }

    /// The message as an outline; messages in it are taken apart when they are asked for.
    func outline(label: String) -> OutlineNode {
        OutlineNode(
            label: label, kind: .dictionary,
            summary: "perhaps protobuf: \(fields.count) \(fields.count == 1 ? "field" : "fields")",
            childCount: fields.count
        ) { range in range.map { node(of: fields[$0]) } }
    }

    private func node(of field: Field) -> OutlineNode {
        let label = String(field.number)
        switch field.content {
        case .number(let number):
            return OutlineNode(label: label, kind: .number, summary: String(number), value: .string(String(number)))
        case .fixed32(let bits):
            return OutlineNode(
                label: label, kind: .number, summary: "\(bits) or \(Float(bitPattern: bits))", value: .string(String(bits)))
        case .fixed64(let bits):
            return OutlineNode(
                label: label, kind: .number, summary: "\(bits) or \(Double(bitPattern: bits))", value: .string(String(bits)))
        case .bytes(let range):
            if let text = Self.text(bytes, range) {
                return OutlineNode(label: label, kind: .string, summary: text, value: .string(text))
            }
            if let inner = Self.fields(bytes, range) {
                return ProtobufMessage(bytes: bytes, fields: inner).outline(label: label)
            }
            return OutlineNode(
                label: label, kind: .data, summary: byteCount(range.count), value: .data(Data(bytes[range])))
        }
    }
}

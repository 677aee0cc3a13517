import PropertyLists

/// An array of plain values while it is read: its members joined by `, `, as they are shown, and its JSON without spaces.
final class PlainList {
    typealias Bytes = UnsafeBufferPointer<UInt8>

    private let joined = ByteArena(limit: DocumentDatabase.valueLimit)
    private let source = ByteArena(limit: DocumentDatabase.valueLimit)
    private var isEmpty = true

    init() { source.append(UInt8(ascii: "[")) }

    func add(text: Bytes) {
        begin()
        joined.append(text)
        PlainList.quote(text, to: source)
    }

    /// A member that is written as JSON; booleans are shown as everywhere.
    func add(_ write: (ByteArena) throws(ReadingFault) -> Void) throws(ReadingFault) {
        begin()
        let start = source.count
        try write(source)
        let member = Bytes(rebasing: source.bytes[min(start, source.count)...])
        switch String(decoding: member.prefix(6), as: UTF8.self) {
        case "true": joined.append("YES")
        case "false": joined.append("NO")
        default: joined.append(member)
        }
    }

    private func begin() {
        if !isEmpty {
            joined.append(", ")
            source.append(UInt8(ascii: ","))
        }
        isEmpty = false
    }

    /// Puts the list into a record; nothing can be added any more.
    func set(in record: RecordBuilder, field: Int, line: Int?, _ builder: DocumentBuilder) throws(ReadingFault) {
        source.append(UInt8(ascii: "]"))
        try builder.set(
            list: joined.bytes, source: source.bytes, isEmpty: isEmpty, in: record, field: field, line: line)
    }

    /// A JSON string, with the escapes that it must have.
    static func quote(_ text: Bytes, to target: ByteArena) {
        target.append(UInt8(ascii: "\""))
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                target.append(UInt8(ascii: "\\"))
                target.append(byte)
            case 0..<0x20: target.append(JSONEscape.text(of: UInt16(byte)))
            default: target.append(byte)
            }
        }
        target.append(UInt8(ascii: "\""))
    }
}

/// One record while it is read: its values, and the bytes of its texts.
///
/// Reused for one record after another, so that a million rows allocate as much as one.
final class RecordBuilder {
    enum Value {
        case integer(Int64)
        case double(Double)
        case boolean(Bool)
        /// A range of `bytes`.
        case text(offset: Int, count: Int)
        case data(offset: Int, count: Int)
        /// Set, but NULL.
        case null

        var isBoolean: Bool { if case .boolean = self { true } else { false } }
    }

    struct Entry {
        /// Position in the table.
        var column: Int
        var field: Int
        var value: Value
    }

    private(set) var entity: EntityBuilder
    private(set) var row: Int64
    private(set) var entries: [Entry] = []
    private(set) var bytes: [UInt8] = []
    /// The field that the next key probably names.
    var expectedField = 0
    /// An object, as JSON, of the members that have no field of their own; empty: there are none.
    let rest = ByteArena(limit: DocumentDatabase.valueLimit)

    /// Bytes of all texts of a record; what is beyond is left out.
    static let limit = 1 << 28

    init(_ entity: EntityBuilder, row: Int64) {
        self.entity = entity
        self.row = row
    }

    func restart(_ entity: EntityBuilder, row: Int64) {
        self.entity = entity
        self.row = row
        entries.removeAll(keepingCapacity: true)
        // One long text should not hold its room for ever.
        bytes.removeAll(keepingCapacity: bytes.capacity < 1 << 20)
        expectedField = 0
        rest.clear()
    }

    /// Begins another member of the rest; its value is to be written behind it.
    func addRest(key: UnsafeBufferPointer<UInt8>) {
        rest.append(rest.count == 0 ? UInt8(ascii: "{") : UInt8(ascii: ","))
        PlainList.quote(key, to: rest)
        rest.append(UInt8(ascii: ":"))
    }

    func set(_ value: Value, column: Int, field: Int) {
        entries.append(Entry(column: column, field: field, value: value))
    }

    /// Keeps bytes and gives their place.
    func keep(_ text: UnsafeBufferPointer<UInt8>) -> (offset: Int, count: Int) {
        let offset = bytes.count
        bytes.append(contentsOf: text)
        return (offset, text.count)
    }

    func has(field: Int) -> Bool { entries.contains { $0.field == field } }
}

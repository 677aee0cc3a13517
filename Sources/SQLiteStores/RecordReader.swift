import CSQLite
import ObjectStore

/// A value in the record of a row ([file format](https://www.sqlite.org/fileformat2.html), section 2.1). Valid as long as the page is.
struct RecordField {
    fileprivate(set) var start: UnsafeRawPointer
    /// Bytes of a text or blob.
    fileprivate(set) var count: Int32 = 0
    /// SQLite's code for the type, as a statement would give it.
    fileprivate(set) var type: Int32 = SQLITE_NULL
    /// How a number is stored.
    fileprivate var form: UInt8 = 0
    fileprivate let isReal: Bool

    /// Of an integer or a real; 0 of anything else.
    var integer: Int64 {
        if form == 7 { return type == SQLITE_FLOAT ? Int64(exactly: double.rounded(.towardZero)) ?? 0 : 0 }
        return stored
    }

    var double: Double {
        guard form == 7 else { return Double(stored) }
        return Double(bitPattern: UInt64(bigEndian: start.loadUnaligned(as: UInt64.self)))
    }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: Int(count)) }

    private var stored: Int64 {
        switch form {
        case 1: Int64(start.load(as: Int8.self))
        case 2: Int64(Int16(bigEndian: start.loadUnaligned(as: Int16.self)))
        case 3: Int64(start.load(as: Int8.self)) << 16 | Int64(UInt16(bigEndian: (start + 1).loadUnaligned(as: UInt16.self)))
        case 4: Int64(Int32(bigEndian: start.loadUnaligned(as: Int32.self)))
        case 5:
            Int64(Int16(bigEndian: start.loadUnaligned(as: Int16.self))) << 32
                | Int64(UInt32(bigEndian: (start + 2).loadUnaligned(as: UInt32.self)))
        case 6: Int64(bigEndian: start.loadUnaligned(as: Int64.self))
        case 9: 1
        default: 0
        }
    }
}

/// Takes the records of a table's rows apart, as far as a layout needs it.
final class RecordReader {
    enum Outcome {
        case whole
        /// It needs what is not in this part of the record: other pages, a default.
        case incomplete
        /// No record, or one that SQLite would not read.
        case damaged
    }

    /// The values of the layout's columns, in their order; true after `whole` until the next record.
    let fields: UnsafeMutablePointer<RecordField>
    /// By place in the record: the number of the column that lies there; -1: none.
    private let columns: UnsafeMutablePointer<Int32>
    private let placeCount: Int
    /// The last place that has another value than NULL where a record ends before it; -1: there is none.
    private let lastDefault: Int
    /// Further columns of the same place as another.
    private let copies: [(from: Int, to: Int)]
    /// Stands as a stored value for those who read it.
    private let key: UnsafeMutablePointer<UInt64>
    /// SQLite takes no header of a record that is longer.
    private static let mostHeader = 98_307

    init(_ layout: RecordLayout) {
        let key = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
        key.initialize(to: 0)
        self.key = key
        let count = layout.columns.count
        fields = .allocate(capacity: count)
        var places: [Int: Int] = [:]
        var copies: [(from: Int, to: Int)] = []
        var lastDefault = -1
        for (number, column) in layout.columns.enumerated() {
            var field = RecordField(start: UnsafeRawPointer(key), isReal: false)
            switch column {
            case .key:
                field.form = 6
                field.type = SQLITE_INTEGER
            case .null: break
            case .stored(let place, let hasDefault, let isReal):
                field = RecordField(start: UnsafeRawPointer(key), isReal: isReal)
                if hasDefault { lastDefault = max(lastDefault, place) }
                if let known = places[place] { copies.append((known, number)) } else { places[place] = number }
            }
            fields.advanced(by: number).initialize(to: field)
        }
        self.copies = copies
        self.lastDefault = lastDefault
        placeCount = (places.keys.max() ?? -1) + 1
        columns = .allocate(capacity: max(1, placeCount))
        columns.initialize(repeating: -1, count: max(1, placeCount))
        for (place, number) in places { columns[place] = Int32(truncatingIfNeeded: number) }
    }

    deinit {
        fields.deallocate()
        columns.deallocate()
        key.deallocate()
    }

    /// Reads a record. O(places of the layout).
    ///
    /// - Parameters:
    ///   - local: the part of the record that is there.
    ///   - size: so many bytes the record has.
    @inline(__always)
    func read(_ local: UnsafeRawBufferPointer, size: Int, key: ObjectKey) -> Outcome {
        self.key.pointee = UInt64(bitPattern: key).bigEndian
        guard placeCount > 0 else { return .whole }
        guard let first = local.first else { return .damaged }
        var headerEnd = Int(first)
        var place = 1
        if headerEnd >= 0x80 {
            guard let (number, end) = PageContent.variableNumber(local, 0, end: local.count), number <= Self.mostHeader else {
                return .damaged
            }
            headerEnd = Int(number)
            place = end
        }
        guard headerEnd >= place, headerEnd <= size else { return .damaged }
        guard headerEnd <= local.count, let base = local.baseAddress else { return .incomplete }
        var offset = headerEnd
        for number in 0..<placeCount {
            guard place < headerEnd else { return ended(at: number, isWhole: offset == size) }
            var serial = Int(local[place])
            place &+= 1
            if serial >= 0x80 {
                guard let (long, end) = PageContent.variableNumber(local, place &- 1, end: headerEnd), long < 1 << 32 else {
                    return .damaged
                }
                serial = Int(long)
                place = end
            }
            let length = serial >= 12 ? (serial &- 12) >> 1 : Self.length(serial)
            let column = Int(columns[number])
            if column >= 0 {
                guard offset &+ length <= local.count else { return offset &+ length > size ? .damaged : .incomplete }
                guard set(column, base + offset, serial, length) else { return .incomplete }
            }
            offset &+= length
        }
        // What SQLite looks at when it has read as far.
        guard place < headerEnd ? offset <= size : offset == size else { return .damaged }
        for copy in copies { fields[copy.to] = fields[copy.from] }
        return .whole
    }

    /// Bytes of a value that is neither text nor blob.
    @inline(__always)
    private static func length(_ serial: Int) -> Int {
        // 0, 1, 2, 3, 4, 6, 8, 8 bytes, then none.
        Int(truncatingIfNeeded: (0x8864_3210 as UInt64) >> UInt64(truncatingIfNeeded: serial &* 4) & 0xF)
    }

    /// False for what SQLite keeps for itself.
    @inline(__always)
    private func set(_ column: Int, _ start: UnsafeRawPointer, _ serial: Int, _ length: Int) -> Bool {
        let field = fields + column
        field.pointee.start = start
        if serial >= 12 {
            field.pointee.count = Int32(truncatingIfNeeded: length)
            field.pointee.type = serial & 1 == 0 ? SQLITE_BLOB : SQLITE_TEXT
            field.pointee.form = 0
            return true
        }
        field.pointee.count = 0
        field.pointee.form = UInt8(truncatingIfNeeded: serial)
        switch serial {
        case 0: field.pointee.type = SQLITE_NULL
        // What is no number is none to SQLite.
        case 7: field.pointee.type = field.pointee.double.isNaN ? SQLITE_NULL : SQLITE_FLOAT
        case 10, 11: return false
        default: field.pointee.type = field.pointee.isReal ? SQLITE_FLOAT : SQLITE_INTEGER
        }
        return true
    }

    /// Rows from before a column was added end before it.
    @inline(never)
    private func ended(at place: Int, isWhole: Bool) -> Outcome {
        guard isWhole else { return .damaged }
        guard lastDefault < place else { return .incomplete }
        for number in place..<placeCount where columns[number] >= 0 { setNull(Int(columns[number])) }
        for copy in copies { fields[copy.to] = fields[copy.from] }
        return .whole
    }

    private func setNull(_ column: Int) {
        fields[column].type = SQLITE_NULL
        fields[column].form = 0
        fields[column].count = 0
    }
}

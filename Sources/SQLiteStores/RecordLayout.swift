import ObjectStore

/// Where the columns of a statement lie in the records of one table's rows.
///
/// It is what SQLite says that it would do for the statement (`EXPLAIN`), so that nothing is guessed of keys, of generated columns,
/// of numbers that are stored as integers: where it would do anything but take columns as they are, there is no layout.
struct RecordLayout: Equatable {
    enum Column: Equatable {
        /// The number of the row.
        case key
        case null
        /// - hasDefault: whether rows that end before it have another value than NULL there.
        /// - isReal: whether integers are given as reals.
        case stored(place: Int, hasDefault: Bool, isReal: Bool)
    }

    /// The first page of the table's tree.
    let root: UInt32
    let columns: [Column]
    /// Of the schema that this is true for.
    let schemaNumber: Int64

    /// - Parameter sql: selects columns of a table and nothing else.
    /// - Returns: nil where it does more.
    init?(_ connection: Connection, _ sql: String) throws(StoreError) {
        struct Operation {
            var name: String
            var p1: Int64
            var p2: Int64
            var p3: Int64
            var p4: String?
            var p5: Int64
        }
        let operations = try connection.rows("EXPLAIN " + sql, limit: 1000) {
            Operation(
                name: $0.text(1), p1: $0.integer(2), p2: $0.integer(3), p3: $0.integer(4), p4: $0.optionalText(5),
                p5: $0.integer(6))
        }
        var registers: [Int64: Column] = [:]
        var root: (page: UInt32, cursor: Int64)?
        var schemaNumber: Int64?
        var result: (first: Int64, count: Int64)?
        for operation in operations {
            switch operation.name {
            case "Init", "Rewind", "Next", "Halt", "Goto": continue
            case "Transaction":
                guard schemaNumber == nil, operation.p1 == 0 else { return nil }
                schemaNumber = operation.p3
            case "OpenRead":
                // A table by its number of columns; anything else has a description.
                guard root == nil, operation.p3 == 0, operation.p4.flatMap({ Int64($0) }) != nil,
                    let page = UInt32(exactly: operation.p2)
                else { return nil }
                root = (page, operation.p1)
            case "Rowid":
                guard operation.p1 == root?.cursor else { return nil }
                registers[operation.p2] = .key
            case "Null":
                guard operation.p1 == 0 else { return nil }
                for register in operation.p2...max(operation.p2, min(operation.p3, operation.p2 + 1000)) {
                    registers[register] = .null
                }
            case "Column":
                guard operation.p1 == root?.cursor, operation.p5 == 0, let place = Int(exactly: operation.p2), place >= 0,
                    place < 32_767
                else { return nil }
                registers[operation.p3] = .stored(place: place, hasDefault: operation.p4 != nil, isReal: false)
            case "RealAffinity":
                guard case .stored(let place, let hasDefault, _)? = registers[operation.p1] else { return nil }
                registers[operation.p1] = .stored(place: place, hasDefault: hasDefault, isReal: true)
            case "ResultRow":
                guard result == nil else { return nil }
                result = (operation.p1, operation.p2)
            default: return nil
            }
        }
        guard let root, let schemaNumber, let result, result.count > 0 else { return nil }
        var columns: [Column] = []
        for register in result.first..<(result.first + result.count) {
            guard let column = registers[register] else { return nil }
            columns.append(column)
        }
        self.root = root.page
        self.columns = columns
        self.schemaNumber = schemaNumber
    }
}

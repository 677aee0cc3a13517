import CSQLite
import ObjectStore

/// Reads delimiter-separated text into rows: once to learn what its columns hold, once to keep it.
final class CSVReader {
    typealias Bytes = UnsafeBufferPointer<UInt8>

    private let input: DocumentInput
    private let builder: DocumentBuilder
    private let warnings: DocumentWarnings
    private let dialect: CSVDialect
    private let windowSize: Int
    private var columns: [CSVColumn] = []
    /// What the first record says in each column, where it names them.
    private var header: [[UInt8]] = []
    private var hasHeader: Bool
    /// Cells beyond the last column.
    private var hasExtraCells = false
    private var records = 0
    /// Cells with bytes beyond ASCII: those that are UTF-8, those that are not, and the line of the first of these.
    private var encodedCells = 0
    private var otherCells = 0
    private var firstOtherLine = 0
    private var isWindows1252 = false

    /// - Parameter hasHeader: nil: decided by what the first record looks like.
    init(
        _ input: DocumentInput, dialect: CSVDialect, hasHeader: Bool? = nil, builder: DocumentBuilder, windowSize: Int = 1 << 18
    ) throws(ReadingFault) {
        self.input = input
        self.dialect = dialect
        self.builder = builder
        self.windowSize = windowSize
        warnings = builder.warnings
        self.hasHeader = false
        let scanner = CSVScanner(input, delimiter: dialect.delimiter, windowSize: windowSize)
        guard try scanner.next() else { throw .document("there is nothing in it") }
        let bytes = scanner.cells.map { Array(scanner.bytes($0)) }
        let first = bytes.map { String(decoding: $0, as: UTF8.self) }
        let second =
            try scanner.next() ? scanner.cells.map { String(decoding: scanner.bytes($0), as: UTF8.self).trimmedOfSpaces } : []
        self.hasHeader = hasHeader ?? CSVDialect.isHeader(first, second: second)
        if self.hasHeader { header = bytes }
        let width = min(max(first.count, dialect.width), DocumentDatabase.columnLimit - 2)
        columns = (0..<width).map { index in
            let name = self.hasHeader && index < first.count ? first[index].trimmedOfSpaces : ""
            return CSVColumn(name: name.isEmpty ? "column\(index + 1)" : name, isNamed: !name.isEmpty || !self.hasHeader)
        }
    }

    func read() throws(ReadingFault) {
        try learn()
        isWindows1252 = otherCells > encodedCells
        if isWindows1252 {
            for (index, cell) in header.enumerated() where columns.indices.contains(index) && columns[index].isNamed {
                columns[index].name = cell.withUnsafeBufferPointer { Windows1252.text($0) }.trimmedOfSpaces
            }
        }
        if otherCells > 0 {
            warnings.add(
                .encoding, line: firstOtherLine,
                isWindows1252
                    ? "Text that is not UTF-8; the document is read as Windows-1252." : "Text that is not UTF-8.")
        }
        try keep()
    }

    // MARK: What columns hold

    private func learn() throws(ReadingFault) {
        let scanner = CSVScanner(input, delimiter: dialect.delimiter, windowSize: windowSize)
        var isFirst = true
        var seen = 0
        while try scanner.next() {
            let cells = scanner.cells
            if let fault = scanner.quoteFault { warnings.add(.quoting, line: scanner.line, "\(fault).".capitalisedSentence) }
            defer { isFirst = false }
            if isFirst, hasHeader {
                for cell in cells { learnEncoding(of: scanner.bytes(cell), scanner.line) }
                continue
            }
            seen += 1
            if seen & 4095 == 0, builder.progress.isCancelled {
                throw .store(StoreError(file: input.name, cause: .cancelled))
            }
            if cells.count != columns.count { raggedRow(cells, scanner) }
            let count = min(cells.count, columns.count)
            for index in 0..<count { learn(index, scanner.bytes(cells[index]), scanner.line) }
        }
        records = seen
    }

    private func raggedRow(_ cells: [CSVScanner.Cell], _ scanner: CSVScanner) {
        if cells.count > columns.count {
            // A delimiter at the end of each line is a habit, not a fault.
            let isEmpty = cells[columns.count...].allSatisfy { $0.count == 0 }
            if isEmpty { return }
            hasExtraCells = true
        }
        let what = "\(cells.count) cell\(cells.count == 1 ? "" : "s") where \(columns.count) are expected"
        warnings.add(.ragged, line: scanner.line, what + (cells.count > columns.count ? "; the rest is kept apart." : "."))
    }

    private func learn(_ index: Int, _ cell: Bytes, _ line: Int) {
        if cell.count == 0 { return }
        columns[index].learn(cell)
        learnEncoding(of: cell, line)
    }

    private func learnEncoding(of cell: Bytes, _ line: Int) {
        for byte in cell where byte >= 0x80 {
            if ScalarText.invalidUTF8(cell) == nil {
                encodedCells += 1
            } else {
                otherCells += 1
                if firstOtherLine == 0 { firstOtherLine = line }
            }
            break
        }
    }

    // MARK: Keeping

    private func keep() throws(ReadingFault) {
        let entity = builder.root
        var places: [(index: Int, kind: CSVColumn.Kind)] = []
        var taken: Set<String> = []
        for (index, column) in columns.enumerated() where column.isNamed || column.values > 0 {
            // Two columns of one name are two columns.
            let name = uniqueName(column.name, &taken)
            if name != column.name {
                warnings.add(
                    .duplicateKey, line: 1, "The name “\(column.name)” stands over several columns; this one is called “\(name)”."
                )
            }
            guard let field = entity.makeField(name), try builder.valueColumn(of: entity, field: field) != nil else { continue }
            entity.fields[field].statistics = column.statistics
            places.append((index, column.kind))
        }
        var extra = false
        if hasExtraCells, let field = entity.makeField(uniqueName("extraCells", &taken)),
            try builder.valueColumn(of: entity, field: field) != nil
        {
            entity.fields[field].statistics.texts = 1
            extra = true
        }
        let scanner = CSVScanner(input, delimiter: dialect.delimiter, windowSize: windowSize)
        if hasHeader { _ = try scanner.next() }
        builder.progress.expect(records)
        while try scanner.next() {
            entity.rows += 1
            // The statement changes when the database moves to a file.
            let statement = try builder.database.insertion(table: 0, columns: entity.columns.count + 1)
            sqlite3_bind_int64(statement, 1, entity.rows)
            var bytes = 12
            for (position, place) in places.enumerated() {
                let parameter = Int32(truncatingIfNeeded: position + 2)
                guard place.index < scanner.cells.count else {
                    sqlite3_bind_null(statement, parameter)
                    continue
                }
                let cell = scanner.cells[place.index]
                bytes &+= cell.count &+ 2
                bind(scanner.bytes(cell), cell.isQuoted, place.kind, statement, parameter)
            }
            if extra {
                let parameter = Int32(truncatingIfNeeded: places.count + 2)
                if scanner.cells.count > columns.count {
                    let rest = scanner.rest(from: columns.count, isWindows1252: isWindows1252)
                    sqlite3_bind_text(statement, parameter, rest, -1, csqlite_transient())
                } else {
                    sqlite3_bind_null(statement, parameter)
                }
            }
            try builder.database.run(statement, bytes: bytes)
            if entity.rows & 1023 == 0 { try tick(entity.rows) }
        }
    }

    private func tick(_ rows: Int64) throws(ReadingFault) {
        builder.progress.report(Int(truncatingIfNeeded: rows))
        if builder.progress.isCancelled { throw .store(StoreError(file: input.name, cause: .cancelled)) }
        try builder.database.makeRoom()
    }

    private func bind(_ cell: Bytes, _ isQuoted: Bool, _ kind: CSVColumn.Kind, _ statement: OpaquePointer, _ parameter: Int32) {
        if kind != .text {
            let value = ScalarText.trimmed(cell)
            switch kind {
            case .integer:
                if case .integer(let number)? = DecimalText.number(value) {
                    sqlite3_bind_int64(statement, parameter, number)
                } else {
                    sqlite3_bind_null(statement, parameter)
                }
            case .double:
                switch DecimalText.number(value, lenient: true) {
                case .integer(let number)?: sqlite3_bind_double(statement, parameter, Double(number))
                case .double(let number)?, .long(let number)?: sqlite3_bind_double(statement, parameter, number)
                default: sqlite3_bind_null(statement, parameter)
                }
            case .boolean:
                if let value = ScalarText.boolean(value) {
                    sqlite3_bind_int64(statement, parameter, value ? 1 : 0)
                } else {
                    sqlite3_bind_null(statement, parameter)
                }
            default:
                if value.count > 0 { bindText(value, statement, parameter) } else { sqlite3_bind_null(statement, parameter) }
            }
            return
        }
        if cell.count == 0, !isQuoted {
            sqlite3_bind_null(statement, parameter)
        } else if isWindows1252, cell.contains(where: { $0 >= 0x80 }) {
            sqlite3_bind_text(statement, parameter, Windows1252.text(cell), -1, csqlite_transient())
        } else {
            bindText(cell, statement, parameter)
        }
    }

    /// The bytes stay where they are until the statement has run, so SQLite need not copy them.
    private func bindText(_ text: Bytes, _ statement: OpaquePointer, _ parameter: Int32) {
        guard let base = text.baseAddress, text.count > 0, text.count <= DocumentDatabase.valueLimit else {
            sqlite3_bind_text(statement, parameter, "", 0, csqlite_transient())
            return
        }
        base.withMemoryRebound(to: CChar.self, capacity: text.count) {
            _ = sqlite3_bind_text(statement, parameter, $0, Int32(truncatingIfNeeded: text.count), nil)
        }
    }
}

/// What a column of text turns out to hold.
struct CSVColumn {
    enum Kind { case integer, double, boolean, date, text }

    var name: String
    /// Whether the document names it; one without a name that holds nothing is none.
    let isNamed: Bool
    private(set) var values = 0
    private var mayBeNumber = true
    private var mayBeBoolean = true
    private var mayBeDate = true
    private var hasDoubles = false
    private var hasLongIntegers = false

    init(name: String, isNamed: Bool) {
        self.name = name
        self.isNamed = isNamed
    }

    mutating func learn(_ cell: UnsafeBufferPointer<UInt8>) {
        values &+= 1
        guard mayBeNumber || mayBeBoolean || mayBeDate else { return }
        let value = ScalarText.trimmed(cell)
        if value.count == 0 {
            values &-= 1
            return
        }
        if mayBeNumber {
            switch DecimalText.number(value, lenient: true) {
            case .integer(let number)?: if number.magnitude > 1 << 53 { hasLongIntegers = true }
            case .double?: hasDoubles = true
            case .long(let nearest)? where nearest.isFinite && !value.allSatisfy({ $0 == 0x2D || $0 &- 0x30 < 10 }):
                hasDoubles = true
            case .long?, nil: mayBeNumber = false
            }
        }
        if mayBeBoolean, ScalarText.boolean(value) == nil { mayBeBoolean = false }
        if mayBeDate, !ScalarText.isDate(value) { mayBeDate = false }
    }

    var kind: Kind {
        if values == 0 { return .text }
        // Numbers that no double can tell from their neighbours stay what they are written as.
        if mayBeNumber { return !hasDoubles ? .integer : hasLongIntegers ? .text : .double }
        return mayBeBoolean ? .boolean : mayBeDate ? .date : .text
    }

    var statistics: ColumnStatistics {
        var statistics = ColumnStatistics()
        switch kind {
        case .integer: statistics.integers = values
        case .double: statistics.doubles = values
        case .boolean: statistics.booleans = values
        case .date: (statistics.texts, statistics.dateTexts) = (values, values)
        case .text: statistics.texts = values
        }
        return statistics
    }
}

/// What Western programs write where they do not write Unicode.
enum Windows1252 {
    private static let upper: [UInt32] = [
        0x20AC, 0x81, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021, 0x2C6, 0x2030, 0x160, 0x2039, 0x152, 0x8D, 0x17D, 0x8F, 0x90,
        0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x2DC, 0x2122, 0x161, 0x203A, 0x153, 0x9D, 0x17E, 0x178,
    ]

    static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        var scalars = String.UnicodeScalarView()
        for byte in bytes {
            let code = (0x80..<0xA0).contains(byte) ? upper[Int(byte) - 0x80] : UInt32(byte)
            scalars.append(Unicode.Scalar(code) ?? "\u{FFFD}")
        }
        return String(scalars)
    }
}

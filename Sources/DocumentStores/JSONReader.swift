import ObjectStore

/// Reads JSON, one value or many after each other, into records.
///
/// A record that is not whole is left out, and what was before it is kept: where values stand line by line reading goes on with
/// the next line, else it ends there.
final class JSONReader {
    typealias Bytes = UnsafeBufferPointer<UInt8>

    let scanner: JSONScanner
    let input: DocumentInput
    let builder: DocumentBuilder
    let warnings: DocumentWarnings
    /// Whether each line is a value of its own.
    private let isLines: Bool
    private var depth = 0
    /// What there was before the record that is being read.
    var mark: [Int64] = []
    /// The one object around everything, while it is open.
    private(set) var rootRecord: RecordBuilder?

    /// Bytes looked at ahead so far.
    var sampled = 0

    /// Levels of arrays and objects.
    static let depthLimit = 200

    init(_ input: DocumentInput, builder: DocumentBuilder, isLines: Bool, windowSize: Int = 1 << 18) {
        self.input = input
        scanner = JSONScanner(input, warnings: builder.warnings, windowSize: windowSize)
        self.builder = builder
        self.warnings = builder.warnings
        self.isLines = isLines
    }

    /// Reads to the end.
    ///
    /// - Throws: The fault, if there is no whole record before it.
    func read() throws(ReadingFault) {
        try scanner.skipMark()
        var values = 0
        while try scanner.token() != nil {
            let place = scanner.place
            builder.mark(&mark)
            do throws(ReadingFault) {
                try topValue(isFirst: values == 0)
                if isLines { try endLine() }
                values += 1
                if values == 2 { builder.rootIsObject = false }
            } catch {
                guard case .syntax(let line, let column, let reason) = error else { throw error }
                depth = 0
                try builder.takeBack(to: mark)
                if isLines {
                    warnings.add(
                        .line, line: place.line, "\(reason) (column \(column)); the line is left out.".capitalisedSentence)
                    scanner.seek(to: place.offset, line: place.line, lineStart: place.lineStart)
                    try scanner.skipLine()
                    continue
                }
                if let rootRecord {
                    try builder.finish(rootRecord)
                    self.rootRecord = nil
                }
                guard
                    builder.count > (builder.rootIsObject ? 1 : 0)
                        || builder.root.fields.contains(where: { $0.statistics.values > 0 })
                else { throw error }
                warnings.add(
                    .end, line: line,
                    "\(reason) (column \(column)); reading ends here, and what was whole before is kept.".capitalisedSentence)
                return
            }
        }
        if values == 0, builder.count == 0 {
            if warnings.count(.line) > 0 { throw .document(warnings.sentences.first ?? "no line of it is JSON") }
            throw .document("there is nothing in it")
        }
    }

    /// Where each line is a value, nothing stands behind it.
    private func endLine() throws(ReadingFault) {
        let line = scanner.line
        if try scanner.token() != nil, scanner.line == line { throw scanner.unexpected("the end of the line") }
    }

    private func topValue(isFirst: Bool) throws(ReadingFault) {
        switch try scanner.peek() {
        case UInt8(ascii: "["):
            guard !isLines else { return try bareValue() }
            try array { () throws(ReadingFault) in
                builder.mark(&mark)
                try element()
                // What is wrong behind a record does not make it less whole.
                builder.mark(&mark)
            }
        case UInt8(ascii: "{"):
            if isFirst, !isLines { try outermost() } else { try element() }
        default: try bareValue()
        }
    }

    /// A record of the outermost entity.
    private func element() throws(ReadingFault) {
        guard try scanner.peek() == UInt8(ascii: "{") else { return try bareValue() }
        let record = try builder.begin(builder.root)
        try object(into: record)
        try builder.finish(record)
    }

    /// A value that is no record makes one with it alone.
    private func bareValue() throws(ReadingFault) {
        let record = try builder.begin(builder.root)
        try value(into: record, field: builder.valueField(of: record))
        try builder.finish(record)
    }

    private func outermost() throws(ReadingFault) {
        let shape = sample()
        guard shape.isDictionary else {
            builder.root.shape = shape
            return try rootObject()
        }
        builder.root.shape = shape.members
        try dictionary(of: builder.root, under: nil)
    }

    /// The object around everything: what stands in its arrays are the records that may fail one by one.
    private func rootObject() throws(ReadingFault) {
        builder.rootIsObject = true
        let record = try builder.begin(builder.root)
        rootRecord = record
        builder.mark(&mark)
        try members { key throws(ReadingFault) in
            builder.field(key, of: record, line: scanner.line).map { .field($0) } ?? .rest(of: record)
        } value: { field throws(ReadingFault) in
            builder.mark(&mark)
            if try scanner.peek() == UInt8(ascii: "[") {
                try list(into: record, field: field) { () throws(ReadingFault) in builder.mark(&mark) }
            } else {
                try value(into: record, field: field)
            }
            builder.mark(&mark)
        }
        rootRecord = nil
        try builder.finish(record)
    }

    func object(into record: RecordBuilder) throws(ReadingFault) {
        var highest = -1
        try members { key throws(ReadingFault) in
            guard let field = builder.field(key, of: record, line: scanner.line) else { return .rest(of: record) }
            if field <= highest, record.has(field: field) {
                let name = record.entity.fields[field].key
                warnings.add(
                    .duplicateKey, line: scanner.line, "The key “\(name)” stands twice in a record; the later value counts.")
            }
            highest = max(highest, field)
            return .field(field)
        } value: { field throws(ReadingFault) in
            try value(into: record, field: field)
        }
    }

    // MARK: Structure

    enum Member {
        case field(Int)
        /// It has no field of its own, and is kept with others like it.
        case rest(of: RecordBuilder)
    }

    /// Reads an object; `key` decides what becomes of the value before it is read by `value`.
    func members(
        key: (Bytes) throws(ReadingFault) -> Member, value: (Int) throws(ReadingFault) -> Void
    ) throws(ReadingFault) {
        try enter()
        defer { depth -= 1 }
        if try closes(UInt8(ascii: "}")) { return }
        while true {
            guard try scanner.token() == UInt8(ascii: "\"") else { throw scanner.unexpected("a key in quotes") }
            let name = try scanner.string()
            let member = try key(name)
            if case .rest(let record) = member { record.addRest(key: name) }
            guard try scanner.token() == UInt8(ascii: ":") else { throw scanner.unexpected("“:”") }
            scanner.skip()
            guard try scanner.token() != nil else { throw scanner.unexpected("a value") }
            switch member {
            case .field(let field): try value(field)
            case .rest(let record): try copy(to: record.rest)
            }
            if try separates(UInt8(ascii: "}"), "“,” or “}”") { return }
        }
    }

    /// Reads an array; `element` stands before each value.
    func array(_ element: () throws(ReadingFault) -> Void) throws(ReadingFault) {
        try enter()
        defer { depth -= 1 }
        if try closes(UInt8(ascii: "]")) { return }
        while true {
            guard try scanner.token() != nil else { throw scanner.unexpected("a value") }
            try element()
            if try separates(UInt8(ascii: "]"), "“,” or “]”") { return }
        }
    }

    private func enter() throws(ReadingFault) {
        guard depth < JSONReader.depthLimit else {
            throw scanner.fault("nested more than \(JSONReader.depthLimit) levels deep")
        }
        depth += 1
        scanner.skip()
    }

    private func closes(_ bracket: UInt8) throws(ReadingFault) -> Bool {
        guard try scanner.token() == bracket else { return false }
        scanner.skip()
        return true
    }

    /// Goes past what stands after a value; true where that ends the array or object.
    private func separates(_ bracket: UInt8, _ expected: String) throws(ReadingFault) -> Bool {
        switch try scanner.token() {
        case bracket:
            scanner.skip()
            return true
        case UInt8(ascii: ","):
            let line = scanner.line
            scanner.skip()
            guard try closes(bracket) else { return false }
            warnings.add(.trailingComma, line: line, "A comma stands after the last value; JSON does not allow that.")
            return true
        default: throw scanner.unexpected(expected)
        }
    }

    // MARK: Values

    /// Reads the value that stands here into a record.
    func value(into record: RecordBuilder, field: Int) throws(ReadingFault) {
        switch try scanner.peek() {
        case UInt8(ascii: "\""):
            let line = scanner.line
            try builder.set(text: try scanner.string(), in: record, field: field, line: line)
        case UInt8(ascii: "{"):
            if isDictionary(record, field),
                let entity = try builder.nested(record, field: field, isToMany: true, line: scanner.line)
            {
                return try dictionary(of: entity, under: (record, field, true))
            }
            guard let entity = try builder.nested(record, field: field, isToMany: false, line: scanner.line) else {
                return try text(into: record, field: field)
            }
            let nested = try builder.begin(entity, under: (record, field, false))
            try object(into: nested)
            try builder.finish(nested)
        case UInt8(ascii: "["):
            try list(into: record, field: field) { () throws(ReadingFault) in }
        default:
            let line = scanner.line
            let place = scanner.fault("a value is expected")
            let word = try scanner.word()
            try set(word, in: record, field: field, line: line, place)
        }
    }

    private func set(_ word: Bytes, in record: RecordBuilder, field: Int, line: Int, _ place: ReadingFault) throws(ReadingFault) {
        if let first = word.first, first == UInt8(ascii: "-") || first &- 0x30 < 10, let number = DecimalText.number(word) {
            return try builder.set(number, text: word, in: record, field: field)
        }
        switch String(decoding: word, as: UTF8.self) {
        case "true": try builder.set(true, in: record, field: field)
        case "false": try builder.set(false, in: record, field: field)
        case "null": builder.setNull(in: record, field: field)
        case "NaN", "Infinity", "-Infinity":
            warnings.add(.notANumber, line: line, "NaN and infinities are not JSON; they are read as such.")
            let nearest = word.first == UInt8(ascii: "N") ? Double.nan : word.first == UInt8(ascii: "-") ? -.infinity : .infinity
            try builder.set(.long(nearest: nearest), text: word, in: record, field: field)
        default: throw JSONReader.notAValue(word, place, scanner)
        }
    }

    static func notAValue(_ word: Bytes, _ place: ReadingFault, _ scanner: JSONScanner) -> ReadingFault {
        guard !word.isEmpty else { return scanner.unexpected("a value") }
        guard case .syntax(let line, let column, _) = place else { return place }
        let text = String(decoding: word.prefix(20), as: UTF8.self)
        return .syntax(line: line, column: column, reason: "“\(text)” is no value that JSON knows")
    }

    /// An array under a key: records become rows, plain values a list. `around` runs before and after each record.
    private func list(
        into record: RecordBuilder, field: Int, around: () throws(ReadingFault) -> Void
    ) throws(ReadingFault) {
        let line = scanner.line
        var list: PlainList?
        var hasRecords = false
        try array { () throws(ReadingFault) in
            try around()
            if try scanner.peek() == UInt8(ascii: "{"),
                let entity = try builder.nested(record, field: field, isToMany: true, line: scanner.line)
            {
                hasRecords = true
                let nested = try builder.begin(entity, under: (record, field, true))
                try object(into: nested)
                try builder.finish(nested)
                return try around()
            }
            let target = list ?? PlainList()
            list = target
            if try scanner.peek() == UInt8(ascii: "\"") {
                target.add(text: try scanner.string())
            } else {
                try target.add { (source) throws(ReadingFault) in try copy(to: source) }
            }
        }
        if hasRecords, list == nil { return }
        try (list ?? PlainList()).set(in: record, field: field, line: line, builder)
    }
}

extension String {
    /// With a capital letter at the beginning.
    var capitalisedSentence: String { prefix(1).uppercased() + dropFirst() }
}

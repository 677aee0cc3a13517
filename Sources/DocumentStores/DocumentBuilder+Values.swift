import ObjectStore

/// Plain values of a record.
extension DocumentBuilder {
    func set(_ number: DecimalText.Number, text: Bytes, in record: RecordBuilder, field: Int) throws(ReadingFault) {
        let statistics = record.entity.fields[field]
        switch number {
        case .integer(let value):
            statistics.statistics.integers += 1
            if value.magnitude > 1 << 53 { statistics.statistics.longIntegers += 1 }
            try put(.integer(value), in: record, field: field)
        case .double(let value):
            statistics.statistics.doubles += 1
            try put(.double(value), in: record, field: field)
        case .long(let nearest):
            // Compared as its nearest double, shown as it is written.
            statistics.statistics.longNumbers += 1
            try put(.double(nearest), source: text, in: record, field: field)
        }
    }

    func set(_ value: Bool, in record: RecordBuilder, field: Int) throws(ReadingFault) {
        record.entity.fields[field].statistics.booleans += 1
        try put(.boolean(value), in: record, field: field)
    }

    /// A string; whether it is a date is counted.
    func set(text: Bytes, in record: RecordBuilder, field: Int, line: Int?) throws(ReadingFault) {
        let owner = record.entity.fields[field]
        owner.statistics.texts += 1
        // Once a column holds other texts, dates and numbers are not looked for.
        if owner.statistics.dateTexts == owner.statistics.texts - 1, ScalarText.isDate(text) { owner.statistics.dateTexts += 1 }
        if infersNumbers, owner.statistics.numberTexts == owner.statistics.texts - 1, let number = DecimalText.number(text) {
            owner.statistics.numberTexts += 1
            if case .integer = number { owner.statistics.integerTexts += 1 }
        }
        guard fits(text.count, record, line: line) else { return }
        let place = record.keep(text)
        try put(.text(offset: place.offset, count: place.count), in: record, field: field)
    }

    /// An array of plain values: its members joined as one text, by which it is searched and sorted, and its JSON.
    func set(list: Bytes, source: Bytes, isEmpty: Bool, in record: RecordBuilder, field: Int, line: Int?) throws(ReadingFault) {
        let owner = record.entity.fields[field]
        if isEmpty { owner.statistics.emptyLists += 1 } else { owner.statistics.lists += 1 }
        guard fits(list.count + source.count, record, line: line) else { return }
        let place = record.keep(list)
        try put(.text(offset: place.offset, count: place.count), source: source, in: record, field: field)
    }

    /// Seconds since 2001.
    func set(date: Double, in record: RecordBuilder, field: Int) throws(ReadingFault) {
        record.entity.fields[field].statistics.dates += 1
        try put(.double(date), in: record, field: field)
    }

    func set(data: Bytes, in record: RecordBuilder, field: Int) throws(ReadingFault) {
        record.entity.fields[field].statistics.data += 1
        guard fits(data.count, record, line: nil) else { return }
        let place = record.keep(data)
        try put(.data(offset: place.offset, count: place.count), in: record, field: field)
    }

    /// NULL: it takes back what the same key said before in the record.
    func setNull(in record: RecordBuilder, field: Int) {
        guard let column = record.entity.fields[field].column else { return }
        record.set(.null, column: column, field: field)
        if let source = record.entity.fields[field].sourceColumn { record.set(.null, column: source, field: field) }
    }

    /// The field of a value that is no record, in a record made for it.
    func valueField(of record: RecordBuilder) -> Int {
        let key: StaticString = "value"
        let bytes = Bytes(start: key.utf8Start, count: key.utf8CodeUnitCount)
        let found = record.entity.field(bytes, expected: record.expectedField) ?? record.entity.makeValueField()
        record.expectedField = found + 1
        return found
    }

    /// The key under which a record stands in its dictionary.
    func set(memberKey key: Bytes, isRepeated: Bool, in record: RecordBuilder, line: Int?) throws(ReadingFault) {
        let entity = record.entity
        let field = entity.makeMemberKeyField()
        if isRepeated {
            entity.repeatsMemberKeys = true
            warnings.add(
                .duplicateKey, line: line,
                "The key “\(String(decoding: key, as: UTF8.self))” stands twice among those of “\(entity.key)”; both are kept.")
        }
        try set(text: key, in: record, field: field, line: line)
        if field == record.expectedField { record.expectedField += 1 }
    }

    /// Puts what has no field of its own into that of the rest.
    func setRest(in record: RecordBuilder) throws(ReadingFault) {
        guard record.rest.count > 0 else { return }
        record.rest.append(UInt8(ascii: "}"))
        try set(text: record.rest.bytes, in: record, field: record.entity.makeRestField(), line: nil)
    }

    private func put(
        _ value: RecordBuilder.Value, source: Bytes? = nil, in record: RecordBuilder, field: Int
    ) throws(ReadingFault) {
        let owner = record.entity.fields[field]
        // The first other value after booleans only: those that are written already become words.
        if owner.statistics.mixesBooleans, !owner.spellsBooleans {
            owner.spellsBooleans = true
            // Behind other values zeros and ones are numbers.
            if case .boolean = value {
                _ = try sourceColumn(of: record.entity, field: field)
            } else {
                try spellBooleans(of: record.entity, field: field)
            }
        }
        guard let column = try valueColumn(of: record.entity, field: field) else { return }
        record.set(value, column: column, field: field)
        if let source {
            guard let column = try sourceColumn(of: record.entity, field: field) else { return }
            let place = record.keep(source)
            record.set(.text(offset: place.offset, count: place.count), column: column, field: field)
        } else if let column = owner.sourceColumn, !value.isBoolean {
            // A boolean has its own; else not what the same key said before in the record.
            record.set(.null, column: column, field: field)
        }
    }

    private func spellBooleans(of entity: EntityBuilder, field: Int) throws(ReadingFault) {
        let source = try sourceColumn(of: entity, field: field).map { EntityBuilder.columnName($0) }
        guard let column = entity.fields[field].column else { return }
        let name = EntityBuilder.columnName(column)
        try database.execute(
            "UPDATE \(entity.tableName) SET "
                + (source.map { "\($0) = CASE \(name) WHEN 0 THEN 'false' ELSE 'true' END, " } ?? "")
                + "\(name) = CASE \(name) WHEN 0 THEN 'NO' ELSE 'YES' END WHERE \(name) IN (0, 1) AND typeof(\(name)) = 'integer'"
        )
    }

    private func fits(_ count: Int, _ record: RecordBuilder, line: Int?) -> Bool {
        guard count <= DocumentDatabase.valueLimit, record.bytes.count + count <= RecordBuilder.limit else {
            warnings.add(.longText, line: line, "A value of \(count) bytes is too long and left out.")
            return false
        }
        return true
    }
}

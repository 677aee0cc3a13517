/// Plain values of a record.
extension DocumentBuilder {
    func set(_ number: ScalarText.Number, text: Bytes, in record: RecordBuilder, field: Int) throws(ReadingFault) {
        let statistics = record.entity.fields[field]
        switch number {
        case .integer(let value):
            statistics.statistics.integers += 1
            if value.magnitude > 1 << 53 { statistics.statistics.longIntegers += 1 }
            try put(.integer(value), in: record, field: field)
        case .double(let value):
            statistics.statistics.doubles += 1
            try put(.double(value), in: record, field: field)
        case .bigInteger:
            // Exact as it is written; a double would be another number.
            statistics.statistics.bigIntegers += 1
            let place = record.keep(text)
            try put(.text(offset: place.offset, count: place.count), in: record, field: field)
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
        // Once a column holds other texts, dates are not looked for.
        if owner.statistics.dateTexts == owner.statistics.texts - 1, ScalarText.isDate(text) { owner.statistics.dateTexts += 1 }
        try put(text: text, in: record, field: field, line: line)
    }

    /// An array of plain values, written as text; nil for an empty one.
    func set(list: Bytes?, in record: RecordBuilder, field: Int, line: Int?) throws(ReadingFault) {
        guard let list else {
            record.entity.fields[field].statistics.emptyLists += 1
            let place = record.bytes.count
            guard let column = try valueColumn(of: record.entity, field: field) else { return }
            record.set(.text(offset: place, count: 0), column: column, field: field)
            return
        }
        record.entity.fields[field].statistics.lists += 1
        try put(text: list, in: record, field: field, line: line)
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
    }

    private func put(text: Bytes, in record: RecordBuilder, field: Int, line: Int?) throws(ReadingFault) {
        guard fits(text.count, record, line: line) else { return }
        let place = record.keep(text)
        try put(.text(offset: place.offset, count: place.count), in: record, field: field)
    }

    private func put(_ value: RecordBuilder.Value, in record: RecordBuilder, field: Int) throws(ReadingFault) {
        let owner = record.entity.fields[field]
        // The first other value after booleans only: those that are written already become words.
        if owner.statistics.mixesBooleans, !owner.spellsBooleans {
            owner.spellsBooleans = true
            if case .boolean = value { return try putNow(value, in: record, field: field) }
            try spellBooleans(of: record.entity, field: field)
        }
        try putNow(value, in: record, field: field)
    }

    private func putNow(_ value: RecordBuilder.Value, in record: RecordBuilder, field: Int) throws(ReadingFault) {
        guard let column = try valueColumn(of: record.entity, field: field) else { return }
        record.set(value, column: column, field: field)
    }

    private func spellBooleans(of entity: EntityBuilder, field: Int) throws(ReadingFault) {
        guard let column = entity.fields[field].column else { return }
        let name = EntityBuilder.columnName(column)
        try database.execute(
            "UPDATE \(entity.tableName) SET \(name) = CASE \(name) WHEN 0 THEN 'false' ELSE 'true' END WHERE \(name) IN (0, 1)"
                + " AND typeof(\(name)) = 'integer'")
    }

    private func fits(_ count: Int, _ record: RecordBuilder, line: Int?) -> Bool {
        guard count <= DocumentDatabase.valueLimit, record.bytes.count + count <= RecordBuilder.limit else {
            warnings.add(.longText, line: line, "A value of \(count) bytes is too long and left out.")
            return false
        }
        return true
    }
}

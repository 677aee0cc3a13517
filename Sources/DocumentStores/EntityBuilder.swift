/// A kind of record as it is met in a document: its keys, and what stands under them.
final class EntityBuilder {
    /// A key of the records.
    final class Field {
        let key: String
        let keyBytes: [UInt8]
        /// The column of plain values; nil: there were none so far.
        var column: Int?
        /// The column with the JSON of values that the other does not hold as they are; nil: there were none so far.
        var sourceColumn: Int?
        /// The column with the key of a nested record.
        var toOneColumn: Int?
        /// The records nested under the key, one or many to a record.
        var toOne: EntityBuilder?
        var toMany: EntityBuilder?
        var statistics = ColumnStatistics()
        /// Whether booleans are written as words, as they stand among other values.
        var spellsBooleans = false
        /// Whether an object under the key is a dictionary of records; nil: there was none with members so far.
        private var holdsDictionary: Bool?
        /// What the values under the key look like, as far as that was looked at.
        private(set) var shape: RecordShape?

        init(key: String) {
            self.key = key
            keyBytes = Array(key.utf8)
        }

        /// Whether an object under the key, of a record of the entity, is a dictionary of records; decided once.
        ///
        /// - Parameter sample: looks at the value ahead, where nothing is known of it.
        func holdsDictionary(in entity: EntityBuilder, _ sample: () -> RecordShape) -> Bool {
            if let holdsDictionary { return holdsDictionary }
            let known = entity.shape?.children[key]
            let found = known.flatMap { $0.isDictionary || !$0.isPartial ? $0 : nil } ?? sample()
            guard !found.children.isEmpty else { return false }
            shape = found
            holdsDictionary = found.isDictionary
            return found.isDictionary
        }
    }

    /// What a column of the table holds.
    enum Column {
        case value(field: Int)
        case source(field: Int)
        case toOne(field: Int)
        /// The key of the record around it: of this entity, under this field.
        case parent(entity: Int, field: Int)
    }

    let number: Int
    /// The key that the records stand under, or the document's name.
    let key: String
    /// The entity of the record around, nil for the outermost.
    let parent: EntityBuilder?
    private(set) var fields: [Field] = []
    private(set) var columns: [Column] = []
    /// What its records look like, as far as that was looked at ahead.
    var shape: RecordShape?
    /// The field of the keys by which the records stand in dictionaries; nil: they do not.
    private(set) var memberKeyField: Int?
    /// Whether two records stand under one key of one dictionary.
    var repeatsMemberKeys = false
    /// The field of what the records have beside as many keys as there can be; nil: there was nothing.
    private(set) var restField: Int?
    /// Whether each of the records is a dictionary itself.
    var holdsDictionaries: Bool { shape?.isDictionary ?? false }
    /// Rows numbered so far.
    var rows: Int64 = 0
    private var fieldsByKey: [String: Int] = [:]
    private var finishedRows = 0
    /// Of all finished records.
    private var values = 0
    private var parentColumns: [Int: Int] = [:]

    init(number: Int, key: String, parent: EntityBuilder?) {
        self.number = number
        self.key = key
        self.parent = parent
    }

    /// The field of a key; `expected` is tried first, as records mostly repeat the order of their keys.
    func field(_ key: UnsafeBufferPointer<UInt8>, expected: Int) -> Int? {
        if expected < fields.count {
            let known = fields[expected].keyBytes
            let isSame = known.count == key.count && known.withUnsafeBufferPointer { $0.elementsEqual(key) }
            if isSame { return expected }
        }
        return fieldsByKey[String(decoding: key, as: UTF8.self)]
    }

    /// A field of this key, new if there is none; nil where there are too many.
    func makeField(_ key: String) -> Int? {
        if let known = fieldsByKey[key] { return known }
        guard !isSparse else { return nil }
        // Some fields take two columns.
        guard max(fields.count, columns.count) < DocumentDatabase.columnLimit else { return nil }
        return addField(key)
    }

    /// The field of values that are no records, new if there is none. It is never refused: they have no other place.
    func makeValueField() -> Int { fieldsByKey["value"] ?? addField("value") }

    private func addField(_ key: String) -> Int {
        let number = append(key)
        fieldsByKey[key] = number
        return number
    }

    private func append(_ key: String) -> Int {
        fields.append(Field(key: key))
        return fields.count - 1
    }

    /// The field of the records' keys in their dictionaries. No key of a record finds it.
    func makeMemberKeyField() -> Int {
        if let memberKeyField { return memberKeyField }
        let known = { [shape] (name: String) in self.fieldsByKey[name] != nil || shape?.children[name] != nil }
        let number = append(["key", "memberKey"].first { !known($0) } ?? "memberKey2")
        memberKeyField = number
        return number
    }

    /// The field of what has none. No key of a record finds it.
    func makeRestField() -> Int {
        if let restField { return restField }
        let number = append(fieldsByKey["otherKeys"] == nil ? "otherKeys" : "otherKeys2")
        restField = number
        return number
    }

    /// Counts what a finished record holds.
    func count(values: Int) {
        finishedRows += 1
        self.values += values
    }

    /// Whether the records have few keys in common: each takes a byte for every column, and a million of them gigabytes for nothing.
    private var isSparse: Bool {
        fields.count >= EntityBuilder.sparseFields && finishedRows >= EntityBuilder.sparseFields / 4
            && values < finishedRows * fields.count / 16
    }

    /// From so many keys on a sixteenth of them has to be in a record on the average.
    private static let sparseFields = 128

    /// Adds a column to the list; nil where a table can have no more.
    func addColumn(_ column: Column) -> Int? {
        guard columns.count < DocumentDatabase.columnLimit + DocumentDatabase.spareColumns else { return nil }
        columns.append(column)
        return columns.count - 1
    }

    func parentColumn(entity: Int, field: Int) -> Int? { parentColumns[entity << 32 | field] }

    func setParentColumn(_ column: Int, entity: Int, field: Int) { parentColumns[entity << 32 | field] = column }

    /// The name of a column in the table; the key's column, which is the rowid, stands before them.
    static func columnName(_ column: Int) -> String { "c\(column)" }
    var tableName: String { "t\(number)" }
}

/// What the values of a column were, counted.
struct ColumnStatistics {
    var integers = 0
    /// Numbers with more digits than 64 bits or a double have.
    var longNumbers = 0
    /// Beyond 2⁵³: not every double is such a number.
    var longIntegers = 0
    var doubles = 0
    var booleans = 0
    var texts = 0
    /// Those among the texts that are ISO 8601 dates.
    var dateTexts = 0
    /// Those among the texts that are spelled as numbers, where the format knows no others; and the integers of 64 bits among them.
    var numberTexts = 0
    var integerTexts = 0
    var dates = 0
    var data = 0
    /// Arrays of plain values, the empty ones among them apart.
    var lists = 0
    var emptyLists = 0

    /// Values other than NULL and empty arrays.
    var values: Int { integers + longNumbers + doubles + booleans + texts + dates + data + lists }
    var hasLists: Bool { lists + emptyLists > 0 }
    /// Whether booleans stand among others.
    var mixesBooleans: Bool { booleans > 0 && values > booleans }
}

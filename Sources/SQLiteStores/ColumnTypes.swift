import Foundation
import ObjectStore

/// Decides what a column of any database holds, by its declaration, its name and a sample of its values.
struct ColumnTypes {
    struct Found: Sendable, Equatable {
        var type: AttributeType
        var dates: DateEncoding = .text
    }

    private let connection: Connection

    /// Rows looked at where a declaration does not say enough.
    private static let sampleSize = 200

    init(_ connection: Connection) { self.connection = connection }

    func types(of columns: [Catalog.Column], in table: Catalog.Table) -> [Found] {
        var found = columns.map { Found(type: ColumnTypes.declared($0.declaredType) ?? .string) }
        let open = columns.indices.filter { index in
            found[index].type == .date || ColumnTypes.declared(columns[index].declaredType) == nil
                || (ColumnTypes.hintsAtDate(columns[index].name)
                    && [.int64, .double, .string, .decimal].contains(found[index].type))
        }
        // A view's rows are not computed for a guess: its values speak for themselves, one by one.
        guard !open.isEmpty, table.kind == .table else {
            for index in open where found[index].type == .date { found[index].dates = .automatic }
            return found
        }
        let samples = samples(open.map { columns[$0].name }, table)
        for (position, index) in open.enumerated() {
            let values = samples.indices.contains(position) ? samples[position] : []
            let isDeclaredDate = found[index].type == .date
            if isDeclaredDate || ColumnTypes.hintsAtDate(columns[index].name), let dates = ColumnTypes.encoding(values) {
                found[index] = Found(type: .date, dates: dates)
            } else if isDeclaredDate {
                found[index].dates = .automatic
            } else if ColumnTypes.declared(columns[index].declaredType) == nil {
                found[index].type = ColumnTypes.stored(values)
            }
        }
        return found
    }

    /// Values other than NULL, by column; none where the table cannot be read.
    private func samples(_ names: [String], _ table: Catalog.Table) -> [[Value]] {
        var columns = [[Value]](repeating: [], count: names.count)
        let reader = ValueReader(form: .stored, timeZone: .gmt, externalDataFolder: nil)
        // Long values say no more than their beginnings.
        let list = names.map { name in
            "CASE WHEN typeof(\(name.quoted)) IN ('text', 'blob') THEN substr(\(name.quoted), 1, 64) ELSE \(name.quoted) END"
        }
        let sql = "SELECT \(list.joined(separator: ", ")) FROM main.\(table.name.quoted) LIMIT \(ColumnTypes.sampleSize)"
        let rows = try? connection.rows(sql) { row in
            names.indices.map { reader.stored(row.row, Int32(truncatingIfNeeded: $0)) }
        }
        for row in rows ?? [] {
            for (index, value) in row.enumerated() where value != .null { columns[index].append(value) }
        }
        return columns
    }

    /// By SQLite's rules of affinity, and what people write beyond them; nil: the declaration does not say.
    static func declared(_ text: String) -> AttributeType? {
        let name = text.uppercased()
        func has(_ word: String) -> Bool { name.hasBytes(of: word) }
        if has("BOOL") || name == "BIT" || name == "BIT(1)" { return .boolean }
        if has("UUID") || has("GUID") || has("UNIQUEIDENTIFIER") { return .uuid }
        if has("DATE") || has("TIMESTAMP") { return .date }
        if has("INT") && !has("POINT") && !has("INTERVAL") { return .int64 }
        if name == "URL" || name == "URI" { return .uri }
        if ["CHAR", "CLOB", "TEXT", "STRING", "JSON", "XML"].contains(where: has) { return .string }
        if has("BLOB") || has("BINARY") || name == "IMAGE" { return .binary }
        if has("REAL") || has("DOUB") || has("FLOA") { return .double }
        if ["DECIMAL", "NUMERIC", "NUMBER", "MONEY"].contains(where: has) { return .decimal }
        return nil
    }

    /// What most of the values are stored as.
    static func stored(_ values: [Value]) -> AttributeType {
        var counts: [AttributeType: Int] = [:]
        for value in values {
            switch value {
            case .integer: counts[.int64, default: 0] += 1
            case .double: counts[.double, default: 0] += 1
            case .data: counts[.binary, default: 0] += 1
            default: counts[.string, default: 0] += 1
            }
        }
        if counts.keys.allSatisfy({ $0 == .int64 || $0 == .double }), counts[.double] != nil { return .double }
        return [AttributeType.string, .int64, .binary, .double].max { counts[$0, default: 0] < counts[$1, default: 0] } ?? .string
    }

    // MARK: Dates

    /// `created_at`, `birthDate`, `timestamp`.
    static func hintsAtDate(_ name: String) -> Bool {
        let lower = name.lowercased()
        return lower.hasSuffix("_at") || name.hasSuffix("At") || lower.hasSuffix("date") || lower.hasSuffix("timestamp")
            || lower.hasPrefix("date_") || lower.hasSuffix("datetime") || lower.hasSuffix("_time") || name.hasSuffix("Time")
            || lower == "created" || lower == "modified" || lower == "updated"
    }

    /// The encoding that makes every value of the sample a plausible date; nil if there is none, or no value.
    static func encoding(_ values: [Value]) -> DateEncoding? {
        guard !values.isEmpty else { return nil }
        var numbers: [Double] = []
        for value in values {
            switch value {
            case .integer(let number): numbers.append(Double(number))
            case .double(let number): numbers.append(number)
            case .string(let text):
                guard TextDate.seconds(text) != nil else { return nil }
            default: return nil
            }
        }
        guard let low = numbers.min(), let high = numbers.max() else { return .text }
        // Apple's clocks: fractions of seconds, and read as Unix time everything would lie before 2000.
        if numbers.contains(where: { $0 != $0.rounded() }), low >= 0, high > 100_000_000, high < 946_684_800 {
            return .referenceSeconds
        }
        let plausible: [(DateEncoding, ClosedRange<Double>)] = [
            (.julianDays, 2_415_020...2_488_070), (.unixSeconds, 31_536_000...4_102_444_800),
            (.unixMilliseconds, 31_536_000_000...4_102_444_800_000),
            (.unixMicroseconds, 31_536_000_000_000...4_102_444_800_000_000),
        ]
        return plausible.first { $0.1.contains(low) && $0.1.contains(high) }?.0
    }
}

extension String {
    /// Whether another text's bytes are somewhere in this one's. The standard library's search makes a table first, which costs more than
    /// looking through the few letters of a type does.
    fileprivate func hasBytes(of word: String) -> Bool {
        let word = word.utf8
        var rest = utf8[...]
        while rest.count >= word.count {
            if rest.starts(with: word) { return true }
            rest.removeFirst()
        }
        return false
    }
}

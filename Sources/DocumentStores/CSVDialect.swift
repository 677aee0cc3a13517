import ObjectStore

/// How a document separates its cells, and whether its first record names the columns.
struct CSVDialect {
    typealias Bytes = UnsafeBufferPointer<UInt8>

    var delimiter: UInt8
    /// How evenly the sample falls into columns, 0 to 1; a document of one column is 0.
    var evenness: Double
    /// Cells in most records of the sample.
    var width: Int

    private static let candidates: [UInt8] = Array(",;\t|".utf8)
    private static let sampleRecords = 200

    /// The delimiter by which the first records fall into the most even columns; `preferred` wins where it makes any.
    static func recognise(_ input: DocumentInput, preferred: UInt8?) throws(ReadingFault) -> CSVDialect {
        var best = CSVDialect(delimiter: preferred ?? UInt8(ascii: ","), evenness: 0, width: 1)
        for delimiter in candidates {
            let scanner = CSVScanner(input, delimiter: delimiter)
            var widths: [Int: Int] = [:]
            var records = 0
            while records < sampleRecords, try scanner.next() {
                widths[scanner.cells.count, default: 0] += 1
                records += 1
            }
            guard let most = widths.max(by: { ($0.value, $0.key) < ($1.value, $1.key) }), records > 0 else { continue }
            if most.key < 2 { continue }
            let evenness = Double(most.value) / Double(records)
            let found = CSVDialect(delimiter: delimiter, evenness: evenness, width: most.key)
            if delimiter == preferred { return found }
            if (evenness, found.width) > (best.evenness + 0.01, best.width)
                || (evenness >= best.evenness && found.width > best.width)
            {
                best = found
            }
        }
        return best
    }

    /// Whether the first record names columns, as far as it and what follows tell: names are distinct texts, no values.
    ///
    /// - Parameter second: the record after the first; empty where there is none.
    static func isHeader(_ cells: [String], second: [String] = []) -> Bool {
        let names = cells.map { $0.trimmedOfSpaces }
        let filled = names.filter { !$0.isEmpty }
        guard !filled.isEmpty, filled.count * 2 >= names.count else { return false }
        let distinct = Set(filled).count
        if distinct < filled.count {
            // The columns of two tables beside each other may have the same names: they are names where values of another kind
            // stand below, or most are told apart.
            let isOther = zip(names, second).contains { name, value in
                !name.isEmpty && !isNumber(name) && (isNumber(value) || isDateOrBoolean(value))
            }
            guard isOther || distinct * 3 >= filled.count * 2 else { return false }
            if filled.contains(where: isAnyBoolean) { return false }
        }
        let numbers = filled.filter { isNumber($0) }
        if filled.contains(where: { isDateOrBoolean($0) }) { return false }
        if numbers.isEmpty { return true }
        // Years are the numbers that columns are named by.
        let years = numbers.compactMap { Int($0) }.filter { (1000...2999).contains($0) }
        return years.count == numbers.count && years.count < filled.count && !isNumber(names.first ?? "")
    }

    private static func isNumber(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { DecimalText.number($0, lenient: true) != nil }
    }

    private static func isAnyBoolean(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { ScalarText.boolean($0) != nil }
    }

    private static func isDateOrBoolean(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { ScalarText.isDate($0) || (ScalarText.boolean($0) != nil && $0.count > 3) }
    }
}

extension String {
    /// Without spaces at both ends.
    var trimmedOfSpaces: String {
        var text = self
        return text.withUTF8 { String(decoding: ScalarText.trimmed($0), as: UTF8.self) }
    }
}

import CSQLite
import Foundation
import ObjectStore

/// What SPEC section 2 makes of a value: a first letter, a year.
struct DerivedValue: Sendable {
    let timeZone: TimeZone

    func value(
        _ derivation: ObjectKeyPath.Derivation, _ row: RowValues, _ index: Int32, _ column: KeyPathCompiler.Column
    ) -> Value {
        switch derivation {
        case .nameFirstLetter:
            // sqlite3_column_text turns a number into its text; NULL and "" give no bytes.
            return .string(DerivedValue.nameFirstLetter(text(row, index)))
        case .firstLetter:
            return .string(DerivedValue.firstLetter(text(row, index)))
        case .year, .month, .day:
            guard let seconds = seconds(row, index, column) else { return .null }
            return component(derivation, seconds)
        }
    }

    private func text(_ row: RowValues, _ index: Int32) -> String {
        switch row.type(index) {
        case SQLITE_TEXT: row.text(index)
        case SQLITE_INTEGER: String(row.integer(index))
        case SQLITE_FLOAT: String(row.double(index))
        default: ""
        }
    }

    /// Seconds since 2001 in a date column; text is read as ISO 8601 whatever the column is.
    func seconds(_ row: RowValues, _ index: Int32, _ column: KeyPathCompiler.Column) -> Double? {
        guard case .attribute(let attribute) = column.shape else { return nil }
        switch row.type(index) {
        case SQLITE_TEXT: return TextDate.seconds(row.text(index))
        case SQLITE_INTEGER where attribute.type == .date: return attribute.dates.seconds(.integer(row.integer(index)))
        case SQLITE_FLOAT where attribute.type == .date: return attribute.dates.seconds(.double(row.double(index)))
        default: return nil
        }
    }

    func component(_ derivation: ObjectKeyPath.Derivation, _ seconds: Double) -> Value {
        let offset = timeZone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: seconds))
        guard let day = Int(exactly: ((seconds + Double(offset)) / 86_400).rounded(.down)), abs(day) < 10_000_000 else {
            return .null
        }
        let date = CivilDate.date(days: day + CivilDate.referenceDay)
        switch derivation {
        case .year: return .integer(Int64(date.year))
        case .month: return .integer(Int64(date.month))
        default: return .integer(Int64(date.day))
        }
    }

    /// CDL's how-to: the first character upper-cased; a digit gives `#`, nothing gives "".
    static func nameFirstLetter(_ text: String) -> String {
        guard let first = text.first else { return "" }
        return first.isNumber && first.unicodeScalars.allSatisfy({ $0.properties.generalCategory == .decimalNumber })
            ? "#" : first.uppercased()
    }

    /// The first letter, upper-cased, without diacritics; anything else gives `#`.
    static func firstLetter(_ text: String) -> String {
        guard let first = text.first, let base = String(first).decomposedStringWithCanonicalMapping.unicodeScalars.first,
            base.properties.isAlphabetic
        else { return "#" }
        // ß becomes SS; one letter is wanted.
        let letter = base.properties.uppercaseMapping.unicodeScalars.first ?? base
        return String(Character(letter))
    }
}

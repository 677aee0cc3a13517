import Foundation
package import ObjectStore
import Presentation

/// Values as data for other programs: the types of JSON where it has them.
package enum PrintedValue {
    /// A JSON value: numbers, booleans, null, ISO 8601 dates in UTC, Base64 for bytes, UUIDs upper-case, arrays for to-many; NaN and the infinities are
    /// strings, dates outside of the years 1 to 9999 their number of seconds since 2001. Objects are entity and key: the
    /// caller replaces them by their URIs.
    package static func json(_ value: Value) -> String {
        switch value {
        case .null: "null"
        case .boolean(let flag): flag ? "true" : "false"
        case .integer(let number): String(number)
        case .double(let number): json(number)
        case .date(let seconds): CalendarDate(secondsSince2001: seconds).map { json($0.iso8601) } ?? json(seconds)
        case .list(let values): "[" + values.map(json).joined(separator: ",") + "]"
        case .string, .data, .uuid, .object: json(text(value))
        }
    }

    /// A field of CSV or TSV, not yet quoted: as in JSON, strings bare, NULL empty, lists as JSON arrays.
    package static func field(_ value: Value) -> String {
        switch value {
        case .null: ""
        case .double(let number): NumberText.text(number)
        case .date(let seconds): CalendarDate(secondsSince2001: seconds)?.iso8601 ?? NumberText.text(seconds)
        case .integer, .boolean, .list: json(value)
        case .string, .data, .uuid, .object: text(value)
        }
    }

    /// A JSON string. What a terminal would obey or hide is escaped, so that the text is the same JSON everywhere.
    package static func json(_ text: String) -> String {
        // Most text is plain ASCII, and is passed on as it is.
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }) { return "\"\(text)\"" }
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x22: result += "\\\""
            case 0x5C: result += "\\\\"
            case 0x0A: result += "\\n"
            case 0x0D: result += "\\r"
            case 0x09: result += "\\t"
            case 0..<0x20, 0x7F..<0xA0, 0xAD, 0x061C, 0x180E, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF,
                0xFFF9...0xFFFB, 0xE0000...0xE0FFF:
                for unit in String(scalar).utf16 { result += escape(unit) }
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    private static func json(_ number: Double) -> String {
        let text = NumberText.text(number)
        return number.isFinite ? text : json(text)
    }

    private static func text(_ value: Value) -> String {
        switch value {
        case .string(let text): text
        case .data(let bytes): bytes.base64EncodedString()
        case .uuid(let uuid): uuid.uuidString
        case .object(let object): "\(object.entityName)/\(object.key)"
        default: ""
        }
    }

    private static func escape(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
    }
}

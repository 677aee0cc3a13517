import Foundation
package import ObjectStore
import Presentation
import PropertyLists

/// Values as data for other programs: the types of JSON where it has them.
package enum PrintedValue {
    /// A JSON value: numbers, booleans, null, ISO 8601 dates in UTC, Base64 for bytes, UUIDs upper-case, arrays for to-many; NaN and the infinities are
    /// strings, dates outside of the years 1 to 9999 their number of seconds since 2001. Objects are entity and key: the
    /// caller replaces them by their URIs.
    package static func json(_ value: Value) -> String {
        switch value {
        case .null, .danglingReference: "null"
        case .boolean(let flag): flag ? "true" : "false"
        case .integer(let number): String(number)
        case .double(let number): json(number)
        case .date(let seconds): CalendarDate(secondsSince2001: seconds).map { json($0.iso8601) } ?? json(seconds)
        case .list(let values): "[" + values.map(json).joined(separator: ",") + "]"
        case .source(let text): text
        case .string, .data, .uuid, .object: json(text(value))
        }
    }

    /// A field of CSV or TSV, not yet quoted: as in JSON, strings bare, NULL empty, lists as JSON arrays.
    package static func field(_ value: Value) -> String {
        switch value {
        case .null, .danglingReference: ""
        case .double(let number): NumberText.text(number)
        case .date(let seconds): CalendarDate(secondsSince2001: seconds)?.iso8601 ?? NumberText.text(seconds)
        case .integer, .boolean, .list, .source: json(value)
        case .string, .data, .uuid, .object: text(value)
        }
    }

    /// A JSON string. What a terminal would obey or hide is escaped, so that the text is the same JSON everywhere.
    package static func json(_ text: String) -> String {
        var bytes: [UInt8] = []
        append(json: text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// As `json`, to the end of a longer text.
    static func append(json value: Value, to bytes: inout [UInt8]) {
        if case .string(let text) = value { append(json: text, to: &bytes) } else { bytes.append(contentsOf: json(value).utf8) }
    }

    static func append(json text: String, to bytes: inout [UInt8]) {
        bytes.append(0x22)
        let start = bytes.count
        bytes.append(contentsOf: text.utf8)
        // Most text is passed on as it is; only what begins like something that is escaped is looked at by scalars.
        if bytes[start...].contains(where: mayNeedEscape) {
            bytes.removeSubrange(start...)
            for scalar in text.unicodeScalars { append(json: scalar, to: &bytes) }
        }
        bytes.append(0x22)
    }

    /// Whether a scalar that is escaped begins with this byte.
    private static func mayNeedEscape(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20, 0x21, 0x23...0x5B, 0x5D...0x7E: false
        case 0..<0x20, 0x22, 0x5C, 0x7F: true
        // U+0080 to 00BF, 0600 to 063F, 1000 to 2FFF, F000 to FFFF, C0000 to FFFFF.
        case 0xC2, 0xD8, 0xE1, 0xE2, 0xEF, 0xF3: true
        default: false
        }
    }

    private static func append(json scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        switch scalar.value {
        case 0x22: bytes.append(contentsOf: "\\\"".utf8)
        case 0x5C: bytes.append(contentsOf: "\\\\".utf8)
        case 0x0A: bytes.append(contentsOf: "\\n".utf8)
        case 0x0D: bytes.append(contentsOf: "\\r".utf8)
        case 0x09: bytes.append(contentsOf: "\\t".utf8)
        case 0..<0x20, 0x7F..<0xA0, 0xAD, 0x061C, 0x180E, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF,
            0xFFF9...0xFFFB, 0xE0000...0xE0FFF:
            for unit in scalar.utf16 { bytes.append(contentsOf: JSONEscape.text(of: unit).utf8) }
        default: bytes.append(contentsOf: scalar.utf8)
        }
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
}

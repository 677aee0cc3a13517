import CSQLite
import Foundation
import ObjectStore

/// A prepared statement. Not `Sendable`: it is used where its connection is.
final class Statement {
    let handle: OpaquePointer
    private unowned let connection: Connection

    init(_ connection: Connection, _ sql: String) throws(StoreError) {
        self.connection = connection
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v3(connection.handle, sql, -1, 0, &prepared, nil)
        guard code == SQLITE_OK else { throw connection.error(code) }
        guard let prepared else { throw StoreError(file: connection.name, cause: .engine("empty statement")) }
        handle = prepared
    }

    deinit { sqlite3_finalize(handle) }

    /// Goes to the next row; false after the last.
    func step() throws(StoreError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code:
            let error = connection.error(code)
            sqlite3_reset(handle)
            throw error
        }
    }

    /// Ends the read transaction that the statement holds open.
    func reset() { sqlite3_reset(handle) }

    var parameterCount: Int { Int(sqlite3_bind_parameter_count(handle)) }
    func bind(_ value: Int64, at index: Int32) { sqlite3_bind_int64(handle, index, value) }
    func bind(_ text: String, at index: Int32) { sqlite3_bind_text(handle, index, text, -1, csqlite_transient()) }

    /// Binds a value as it is compared: dates as seconds since 2001, UUIDs as their bytes.
    func bind(_ value: Value, at index: Int32) throws(StoreError) {
        let code: Int32
        switch value {
        case .null, .object, .list, .danglingReference, .source: code = sqlite3_bind_null(handle, index)
        case .integer(let number): code = sqlite3_bind_int64(handle, index, number)
        case .double(let number), .date(let number): code = sqlite3_bind_double(handle, index, number)
        case .boolean(let flag): code = sqlite3_bind_int64(handle, index, flag ? 1 : 0)
        case .string(let text):
            code = sqlite3_bind_text(handle, index, text, Int32(truncatingIfNeeded: text.utf8.count), csqlite_transient())
        case .data(let data): code = bind(bytes: data, at: index)
        case .uuid(let uuid): code = withUnsafeBytes(of: uuid.uuid) { bind(bytes: Data($0), at: index) }
        }
        guard code == SQLITE_OK else { throw connection.error(code) }
    }

    private func bind(bytes: Data, at index: Int32) -> Int32 {
        bytes.withUnsafeBytes {
            sqlite3_bind_blob(handle, index, $0.baseAddress, Int32(truncatingIfNeeded: $0.count), csqlite_transient())
        }
    }

    /// The row that the statement stands on.
    var row: RowValues { .columns(handle) }

    /// SQLite's code for the type of the value.
    func type(_ column: Int32) -> Int32 { row.type(column) }
    func isNull(_ column: Int32) -> Bool { row.isNull(column) }
    func integer(_ column: Int32) -> Int64 { row.integer(column) }
    func double(_ column: Int32) -> Double { row.double(column) }
    /// Bytes of a text or blob, valid until the next step.
    func bytes(_ column: Int32) -> UnsafeRawBufferPointer { row.bytes(column) }
    func text(_ column: Int32) -> String { row.text(column) }

    /// A key column for people, another text for each value: text as it is, but for what separates parts; numbers with all their
    /// digits; bytes in hexadecimal.
    ///
    /// - Parameter isUntyped: whether a text among the keys may look like a number, so that it must be told from that.
    func keyText(_ column: Int32, isUntyped: Bool) -> String {
        switch type(column) {
        case SQLITE_BLOB:
            let bytes = bytes(column)
            return bytes.isEmpty ? "x''" : "x" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        case SQLITE_FLOAT:
            let number = double(column)
            let short = text(column)
            return Double(short) == number ? short : String(number)
        case SQLITE_TEXT: break
        default: return text(column)
        }
        var key = text(column)
        let isNumber = isUntyped && Double(key) != nil
        let digits = key.utf8.dropFirst()
        let isLikeBytes =
            key.utf8.first == UInt8(ascii: "x")
            && (key == "x''" || !digits.isEmpty && digits.count % 2 == 0 && digits.allSatisfy(Self.isHexadecimal))
        key = key.replacing("%", with: "%25").replacing("/", with: "%2F").replacing(",", with: "%2C")
        if key.unicodeScalars.contains("\u{FFFD}") { key = Self.escaped(bytes(column)) }
        if key.utf8.first == UInt8(ascii: "'") { key = "%27" + key.dropFirst() }
        return isNumber || isLikeBytes ? "'\(key)'" : key
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    /// Text that may be no UTF-8: all but ASCII's letters and digits byte by byte.
    private static func escaped(_ bytes: UnsafeRawBufferPointer) -> String {
        bytes.map { byte in
            let scalar = Unicode.Scalar(byte)
            guard byte < 0x80, scalar.properties.isAlphabetic || isHexadecimal(byte) else {
                return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
            return String(scalar)
        }.joined()
    }

    func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }
}

extension String {
    /// As an SQL identifier.
    var quoted: String { "\"" + replacing("\"", with: "\"\"") + "\"" }
    /// As an SQL string.
    var quotedText: String { "'" + replacing("'", with: "''") + "'" }
}

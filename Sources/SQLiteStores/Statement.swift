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

    func bind(_ value: Int64, at index: Int32) { sqlite3_bind_int64(handle, index, value) }
    func bind(_ text: String, at index: Int32) { sqlite3_bind_text(handle, index, text, -1, csqlite_transient()) }

    /// SQLite's code for the type of the value.
    func type(_ column: Int32) -> Int32 { sqlite3_column_type(handle, column) }
    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }
    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }
    func double(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

    /// Bytes of a text or blob, valid until the next step.
    func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        let start =
            sqlite3_column_type(handle, column) == SQLITE_BLOB
            ? sqlite3_column_blob(handle, column) : sqlite3_column_text(handle, column).map { UnsafeRawPointer($0) }
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, column)))
    }

    /// As `bytes`, for a column that is known to hold text.
    func textBytes(_ column: Int32) -> UnsafeRawBufferPointer {
        guard let start = sqlite3_column_text(handle, column) else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    }

    func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }
    /// A key column for people: text as it is, but for what separates parts; bytes in hexadecimal.
    func keyText(_ column: Int32) -> String {
        guard sqlite3_column_type(handle, column) == SQLITE_BLOB else {
            return text(column).replacing("%", with: "%25").replacing("/", with: "%2F").replacing(",", with: "%2C")
        }
        return "x" + bytes(column).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }
}

extension String {
    /// As an SQL identifier.
    var quoted: String { "\"" + replacing("\"", with: "\"\"") + "\"" }
    /// As an SQL string.
    var quotedText: String { "'" + replacing("'", with: "''") + "'" }
}

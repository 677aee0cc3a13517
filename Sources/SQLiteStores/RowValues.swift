import CSQLite
import Foundation

/// The values of a row: the columns of a statement that stands on it, or the arguments of the function that the statement calls
/// with it, or the fields of its record, which are the same columns in the same places. Valid until the reading goes on.
enum RowValues {
    /// Of a prepared statement.
    case columns(OpaquePointer)
    /// Of a call; as many as the statement has columns.
    case arguments(UnsafeMutablePointer<OpaquePointer?>)
    /// Of a record; as many as the statement has columns. Nothing is converted: numbers are asked for as numbers, and bytes as bytes.
    case record(UnsafePointer<RecordField>)

    /// SQLite's code for the type of the value.
    @inline(__always)
    func type(_ column: Int32) -> Int32 {
        switch self {
        case .columns(let statement): sqlite3_column_type(statement, column)
        case .arguments(let values): sqlite3_value_type(values[Int(column)])
        case .record(let fields): fields[Int(column)].type
        }
    }

    @inline(__always)
    func isNull(_ column: Int32) -> Bool { type(column) == SQLITE_NULL }

    @inline(__always)
    func integer(_ column: Int32) -> Int64 {
        switch self {
        case .columns(let statement): sqlite3_column_int64(statement, column)
        case .arguments(let values): sqlite3_value_int64(values[Int(column)])
        case .record(let fields): fields[Int(column)].integer
        }
    }

    @inline(__always)
    func double(_ column: Int32) -> Double {
        switch self {
        case .columns(let statement): sqlite3_column_double(statement, column)
        case .arguments(let values): sqlite3_value_double(values[Int(column)])
        case .record(let fields): fields[Int(column)].double
        }
    }

    /// Bytes of a column that is known to hold text.
    @inline(__always)
    func textBytes(_ column: Int32) -> UnsafeRawBufferPointer {
        // The bytes are counted behind the text: asking for it may make it.
        switch self {
        case .columns(let statement):
            guard let start = sqlite3_column_text(statement, column) else { return Self.noBytes }
            return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
        case .arguments(let values):
            guard let start = sqlite3_value_text(values[Int(column)]) else { return Self.noBytes }
            return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(values[Int(column)])))
        case .record(let fields): return fields[Int(column)].bytes
        }
    }

    /// Bytes of a text or blob.
    func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        guard type(column) == SQLITE_BLOB else { return textBytes(column) }
        switch self {
        case .columns(let statement):
            guard let start = sqlite3_column_blob(statement, column) else { return Self.noBytes }
            return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
        case .arguments(let values):
            guard let start = sqlite3_value_blob(values[Int(column)]) else { return Self.noBytes }
            return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(values[Int(column)])))
        case .record(let fields): return fields[Int(column)].bytes
        }
    }

    func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }

    private static var noBytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }
}

import CSQLite
import Foundation

/// The functions of SQL that `@sum` and `@avg` call. As SQLite's `sum` and `avg`, but what is too large for an integer becomes a real
/// number, where `sum` is an error that ends the whole statement; and only numbers count, and texts that are one: in SQLite's own
/// every other text counts as 0 and draws the mean down.
enum SumFunction {
    static let name = "tlbrowse_sum"
    static let meanName = "tlbrowse_avg"

    /// What was added so far; begins as zeros.
    private struct Sum {
        var isReal = false
        var count: UInt64 = 0
        /// The sum of integers, in two halves: SQLite's memory is aligned to eight bytes only.
        var low: UInt64 = 0
        var high: Int64 = 0
        var real = 0.0
        /// What the additions of reals have rounded off (Kahan, Babuška, Neumaier), as SQLite keeps it.
        var rest = 0.0

        var whole: Int128 {
            get { Int128(high) << 64 | Int128(low) }
            set {
                low = UInt64(truncatingIfNeeded: newValue)
                high = Int64(truncatingIfNeeded: newValue >> 64)
            }
        }

        mutating func add(_ value: Double) {
            let sum = real + value
            rest += abs(real) > abs(value) ? (real - sum) + value : (value - sum) + real
            real = sum
        }

        /// In two parts where a real number cannot hold all of it.
        mutating func add(_ value: Int64) {
            guard value.magnitude > 1 << 52 else { return add(Double(value)) }
            let low = value % 16_384
            add(Double(value - low))
            add(Double(low))
        }

        var total: Double {
            guard isReal else { return Double(whole) }
            return rest.isNaN ? real : real + rest
        }

        mutating func becomeReal() {
            guard !isReal else { return }
            isReal = true
            if let value = Int64(exactly: whole) { add(value) } else { add(Double(whole)) }
        }
    }

    /// False if there is no memory.
    static func register(on handle: OpaquePointer) -> Bool {
        register(name, on: handle) { context in
            guard let sum = SumFunction.found(context) else { return }
            if !sum.isReal, let whole = Int64(exactly: sum.whole) {
                sqlite3_result_int64(context, whole)
            } else {
                sqlite3_result_double(context, sum.total)
            }
        }
            && register(meanName, on: handle) { context in
                guard let sum = SumFunction.found(context) else { return }
                sqlite3_result_double(context, sum.total / Double(sum.count))
            }
    }

    private static func register(
        _ name: String, on handle: OpaquePointer, result: @escaping @convention(c) (OpaquePointer?) -> Void
    ) -> Bool {
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY
        let code = sqlite3_create_function_v2(
            handle, name, 1, flags, nil, nil,
            { context, _, values in
                let size = Int32(truncatingIfNeeded: MemoryLayout<Sum>.stride)
                guard let value = values?.pointee, let memory = sqlite3_aggregate_context(context, size) else {
                    return sqlite3_result_error_nomem(context)
                }
                SumFunction.step(memory, value)
            }, result, nil)
        return code == SQLITE_OK
    }

    /// What was added; nil for no number at all, which has neither sum nor mean.
    private static func found(_ context: OpaquePointer?) -> Sum? {
        guard let memory = sqlite3_aggregate_context(context, 0) else { return nil }
        let sum = sum(memory).pointee
        return sum.count > 0 ? sum : nil
    }

    /// SQLite gives memory of zeros, which is an empty sum.
    private static func sum(_ memory: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Sum> {
        memory.assumingMemoryBound(to: Sum.self)
    }

    private static func step(_ memory: UnsafeMutableRawPointer, _ value: OpaquePointer) {
        let kind = sqlite3_value_numeric_type(value)
        guard kind == SQLITE_INTEGER || kind == SQLITE_FLOAT else { return }
        let sum = sum(memory)
        sum.pointee.count &+= 1
        if kind == SQLITE_INTEGER {
            let number = sqlite3_value_int64(value)
            // No count of rows makes 128 bits overflow.
            if sum.pointee.isReal { sum.pointee.add(number) } else { sum.pointee.whole &+= Int128(number) }
        } else {
            sum.pointee.becomeReal()
            sum.pointee.add(sqlite3_value_double(value))
        }
    }
}

import CSQLite
import ObjectStore

/// The function of SQL that a statement calls with each of its rows, so that a row costs a call and not a step of the statement.
///
/// It stands in the statement's condition, and is true only where whoever reads is to look up: then the statement gives a row, and goes
/// on after that. `SQLITE_DIRECTONLY` keeps views and generated columns of the file from calling it; the latter only where the function
/// is there before SQLite reads the schema.
final class RowFunction {
    static let name = "tlbrowse_row"
    /// A statement with more columns gives its rows by steps (`Connection` limits functions to as many).
    static let mostArguments = 100

    private struct Reading {
        /// Who gets the rows; nil: nobody reads.
        var receiver: Unmanaged<RowReceiver>?
        var columns: Int32 = 0
    }

    /// Behind a pointer, where no access is checked at run time.
    private let reading: UnsafeMutablePointer<Reading>

    private init() {
        reading = .allocate(capacity: 1)
        reading.initialize(to: Reading())
    }

    deinit { reading.deallocate() }

    /// Makes the function known to a connection; nil if there is no memory.
    convenience init?(registeredOn handle: OpaquePointer) {
        self.init()
        // SQLite holds the object, and lets go of it with the connection, or when it refuses the function.
        let code = sqlite3_create_function_v2(
            handle, RowFunction.name, -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, Unmanaged.passRetained(self).toOpaque(),
            { context, count, values in
                guard let context, let values, let object = sqlite3_user_data(context) else { return }
                let wantsLook = Unmanaged<RowFunction>.fromOpaque(object)._withUnsafeGuaranteedRef { $0.call(count, values) }
                // Without an answer it is NULL, which is not true either.
                if wantsLook { sqlite3_result_int(context, 1) }
            }, nil, nil,
            { object in
                guard let object else { return }
                Unmanaged<RowFunction>.fromOpaque(object).release()
            })
        guard code == SQLITE_OK else { return nil }
    }

    @inline(__always)
    private func call(_ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>) -> Bool {
        let reading = reading.pointee
        guard let receiver = reading.receiver, count == reading.columns else { return false }
        return receiver._withUnsafeGuaranteedRef { $0.take(.arguments(values)) }
    }

    /// Hands the rows of the statements that `body` runs to a receiver.
    ///
    /// - Parameter columns: of a row; calls with more or fewer are for nothing.
    func hand<Result>(
        _ columns: Int, to receiver: RowReceiver, _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        // Unretained is sound: the receiver outlives the call.
        reading.pointee = Reading(receiver: .passUnretained(receiver), columns: Int32(truncatingIfNeeded: columns))
        defer { reading.pointee = Reading() }
        return try withExtendedLifetime(receiver, body)
    }
}

import ObjectStore

/// Takes the rows of a reading one after the other, in the order of their keys.
///
/// A base class rather than a closure: a row then costs one call through a table, and nothing is counted or allocated for it.
class RowReceiver {
    private struct State {
        var range: ClosedRange<ObjectKey> = .min ... .max
        /// Of the row before; what it holds where there was none does not matter.
        var last: ObjectKey = 0
        var hasLast = false
        /// Rows since the last look.
        var sinceLook = 0
        var isBehind = false
        var isDone = false
        var failure: StoreError.Cause?
    }

    /// Behind a pointer, where no access is checked at run time.
    private let state: UnsafeMutablePointer<State>

    /// After so many rows the reading is given a look at the time, and at who wants it to stop.
    private static let rowsBetweenLooks = 128

    init() {
        state = .allocate(capacity: 1)
        state.initialize(to: State())
    }

    deinit {
        state.deinitialize(count: 1)
        state.deallocate()
    }

    // MARK: For those who take rows

    /// Takes a row; false if it wants no more. To be overridden.
    func receive(_ row: RowValues, _ key: ObjectKey) -> Bool { false }

    /// Learns how many rows came since it was told last. To be overridden.
    func count(_ rows: Int) {}

    /// Says why no more rows can be taken; the reading throws it.
    final func fail(_ cause: StoreError.Cause) { state.pointee.failure = cause }

    // MARK: For the reading

    /// The key of the last row since `begin`.
    final var last: ObjectKey? { state.pointee.hasLast ? state.pointee.last : nil }
    /// Whether a row came that is behind the keys that are read.
    final var isBehind: Bool { state.pointee.isBehind }
    final var isDone: Bool { state.pointee.isDone }
    final var failure: StoreError.Cause? { state.pointee.failure }

    /// Begins with other keys, which need not be behind those before.
    final func begin() { state.pointee.hasLast = false }

    /// The keys that are read now; rows of others are passed over.
    final func expect(_ range: ClosedRange<ObjectKey>) {
        state.pointee.range = range
        state.pointee.isBehind = false
    }

    /// Takes a row; true if the reading is to look up from it.
    @inline(__always)
    final func take(_ row: RowValues) -> Bool { take(row, key: row.integer(0)) }

    /// Takes a row whose key is known.
    @inline(__always)
    final func take(_ row: RowValues, key: ObjectKey) -> Bool {
        let state = state
        // Of rows with one key the first stands for all.
        if key == state.pointee.last, state.pointee.hasLast { return false }
        guard state.pointee.range.contains(key) else {
            state.pointee.isBehind = key > state.pointee.range.upperBound
            return state.pointee.isBehind
        }
        state.pointee.last = key
        state.pointee.hasLast = true
        state.pointee.sinceLook &+= 1
        if !receive(row, key) {
            state.pointee.isDone = true
            return true
        }
        return state.pointee.sinceLook >= RowReceiver.rowsBetweenLooks
    }

    /// Passes on how many rows came since the last look.
    final func look() {
        let rows = state.pointee.sinceLook
        state.pointee.sinceLook = 0
        if rows > 0 { count(rows) }
    }
}

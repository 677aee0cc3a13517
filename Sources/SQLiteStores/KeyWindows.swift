import ObjectStore

/// Cuts the reading of a range of keys into transactions.
///
/// Where a condition leaves rows out, a statement may run long before it gives one: so windows of keys are read, as wide as fits the
/// time that a writer may be held up (SPEC section 6: 50 ms). Without a condition the rows themselves tell when to stop.
struct KeyWindows {
    private var rest: ClosedRange<ObjectKey>?
    private let backward: Bool
    /// Nil: all at once.
    private var width: Int64?
    private var current: ClosedRange<ObjectKey>
    private var started = ContinuousClock.now

    init(_ range: ClosedRange<ObjectKey>, backward: Bool, isCut: Bool) {
        rest = range
        current = range
        self.backward = backward
        width = isCut ? 4096 : nil
    }

    /// The keys to read next; nil when all are read.
    mutating func next() -> ClosedRange<ObjectKey>? {
        guard let rest else { return nil }
        current = rest
        started = .now
        if let width {
            let (edge, overflow) =
                backward
                ? rest.upperBound.subtractingReportingOverflow(width) : rest.lowerBound.addingReportingOverflow(width)
            if !overflow, rest.contains(edge) { current = backward ? edge...rest.upperBound : rest.lowerBound...edge }
        }
        return current
    }

    /// Makes the next window, which begins where this one did, narrower; false where that is not possible.
    mutating func narrow() -> Bool {
        guard let width, width > 1 else { return false }
        self.width = max(1, width / 4)
        return true
    }

    /// Notes that the window was read: whole, or up to a key.
    mutating func finish(at last: ObjectKey? = nil) {
        if last == nil, let width {
            let elapsed = ContinuousClock.now - started
            if elapsed < .milliseconds(10) {
                self.width = width > .max / 4 ? .max : width * 4
            } else if elapsed > .milliseconds(25) {
                self.width = max(64, width / 2)
            }
        }
        guard let range = rest else { return }
        let edge = last ?? (backward ? current.lowerBound : current.upperBound)
        if backward {
            rest = edge > range.lowerBound ? range.lowerBound...(edge - 1) : nil
        } else {
            rest = edge < range.upperBound ? (edge + 1)...range.upperBound : nil
        }
    }
}

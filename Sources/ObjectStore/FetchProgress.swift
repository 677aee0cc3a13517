import Synchronization

/// How far a running fetch is, and the switch that stops it; shared between the worker and the loop.
package final class FetchProgress: Sendable {
    private let done = Atomic<Int>(0)
    private let expected = Atomic<Int>(-1)
    private let bytes = Atomic<Int>(0)
    private let allBytes = Atomic<Int>(-1)
    private let cancelled = Atomic<Bool>(false)

    package init() {}

    /// Rows read so far.
    package var rowsDone: Int { done.load(ordering: .relaxed) }
    /// Rows there are to read, nil while that is not known.
    package var rowsExpected: Int? {
        let value = expected.load(ordering: .relaxed)
        return value < 0 ? nil : value
    }
    package var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

    package func cancel() { cancelled.store(true, ordering: .relaxed) }
    package func expect(_ rows: Int) { expected.store(rows, ordering: .relaxed) }
    /// Bytes of a document read so far.
    package var bytesDone: Int { bytes.load(ordering: .relaxed) }
    /// Bytes there are to read, nil while that is not known.
    package var bytesExpected: Int? {
        let value = allBytes.load(ordering: .relaxed)
        return value < 0 ? nil : value
    }
    package func expect(bytes count: Int) { allBytes.store(count, ordering: .relaxed) }
    package func report(bytes count: Int) { bytes.store(count, ordering: .relaxed) }
    package func report(_ rows: Int) { done.store(rows, ordering: .relaxed) }
}

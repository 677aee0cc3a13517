import ObjectStore
import Synchronization

/// A range of keys that two readers share: each has a half and reads it in pieces; who is done takes half of what the other has left.
final class KeyRanges: Sendable {
    private struct Part {
        /// Nil: nothing is left.
        var rest: ClosedRange<ObjectKey>?
    }

    private let parts: Mutex<[Part]>
    /// Keys of a piece.
    private let width: Int64

    /// Least width of a piece, in keys: below, taking pieces costs more than a reader that waits.
    private static let least: Int64 = 4096
    private static let pieces: Int64 = 32

    /// - Parameter readers: one or two.
    init(_ range: ClosedRange<ObjectKey>, readers: Int) {
        let (whole, overflow) = range.upperBound.subtractingReportingOverflow(range.lowerBound)
        guard readers > 1, !overflow, whole > 1 else {
            width = .max
            self.readers = 1
            expected = overflow || whole >= Int64(Int32.max) ? 0 : Int(whole) + 1
            parts = Mutex([Part(rest: range)])
            return
        }
        width = max(KeyRanges.least, whole / KeyRanges.pieces)
        self.readers = 2
        expected = whole >= Int64(Int32.max) ? 0 : Int(whole / 2 + whole / 16)
        let middle = range.lowerBound + whole / 2
        parts = Mutex([Part(rest: range.lowerBound...middle), Part(rest: (middle + 1)...range.upperBound)])
    }

    /// One or two.
    let readers: Int
    /// How many rows a reader reads, and some more, where there is one for each key and both are as fast; 0 where that says nothing.
    let expected: Int

    /// The piece that a reader reads next; nil when all is taken. Its pieces ascend, but for those it takes from the other.
    func next(for reader: Int) -> ClosedRange<ObjectKey>? {
        parts.withLock { parts in
            guard parts.indices.contains(reader) else { return nil }
            if parts[reader].rest == nil {
                let other = parts.count - 1 - reader
                guard other != reader, let rest = parts[other].rest else { return nil }
                let left = rest.upperBound - rest.lowerBound
                guard left >= width * 2 else { return nil }
                let middle = rest.lowerBound + left / 2
                parts[other].rest = rest.lowerBound...middle
                parts[reader].rest = (middle + 1)...rest.upperBound
            }
            guard let rest = parts[reader].rest else { return nil }
            let (edge, overflow) = rest.lowerBound.addingReportingOverflow(width)
            guard !overflow, edge < rest.upperBound else {
                parts[reader].rest = nil
                return rest
            }
            parts[reader].rest = (edge + 1)...rest.upperBound
            return rest.lowerBound...edge
        }
    }
}

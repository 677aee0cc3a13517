import Dispatch
import Glibc
import ObjectStore

/// Sorts the entries of a scan by their sort keys, ties by location.
///
/// A radix sort in place over eight bytes at a time (most significant byte first); rows that agree in them get the next eight.
/// O(bytes that tell the rows apart); no memory but a small stack.
struct RowSorter {
    private let entries: UnsafeMutablePointer<SortEntry>
    private let records: RecordReader
    private let progress: FetchProgress

    /// Below this many entries comparing is cheaper than counting.
    private static let smallest = 96

    init(_ entries: UnsafeMutablePointer<SortEntry>, _ records: RecordReader, progress: FetchProgress) {
        self.entries = entries
        self.records = records
        self.progress = progress
    }

    /// Sorts the first `count` entries, large ones on two cores. Stops early, unsorted, when cancelled.
    func sort(_ count: Int) {
        guard count > 1 else { return }
        guard count >= 1 << 15 else { return sort(0, count) }
        let middle = partition(count)
        // Sound: the two halves do not overlap.
        nonisolated(unsafe) let sorter = self
        DispatchQueue.concurrentPerform(iterations: 2) { half in
            if half == 0 { sorter.sort(0, middle) } else { sorter.sort(middle, count) }
        }
    }

    /// Puts smaller prefixes before larger ones, about a half of them each; where the larger ones begin.
    private func partition(_ count: Int) -> Int {
        let sample = stride(from: 0, to: count, by: max(1, count / 1023)).map { entries[$0].prefix }.sorted()
        let pivot = sample[sample.count / 2]
        var low = 0
        var high = count
        while low < high {
            if entries[low].prefix < pivot {
                low += 1
            } else {
                high -= 1
                swapEntries(low, high)
            }
        }
        return low
    }

    private func swapEntries(_ left: Int, _ right: Int) {
        let held = entries[left]
        entries[left] = entries[right]
        entries[right] = held
    }

    private struct Range {
        var start: Int
        var end: Int
        /// Bytes of the rest consumed before the present prefix.
        var depth: Int
        /// Which byte of the prefix is next; 8: all of them agree.
        var byte: Int
    }

    private func sort(_ start: Int, _ end: Int) {
        var stack = [Range(start: start, end: end, depth: -8, byte: 0)]
        // Where the entries of each byte begin, and end.
        var heads = [Int](repeating: 0, count: 256)
        var tails = [Int](repeating: 0, count: 256)
        while let range = stack.popLast() {
            let size = range.end - range.start
            if size < 2 { continue }
            if size < RowSorter.smallest {
                sortSmall(range)
                continue
            }
            if progress.isCancelled { return }
            if range.byte == 8 {
                advance(range, &stack)
                continue
            }
            let shift = UInt64(56 - range.byte * 8)
            for byte in 0..<256 { tails[byte] = 0 }
            for position in range.start..<range.end { tails[Int(entries[position].prefix >> shift & 0xFF)] += 1 }
            // Most often the rows of a range share the byte: nothing to move.
            if tails[Int(entries[range.start].prefix >> shift & 0xFF)] == size {
                stack.append(Range(start: range.start, end: range.end, depth: range.depth, byte: range.byte + 1))
                continue
            }
            var next = range.start
            for byte in 0..<256 {
                heads[byte] = next
                next += tails[byte]
                tails[byte] = next
                if next - heads[byte] > 1 {
                    stack.append(Range(start: heads[byte], end: next, depth: range.depth, byte: range.byte + 1))
                }
            }
            permute(shift, &heads, tails)
        }
    }

    /// The American flag: each entry goes to where its byte's entries stand.
    private func permute(_ shift: UInt64, _ heads: inout [Int], _ tails: [Int]) {
        for byte in 0..<256 {
            while heads[byte] < tails[byte] {
                var held = entries[heads[byte]]
                var wanted = Int(held.prefix >> shift & 0xFF)
                while wanted != byte {
                    let position = heads[wanted]
                    heads[wanted] += 1
                    let other = entries[position]
                    entries[position] = held
                    held = other
                    wanted = Int(held.prefix >> shift & 0xFF)
                }
                entries[heads[byte]] = held
                heads[byte] += 1
            }
        }
    }

    /// Loads the next eight bytes of rows that agree so far; rows that agree to their end are sorted by location.
    private func advance(_ range: Range, _ stack: inout [Range]) {
        let depth = range.depth + 8
        var isAtEnd = true
        for position in range.start..<range.end {
            let rest = records.rest(entries[position].location)
            if rest.count > depth {
                isAtEnd = false
                entries[position].prefix = ScannedRows.prefix(UnsafeRawBufferPointer(rebasing: rest[depth...]))
            } else {
                entries[position].prefix = 0
            }
        }
        if isAtEnd {
            var buffer = UnsafeMutableBufferPointer(start: entries + range.start, count: range.end - range.start)
            buffer.sort { $0.location < $1.location }
        } else {
            stack.append(Range(start: range.start, end: range.end, depth: depth, byte: 0))
        }
    }

    private func sortSmall(_ range: Range) {
        let depth = range.depth + 8
        var buffer = UnsafeMutableBufferPointer(start: entries + range.start, count: range.end - range.start)
        buffer.sort { left, right in
            if left.prefix != right.prefix { return left.prefix < right.prefix }
            let leftRest = records.rest(left.location)
            let rightRest = records.rest(right.location)
            let shared = min(leftRest.count, rightRest.count)
            if depth < shared, let leftBase = leftRest.baseAddress, let rightBase = rightRest.baseAddress {
                let order = memcmp(leftBase + depth, rightBase + depth, shared - depth)
                if order != 0 { return order < 0 }
            }
            if leftRest.count != rightRest.count { return leftRest.count < rightRest.count }
            return left.location < right.location
        }
    }
}

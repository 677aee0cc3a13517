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
    private static let smallest = 64

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
        withUnsafeTemporaryAllocation(of: Int.self, capacity: 512) { room in
            guard let heads = room.baseAddress else { return }
            let tails = heads + 256
            while let range = stack.popLast() {
                let size = range.end - range.start
                if size < 2 { continue }
                if range.byte == 8 {
                    if progress.isCancelled { return }
                    advance(range, &stack)
                } else if size < RowSorter.smallest {
                    sortSmall(range, &stack)
                } else {
                    distribute(range, heads, tails, &stack)
                }
            }
        }
    }

    private func distribute(
        _ range: Range, _ heads: UnsafeMutablePointer<Int>, _ tails: UnsafeMutablePointer<Int>, _ stack: inout [Range]
    ) {
        let shift = UInt64(56 - range.byte * 8)
        for byte in 0..<256 { tails[byte] = 0 }
        for position in range.start..<range.end { tails[Int(truncatingIfNeeded: entries[position].prefix >> shift & 0xFF)] &+= 1 }
        // Often the rows of a range share the byte: nothing to move.
        if tails[Int(truncatingIfNeeded: entries[range.start].prefix >> shift & 0xFF)] == range.end - range.start {
            stack.append(Range(start: range.start, end: range.end, depth: range.depth, byte: range.byte + 1))
            return
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
        // The American flag: each entry goes to where its byte's entries stand.
        for byte in 0..<256 {
            while heads[byte] < tails[byte] {
                var held = entries[heads[byte]]
                var wanted = Int(truncatingIfNeeded: held.prefix >> shift & 0xFF)
                while wanted != byte {
                    let position = heads[wanted]
                    heads[wanted] = position &+ 1
                    let other = entries[position]
                    entries[position] = held
                    held = other
                    wanted = Int(truncatingIfNeeded: held.prefix >> shift & 0xFF)
                }
                entries[heads[byte]] = held
                heads[byte] &+= 1
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

    /// By insertion, on what the entries themselves hold; runs that agree get their next bytes.
    private func sortSmall(_ range: Range, _ stack: inout [Range]) {
        for position in (range.start + 1)..<range.end {
            let held = entries[position]
            var hole = position
            while hole > range.start, entries[hole - 1].prefix > held.prefix {
                entries[hole] = entries[hole - 1]
                hole -= 1
            }
            entries[hole] = held
        }
        var first = range.start
        for position in (range.start + 1)...range.end
        where position == range.end || entries[position].prefix != entries[first].prefix {
            if position - first > 1 { stack.append(Range(start: first, end: position, depth: range.depth, byte: 8)) }
            first = position
        }
    }
}

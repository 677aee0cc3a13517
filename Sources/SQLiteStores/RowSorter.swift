import ObjectStore

/// Sorts the entries of a scan by their sort keys, ties by object key.
///
/// A radix sort in place over the bytes in the entries, most significant first; rows that agree in them get the next ones, and
/// their own back afterwards. O(bytes that tell the rows apart); no memory but a small stack.
struct RowSorter {
    private let entries: UnsafeMutablePointer<SortEntry>
    private let rows: ScannedRows.View
    private let progress: FetchProgress

    /// Below this many entries comparing is cheaper than counting.
    private static let smallest = 48
    /// So many rows with the same bytes are compared in the arena rather than given their next ones.
    private static let fewTies = 8

    init(_ entries: UnsafeMutablePointer<SortEntry>, _ rows: ScannedRows.View, progress: FetchProgress) {
        self.entries = entries
        self.rows = rows
        self.progress = progress
    }

    /// Sorts the first `count` entries. Stops early, unsorted, when cancelled.
    ///
    /// - Parameter isAlone: whether the other core has nothing to do, so that large ones are sorted by both.
    func sort(_ count: Int, isAlone: Bool) {
        guard count > 1 else { return }
        guard isAlone, count >= 1 << 15 else { return sort(0, count) }
        let middle = partition(count)
        // Sound: the two halves do not overlap.
        nonisolated(unsafe) let sorter = self
        LongWork.perform(iterations: 2) { half in
            if half == 0 { sorter.sort(0, middle) } else { sorter.sort(middle, count) }
        }
    }

    /// Puts entries of smaller bytes before those of larger ones, about a half of them each; where the larger ones begin.
    private func partition(_ count: Int) -> Int {
        let sample = stride(from: 0, to: count, by: max(1, count / 1023)).map { entries[$0].high }.sorted()
        let pivot = sample[sample.count / 2]
        var low = 0
        var high = count
        while low < high {
            if entries[low].high < pivot {
                low += 1
            } else {
                high -= 1
                let held = entries[low]
                entries[low] = entries[high]
                entries[high] = held
            }
        }
        return low
    }

    /// What is still to do with some entries.
    private struct Work {
        enum Step {
            /// By this byte of the entries.
            case byte(Int)
            /// All bytes agree.
            case ties
            /// They get these bytes back.
            case restore(high: UInt64, low: UInt64)
        }

        var start: Int
        var end: Int
        /// Bytes of the rest consumed before those now in the entries.
        var depth: Int
        var step: Step
    }

    private func sort(_ start: Int, _ end: Int) {
        guard end - start > 1 else { return }
        let whole = Work(start: start, end: end, depth: -SortEntry.width, step: .byte(0))
        var stack: [Work] = []
        if isSorted(start, end) { findTies(whole, &stack) } else { stack.append(whole) }
        // Where the entries of each byte begin, and end.
        withUnsafeTemporaryAllocation(of: Int.self, capacity: 512) { room in
            guard let heads = room.baseAddress else { return }
            let tails = heads + 256
            while let work = stack.popLast() {
                switch work.step {
                case .restore(let high, let low):
                    for place in work.start..<work.end {
                        entries[place] = SortEntry(high: high, low: low | entries[place].low & 0xFFFF_FFFF)
                    }
                case .ties:
                    if progress.isCancelled { return }
                    settle(work, &stack)
                case .byte(let byte):
                    if work.end - work.start < RowSorter.smallest {
                        sortSmall(work.start, work.end)
                        if byte < SortEntry.width { findTies(work, &stack) }
                    } else {
                        distribute(work, byte, heads, tails, &stack)
                    }
                }
            }
        }
    }

    private func distribute(
        _ work: Work, _ byte: Int, _ heads: UnsafeMutablePointer<Int>, _ tails: UnsafeMutablePointer<Int>, _ stack: inout [Work]
    ) {
        func push(_ start: Int, _ end: Int) {
            // Behind the last of the row's number no two are left.
            guard end - start > 1, byte < 15 else { return }
            let isTied = byte + 1 == SortEntry.width
            stack.append(Work(start: start, end: end, depth: work.depth, step: isTied ? .ties : .byte(byte + 1)))
        }
        for value in 0..<256 { tails[value] = 0 }
        for place in work.start..<work.end { tails[entries[place].byte(byte)] &+= 1 }
        // Often the rows of a range share the byte: nothing to move.
        if tails[entries[work.start].byte(byte)] == work.end - work.start { return push(work.start, work.end) }
        var next = work.start
        for value in 0..<256 {
            heads[value] = next
            next += tails[value]
            tails[value] = next
            push(heads[value], next)
        }
        // The American flag: each entry goes to where its byte's entries stand.
        for value in 0..<256 {
            while heads[value] < tails[value] {
                var held = entries[heads[value]]
                var wanted = held.byte(byte)
                while wanted != value {
                    let place = heads[wanted]
                    heads[wanted] = place &+ 1
                    let other = entries[place]
                    entries[place] = held
                    held = other
                    wanted = held.byte(byte)
                }
                entries[heads[value]] = held
                heads[value] &+= 1
            }
        }
    }

    /// By insertion, on what the entries themselves hold.
    private func sortSmall(_ start: Int, _ end: Int) {
        guard end - start > 1 else { return }
        for place in (start + 1)..<end {
            let held = entries[place]
            var hole = place
            while hole > start, held < entries[hole &- 1] {
                entries[hole] = entries[hole &- 1]
                hole &-= 1
            }
            entries[hole] = held
        }
    }

    /// Runs that agree in what their entries hold are to be settled.
    private func findTies(_ work: Work, _ stack: inout [Work]) {
        guard work.end - work.start > 1 else { return }
        var first = work.start
        for place in (work.start + 1)...work.end
        where place == work.end || !entries[place].hasSameBytes(as: entries[first]) {
            if place - first > 1 { stack.append(Work(start: first, end: place, depth: work.depth, step: .ties)) }
            first = place
        }
    }

    /// Sorts entries that agree so far by the rest of their sort keys.
    private func settle(_ work: Work, _ stack: inout [Work]) {
        let depth = work.depth + SortEntry.width
        func rest(_ entry: SortEntry) -> UnsafeRawBufferPointer {
            let whole = rows.rest(entry.row)
            return UnsafeRawBufferPointer(rebasing: whole[min(depth, whole.count)...])
        }
        if work.end - work.start <= RowSorter.fewTies {
            for place in (work.start + 1)..<work.end {
                let held = entries[place]
                let heldRest = rest(held)
                var hole = place
                while hole > work.start {
                    let order = ScannedRows.View.compare(heldRest, rest(entries[hole - 1]))
                    guard order < 0 || order == 0 && isBefore(held, entries[hole - 1]) else { break }
                    entries[hole] = entries[hole - 1]
                    hole -= 1
                }
                entries[hole] = held
            }
            return
        }
        let shared = entries[work.start]
        if (work.start..<work.end).allSatisfy({ rest(entries[$0]).isEmpty }) {
            // They agree to their ends: the rows' numbers are the next bytes.
            guard !rows.isAscending else {
                if !isSorted(work.start, work.end) {
                    stack.append(Work(start: work.start, end: work.end, depth: depth, step: .byte(SortEntry.width)))
                }
                return
            }
            var buffer = UnsafeMutableBufferPointer(start: entries + work.start, count: work.end - work.start)
            buffer.sort { isBefore($0, $1) }
            return
        }
        stack.append(
            Work(
                start: work.start, end: work.end, depth: depth,
                step: .restore(high: shared.high, low: shared.low & ~0xFFFF_FFFF)))
        for place in work.start..<work.end {
            var next = SortEntry(rest(entries[place]))
            next.low |= entries[place].low & 0xFFFF_FFFF
            entries[place] = next
        }
        stack.append(Work(start: work.start, end: work.end, depth: depth, step: .byte(0)))
    }

    private func isSorted(_ start: Int, _ end: Int) -> Bool {
        for place in (start + 1)..<end where entries[place] < entries[place - 1] { return false }
        return true
    }

    /// The order of two rows with the same sort key.
    private func isBefore(_ left: SortEntry, _ right: SortEntry) -> Bool {
        rows.isAscending ? left.row < right.row : rows.key(left.row) < rows.key(right.row)
    }
}

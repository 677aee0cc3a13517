import ObjectStore

/// Sorts the entries of a scan by their sort keys, ties by object key.
///
/// A radix sort over the digits in the entries, most significant first; rows that agree in them get the next ones, and their own back
/// afterwards. O(bytes that tell the rows apart); no memory but a small stack, and room for as many entries as lie close at hand:
/// they are distributed there and back, more of them in place.
struct RowSorter {
    private let entries: UnsafeMutablePointer<SortEntry>
    private let rows: ScannedRows.View
    private let progress: FetchProgress

    /// Below this many entries comparing is cheaper than counting.
    private static let smallest = 32
    /// So many rows with the same bytes are compared in the arena rather than given their next ones.
    private static let fewTies = 8
    /// So many entries are distributed by way of other memory: what a core's own cache holds a quarter of.
    private static let close = 1 << 14

    init(_ entries: UnsafeMutablePointer<SortEntry>, _ rows: ScannedRows.View, progress: FetchProgress) {
        self.entries = entries
        self.rows = rows
        self.progress = progress
    }

    /// Sorts the first `count` entries. Stops early, unsorted, when cancelled.
    ///
    /// - Parameters:
    ///   - beginnings: where entries stand together that begin alike: how many there are of each beginning.
    ///   - isAlone: whether the other core has nothing to do, so that large ones are sorted by both.
    func sort(_ count: Int, beginnings: UnsafePointer<UInt32>? = nil, isAlone: Bool) {
        guard count > 1 else { return }
        guard isAlone, count >= 1 << 15 else { return sort(0..<count, beginnings) }
        let middle = beginnings.flatMap { RowSorter.middle($0, count) }
        let cut = middle ?? partition(count)
        // Sound: the two halves do not overlap, and the beginnings are only read.
        nonisolated(unsafe) let sorter = self
        nonisolated(unsafe) let beginnings = middle == nil ? nil : beginnings
        LongWork.perform(iterations: 2) { half in
            sorter.sort(half == 0 ? 0..<cut : cut..<count, beginnings)
        }
    }

    /// Where entries of another beginning start, not far from the middle; nil if there is no such place.
    private static func middle(_ beginnings: UnsafePointer<UInt32>, _ count: Int) -> Int? {
        var place = 0
        for beginning in 0..<SortEntry.beginnings {
            place += Int(beginnings[beginning])
            if place >= count * 3 / 8 { return place <= count * 5 / 8 ? place : nil }
        }
        return nil
    }

    /// - Parameter beginnings: of all entries; the range starts and ends with one.
    private func sort(_ range: Range<Int>, _ beginnings: UnsafePointer<UInt32>?) {
        let room = min(range.count, RowSorter.close)
        withUnsafeTemporaryAllocation(of: SortEntry.self, capacity: room) { close in
            // Where the entries of each digit begin, and end.
            withUnsafeTemporaryAllocation(of: Int.self, capacity: SortEntry.digitValues * 2) { heads in
                guard let close = close.baseAddress, let heads = heads.baseAddress else { return }
                var stack: [Work] = []
                guard let beginnings else {
                    return sort(range.lowerBound, range.upperBound, from: 0, &stack, heads, close)
                }
                var start = 0
                for beginning in 0..<SortEntry.beginnings where beginnings[beginning] > 0 {
                    let end = start + Int(beginnings[beginning])
                    if start >= range.lowerBound, end <= range.upperBound { sort(start, end, from: 2, &stack, heads, close) }
                    start = end
                    if progress.isCancelled { return }
                }
            }
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
            /// By this digit of the entries.
            case digit(Int)
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

    /// - Parameters:
    ///   - first: the first digit in which the entries may differ.
    ///   - close: room for entries; so many of them.
    private func sort(
        _ start: Int, _ end: Int, from first: Int, _ stack: inout [Work], _ heads: UnsafeMutablePointer<Int>,
        _ close: UnsafeMutablePointer<SortEntry>
    ) {
        guard end - start > 1 else { return }
        let whole = Work(start: start, end: end, depth: -SortEntry.width, step: .digit(first))
        if isSorted(start, end) { findTies(whole, &stack) } else { stack.append(whole) }
        while let work = stack.popLast() {
            switch work.step {
            case .restore(let high, let low):
                for place in work.start..<work.end {
                    entries[place] = SortEntry(high: high, low: low | entries[place].low & 0xFFFF_FFFF)
                }
            case .ties:
                if progress.isCancelled { return }
                settle(work, &stack)
            case .digit(let digit):
                if work.end - work.start < RowSorter.smallest {
                    sortSmall(work.start, work.end)
                    if digit < SortEntry.keyDigits { findTies(work, &stack) }
                } else {
                    distribute(work, digit, heads, close, &stack)
                }
            }
        }
    }

    private func distribute(
        _ work: Work, _ digit: Int, _ heads: UnsafeMutablePointer<Int>, _ close: UnsafeMutablePointer<SortEntry>,
        _ stack: inout [Work]
    ) {
        let tails = heads + SortEntry.digitValues
        for value in 0..<SortEntry.digitValues { tails[value] = 0 }
        for place in work.start..<work.end { tails[entries[place].digit(digit)] &+= 1 }
        let isTied = digit + 1 == SortEntry.keyDigits
        let isLast = digit + 1 == SortEntry.allDigits
        var next = work.start
        for value in 0..<SortEntry.digitValues {
            heads[value] = next
            next &+= tails[value]
            // Behind the last of the row's number no two are left.
            if tails[value] > 1, !isLast {
                stack.append(
                    Work(start: heads[value], end: next, depth: work.depth, step: isTied ? .ties : .digit(digit + 1)))
            }
            tails[value] = next
        }
        // Often they share the digit: nothing to move.
        if tails[entries[work.start].digit(digit)] - heads[entries[work.start].digit(digit)] == work.end - work.start { return }
        if work.end - work.start <= RowSorter.close {
            let start = work.start
            for place in start..<work.end {
                let entry = entries[place]
                let value = entry.digit(digit)
                close[heads[value] &- start] = entry
                heads[value] &+= 1
            }
            (entries + start).update(from: close, count: work.end - start)
            return
        }
        // The American flag: each entry goes to where its digit's entries stand.
        for value in 0..<SortEntry.digitValues {
            while heads[value] < tails[value] {
                var held = entries[heads[value]]
                var wanted = held.digit(digit)
                while wanted != value {
                    let place = heads[wanted]
                    heads[wanted] = place &+ 1
                    let other = entries[place]
                    entries[place] = held
                    held = other
                    wanted = held.digit(digit)
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
                    stack.append(Work(start: work.start, end: work.end, depth: depth, step: .digit(SortEntry.keyDigits)))
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
        stack.append(Work(start: work.start, end: work.end, depth: depth, step: .digit(0)))
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

/// A number for what the rows of each range of keys are, so that only where it is another, rows have to be looked at.
package struct KeyRangeVersions: Sendable, Equatable {
    /// The last key of each range, ascending; a range begins behind the one before it.
    package private(set) var ends: ContiguousArray<ObjectKey> = []
    /// Zero: nothing is known of the range.
    package private(set) var numbers: ContiguousArray<UInt64> = []
    /// A number of all else that the rows depend on: other tables. Zero: nothing is known of it.
    package var others: UInt64 = 1

    package init() {}

    /// Takes the next range; false where it does not end behind the last one. O(1) amortised.
    package mutating func append(upTo end: ObjectKey, number: UInt64) -> Bool {
        if let last = ends.last, end <= last { return false }
        ends.append(end)
        numbers.append(number)
        return true
    }

    /// A number of all ranges together; zero where nothing is known of one of them. O(ranges).
    package var all: UInt64 {
        var all: UInt64 = 0x9E37_79B9_7F4A_7C15
        for (end, number) in zip(ends, numbers) {
            guard number != 0 else { return 0 }
            for word in [UInt64(bitPattern: end), number] {
                all = (all ^ word) &* 0xFF51_AFD7_ED55_8CCD
                all ^= all >> 32
            }
        }
        return all == 0 ? 1 : all
    }

    /// The ranges that may hold other rows than the same ranges of another state did, joined where they touch; ascending. What is
    /// in none of these is the same. All of them where the rows depend on something else that is not the same. O(ranges of both).
    package func differences(from old: KeyRangeVersions) -> [ClosedRange<ObjectKey>] {
        guard others != 0, others == old.others else { return [ObjectKey.min...ObjectKey.max] }
        var differences: [ClosedRange<ObjectKey>] = []
        var place = 0
        var begin = ObjectKey.min
        for (here, end) in ends.enumerated() {
            // The old range with the same end, which has to begin where this one begins.
            while place < old.ends.count, old.ends[place] < end { place += 1 }
            let isSame =
                place < old.ends.count && old.ends[place] == end && numbers[here] != 0 && numbers[here] == old.numbers[place]
                && (place == 0 ? here == 0 : here > 0 && old.ends[place - 1] == ends[here - 1])
            if !isSame {
                if let last = differences.last, last.upperBound == begin &- 1, begin > ObjectKey.min {
                    differences[differences.count - 1] = last.lowerBound...end
                } else {
                    differences.append(begin...end)
                }
            }
            guard end < ObjectKey.max else { break }
            begin = end + 1
        }
        // Behind the last range nothing is known.
        if let end = ends.last, end == ObjectKey.max { return differences }
        return differences + [begin...ObjectKey.max]
    }
}

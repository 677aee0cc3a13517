/// A number for what the rows of each range of keys are, so that only where it is another, rows have to be looked at.
package struct KeyRangeVersions: Sendable, Equatable {
    /// The last key of each range, ascending; a range begins behind the one before it.
    package private(set) var ends: ContiguousArray<ObjectKey> = []
    /// Zero: nothing is known of the range.
    package private(set) var numbers: ContiguousArray<UInt64> = []

    package init() {}

    /// Takes the next range; false where it does not end behind the last one. O(1) amortised.
    package mutating func append(upTo end: ObjectKey, number: UInt64) -> Bool {
        if let last = ends.last, end <= last { return false }
        ends.append(end)
        numbers.append(number)
        return true
    }

    /// The ranges that may hold other rows than the same ranges of another state did, joined where they touch; ascending. What is
    /// in none of these is the same. O(ranges of both).
    package func differences(from old: KeyRangeVersions) -> [ClosedRange<ObjectKey>] {
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

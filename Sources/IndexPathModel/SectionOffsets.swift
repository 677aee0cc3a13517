/// Where each section begins in the flat sequence of all rows: prefix sums of the sections' lengths.
@usableFromInline
struct SectionOffsets: Sendable, Equatable {
    /// The first position of each section, and the total at the end; never empty.
    @usableFromInline let starts: ContiguousArray<Int>

    /// The offsets of sections with these lengths. A negative length counts as 0, and what goes beyond `limit` is cut off.
    ///
    /// - Complexity: O(lengths).
    @usableFromInline
    init(lengths: ContiguousArray<Int>, limit: Int = .max) {
        var starts = ContiguousArray<Int>()
        starts.reserveCapacity(lengths.count + 1)
        var position = 0
        starts.append(position)
        for length in lengths {
            position += min(max(length, 0), limit - position)
            starts.append(position)
        }
        self.starts = starts
    }

    /// How many sections there are.
    @inlinable var count: Int { starts.count - 1 }

    /// How many positions there are in all sections.
    @inlinable var total: Int { starts[starts.count - 1] }

    /// The positions of `section`, nil if there is no such section.
    @inlinable
    func range(of section: Int) -> Range<Int>? {
        guard section >= 0, section < count else { return nil }
        return starts[section]..<starts[section + 1]
    }

    /// The section in which `position` lies, nil if it lies outside all.
    ///
    /// - Complexity: O(log sections) comparisons.
    @usableFromInline
    func section(containing position: Int) -> Int? {
        guard position >= 0, position < total else { return nil }
        // The last section that begins at or before the position; empty ones before it begin at the same place.
        var low = 0
        var high = count
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if starts[middle] <= position { low = middle } else { high = middle }
        }
        return low
    }
}

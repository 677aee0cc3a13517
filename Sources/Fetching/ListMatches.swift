import IndexPathModel
import ObjectStore

/// The rows of a list that a search found, as a list of their own.
package struct ListMatches: Sendable {
    package let query: SearchQuery
    /// The hits in the sections of the whole list; sections without a hit are left out.
    package let contents: ListContents
    /// Places of the hits in the whole list, ascending.
    package let positions: ContiguousArray<UInt32>

    /// - Parameter bits: for each place in the list whether its row is a hit.
    /// - Complexity: O(hits + sections), and O(objects / 64).
    package init(query: SearchQuery, bits: ContiguousArray<UInt64>, of model: ListContents.Model, alphabetical: Bool?) {
        self.query = query
        let items = model.items
        let count = bits.reduce(0) { $0 + $1.nonzeroBitCount }
        var keys: ContiguousArray<ObjectKey> = []
        keys.reserveCapacity(count)
        var positions: ContiguousArray<UInt32> = []
        positions.reserveCapacity(count)
        for (place, var word) in bits.enumerated() where word != 0 {
            while word != 0 {
                let position = place * 64 + word.trailingZeroBitCount
                word &= word - 1
                guard position < items.count else { break }
                positions.append(UInt32(truncatingIfNeeded: position))
                keys.append(items[position])
            }
        }
        self.positions = positions
        var sections: [(name: SectionName, indexTitle: String?, count: Int)] = []
        var start = 0
        for section in 0..<model.numberOfSections {
            let end = start + (model.numberOfRows(inSection: section) ?? 0)
            let count = Self.count(of: bits, in: start..<end)
            start = end
            guard count > 0, let name = model.sectionName(at: section) else { continue }
            sections.append((name: name, indexTitle: nil, count: count))
        }
        contents = ListContents(
            model: ListContents.Model(identifiers: keys, sections: sections),
            index: alphabetical.map { SectionIndex(titles: sections.map(\.name.title), alphabetical: $0) })
    }

    /// How many bits of a range are set.
    private static func count(of bits: ContiguousArray<UInt64>, in range: Range<Int>) -> Int {
        guard let last = range.last, range.lowerBound >= 0, last / 64 < bits.count else { return 0 }
        let low = UInt64.max << UInt64(range.lowerBound % 64)
        let high = UInt64.max >> UInt64(63 - last % 64)
        let (from, to) = (range.lowerBound / 64, last / 64)
        guard from < to else { return (bits[from] & low & high).nonzeroBitCount }
        var count = (bits[from] & low).nonzeroBitCount + (bits[to] & high).nonzeroBitCount
        for place in (from + 1)..<to { count += bits[place].nonzeroBitCount }
        return count
    }

    /// Place among the hits of the one at a place of the whole list; nil if there is none.
    package func number(ofHitAt position: Int) -> Int? {
        var low = 0
        var high = positions.count
        while low < high {
            let middle = (low + high) / 2
            if Int(positions[middle]) < position { low = middle + 1 } else { high = middle }
        }
        return low < positions.count && Int(positions[low]) == position ? low : nil
    }
}

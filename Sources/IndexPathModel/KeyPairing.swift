/// Which places of an old and a new sequence of keys belong together: the k-th place with a key on one side goes with the k-th
/// place with that key on the other.
@usableFromInline
struct KeyPairing {
    /// For each old place the new one that goes with it, or nil.
    @usableFromInline var newPlaces: ContiguousArray<Int?>
    /// For each new place the old one that goes with it, or nil.
    @usableFromInline var oldPlaces: ContiguousArray<Int?>

    /// - Complexity: O(old + new): one hash a key, expected about one comparison a key.
    @inlinable
    init<Key: Hashable>(oldCount: Int, oldKey: (Int) -> Key?, newCount: Int, newKey: (Int) -> Key?) {
        newPlaces = ContiguousArray(repeating: nil, count: oldCount)
        oldPlaces = ContiguousArray(repeating: nil, count: newCount)
        guard oldCount > 0, newCount > 0 else { return }
        let table = PositionTable.make(count: oldCount, key: oldKey)
        // Old places with the key of an earlier one, as chains; the chain of a key begins at its first place.
        var following: [Int: Int] = [:]
        var ends: [Int: Int] = [:]
        for duplicate in table.duplicates {
            guard let first = oldKey(duplicate).flatMap({ table.position(of: $0, key: oldKey) }) else { continue }
            following[ends[first] ?? first] = duplicate
            ends[first] = duplicate
        }
        // For a key with several old places: the last one that was given away.
        var given: [Int: Int] = [:]
        for place in 0..<newCount {
            guard let first = newKey(place).flatMap({ table.position(of: $0, key: oldKey) }) else { continue }
            let old: Int
            if newPlaces[first] == nil {
                old = first
            } else if let next = following[given[first] ?? first] {
                given[first] = next
                old = next
            } else {
                continue
            }
            newPlaces[old] = place
            oldPlaces[place] = old
        }
    }

    /// The pairing of two lists of names.
    ///
    /// - Complexity: O(old + new) comparisons; hashes only between the first and the last difference.
    init(_ old: ContiguousArray<SectionName>, _ new: ContiguousArray<SectionName>) {
        let shorter = min(old.count, new.count)
        var start = 0
        while start < shorter, old[start] == new[start] { start += 1 }
        var end = 0
        while end < shorter - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
        self.init(
            oldCount: old.count - start - end, oldKey: { old[start + $0] }, newCount: new.count - start - end,
            newKey: { new[start + $0] })
        let (oldEnd, newEnd) = (old.count - end, new.count - end)
        newPlaces =
            ContiguousArray((0..<start).map(Optional.some)) + newPlaces.map { $0.map { $0 + start } }
            + (newEnd..<new.count).map(Optional.some)
        oldPlaces =
            ContiguousArray((0..<start).map(Optional.some)) + oldPlaces.map { $0.map { $0 + start } }
            + (oldEnd..<old.count).map(Optional.some)
    }
}

/// Finds what can stay where it is: a longest increasing subsequence.
@usableFromInline
enum LongestIncreasing {
    /// Which of these different numbers belong to one longest increasing subsequence; the fewest others have to move.
    ///
    /// - Complexity: O(n log n) comparisons of numbers; O(n) where they already increase.
    @usableFromInline
    static func membership(of numbers: ContiguousArray<Int>) -> ContiguousArray<Bool> {
        var isMember = ContiguousArray(repeating: true, count: numbers.count)
        if numbers.indices.dropFirst().allSatisfy({ numbers[$0 - 1] < numbers[$0] }) { return isMember }
        // For each length the place of the smallest number with which an increasing subsequence of that length can end.
        var ends = ContiguousArray<Int>()
        var before = ContiguousArray(repeating: -1, count: numbers.count)
        for (place, number) in numbers.enumerated() {
            var low = 0
            var high = ends.count
            while low < high {
                let middle = low + (high - low) / 2
                if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
            }
            if low > 0 { before[place] = ends[low - 1] }
            if low == ends.count { ends.append(place) } else { ends[low] = place }
        }
        isMember = ContiguousArray(repeating: false, count: numbers.count)
        var place = ends.last ?? -1
        while place >= 0 {
            isMember[place] = true
            place = before[place]
        }
        return isMember
    }
}

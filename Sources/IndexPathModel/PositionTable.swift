import Synchronization

/// Positions of keys that are stored elsewhere, found by hash: open addressing with linear probing, four bytes a slot, three
/// slots for two keys, so 6 bytes a key.
///
/// A slot holds position + 1 in its low bits and, in the bits that leaves free, a part of the key's hash, which spares looking at
/// most keys that only share the slot. Of equal keys the first is in the table; the others are listed in `duplicates`. Keys from
/// position 4,294,967,294 on would not fit and are not in the table.
@usableFromInline
final class PositionTable: Sendable {
    @usableFromInline let slots: ContiguousArray<UInt32>
    @usableFromInline let positionBits: UInt32
    /// The positions whose key is also at an earlier position, ascending.
    @usableFromInline let duplicates: ContiguousArray<Int>

    @usableFromInline
    init(slots: ContiguousArray<UInt32>, positionBits: UInt32, duplicates: ContiguousArray<Int>) {
        self.slots = slots
        self.positionBits = positionBits
        self.duplicates = duplicates
    }

    /// The table of the keys at positions `0..<count`.
    ///
    /// - Parameters:
    ///   - key: the key at a position, nil where there is none to be found.
    /// - Complexity: O(count): one hash a key, expected less than one comparison a key.
    @inlinable
    static func make<Key: Hashable>(count: Int, key: (Int) -> Key?) -> PositionTable {
        let count = min(count, Int(UInt32.max) - 1)
        let positionBits = UInt32(truncatingIfNeeded: UInt32.bitWidth - UInt32(truncatingIfNeeded: count).leadingZeroBitCount)
        let positionMask: UInt32 = positionBits >= 32 ? .max : (1 << positionBits) - 1
        let capacity = count + count / 2 + 2
        var slots = ContiguousArray<UInt32>(repeating: 0, count: capacity)
        var duplicates = ContiguousArray<Int>()
        for position in 0..<count {
            guard let wanted = key(position) else { continue }
            let hash = UInt64(truncatingIfNeeded: wanted.hashValue)
            let mark = UInt32(truncatingIfNeeded: hash) << positionBits
            var index = Int(truncatingIfNeeded: hash.multipliedFullWidth(by: UInt64(capacity)).high)
            var isDuplicate = false
            while slots[index] != 0 {
                let slot = slots[index]
                if slot & ~positionMask == mark, let other = key(Int(slot & positionMask) - 1), other == wanted {
                    isDuplicate = true
                    break
                }
                index += 1
                if index == capacity { index = 0 }
            }
            if isDuplicate {
                duplicates.append(position)
            } else {
                slots[index] = mark | UInt32(truncatingIfNeeded: position + 1)
            }
        }
        return PositionTable(slots: slots, positionBits: positionBits, duplicates: duplicates)
    }

    /// The first position of `wanted`, nil if it is not there.
    ///
    /// - Parameter key: the key at a position, as it was when the table was made.
    /// - Complexity: O(1): one hash, expected at most two comparisons.
    @inlinable
    func position<Key: Hashable>(of wanted: Key, key: (Int) -> Key?) -> Int? {
        let positionMask: UInt32 = positionBits >= 32 ? .max : (1 << positionBits) - 1
        let hash = UInt64(truncatingIfNeeded: wanted.hashValue)
        let mark = UInt32(truncatingIfNeeded: hash) << positionBits
        var index = Int(truncatingIfNeeded: hash.multipliedFullWidth(by: UInt64(slots.count)).high)
        // There is always an empty slot, so this ends.
        while slots[index] != 0 {
            let slot = slots[index]
            if slot & ~positionMask == mark {
                let position = Int(slot & positionMask) - 1
                if let other = key(position), other == wanted { return position }
            }
            index += 1
            if index == slots.count { index = 0 }
        }
        return nil
    }
}

/// A position table that is made the first time somebody asks for it, once, whichever thread asks.
@usableFromInline
final class LazyPositionTable: Sendable {
    private let table: Mutex<PositionTable?>

    @usableFromInline
    init(_ table: PositionTable? = nil) {
        self.table = Mutex(table)
    }

    /// The table; made by `make` if nobody asked before. Others who ask meanwhile wait.
    @usableFromInline
    func value(_ make: () -> PositionTable) -> PositionTable {
        table.withLock { table in
            if let table { return table }
            let made = make()
            table = made
            return made
        }
    }
}

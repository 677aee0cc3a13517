import Glibc
import ObjectStore

/// The smallest sort keys of each section, so many at the most: what a reader keeps of the rows that may be the first.
final class FirstRows {
    struct Row {
        /// The sort key, and the object's key after it: no two are equal.
        var bytes: [UInt8]
        var key: ObjectKey
    }

    let limit: Int
    /// By section number; each a heap, the largest row first.
    private(set) var sections: [[Row]] = []
    /// Rows offered so far.
    private(set) var offered = 0

    init(limit: Int) { self.limit = limit }

    /// Keeps a row if it is one of the first of its section. O(log limit) comparisons, mostly one.
    func offer(_ sortKey: UnsafeRawBufferPointer, section: Int, key: ObjectKey) {
        offered += 1
        while sections.count <= section { sections.append([]) }
        if sections[section].count >= limit, let largest = sections[section].first {
            let common = min(sortKey.count, largest.bytes.count)
            let order = largest.bytes.withUnsafeBytes { bytes -> Int32 in
                guard let left = sortKey.baseAddress, let right = bytes.baseAddress else { return 0 }
                return memcmp(left, right, common)
            }
            if order > 0 { return }
            let row = Row(bytes: Self.bytes(sortKey, key), key: key)
            guard row.bytes.lexicographicallyPrecedes(largest.bytes) else { return }
            sections[section][0] = row
            sink(&sections[section])
        } else {
            sections[section].append(Row(bytes: Self.bytes(sortKey, key), key: key))
            rise(&sections[section])
        }
    }

    private static func bytes(_ sortKey: UnsafeRawBufferPointer, _ key: ObjectKey) -> [UInt8] {
        // With its sign turned a key is ordered by its bytes.
        let ordered = UInt64(bitPattern: key) ^ 1 << 63
        return Array(sortKey) + withUnsafeBytes(of: ordered.bigEndian) { Array($0) }
    }

    private func rise(_ heap: inout [Row]) {
        var place = heap.count - 1
        while place > 0 {
            let parent = (place - 1) / 2
            guard heap[parent].bytes.lexicographicallyPrecedes(heap[place].bytes) else { return }
            heap.swapAt(place, parent)
            place = parent
        }
    }

    private func sink(_ heap: inout [Row]) {
        var place = 0
        while true {
            var largest = place
            for child in [2 * place + 1, 2 * place + 2] where child < heap.count {
                if heap[largest].bytes.lexicographicallyPrecedes(heap[child].bytes) { largest = child }
            }
            if largest == place { return }
            heap.swapAt(place, largest)
            place = largest
        }
    }
}

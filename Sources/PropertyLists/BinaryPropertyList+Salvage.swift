internal import Foundation

extension BinaryPropertyList {
    /// What can still be read of a file that lost its end, where the places of its objects and the width of its references stand:
    /// the objects are found by walking from one to the next, in the order in which all known writers leave them, the top first.
    ///
    /// Of the possible widths the one is taken with which all keys that are there are strings and the walk goes furthest. What refers
    /// to a lost object is unreadable, all else can be read. Linear in the size. Throws when nothing is left.
    package init(salvaging bytes: [UInt8]) throws(PropertyListError) {
        guard bytes.starts(with: "bplist00".utf8) else { throw .malformed("not in the binary format") }
        var best: BinaryPropertyList?
        var bestIsSound = false
        for size in [1, 2, 3, 4, 8] {
            let walked = Self.walk(bytes, referenceSize: size)
            let isSound = walked.keysAreStrings
            guard let other = best, let reached = other.brokenAt, let reach = walked.brokenAt else {
                (best, bestIsSound) = (walked, isSound)
                continue
            }
            if isSound && !bestIsSound || isSound == bestIsSound && reach > reached { (best, bestIsSound) = (walked, isSound) }
        }
        guard let best, best.objectCount > 0 else { throw .malformed("nothing can be read of the damaged binary file") }
        self = best
    }

    /// Objects that are looked for; each takes memory of its own.
    private static let salvageLimit = 1 << 22

    private static func walk(_ bytes: [UInt8], referenceSize: Int) -> BinaryPropertyList {
        let ruler = BinaryPropertyList(bytes: bytes, found: [], referenceSize: referenceSize, brokenAt: 0)
        var found: [Int] = []
        var offset = headerSize
        while found.count < salvageLimit, let end = ruler.end(ofObjectAt: offset) {
            found.append(offset)
            offset = end
        }
        return BinaryPropertyList(bytes: bytes, found: found, referenceSize: referenceSize, brokenAt: offset)
    }

    /// Whether the keys of all dictionaries are strings, as far as they are there.
    private var keysAreStrings: Bool {
        for number in 0..<objectCount {
            guard case .dictionary(let keys, _)? = try? dictionary(Reference(number: number)) else { continue }
            for key in keys where key.number < objectCount && !isString(key) { return false }
        }
        return true
    }

    /// The values that are there, from the top down, and how many are left out because they, or their keys, are lost; within the
    /// limits, so that shared objects are not spread out without bound.
    func whatIsThere(limits: PropertyListLimits) -> (list: PropertyList?, lost: Int) {
        var walk = SalvagingWalk(list: self, depth: limits.depth, budget: limits.expandedBytes(forFileOf: bytes.count))
        let value = walk.value(of: top)
        return (value, walk.lost)
    }

    private struct SalvagingWalk {
        let list: BinaryPropertyList
        let depth: Int
        var budget: Int
        var lost = 0
        private var open: Set<Int> = []

        init(list: BinaryPropertyList, depth: Int, budget: Int) {
            self.list = list
            self.depth = depth
            self.budget = budget
        }

        mutating func value(of reference: Reference) -> PropertyList? {
            let found = foundValue(of: reference)
            if found == nil { lost += 1 }
            return found
        }

        private mutating func foundValue(of reference: Reference) -> PropertyList? {
            guard reference.number < list.objectCount, budget > 0, open.count < depth, !open.contains(reference.number),
                let node = try? list.node(reference)
            else { return nil }
            budget -= PropertyListLimits.bytesPerValue
            switch node {
            case .null: return nil
            case .boolean(let flag): return .boolean(flag)
            case .integer(let number): return .integer(number)
            case .unsigned(let number): return .unsigned(number)
            case .real(let number): return .real(number)
            case .date(let seconds): return .date(Date(timeIntervalSinceReferenceDate: seconds))
            case .data(let range):
                budget -= range.count
                return .data(Data(list.bytes[range]))
            case .string(let text):
                budget -= text.utf8.count
                return .string(text)
            case .uid(let number): return .uid(number)
            case .array(let items), .set(let items):
                open.insert(reference.number)
                defer { open.remove(reference.number) }
                // A count that a damaged file gives is not believed: what it lists goes on with the budget only.
                var values: [PropertyList] = []
                for item in items {
                    guard budget > 0 else { break }
                    if let value = value(of: item) { values.append(value) }
                }
                return .array(values)
            case .dictionary(let keys, let values):
                open.insert(reference.number)
                defer { open.remove(reference.number) }
                var entries = PropertyListEntries()
                for (key, item) in zip(keys, values) {
                    guard budget > 0 else { break }
                    guard key.number < list.objectCount, case .string(let name)? = try? list.node(key) else {
                        lost += 1
                        continue
                    }
                    if let value = value(of: item) { entries.set(value, for: name) }
                }
                // Nothing of it is there but its length.
                return entries.list.isEmpty && !keys.isEmpty ? nil : .dictionary(entries.list)
            }
        }
    }
}

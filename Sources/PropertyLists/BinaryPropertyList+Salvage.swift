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
}

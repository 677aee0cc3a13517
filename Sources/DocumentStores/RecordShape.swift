import ObjectStore

/// What the objects at one place of a document look like: their keys, and what stands under these.
///
/// By it a dictionary of records, `{"abc": {…}, "def": {…}, …}`, is told from a record: nothing in the document says which it is.
final class RecordShape {
    /// Objects that stand there.
    private(set) var objects = 0
    /// Values that are neither objects nor null.
    private(set) var others = 0
    private(set) var children: [String: RecordShape] = [:]
    /// What the objects in arrays that stand there look like.
    private(set) var elements: RecordShape?
    /// Whether only a beginning of what stands there was looked at.
    var isPartial = false

    /// Of so many keys that look like data, and of so many that do not, a dictionary of records has at least one more.
    private static let fewDataKeys = 3
    private static let fewNames = 15

    func addObject() { objects += 1 }
    func addOther() { others += 1 }

    func child(_ key: String) -> RecordShape {
        if let known = children[key] { return known }
        let made = RecordShape()
        children[key] = made
        return made
    }

    func element() -> RecordShape {
        let shape = elements ?? RecordShape()
        elements = shape
        return shape
    }

    /// The members of a dictionary of records, taken as one.
    private(set) lazy var members: RecordShape = {
        let all = RecordShape()
        for child in children.values { all.merge(child) }
        all.isPartial = isPartial || all.isPartial
        return all
    }()

    private func merge(_ other: RecordShape) {
        objects += other.objects
        others += other.others
        isPartial = isPartial || other.isPartial
        for (key, shape) in other.children { child(key).merge(shape) }
        if let shape = other.elements { element().merge(shape) }
    }

    /// Whether the objects here are dictionaries of records: all their members are objects of alike shape, and there are more than
    /// fifteen, or more than three whose keys look like data. O(keys, and keys of the members).
    private(set) lazy var isDictionary: Bool = {
        // What was not looked at any more, and null, speak neither for nor against it.
        let count = children.values.count { $0.objects > 0 }
        guard objects > 0, others == 0, count > RecordShape.fewDataKeys, children.values.allSatisfy({ $0.others == 0 })
        else { return false }
        if count <= RecordShape.fewNames {
            guard children.keys.count(where: RecordShape.looksLikeData) * 4 >= children.count * 3 else { return false }
        }
        return membersAreAlike || members.isDictionary
    }()

    /// Whether of three members in four at least half of the keys are such as more than half of the members have.
    private var membersAreAlike: Bool {
        var counts: [String: Int] = [:]
        for child in children.values {
            for key in child.children.keys { counts[key, default: 0] += 1 }
        }
        let common = Set(counts.lazy.filter { $0.value * 2 > self.children.count }.map(\.key))
        guard !common.isEmpty else { return false }
        let alike = children.values.count { child in
            let shared = child.children.keys.count(where: common.contains)
            return shared > 0 && shared * 2 >= child.children.count
        }
        return alike * 4 >= children.count * 3
    }

    /// Whether a key names one of many things rather than what its value says: programmers write names in letters, `-`, `_` and `.`.
    static func looksLikeData(_ key: String) -> Bool {
        !key.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"),
                UInt8(ascii: "_"),
                UInt8(ascii: "."), UInt8(ascii: "$"):
                true
            default: false
            }
        }
    }
}

/// Keys of one dictionary of records while it is read: which of them stands there twice.
struct MemberKeys {
    private var hashes: Set<UInt64> = []

    /// False if the key is there already (or, once in 2⁶⁴ pairs, another that looks like it).
    mutating func insert(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
        var hash = StableHash()
        hash.add(key)
        return hashes.insert(hash.value).inserted
    }
}

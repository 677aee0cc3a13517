import Glibc
import ObjectStore

/// The rows of a scan: sort keys, sections and object keys.
///
/// A sort key's first byte says of which kind the first value is, and there is a list of entries for each of the four kinds, one after
/// the other in the order. The next twelve bytes, or sixteen of a folded text, are in the entry; what follows them goes into the
/// arena, each with its length before it. So a row costs 16 bytes, a byte or two, and the end of a long key.
struct ScannedRows: ~Copyable {
    /// So many kinds of values SQLite has that sort apart: none, numbers, text, bytes.
    static let kinds = 4
    /// More rows than an entry can number are not held.
    static let most = Int(UInt32.max)
    /// There is no room made for more before they are there: the keys of few rows can be far apart.
    private static let mostExpected = 1 << 23
    /// Each so many rows the arena's place is kept; from there it is a walk.
    private static let landmarkDistance = 16

    private let lists: UnsafeMutablePointer<EntryList>
    private var arena: GrowingMemory
    private var arenaCount = 0
    private var landmarks: GrowingMemory
    private(set) var keys: KeyColumn
    private(set) var sections: RowColumn
    private(set) var count = 0
    private var smallest: SmallestRows
    private let firstByte: UInt8
    private let code: FoldedTextCode?
    /// The kind whose sort keys are coded; -1: none.
    private let codedKind: Int

    /// - Parameters:
    ///   - firstByte: the smallest byte that a sort key begins with.
    ///   - foldedText: the byte that those begin with whose first value is a folded text, and whether they ascend.
    ///   - beginning: so many rows are wanted as soon as all are read.
    ///   - expected: about so many rows will come, or fewer; 0: nobody knows.
    ///   - budget: what may be held in memory; nil: all.
    init(
        firstByte: UInt8, foldedText: (byte: UInt8, ascending: Bool)? = nil, beginning: Int = 0, expected: Int = 0,
        budget: MemoryBudget? = nil
    ) {
        arena = GrowingMemory(budget)
        landmarks = GrowingMemory(budget)
        keys = KeyColumn(budget)
        sections = RowColumn(budget)
        self.firstByte = firstByte
        code = foldedText.map { FoldedTextCode(ascending: $0.ascending) }
        codedKind = foldedText.map { Int($0.byte &- firstByte) } ?? -1
        smallest = SmallestRows(beginning)
        lists = .allocate(capacity: ScannedRows.kinds)
        for kind in 0..<ScannedRows.kinds { (lists + kind).initialize(to: EntryList(budget)) }
        if expected > 0, (0..<ScannedRows.kinds).contains(codedKind) {
            lists[codedKind].expect(min(expected, ScannedRows.mostExpected))
        }
    }

    deinit {
        code?.deallocate()
        lists.deinitialize(count: ScannedRows.kinds)
        lists.deallocate()
    }

    /// Bytes held.
    var size: Int { count * MemoryLayout<SortEntry>.stride + arenaCount + count / 2 + keys.size + sections.size }

    /// Takes a row; false if there is no memory.
    ///
    /// - Parameters:
    ///   - sortKey: empty where rows are wanted by their keys. Seventeen bytes can be read from its start, whatever its length.
    ///   - section: nil where all rows are in one.
    @inline(__always)
    mutating func append(sortKey: UnsafeRawBufferPointer, section: UInt32?, key: ObjectKey) -> Bool {
        guard count < ScannedRows.most, keys.append(key) else { return false }
        if let section, !sections.append(UInt64(section)) { return false }
        var kind = 0
        var used = 0
        var entry: SortEntry
        if sortKey.isEmpty {
            entry = SortEntry(high: UInt64(bitPattern: key) ^ 1 << 63, low: 0)
        } else {
            kind = Int(sortKey[0] &- firstByte) & (ScannedRows.kinds - 1)
            let bytes = UnsafeRawBufferPointer(rebasing: sortKey[1...])
            if kind == codedKind, let code {
                (entry, used) = code.code(bytes)
            } else {
                entry = SortEntry(bytes)
                used = min(bytes.count, SortEntry.width)
            }
            used &+= 1
        }
        entry.low |= UInt64(truncatingIfNeeded: count)
        let rest = sortKey.count &- used
        guard lists[kind].append(entry), arena.reserve(arenaCount &+ rest &+ 10), let base = arena.base else { return false }
        if count % ScannedRows.landmarkDistance == 0, !addLandmark() { return false }
        var target = base + arenaCount
        ScannedRows.write(rest, &target)
        if rest > 0, let source = sortKey.baseAddress {
            memcpy(target, source + used, rest)
            target += rest
        }
        arenaCount = target - base
        count &+= 1
        if SmallestRows.head(kind, entry) <= smallest.most {
            smallest.take(SmallestRows.Row(kind: kind, entry: entry, key: key), view)
        }
        return true
    }

    @inline(never)
    private mutating func addLandmark() -> Bool {
        let place = count / ScannedRows.landmarkDistance * MemoryLayout<Int>.stride
        guard landmarks.reserve(place + MemoryLayout<Int>.stride) else { return false }
        landmarks.base?.storeBytes(of: arenaCount, toByteOffset: place, as: Int.self)
        return true
    }

    /// Seven bits a byte, the least first.
    @inline(__always)
    private static func write(_ number: Int, _ target: inout UnsafeMutableRawPointer) {
        var number = number
        while number >= 0x80 {
            target.storeBytes(of: UInt8(truncatingIfNeeded: number) | 0x80, as: UInt8.self)
            target += 1
            number >>= 7
        }
        target.storeBytes(of: UInt8(truncatingIfNeeded: number), as: UInt8.self)
        target += 1
    }

    @inline(__always)
    private static func length(_ pointer: inout UnsafeRawPointer) -> Int {
        var value = 0
        var shift = 0
        while true {
            let byte = pointer.load(as: UInt8.self)
            pointer += 1
            value |= Int(byte & 0x7F) << shift
            if byte < 0x80 || shift > 48 { return value }
            shift += 7
        }
    }

    /// The smallest rows in their order, as many as are wanted, or all where there are fewer.
    func beginning() -> [SmallestRows.Row] { smallest.sorted(view) }

    /// Brings entries together that begin alike, once, behind the last row. O(rows).
    mutating func distribute(_ progress: FetchProgress? = nil) {
        for kind in 0..<ScannedRows.kinds { lists[kind].distribute(progress) }
    }

    /// How many entries of one kind have each of the beginnings; nil where they are not brought together.
    func beginnings(_ kind: Int) -> UnsafePointer<UInt32>? { lists[kind].isDistributed ? UnsafePointer(lists[kind].counts) : nil }

    /// Entries of one kind.
    func list(_ kind: Int) -> UnsafeMutableBufferPointer<SortEntry> {
        UnsafeMutableBufferPointer(start: lists[kind].entries, count: lists[kind].count)
    }

    /// For reading while the rows neither grow nor go away.
    var view: View {
        View(
            arena: UnsafeRawPointer(arena.base), landmarks: UnsafeRawPointer(landmarks.base), keys: keys.view,
            sections: sections.view, isAscending: keys.isAscending)
    }

    struct View {
        fileprivate let arena: UnsafeRawPointer?
        fileprivate let landmarks: UnsafeRawPointer?
        fileprivate let keys: KeyColumn.View
        fileprivate let sections: RowColumn.View
        /// Whether the rows' numbers are in the order of their keys.
        let isAscending: Bool

        @inline(__always)
        func key(_ row: Int) -> ObjectKey { keys[row] }

        @inline(__always)
        func section(_ row: Int) -> Int { Int(truncatingIfNeeded: sections[row]) }

        /// What follows the bytes in the entry. A walk of fifteen rows at most.
        func rest(_ row: Int) -> UnsafeRawBufferPointer {
            guard let arena, let landmarks else { return UnsafeRawBufferPointer(start: nil, count: 0) }
            var pointer = arena + landmarks.load(fromByteOffset: row / landmarkDistance * 8, as: Int.self)
            for _ in 0..<(row % landmarkDistance) {
                let length = ScannedRows.length(&pointer)
                pointer += length
            }
            let length = ScannedRows.length(&pointer)
            return UnsafeRawBufferPointer(start: pointer, count: length)
        }

        /// Negative, zero or positive as bytes stand before others, agree with them or stand behind.
        static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
            if let first = left.baseAddress, let second = right.baseAddress {
                let order = memcmp(first, second, min(left.count, right.count))
                if order != 0 { return Int(order) }
            }
            return left.count - right.count
        }
    }
}

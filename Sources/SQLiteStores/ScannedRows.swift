import Glibc
import ObjectStore

/// A row of a scan while it is sorted: the next twelve bytes of its sort key as two numbers, and which row of the scan it is.
struct SortEntry {
    /// Eight bytes, the most significant first; missing ones are zero.
    var high: UInt64
    /// Four bytes more, and below them the row's number. Rows read later have higher numbers: so they settle ties.
    var low: UInt64

    /// Bytes of a sort key that an entry holds.
    static let width = 12

    var row: Int { Int(truncatingIfNeeded: low & 0xFFFF_FFFF) }

    @inline(__always)
    func hasSameBytes(as other: SortEntry) -> Bool { high == other.high && (low ^ other.low) >> 32 == 0 }

    @inline(__always)
    static func < (left: SortEntry, right: SortEntry) -> Bool {
        left.high == right.high ? left.low < right.low : left.high < right.high
    }

    /// The byte that is the next to sort by, the most significant being 0; the last four are the row's number.
    @inline(__always)
    func byte(_ place: Int) -> Int {
        let word = place < 8 ? high : low
        return Int(truncatingIfNeeded: word >> UInt64(56 &- (place & 7) &* 8) & 0xFF)
    }

    /// Of the first bytes of a sort key; nothing is read beyond them.
    init(_ bytes: UnsafeRawBufferPointer) {
        high = 0
        low = 0
        if bytes.count >= SortEntry.width {
            high = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
            low = UInt64(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))) << 32
        } else {
            for (place, byte) in bytes.enumerated() {
                if place < 8 {
                    high |= UInt64(byte) << UInt64(56 - place * 8)
                } else {
                    low |= UInt64(byte) << UInt64(56 - (place - 8) * 8)
                }
            }
        }
    }

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}

/// Entries of rows whose sort keys begin with the same byte.
struct EntryList: ~Copyable {
    private var memory = GrowingMemory()
    private(set) var count = 0

    var entries: UnsafeMutablePointer<SortEntry>? { memory.base?.assumingMemoryBound(to: SortEntry.self) }

    @inline(__always)
    mutating func append(_ entry: SortEntry) -> Bool {
        guard memory.reserve((count + 1) * MemoryLayout<SortEntry>.stride), let base = memory.base else { return false }
        base.storeBytes(of: entry, toByteOffset: count &* MemoryLayout<SortEntry>.stride, as: SortEntry.self)
        count &+= 1
        return true
    }
}

/// The rows of a scan: sort keys, sections and object keys.
///
/// A sort key's first byte says of which kind the first value is: there is a list of entries for each of the four kinds, one
/// after the other in the order. The next twelve bytes, or sixteen of a folded text, are in the entry, and only what lies behind
/// them in the arena, with its length before it. So a row costs 16 bytes, a byte or two, and the end of a long key.
struct ScannedRows: ~Copyable {
    /// So many kinds of values SQLite has that sort apart: none, numbers, text, bytes.
    static let kinds = 4
    /// More rows than an entry can number are not held.
    static let most = Int(UInt32.max)
    /// Each so many rows the arena's place is kept; from there it is a walk.
    private static let landmarkDistance = 16

    private let lists: UnsafeMutablePointer<EntryList>
    private var arena = GrowingMemory()
    private var arenaCount = 0
    private var landmarks = GrowingMemory()
    private(set) var keys = KeyColumn()
    private(set) var sections = RowColumn()
    private(set) var count = 0
    private let firstByte: UInt8
    private let code: FoldedTextCode?
    /// The kind whose sort keys are coded; -1: none.
    private let codedKind: Int

    /// - Parameters:
    ///   - firstByte: the smallest byte that a sort key begins with.
    ///   - foldedText: the byte that those begin with whose first value is a folded text, and whether they ascend.
    init(firstByte: UInt8, foldedText: (byte: UInt8, ascending: Bool)? = nil) {
        self.firstByte = firstByte
        code = foldedText.map { FoldedTextCode(ascending: $0.ascending) }
        codedKind = foldedText.map { Int($0.byte &- firstByte) } ?? -1
        lists = .allocate(capacity: ScannedRows.kinds)
        for kind in 0..<ScannedRows.kinds { (lists + kind).initialize(to: EntryList()) }
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
    ///   - sortKey: empty where rows are wanted by their keys.
    ///   - section: nil where all rows are in one.
    @inline(__always)
    mutating func append(sortKey: UnsafeRawBufferPointer, section: UInt32?, key: ObjectKey) -> Bool {
        guard count < ScannedRows.most, keys.append(key) else { return false }
        if let section, !sections.append(UInt64(section)) { return false }
        var kind = 0
        var used = 0
        var entry = SortEntry(high: UInt64(bitPattern: key) ^ 1 << 63, low: 0)
        if let first = sortKey.first {
            kind = Int(first &- firstByte) & (ScannedRows.kinds - 1)
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
        guard keep(UnsafeRawBufferPointer(rebasing: sortKey[used...])), lists[kind].append(entry) else { return false }
        count &+= 1
        return true
    }

    /// Puts what an entry does not hold into the arena.
    @inline(__always)
    private mutating func keep(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let rest = bytes.count
        guard arena.reserve(arenaCount + rest + 10), let base = arena.base else { return false }
        if count % ScannedRows.landmarkDistance == 0 {
            let place = count / ScannedRows.landmarkDistance * 8
            guard landmarks.reserve(place + 8) else { return false }
            landmarks.base?.storeBytes(of: arenaCount, toByteOffset: place, as: Int.self)
        }
        var target = base + arenaCount
        // Seven bits a byte, the least first.
        var length = rest
        while length >= 0x80 {
            target.storeBytes(of: UInt8(truncatingIfNeeded: length) | 0x80, as: UInt8.self)
            target += 1
            length >>= 7
        }
        target.storeBytes(of: UInt8(truncatingIfNeeded: length), as: UInt8.self)
        target += 1
        if rest > 0, let source = bytes.baseAddress {
            memcpy(target, source, rest)
            target += rest
        }
        arenaCount = target - base
        return true
    }

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
                let length = View.length(&pointer)
                pointer += length
            }
            let length = View.length(&pointer)
            return UnsafeRawBufferPointer(start: pointer, count: length)
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

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
    private var memory: GrowingMemory
    private(set) var count = 0
    /// So many rows of this kind were read.
    var expected = 0

    init(_ budget: MemoryBudget?) { memory = GrowingMemory(budget) }

    var entries: UnsafeMutablePointer<SortEntry>? { memory.base?.assumingMemoryBound(to: SortEntry.self) }

    /// Makes room for all that are expected; false if there is no memory.
    mutating func reserve() -> Bool { expected == 0 || memory.reserve(expected * MemoryLayout<SortEntry>.stride) }

    /// Takes one of those that there is room for.
    @inline(__always)
    mutating func append(_ entry: SortEntry) {
        guard count < expected else { return }
        memory.base?.storeBytes(of: entry, toByteOffset: count &* MemoryLayout<SortEntry>.stride, as: SortEntry.self)
        count &+= 1
    }
}

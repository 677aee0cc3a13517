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

    /// Values of a digit: six bits, which one character of a coded text has.
    static let digitValues = 1 << 6
    /// Digits of the sort key's bytes; those behind them are of the row's number.
    static let keyDigits = 16
    static let allDigits = 22

    /// The six bits that are the next to sort by, the most significant being 0.
    @inline(__always)
    func digit(_ place: Int) -> Int {
        let start = UInt64(truncatingIfNeeded: place &* 6)
        // Shifts by more than a word's width give zero.
        let word = start < 64 ? high << start | low >> (64 - start) : low << (start - 64)
        return Int(truncatingIfNeeded: word >> 58)
    }

    /// Values of the first two digits as one.
    static let beginnings = 1 << 12

    /// The first two digits as one.
    @inline(__always)
    var beginning: Int { Int(truncatingIfNeeded: high >> 52) }

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
    /// Fewer entries are sorted as they are.
    private static let few = 1 << 13

    private var memory: GrowingMemory
    private let budget: MemoryBudget?
    private(set) var count = 0
    /// How many entries have each of the beginnings.
    let counts: UnsafeMutablePointer<UInt32>
    /// Whether the entries stand by their beginnings.
    private(set) var isDistributed = false

    init(_ budget: MemoryBudget?) {
        self.budget = budget
        memory = GrowingMemory(budget)
        counts = .allocate(capacity: SortEntry.beginnings)
        counts.initialize(repeating: 0, count: SortEntry.beginnings)
    }

    deinit { counts.deallocate() }

    var entries: UnsafeMutablePointer<SortEntry>? { memory.base?.assumingMemoryBound(to: SortEntry.self) }

    /// Makes room for so many entries at once, if there is memory: what is not used of it costs nothing.
    mutating func expect(_ entries: Int) { _ = memory.reserveInMemory(entries * MemoryLayout<SortEntry>.stride) }

    /// False if there is no memory.
    @inline(__always)
    mutating func append(_ entry: SortEntry) -> Bool {
        let place = count &* MemoryLayout<SortEntry>.stride
        guard memory.reserve(place &+ MemoryLayout<SortEntry>.stride) else { return false }
        memory.base?.storeBytes(of: entry, toByteOffset: place, as: SortEntry.self)
        counts[entry.beginning] &+= 1
        count &+= 1
        return true
    }

    /// Brings entries together that begin alike, beginnings ascending, in the order in which they came: what is left to be sorted then
    /// lies close together. Not where there are few, or no memory to bring them to. Stops when cancelled.
    mutating func distribute(_ progress: FetchProgress?) {
        guard count >= EntryList.few, !isDistributed, let source = entries else { return }
        var target = GrowingMemory(budget)
        guard target.reserveInMemory(count * MemoryLayout<SortEntry>.stride),
            let places = target.base?.assumingMemoryBound(to: SortEntry.self)
        else { return }
        withUnsafeTemporaryAllocation(of: Int.self, capacity: SortEntry.beginnings) { heads in
            var sum = 0
            for beginning in 0..<SortEntry.beginnings {
                heads[beginning] = sum
                sum += Int(counts[beginning])
            }
            var released = 0
            for place in 0..<count {
                let entry = source[place]
                let beginning = entry.beginning
                places[heads[beginning]] = entry
                heads[beginning] &+= 1
                guard place & 0xF_FFFF == 0xF_FFFF else { continue }
                let done = (place + 1) * MemoryLayout<SortEntry>.stride
                memory.release(released..<done)
                released = done
                if progress?.isCancelled == true { return }
            }
            isDistributed = true
        }
        if isDistributed { swap(&memory, &target) }
    }
}

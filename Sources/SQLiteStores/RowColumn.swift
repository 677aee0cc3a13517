import ObjectStore

/// A number for each row of a scan, in one, two, four or eight bytes: as few as the largest of them needs.
struct RowColumn: ~Copyable {
    private var memory: GrowingMemory
    private(set) var count = 0
    /// Power of two: bytes of a number.
    private var shift = 0
    private var largest: UInt64 = 0xFF

    init(_ budget: MemoryBudget? = nil) { memory = GrowingMemory(budget) }

    /// Bytes held.
    var size: Int { count << shift }

    /// False if there is no memory. O(1), but for the three times at most that numbers get wider.
    @inline(__always)
    mutating func append(_ value: UInt64) -> Bool {
        if value > largest, !widen(for: value) { return false }
        guard memory.reserve((count + 1) << shift), let base = memory.base else { return false }
        RowColumn.store(value, base, shift, count)
        count &+= 1
        return true
    }

    @inline(never)
    private mutating func widen(for value: UInt64) -> Bool {
        let wider = value > 0xFFFF_FFFF ? 3 : value > 0xFFFF ? 2 : 1
        guard memory.reserve((count + 1) << wider), let base = memory.base else { return false }
        // From the end, so that no number is overwritten before it has moved.
        for place in stride(from: count - 1, through: 0, by: -1) {
            RowColumn.store(RowColumn.load(base, shift, place), base, wider, place)
        }
        shift = wider
        largest = wider == 3 ? .max : wider == 2 ? 0xFFFF_FFFF : 0xFFFF
        return true
    }

    /// For reading while the column neither grows nor goes away.
    var view: View { View(base: UnsafeRawPointer(memory.base), shift: shift, count: count) }

    struct View {
        fileprivate let base: UnsafeRawPointer?
        fileprivate let shift: Int
        fileprivate let count: Int

        /// Zero where there is no number.
        @inline(__always)
        subscript(place: Int) -> UInt64 {
            guard let base, place < count else { return 0 }
            return RowColumn.load(base, shift, place)
        }
    }

    @inline(__always)
    private static func store(_ value: UInt64, _ base: UnsafeMutableRawPointer, _ shift: Int, _ place: Int) {
        switch shift {
        case 0: base.storeBytes(of: UInt8(truncatingIfNeeded: value), toByteOffset: place, as: UInt8.self)
        case 1: base.storeBytes(of: UInt16(truncatingIfNeeded: value), toByteOffset: place << 1, as: UInt16.self)
        case 2: base.storeBytes(of: UInt32(truncatingIfNeeded: value), toByteOffset: place << 2, as: UInt32.self)
        default: base.storeBytes(of: value, toByteOffset: place << 3, as: UInt64.self)
        }
    }

    @inline(__always)
    private static func load(_ base: UnsafeRawPointer, _ shift: Int, _ place: Int) -> UInt64 {
        switch shift {
        case 0: UInt64(base.load(fromByteOffset: place, as: UInt8.self))
        case 1: UInt64(base.load(fromByteOffset: place << 1, as: UInt16.self))
        case 2: UInt64(base.load(fromByteOffset: place << 2, as: UInt32.self))
        default: base.load(fromByteOffset: place << 3, as: UInt64.self)
        }
    }

    private static func load(_ base: UnsafeMutableRawPointer, _ shift: Int, _ place: Int) -> UInt64 {
        load(UnsafeRawPointer(base), shift, place)
    }
}

/// The object keys of a scan by row: where they count up, as in most tables, a few runs and not a byte for each.
struct KeyColumn: ~Copyable {
    struct Run {
        var firstRow: Int
        var firstKey: ObjectKey
    }

    private static let mostRuns = 8
    private let runs: UnsafeMutablePointer<Run> = .allocate(capacity: mostRuns)
    private var runCount = 0
    /// Distances from the first key, once there are too many runs.
    private var distances: RowColumn
    private var hasDistances = false
    private var next: ObjectKey = 0
    private(set) var count = 0
    /// Whether each key was larger than the one before.
    private(set) var isAscending = true

    init(_ budget: MemoryBudget? = nil) { distances = RowColumn(budget) }

    deinit { runs.deallocate() }

    /// Bytes held.
    var size: Int { distances.size }

    /// False if there is no memory.
    @inline(__always)
    mutating func append(_ key: ObjectKey) -> Bool {
        if key == next, count > 0, !hasDistances {
            count &+= 1
            next = key &+ 1
            return true
        }
        return appendApart(key)
    }

    @inline(never)
    private mutating func appendApart(_ key: ObjectKey) -> Bool {
        // `next` wraps to the smallest key behind the largest: nothing is larger than that.
        if count > 0, key < next || next == .min { isAscending = false }
        if !hasDistances {
            if runCount < KeyColumn.mostRuns {
                runs[runCount] = Run(firstRow: count, firstKey: key)
                runCount += 1
            } else {
                let known = view
                for row in 0..<count {
                    guard distances.append(UInt64(bitPattern: known[row] &- runs[0].firstKey)) else { return false }
                }
                hasDistances = true
            }
        }
        if hasDistances, !distances.append(UInt64(bitPattern: key &- runs[0].firstKey)) { return false }
        count &+= 1
        next = key &+ 1
        return true
    }

    /// For reading while the column neither grows nor goes away.
    var view: View {
        View(runs: runs, runCount: runCount, distances: hasDistances ? distances.view : nil)
    }

    struct View {
        fileprivate let runs: UnsafeMutablePointer<Run>
        fileprivate let runCount: Int
        fileprivate let distances: RowColumn.View?

        @inline(__always)
        subscript(row: Int) -> ObjectKey {
            if let distances { return runs[0].firstKey &+ ObjectKey(bitPattern: distances[row]) }
            var run = runCount &- 1
            while run > 0, runs[run].firstRow > row { run &-= 1 }
            return run < 0 ? 0 : runs[run].firstKey &+ ObjectKey(row &- runs[run].firstRow)
        }
    }
}

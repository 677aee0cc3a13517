internal import CMemorySearch
import ObjectStore

/// Texts of some thousand rows, folded, one after the other: a byte 0 ends each row, a byte 1 parts the texts of one.
final class SearchChunk: Sendable {
    /// Bytes of memory that it takes, about.
    var size: Int { count + positions.count * 4 }

    /// Sound: nobody writes once the chunk is made, and it goes with the chunk.
    private nonisolated(unsafe) let bytes: UnsafeRawPointer
    private let count: Int
    /// For each row its place in the list.
    let positions: ContiguousArray<UInt32>

    /// Takes over the memory, which goes on for `cmemory_padding` zeros.
    init(bytes: UnsafeMutableRawPointer, count: Int, positions: ContiguousArray<UInt32>) {
        self.bytes = UnsafeRawPointer(bytes)
        self.count = count
        // Arrays grow by doubling: a copy is as large as it has to be.
        self.positions = ContiguousArray(unsafeUninitializedCapacity: positions.count) { buffer, initialized in
            initialized = buffer.initialize(fromContentsOf: positions)
        }
    }

    deinit { bytes.deallocate() }

    /// Marks the places of the rows that hold all words, in a list's bits. O(bytes of text) for each word.
    func mark(_ words: [[UInt8]], in bits: inout ContiguousArray<UInt64>, _ room: inout SearchRoom) {
        let wordCount = (positions.count + 63) / 64
        for (number, word) in words.enumerated() {
            let text = bytes.assumingMemoryBound(to: UInt8.self)
            room.found.resetTo(wordCount)
            room.found.withUnsafeMutableBufferPointer { found in
                word.withUnsafeBufferPointer { word in
                    guard let start = word.baseAddress, let rows = found.baseAddress else { return }
                    cmemory_mark_rows(text, count, start, word.count, rows)
                }
            }
            if number == 0 {
                swap(&room.found, &room.rows)
            } else {
                for place in 0..<wordCount { room.rows[place] &= room.found[place] }
            }
        }
        positions.withUnsafeBufferPointer { positions in
            bits.withUnsafeMutableBufferPointer { bits in
                for place in 0..<wordCount {
                    var rows = room.rows[place]
                    while rows != 0 {
                        let row = place &* 64 &+ rows.trailingZeroBitCount
                        rows &= rows &- 1
                        guard row < positions.count else { break }
                        let position = positions[row]
                        let word = Int(position >> 6)
                        if word < bits.count { bits[word] |= 1 << UInt64(position & 63) }
                    }
                }
            }
        }
    }
}

/// Room that one thread uses for one chunk after the other.
struct SearchRoom {
    var rows: ContiguousArray<UInt64> = []
    var found: ContiguousArray<UInt64> = []
}

extension ContiguousArray<UInt64> {
    fileprivate mutating func resetTo(_ count: Int) {
        removeAll(keepingCapacity: true)
        append(contentsOf: repeatElement(0, count: count))
    }
}

/// Makes chunks of the texts of one scan.
final class SearchChunkBuilder: TextReceiver {
    /// Takes each chunk that is full, and the last; answers whether more are wanted.
    private let take: (SearchChunk) -> Bool
    private var wantsMore = true
    private let places: ListPlaces
    private let counter: ScannedCounter
    private let folder = SearchFolder()
    private var bytes: UnsafeMutableRawPointer
    private var capacity: Int
    private var count = 0
    private var positions: ContiguousArray<UInt32> = []
    private var current: ObjectKey?
    private var isListed = false

    /// So much of one text is searched, in bytes.
    private static let longestText = 1 << 16
    private static let firstCapacity = 1 << 14
    private static let usualCapacity = 1 << 20
    private static let padding = Int(cmemory_padding)

    init(places: ListPlaces, counter: ScannedCounter, take: @escaping (SearchChunk) -> Bool) {
        self.take = take
        self.places = places
        self.counter = counter
        capacity = Self.firstCapacity
        bytes = .allocate(byteCount: Self.firstCapacity + Self.padding, alignment: 16)
    }

    deinit { bytes.deallocate() }

    func receive(_ text: UnsafeRawBufferPointer, of key: ObjectKey) -> Bool {
        add(text, of: key)
        return wantsMore
    }

    private func add(_ text: UnsafeRawBufferPointer, of key: ObjectKey) {
        if key != current { begin(key) } else if isListed { put(1) }
        guard isListed else { return }
        let text = UnsafeRawBufferPointer(rebasing: text.prefix(Self.longestText))
        reserve(text.count)
        guard let start = text.baseAddress else { return }
        let target = bytes.assumingMemoryBound(to: UInt8.self) + count
        let folded = cmemory_fold_ascii(start.assumingMemoryBound(to: UInt8.self), text.count, target)
        guard folded < text.count else {
            count += folded
            return
        }
        folder.fold(text)
        reserve(folder.result.count)
        folder.result.withUnsafeBytes { source in
            if let base = source.baseAddress { (bytes + count).copyMemory(from: base, byteCount: source.count) }
        }
        count += folder.result.count
    }

    private func begin(_ key: ObjectKey) {
        if isListed { put(0) }
        current = key
        counter.countOne()
        // What came into the store after the list is not in it.
        let position = places.position(of: key)
        isListed = position != nil
        guard let position else { return }
        // A chunk that is nearly full ends with a row.
        if count > Self.usualCapacity - Self.usualCapacity / 16 { seal() }
        positions.append(position)
    }

    /// Ends the last row.
    func finish() {
        if isListed { put(0) }
        isListed = false
        current = nil
        seal()
    }

    private func put(_ byte: UInt8) {
        reserve(1)
        bytes.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count += 1
    }

    /// Makes room for so many bytes more.
    private func reserve(_ more: Int) {
        guard count + more > capacity else { return }
        let larger = max(capacity * 2, count + more)
        let moved = UnsafeMutableRawPointer.allocate(byteCount: larger + Self.padding, alignment: 16)
        moved.copyMemory(from: bytes, byteCount: count)
        bytes.deallocate()
        bytes = moved
        capacity = larger
    }

    private func seal() {
        guard !positions.isEmpty else { return }
        (bytes + count).initializeMemory(as: UInt8.self, repeating: 0, count: Self.padding)
        wantsMore = take(SearchChunk(bytes: bytes, count: count, positions: positions)) && wantsMore
        positions.removeAll(keepingCapacity: true)
        count = 0
        capacity = Self.usualCapacity
        bytes = .allocate(byteCount: capacity + Self.padding, alignment: 16)
    }
}

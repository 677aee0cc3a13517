import Glibc
import ObjectStore
import PropertyLists

/// A file of `OrderCache`.
///
/// Words of eight bytes in the machine's order: a mark, the state's fingerprint, the numbers of keys and of sections, the bytes of a
/// key (4 or 8), the sums of what follows: head, first keys, all keys; then a count for each section, then the keys.
struct CachedOrder {
    /// Objects in each section.
    let counts: [Int]
    let count: Int
    private let file: Descriptor
    private let width: Int
    private let keysOffset: Int
    private let firstSum: UInt64
    private let wholeSum: UInt64

    /// Another number for another form.
    private static let mark: UInt64 = 0x746C_6F72_6465_7231
    private static let headWords = 10
    /// So many keys are summed by themselves, for the first screen.
    private static let firstKeys = 1024
    private static let bufferBytes = 1 << 20

    private final class Descriptor {
        let number: Int32
        init(_ number: Int32) { self.number = number }
        deinit { close(number) }
    }

    init?(path: String, state: Fingerprint) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        file = Descriptor(descriptor)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            let head = Self.words(file, at: 0, count: Self.headWords), head[0] == Self.mark,
            head[1] == state.high, head[2] == state.low
        else { return nil }
        guard let count = Int(exactly: head[3]), let sections = Int(exactly: head[4]), let width = Int(exactly: head[5]),
            width == 4 || width == 8, count > 0, count < 1 << 40, sections > 0, sections <= OrderCache.mostSections
        else { return nil }
        keysOffset = (Self.headWords + sections) * 8
        guard Int(status.st_size) == keysOffset + count * width,
            let counts = Self.words(file, at: Self.headWords * 8, count: sections)
        else { return nil }
        var sum = Self.sum(head[0..<6], 0)
        sum = Self.sum(head[7..<9], sum)
        sum = Self.sum(counts[...], sum)
        guard sum == head[6] else { return nil }
        var numbers: [Int] = []
        var total = 0
        for word in counts {
            guard let number = Int(exactly: word), number > 0, number <= count - total else { return nil }
            numbers.append(number)
            total += number
        }
        guard total == count else { return nil }
        self.counts = numbers
        self.count = count
        self.width = width
        firstSum = head[7]
        wholeSum = head[8]
        // What is used longest ago goes first.
        futimens(descriptor, nil)
    }

    /// The first keys; nil if they are not what was written, or more are wanted than are summed.
    func firstKeys(_ limit: Int) -> ContiguousArray<ObjectKey>? {
        guard limit <= min(count, Self.firstKeys) else { return nil }
        guard let keys = keys(min(count, Self.firstKeys), sum: firstSum) else { return nil }
        return ContiguousArray(keys.prefix(limit))
    }

    /// All keys; nil if they are not what was written, or find no place. O(keys).
    ///
    /// - Parameter budget: says what may be held in memory; nil: all.
    func keys(_ budget: MemoryBudget? = nil) -> ContiguousArray<ObjectKey>? { keys(count, sum: wholeSum, budget) }

    /// The first key of each section; nil where it cannot be read.
    func firstKeyOfEachSection(_ keys: ContiguousArray<ObjectKey>) -> [ObjectKey] {
        var start = 0
        var first: [ObjectKey] = []
        for count in counts where start < keys.count {
            first.append(keys[start])
            start += count
        }
        return first
    }

    private func keys(_ count: Int, sum wanted: UInt64, _ budget: MemoryBudget? = nil) -> ContiguousArray<ObjectKey>? {
        var sum: UInt64 = 0
        return OrderMemory.keys(count, budget) { target in
            var done = 0
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.bufferBytes, alignment: 8)
            defer { buffer.deallocate() }
            while done < count {
                let part = min(count - done, Self.bufferBytes / width)
                let bytes = UnsafeMutableRawBufferPointer(rebasing: buffer[..<(part * width)])
                guard Self.read(file, bytes, at: keysOffset + done * width) else { return false }
                for place in 0..<part {
                    let key =
                        width == 4
                        ? ObjectKey(bytes.load(fromByteOffset: place * 4, as: UInt32.self))
                        : bytes.load(fromByteOffset: place * 8, as: ObjectKey.self)
                    sum = Self.sum(UInt64(bitPattern: key), sum)
                    target[done + place] = key
                }
                done += part
            }
            return sum == wanted
        }
    }

    // MARK: Words

    @inline(__always)
    private static func sum(_ word: UInt64, _ before: UInt64) -> UInt64 {
        let mixed = (before ^ word) &* 0x9E37_79B9_7F4A_7C15
        return mixed ^ mixed >> 29
    }

    private static func sum(_ words: ArraySlice<UInt64>, _ before: UInt64) -> UInt64 { words.reduce(before) { sum($1, $0) } }

    private static func read(_ file: Descriptor, _ buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Bool {
        var done = 0
        while done < buffer.count, let base = buffer.baseAddress {
            let count = pread(file.number, base + done, buffer.count - done, off_t(offset + done))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }

    private static func words(_ file: Descriptor, at offset: Int, count: Int) -> [UInt64]? {
        var words = [UInt64](repeating: 0, count: count)
        return words.withUnsafeMutableBytes { read(file, $0, at: offset) } ? words : nil
    }

    // MARK: Writing

    /// Writes a file without a name, which gets one when it is whole: a program that ends meanwhile leaves nothing.
    static func write(_ objects: FetchedObjects, state: Fingerprint, to path: String, in folder: String) {
        let descriptor = SystemPath.openNameless(in: folder, O_WRONLY, mode: 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        guard write(objects, state: state, to: descriptor) else { return }
        let finished = "\(path).\(getpid())"
        guard SystemPath.name(descriptor, finished) else { return }
        if rename(finished, path) != 0 { unlink(finished) }
    }

    private static func write(_ objects: FetchedObjects, state: Fingerprint, to descriptor: Int32) -> Bool {
        let keys = objects.keys
        let counts = objects.sections.map { UInt64($0.count) }
        guard !keys.isEmpty, counts.reduce(0, &+) == UInt64(keys.count) else { return false }
        let isNarrow = keys.allSatisfy { UInt32(exactly: $0) != nil }
        var first: UInt64 = 0
        var whole: UInt64 = 0
        for (place, key) in keys.enumerated() {
            whole = sum(UInt64(bitPattern: key), whole)
            if place == min(keys.count, firstKeys) - 1 { first = whole }
        }
        var head = [mark, state.high, state.low, UInt64(keys.count), UInt64(counts.count), isNarrow ? 4 : 8, 0, first, whole, 0]
        var headSum = sum(head[0..<6], 0)
        headSum = sum(head[7..<9], headSum)
        head[6] = sum(counts[...], headSum)
        guard (head + counts).withUnsafeBytes({ put($0, to: descriptor) }) else { return false }
        var start = 0
        while start < keys.count {
            let part = keys[start..<min(keys.count, start + bufferBytes / 8)]
            let isPut =
                isNarrow
                ? part.map { UInt32(truncatingIfNeeded: $0) }.withUnsafeBytes { put($0, to: descriptor) }
                : Array(part).withUnsafeBytes { put($0, to: descriptor) }
            guard isPut else { return false }
            start += part.count
        }
        return true
    }

    private static func put(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
        var done = 0
        while done < bytes.count, let base = bytes.baseAddress {
            let count = Glibc.write(descriptor, base + done, bytes.count - done)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }
}

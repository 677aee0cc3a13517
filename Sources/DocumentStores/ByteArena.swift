import Glibc

/// Bytes that grow in one place, whose room is kept for the next use.
final class ByteArena {
    private(set) var base: UnsafeMutablePointer<UInt8>?
    private(set) var count = 0
    private var capacity = 0
    /// Bytes kept at most; what is beyond is counted as one more and dropped.
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    deinit { free(base) }

    /// Sound until the next change.
    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: base, count: count) }
    var isFull: Bool { count > limit }

    func clear() {
        count = 0
        guard capacity > 1 << 20 else { return }
        free(base)
        base = nil
        capacity = 0
    }

    func append(_ more: UnsafeBufferPointer<UInt8>) {
        guard let source = more.baseAddress, reserve(more.count), let base else { return }
        memcpy(base + count, source, more.count)
        count += more.count
    }

    func append(_ byte: UInt8) {
        guard reserve(1), let base else { return }
        base[count] = byte
        count += 1
    }

    func append(_ text: String) { for byte in text.utf8 { append(byte) } }

    private func reserve(_ more: Int) -> Bool {
        if count + more <= capacity { return count <= limit }
        guard count + more <= limit + 1 else {
            // One past the limit says that something is missing.
            if count <= limit, grow(limit + 1) { count = limit + 1 }
            return false
        }
        return grow(max(256, min(limit + 1, (count + more) * 2)))
    }

    private func grow(_ wanted: Int) -> Bool {
        guard wanted > capacity else { return true }
        guard let larger = realloc(base, wanted) else { return false }
        // What is past the end is defined, as it is counted when the limit is passed.
        memset(larger + capacity, 0, wanted - capacity)
        base = larger.assumingMemoryBound(to: UInt8.self)
        capacity = wanted
        return true
    }
}

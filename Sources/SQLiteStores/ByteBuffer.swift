import Glibc

/// Bytes that are written over and over, in memory that only grows; plain pointers, as a million rows go through it.
///
/// Not `Sendable`: one scan owns it. Each write goes to room that `reserve` has made.
final class ByteBuffer {
    private(set) var base: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    var count = 0

    init(capacity: Int = 512) {
        self.capacity = capacity
        base = .allocate(capacity: capacity)
    }

    deinit { base.deallocate() }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

    /// Makes room for so many bytes more; where they go.
    func reserve(_ extra: Int) -> UnsafeMutablePointer<UInt8> {
        let wanted = count + extra
        if wanted > capacity {
            let grown = UnsafeMutablePointer<UInt8>.allocate(capacity: wanted * 2)
            memcpy(grown, base, count)
            base.deallocate()
            base = grown
            capacity = wanted * 2
        }
        return base + count
    }

    func append(_ byte: UInt8) {
        reserve(1).pointee = byte
        count += 1
    }
}

import Glibc

/// Bytes that are written over and over, in memory that only grows; plain pointers, as a million rows go through it.
///
/// Not `Sendable`: one scan owns it. Each write goes to room that `reserve` has made.
final class ByteBuffer {
    private struct State {
        var base: UnsafeMutablePointer<UInt8>
        var capacity: Int
        var count: Int
    }

    /// Behind a pointer, where no access is checked at run time.
    private let state: UnsafeMutablePointer<State>

    var base: UnsafeMutablePointer<UInt8> { state.pointee.base }
    var count: Int {
        get { state.pointee.count }
        set { state.pointee.count = newValue }
    }

    init(capacity: Int = 512) {
        state = .allocate(capacity: 1)
        state.initialize(to: State(base: .allocate(capacity: capacity), capacity: capacity, count: 0))
    }

    deinit {
        state.pointee.base.deallocate()
        state.deallocate()
    }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

    /// Makes room for so many bytes more; where they go.
    @inline(__always)
    func reserve(_ extra: Int) -> UnsafeMutablePointer<UInt8> {
        if count &+ extra > state.pointee.capacity { grow(extra) }
        return base + count
    }

    @inline(never)
    private func grow(_ extra: Int) {
        let wanted = (count + extra) * 2
        let grown = UnsafeMutablePointer<UInt8>.allocate(capacity: wanted)
        memcpy(grown, base, count)
        base.deallocate()
        state.pointee.base = grown
        state.pointee.capacity = wanted
    }

    func append(_ byte: UInt8) {
        reserve(1).pointee = byte
        count += 1
    }
}

import Glibc

/// Bytes that only grow; what a scan keeps of its rows.
///
/// `@unchecked Sendable`: one thread fills it, and when that is done others only read it.
final class RowArena: @unchecked Sendable {
    private(set) var base: UnsafeMutableRawPointer?
    private(set) var count = 0
    private var capacity = 0

    deinit { free(base) }

    /// Makes room for so many bytes more; false if there is no memory. The pages behind unused room cost nothing.
    func reserve(_ extra: Int) -> Bool {
        guard count + extra > capacity else { return true }
        let wanted = max(1 << 16, count + extra, capacity + capacity / 2)
        guard let grown = realloc(base, wanted) else { return false }
        base = grown
        capacity = wanted
        return true
    }

    /// Appends without asking for room: `reserve` came before.
    func append(_ byte: UInt8) {
        base?.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count &+= 1
    }

    /// Appends seven bits a byte, least first. At most ten bytes.
    func append(varint value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }

    func append(_ bytes: UnsafeRawBufferPointer) {
        guard let base, let source = bytes.baseAddress else { return }
        memcpy(base + count, source, bytes.count)
        count &+= bytes.count
    }

    static func varint(_ pointer: inout UnsafeRawPointer) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while shift < 64 {
            let byte = pointer.load(as: UInt8.self)
            pointer += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { break }
            shift += 7
        }
        return value
    }
}

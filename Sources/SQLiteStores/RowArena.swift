import Glibc

/// Bytes that only grow; what a scan keeps of its rows.
///
/// `@unchecked Sendable`: one thread fills it, and when that is done others only read it.
final class RowArena: @unchecked Sendable {
    private(set) var base: UnsafeMutableRawPointer?
    var count = 0
    private var capacity = 0

    deinit { free(base) }

    /// Where so many bytes more may be written; nil if there is no memory. The pages behind unused room cost nothing.
    func reserve(_ extra: Int) -> UnsafeMutableRawPointer? {
        if count + extra > capacity {
            let wanted = max(1 << 16, count + extra, capacity + capacity / 2)
            guard let grown = realloc(base, wanted) else { return nil }
            base = grown
            capacity = wanted
        }
        return base.map { $0 + count }
    }

    /// Stores seven bits a byte, least first; at most ten bytes.
    static func store(_ value: UInt64, at target: inout UnsafeMutableRawPointer) {
        var rest = value
        while rest >= 0x80 {
            target.storeBytes(of: UInt8(truncatingIfNeeded: rest) | 0x80, as: UInt8.self)
            target += 1
            rest >>= 7
        }
        target.storeBytes(of: UInt8(truncatingIfNeeded: rest), as: UInt8.self)
        target += 1
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

import Glibc

/// Bytes that only grow; what a scan keeps of its rows.
///
/// The pages behind unused room cost nothing, and growing large memory moves pages, not bytes. Never copied, so that a row costs
/// neither counting of references nor checks of access.
struct GrowingMemory: ~Copyable {
    private(set) var base: UnsafeMutableRawPointer?
    private(set) var capacity = 0

    /// From this size on the kernel is asked for large pages: fewer faults, and what lies all over is found sooner.
    private static let large = 8 << 20

    deinit { free(base) }

    /// Makes room for so many bytes in all; false if there is no memory.
    @inline(__always)
    mutating func reserve(_ wanted: Int) -> Bool { wanted <= capacity || grow(wanted) }

    @inline(never)
    private mutating func grow(_ wanted: Int) -> Bool {
        let size = max(1 << 12, wanted, capacity + capacity / 2)
        guard let grown = realloc(base, size) else { return false }
        base = grown
        capacity = size
        if size >= GrowingMemory.large {
            let page = UInt(4096)
            let start = (UInt(bitPattern: grown) + page - 1) & ~(page - 1)
            let end = (UInt(bitPattern: grown) + UInt(size)) & ~(page - 1)
            // Only an advice: what it answers does not matter.
            if end > start { madvise(UnsafeMutableRawPointer(bitPattern: start), Int(end - start), MADV_HUGEPAGE) }
        }
        return true
    }

    /// Gives back the memory behind a large range whose bytes are not wanted any more; it may be written again.
    func release(_ range: Range<Int>) {
        guard let base, range.count >= GrowingMemory.large, range.upperBound <= capacity else { return }
        let page = UInt(4096)
        let start = (UInt(bitPattern: base) + UInt(range.lowerBound) + page - 1) & ~(page - 1)
        let end = (UInt(bitPattern: base) + UInt(range.upperBound)) & ~(page - 1)
        if end > start { madvise(UnsafeMutableRawPointer(bitPattern: start), Int(end - start), MADV_DONTNEED) }
    }

    /// Gives everything back.
    mutating func drop() {
        free(base)
        base = nil
        capacity = 0
    }
}

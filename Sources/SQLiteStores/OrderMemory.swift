import Glibc
import ObjectStore

/// Makes the long arrays of an order.
///
/// Where memory is short, the pages behind an array are those of a file without a name: the kernel puts them aside as it needs, and
/// who reads the array sees no difference.
enum OrderMemory {
    /// Allocations above this size are mappings of their own, given back as such (`mallopt(3)`, the largest `M_MMAP_THRESHOLD`):
    /// behind these other pages can be laid. Smaller arrays are held in memory.
    static let least = 32 << 20

    /// An array of so many keys; nil where there is neither memory nor room on a disk.
    ///
    /// - Parameters:
    ///   - budget: says what may be held in memory; nil: all.
    ///   - fill: writes them all; false: they are not wanted any more.
    static func keys(
        _ count: Int, _ budget: MemoryBudget?, _ fill: (UnsafeMutableBufferPointer<ObjectKey>) -> Bool
    ) -> ContiguousArray<ObjectKey>? {
        let size = count * MemoryLayout<ObjectKey>.stride
        var file: NamelessFile?
        if let budget, size > least, !budget.holds(size) {
            // The array's addresses are asked for ahead: Swift ends the program where it gets none.
            guard FreeMemory.hasAddresses(size), let new = budget.file(size), posix_fallocate(new.descriptor, 0, size) == 0 else {
                return nil
            }
            file = new
        }
        // What was freed before may be large enough, and is no mapping of its own; while it is held, the next array is one.
        var inUse: [ContiguousArray<ObjectKey>] = []
        for _ in 0..<mostTries {
            var isLaid = true
            var isFilled = false
            let keys = ContiguousArray<ObjectKey>(unsafeUninitializedCapacity: count) { buffer, initialized in
                if let file {
                    isLaid = lay(file, behind: UnsafeMutableRawBufferPointer(buffer))
                    guard isLaid else { return }
                } else {
                    GrowingMemory.askForLargePages(UnsafeMutableRawBufferPointer(buffer))
                }
                isFilled = fill(buffer)
                initialized = isFilled ? count : 0
            }
            if isLaid { return isFilled ? keys : nil }
            inUse.append(keys)
        }
        return nil
    }

    /// An allocator has few pieces of this size that it was given back and has kept.
    private static let mostTries = 8

    private static let page = UInt(4096)

    /// Replaces the whole pages of an array by those of a file, before anything is in them; false where that is not possible.
    ///
    /// Sound: the pages belong to the array alone, and are unmapped with it, whatever lies behind them.
    private static func lay(_ file: NamelessFile, behind memory: UnsafeMutableRawBufferPointer) -> Bool {
        guard let base = memory.baseAddress else { return false }
        let first = UInt(bitPattern: base)
        let start = (first + page - 1) & ~(page - 1)
        let end = (first + UInt(memory.count)) & ~(page - 1)
        // A mapping of its own begins with a page, the allocator's head and the array's; no other allocation would.
        guard end > start, start - first >= page - 128 else { return false }
        let mapped = mmap(
            UnsafeMutableRawPointer(bitPattern: start), Int(end - start), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
            file.descriptor, 0)
        return mapped != MAP_FAILED
    }
}

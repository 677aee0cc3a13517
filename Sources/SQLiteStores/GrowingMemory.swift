import Glibc

/// Bytes that only grow; what a scan keeps of its rows.
///
/// The pages behind unused room cost nothing, and growing large memory moves pages, not bytes. Where memory is short they are pages of
/// a file without a name, which the kernel puts aside as it needs. Never copied, so that a row costs neither counting of references nor
/// checks of access.
struct GrowingMemory: ~Copyable {
    private(set) var base: UnsafeMutableRawPointer?
    private(set) var capacity = 0
    /// What holds the bytes where memory is short.
    private var file: NamelessFile?
    private let budget: MemoryBudget?

    /// From this size on the kernel is asked for large pages: fewer faults, and what lies all over is found sooner.
    private static let large = 2 << 20

    /// - Parameter budget: says what may be held in memory; nil: all.
    init(_ budget: MemoryBudget? = nil) { self.budget = budget }

    deinit {
        if file != nil {
            if let base { munmap(base, capacity) }
        } else {
            free(base)
            budget?.give(back: capacity)
        }
    }

    /// Makes room for so many bytes in all; false if there is no memory.
    @inline(__always)
    mutating func reserve(_ wanted: Int) -> Bool { wanted <= capacity || grow(wanted) }

    @inline(never)
    private mutating func grow(_ wanted: Int) -> Bool {
        let size = max(1 << 12, wanted, capacity + capacity / 2)
        guard file == nil else { return growFile(size) }
        if let budget, !budget.grow(capacity, to: size) { return moveToFile(size, taken: capacity) }
        return growInMemory(size) || moveToFile(size, taken: size)
    }

    /// Makes the first room, but not in a file; false, with nothing taken, where memory is short.
    mutating func reserveInMemory(_ size: Int) -> Bool {
        guard base == nil else { return size <= capacity }
        if let budget, !budget.grow(0, to: size) { return false }
        if growInMemory(size) { return true }
        budget?.give(back: size)
        return false
    }

    private mutating func growInMemory(_ size: Int) -> Bool {
        guard let grown = realloc(base, size) else { return false }
        base = grown
        capacity = size
        GrowingMemory.askForLargePages(UnsafeMutableRawBufferPointer(start: grown, count: size))
        return true
    }

    /// Asks the kernel for large pages behind much memory that was not written yet: a page at a time costs more than what is written.
    static func askForLargePages(_ memory: UnsafeMutableRawBufferPointer) {
        guard memory.count >= large, let base = memory.baseAddress else { return }
        let page = UInt(4096)
        let start = (UInt(bitPattern: base) + page - 1) & ~(page - 1)
        let end = (UInt(bitPattern: base) + UInt(memory.count)) & ~(page - 1)
        // Only an advice: what it answers does not matter.
        if end > start { madvise(UnsafeMutableRawPointer(bitPattern: start), Int(end - start), MADV_HUGEPAGE) }
    }

    /// False if there is neither memory nor room on a disk.
    ///
    /// - Parameter taken: what the budget has counted for it so far.
    private mutating func moveToFile(_ size: Int, taken: Int) -> Bool {
        guard let budget, let file = budget.file(size) else { return false }
        guard let mapped = GrowingMemory.map(file, size) else { return false }
        if let base { memcpy(mapped, base, capacity) }
        free(base)
        budget.give(back: taken)
        base = mapped
        capacity = size
        self.file = file
        return true
    }

    private mutating func growFile(_ size: Int) -> Bool {
        guard let file, let mapped = GrowingMemory.map(file, size) else { return false }
        if let base { munmap(base, capacity) }
        base = mapped
        capacity = size
        return true
    }

    /// The file's room is taken at once: a disk that fills up later would be a signal instead of an answer.
    private static func map(_ file: NamelessFile, _ size: Int) -> UnsafeMutableRawPointer? {
        guard posix_fallocate(file.descriptor, 0, size) == 0 else { return nil }
        let mapped = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file.descriptor, 0)
        return mapped == MAP_FAILED ? nil : mapped
    }

    /// Gives back the memory behind a large range whose bytes are not wanted any more; it may be written again.
    func release(_ range: Range<Int>) {
        // A file's pages leave memory by themselves.
        guard file == nil, let base, range.count >= GrowingMemory.large, range.upperBound <= capacity else { return }
        let page = UInt(4096)
        let start = (UInt(bitPattern: base) + UInt(range.lowerBound) + page - 1) & ~(page - 1)
        let end = (UInt(bitPattern: base) + UInt(range.upperBound)) & ~(page - 1)
        if end > start { madvise(UnsafeMutableRawPointer(bitPattern: start), Int(end - start), MADV_DONTNEED) }
    }
}

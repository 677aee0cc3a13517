import Dispatch
import Glibc
import ObjectStore
import Synchronization
import Testing

@testable import SQLiteStores

/// Arrays whose pages are those of a file, against plain ones.
@Suite struct OrderMemoryTests {
    /// More than that fits into an array which is a mapping of its own.
    private let many = OrderMemory.least / MemoryLayout<ObjectKey>.stride + 1000

    private func key(_ place: Int) -> ObjectKey { ObjectKey(place &* 0x1E37_79B9_7F4A_7C15) }

    /// Places in every page, and those at both ends, where the pages are the array's own.
    private func places(_ count: Int) -> [Int] {
        Array(0..<min(count, 1024)) + Array(stride(from: 1024, to: max(1024, count - 1024), by: 127))
            + Array(max(1024, count - 1024)..<max(1024, count))
    }

    private func filled(_ count: Int, _ budget: MemoryBudget?) -> ContiguousArray<ObjectKey>? {
        OrderMemory.keys(count, budget) { buffer in
            for place in places(count) where place < count { buffer[place] = key(place) }
            return buffer.count == count
        }
    }

    @Test(arguments: [0, 1 << 30]) func longArraysHoldWhatWasWritten(limit: Int) throws {
        let budget = MemoryBudget(limit: limit, isPrivate: false)
        // Each frees its pages: the second one is not to see the first one's.
        for count in [many, many + 4096] {
            let keys = try #require(filled(count, budget))
            #expect(keys.count == count)
            #expect(places(count).allSatisfy { keys[$0] == key($0) })
            // A copy is as any other, and leaves the first as it is.
            var copy = keys
            copy[1024 + 127 * 8] = 7
            copy.append(8)
            #expect(keys[1024 + 127 * 8] == key(1024 + 127 * 8) && copy[1024 + 127 * 8] == 7 && copy.count == count + 1)
        }
        #expect(budget.files == (limit == 0 ? 2 : 0))
    }

    /// What the allocator has kept of freed memory is no mapping of its own, and may be large enough for an array.
    @Test func whatWasFreedIsNoPlaceForAFile() {
        // Each thread has memory of its own to keep, some of them together: several, so that one has enough.
        let threads = 8
        let made = Mutex<[Bool]>([])
        DispatchQueue.concurrentPerform(iterations: threads) { _ in
            // To free a mapping of this size has the allocator keep more.
            free(malloc(32 << 20))
            let pieces = (0..<120).map { _ in malloc(1 << 20) }
            for piece in pieces { free(piece) }
            let keys = filled(many, MemoryBudget(limit: 0, isPrivate: false))
            made.withLock { $0.append(keys.map { keys in places(many).allSatisfy { keys[$0] == key($0) } } == true) }
        }
        #expect(made.withLock { $0 } == Array(repeating: true, count: threads))
    }

    @Test func shortArraysNeedNoFile() {
        let budget = MemoryBudget(limit: 0, isPrivate: false)
        for count in [0, 1, 1000] { #expect(filled(count, budget)?.elementsEqual((0..<count).map(key)) == true) }
        #expect(budget.files == 0)
    }

    @Test func whatFindsNoPlaceIsRefused() {
        let budget = MemoryBudget(limit: 0, isPrivate: true)
        #expect(filled(many, budget) == nil)
        #expect(!budget.hasPlace(for: OrderMemory.least + 1) && budget.hasPlace(for: OrderMemory.least))
        // No disk has so much room.
        let open = MemoryBudget(limit: 0, isPrivate: false)
        #expect(!open.hasPlace(for: 1 << 60) && open.hasPlace(for: OrderMemory.least + 1))
        #expect(OrderMemory.keys(10, nil) { _ in false } == nil)
    }

    @Test func whatIsMissingIsSaid() {
        let onDisk = StoreError(file: "x", cause: .noRoom(size: 1_650_000_000, .memoryAndDisk))
        #expect(onDisk.problem == "not enough memory and no room on a disk for the order of the list (1.7 GB)")
        #expect(onDisk.remedy == "name a folder with more room by TMPDIR")
        let inMemory = StoreError(file: "x", cause: .noRoom(size: 800_000_000, .memoryOnly))
        #expect(inMemory.problem == "not enough memory for the order of the list (0.8 GB)")
        #expect(inMemory.remedy == "without --private the rest goes to a temporary file")
        let inAddresses = StoreError(file: "x", cause: .noRoom(size: 100_000_001, .addresses))
        #expect(inAddresses.problem == "not enough memory for the order of the list (0.2 GB)")
        #expect(inAddresses.remedy == "raise the limit of the process's addresses (ulimit -v)")
    }

    /// A fetch whose rows find no place while they are read says how much all of them take, not what the first ones did.
    @Test(arguments: [10, 5000, 120_000]) func aFetchSaysWhatItNeeds(count: Int) throws {
        let folder = try TemporaryFolder()
        let path = try folder.database(
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
              INSERT INTO t SELECT i, 'value ' || i FROM n;
            """)
        var options = StoreOptions()
        options.isPrivate = true
        options.memoryLimit = 0
        let store = try SQLiteObjectStore.open(path: path, options: options)
        let error = #expect(throws: StoreError.self) { try store.list("t", sort: ["v"]) }
        guard case .noRoom(let size, .memoryOnly) = error?.cause else {
            Issue.record("\(String(describing: error))")
            return
        }
        // Of each row an entry, and its key twice while sections are brought together.
        #expect(size >= count * 24 && size <= count * 200 + (1 << 16))
    }

    @Test func memoryIsAskedForAhead() {
        #expect(FreeMemory.has(0) && FreeMemory.has(1 << 20))
        #expect(!FreeMemory.has(1 << 59))
        #expect(FreeMemory.hasAddresses(1 << 20) && !FreeMemory.hasAddresses(1 << 59))
        #expect(throws: StoreError.self) { try FreeMemory.check(1 << 59) }
    }
}

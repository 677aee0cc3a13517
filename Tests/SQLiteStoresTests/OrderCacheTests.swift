import Foundation
import Glibc
import ObjectStore
import SQLiteStores
import Synchronization
import TestSupport
import Testing

/// Orders are kept for one state of one store, hold no text, and are believed only where they are whole.
@Suite struct OrderCacheTests {
    private struct Bench {
        let folder: TemporaryFolder
        let path: String
        let cacheFolder: String

        init(rows: Int, offset: Int64 = 0) throws {
            folder = try TemporaryFolder()
            cacheFolder = folder.path + "/cache/tlbrowse"
            let values = (0..<rows).map { row in
                "(\(offset + Int64(row) * 3), '\("gamma beta alpha delta".split(separator: " ")[row % 4])\(row * 7 % rows)')"
            }
            path = try folder.database(
                "CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO person VALUES \(values.joined(separator: ","));"
            )
        }

        func cache(leastCount: Int = 10) -> OrderCache { OrderCache(folder: cacheFolder, leastCount: leastCount, settleTime: 0) }

        func request(_ store: SQLiteObjectStore, ascending: Bool = true, section: String? = "name.@firstLetter") throws
            -> FetchRequest
        {
            FetchRequest(
                entityName: "person",
                sortDescriptors: [SortDescriptor(.keyPath(try store.schema.keyPath("name", in: "person")), ascending: ascending)],
                sectionKeyPath: try section.map { try store.schema.keyPath($0, in: "person") })
        }

        var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: cacheFolder)) ?? [] }

        /// What a store opened anew gives, and whether all of it came from the cache.
        func fetch(
            ascending: Bool = true, section: String? = "name.@firstLetter", locale: String = "en_001"
        ) throws -> (objects: FetchedObjects, first: FetchedObjects?, isCached: Bool) {
            let cache = cache()
            let store = try SQLiteObjectStore.open(path: path, options: StoreOptions(localeIdentifier: locale, orderCache: cache))
            let first = Mutex<FetchedObjects?>(nil)
            let progress = FetchProgress()
            let objects = try store.fetch(
                request(store, ascending: ascending, section: section),
                first: FirstObjects(limit: 20, leastCount: 1) { found in first.withLock { $0 = found } }, progress: progress)
            cache.finishWriting()
            // A fetch says how many rows it has read.
            return (objects, first.withLock { $0 }, progress.rowsDone == 0)
        }

        func change(_ sql: String) throws {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: OtherProcess.program)
            process.arguments = [path, sql]
            try process.run()
            process.waitUntilExit()
        }
    }

    private func isSame(_ left: FetchedObjects, _ right: FetchedObjects) -> Bool {
        left.keys == right.keys && left.sections.map(\.value) == right.sections.map(\.value)
            && left.sections.map(\.count) == right.sections.map(\.count)
    }

    @Test(arguments: [Int64(0), -50, 1 << 40]) func theSecondTimeNothingIsRead(_ offset: Int64) throws {
        let bench = try Bench(rows: 500, offset: offset)
        let made = try bench.fetch()
        #expect(!made.isCached && bench.files.count == 1)
        let kept = try bench.fetch()
        #expect(kept.isCached && isSame(made.objects, kept.objects))
        #expect(kept.first.map { Array($0.keys) } == Array(made.objects.keys.prefix(20)))
        #expect(kept.first?.sections.reduce(0) { $0 + $1.count } == 20)
        // Another order, another grouping and another locale are others.
        for other in [
            try bench.fetch(ascending: false), try bench.fetch(section: nil), try bench.fetch(section: "name"),
            try bench.fetch(locale: "sv"),
        ] { #expect(!other.isCached) }
        #expect(bench.files.count == 5 && bench.files.allSatisfy { $0.hasSuffix(".order") })
        #expect(try bench.fetch(section: nil).isCached)
    }

    @Test func holdsNoText() throws {
        let bench = try Bench(rows: 500)
        _ = try bench.fetch()
        for file in bench.files {
            let bytes = try #require(FileManager.default.contents(atPath: bench.cacheFolder + "/" + file))
            for text in ["alpha", "person", "name", bench.path] { #expect(bytes.range(of: Data(text.utf8)) == nil) }
            var status = stat()
            #expect(stat(bench.cacheFolder + "/" + file, &status) == 0 && status.st_mode & 0o777 == 0o600)
        }
        // Nothing lies beside the store.
        #expect(try Set(FileManager.default.contentsOfDirectory(atPath: bench.folder.path)).count == 2)
    }

    @Test(.enabled(if: OtherProcess.isThere), arguments: ["DELETE", "WAL"]) func aChangeMakesItWorthless(_ mode: String) throws {
        let bench = try Bench(rows: 300)
        try bench.change("PRAGMA journal_mode=\(mode)")
        _ = try bench.fetch()
        #expect(try bench.fetch().isCached)
        try bench.change("UPDATE person SET name = 'zeta' WHERE id = 3")
        let changed = try bench.fetch()
        #expect(!changed.isCached && changed.objects.sections.last?.value == .string("Z"))
        #expect(try bench.fetch().isCached)
        // Times that were put back: the node's own time is not.
        var status = stat()
        #expect(stat(bench.path, &status) == 0)
        try bench.change("UPDATE person SET name = 'yota' WHERE id = 3")
        var times = [status.st_atim, status.st_mtim]
        #expect(utimensat(AT_FDCWD, bench.path, &times, 0) == 0)
        let restored = try bench.fetch()
        #expect(!restored.isCached && restored.objects.sections.last?.value == .string("Y"))
    }

    @Test func filesThatWereJustWrittenAreNotKept() throws {
        let bench = try Bench(rows: 300)
        let cache = OrderCache(folder: bench.cacheFolder, leastCount: 10, settleTime: 3_600)
        let store = try SQLiteObjectStore.open(path: bench.path, options: StoreOptions(orderCache: cache))
        _ = try store.fetch(bench.request(store), progress: FetchProgress())
        cache.finishWriting()
        #expect(bench.files.isEmpty)
    }

    /// Every byte of a file of the cache changed, every length cut off: the list is the same, made anew.
    @Test func aDamagedFileIsNoCache() throws {
        let bench = try Bench(rows: 60)
        let made = try bench.fetch().objects
        let file = try #require(bench.files.first).description
        let path = bench.cacheFolder + "/" + file
        let whole = try #require(FileManager.default.contents(atPath: path))
        let cache = bench.cache()
        let store = try SQLiteObjectStore.open(path: bench.path, options: StoreOptions(orderCache: cache))
        var generator = SeededGenerator(seed: 5)
        let request = try bench.request(store)
        for place in 0..<whole.count {
            var bytes = whole
            bytes[place] ^= UInt8.random(in: 1...255, using: &generator)
            if place % 3 == 0 { bytes = whole.prefix(place) }
            try bytes.write(to: URL(fileURLWithPath: path))
            let found = try store.fetch(request, progress: FetchProgress())
            #expect(isSame(found, made), "byte \(place)")
            cache.finishWriting()
        }
    }

    @Test func theOldestGo() throws {
        let bench = try Bench(rows: 300)
        for most in [Int64(1), 1 << 20] {
            let cache = OrderCache(folder: bench.cacheFolder, leastCount: 10, settleTime: 0, mostBytes: most)
            let store = try SQLiteObjectStore.open(path: bench.path, options: StoreOptions(orderCache: cache))
            _ = try store.fetch(bench.request(store), progress: FetchProgress())
            _ = try store.fetch(bench.request(store, ascending: false), progress: FetchProgress())
            cache.finishWriting()
            #expect(bench.files.count == (most == 1 ? 0 : 2))
        }
    }
}

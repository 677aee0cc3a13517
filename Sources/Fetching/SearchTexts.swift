import IndexPathModel
package import ObjectStore
import Synchronization

/// The texts of a list's rows, folded for searching.
///
/// Made in one pass over the store, by both cores; holds the folded bytes, and one byte and four bytes more an object. Where that is
/// more than a bound nothing is held, and each search is a pass over the store.
package final class SearchTexts: Sendable {
    /// Nil where the texts are too many to keep.
    private let chunks: [SearchChunk]?
    private let model: ListContents.Model
    private let store: any ObjectStore
    private let request: FetchRequest
    private let keyPaths: [ObjectKeyPath]

    /// So many objects are worth a second thread.
    private static let splitCount = 20_000
    /// So many bytes are kept: the names of ten million objects and some more.
    package static let usualLimit = 256 << 20

    /// - Parameter limit: bytes that may be kept; fewer where memory is short.
    /// - Throws: `outOfMemory` where not even the places of the objects can be held: four bytes each.
    /// - Complexity: O(bytes of text + objects).
    package init(
        store: any ObjectStore, request: FetchRequest, keyPaths: [ObjectKeyPath], model: ListContents.Model,
        progress: FetchProgress, limit: Int = SearchTexts.usualLimit
    ) throws(StoreError) {
        self.model = model
        self.store = store
        self.request = request
        self.keyPaths = keyPaths
        let limit = min(limit, FreeMemory.bytes / 4)
        let kept = Mutex<(chunks: [SearchChunk], size: Int)>(([], 0))
        try Self.scan(store, request, keyPaths, model, progress) { _ in
            { chunk in
                kept.withLock { kept in
                    kept.size += chunk.size
                    if kept.size <= limit { kept.chunks.append(chunk) } else { kept.chunks = [] }
                    return kept.size <= limit
                }
            }
        }
        chunks = kept.withLock { $0.size <= limit ? $0.chunks : nil }
    }

    /// Reads the texts in as many parts as there are threads for; each part has a place for its chunks.
    private static func scan(
        _ store: any ObjectStore, _ request: FetchRequest, _ keyPaths: [ObjectKeyPath], _ model: ListContents.Model,
        _ progress: FetchProgress, _ taking: (_ part: Int) -> (SearchChunk) -> Bool
    ) throws(StoreError) {
        let places = try ListPlaces(model)
        let counter = ScannedCounter(progress)
        progress.expect(model.numberOfItems)
        let builders = (0..<(model.numberOfItems > splitCount ? 2 : 1)).map { part in
            SearchChunkBuilder(places: places, counter: counter, take: taking(part))
        }
        try store.scanTexts(at: keyPaths, of: request, progress: progress, into: builders)
        for builder in builders { builder.finish() }
    }

    /// The rows that hold all words of a query, in the list's order. O(bytes of text) for each word, by both cores, and O(objects).
    package func matches(_ query: SearchQuery, alphabetical: Bool?, progress: FetchProgress) throws(StoreError) -> ListMatches {
        let found: [ContiguousArray<UInt64>]
        if let chunks { found = search(chunks, query, progress) } else { found = try searchStore(query, progress) }
        if progress.isCancelled { throw StoreError(file: "", cause: .cancelled) }
        var bits = ContiguousArray<UInt64>(repeating: 0, count: bitCount)
        for part in found {
            for place in bits.indices { bits[place] |= part[place] }
        }
        // Of each hit its key and its place.
        try FreeMemory.check(bits.reduce(0) { $0 + $1.nonzeroBitCount } * 12)
        return ListMatches(query: query, bits: bits, of: model, alphabetical: alphabetical)
    }

    /// Words of a bitmap of the list's places.
    private var bitCount: Int { (model.numberOfItems + 63) / 64 }

    private func search(_ chunks: [SearchChunk], _ query: SearchQuery, _ progress: FetchProgress) -> [ContiguousArray<UInt64>] {
        let found = Mutex<[ContiguousArray<UInt64>]>([])
        let next = Atomic<Int>(0)
        let size = bitCount
        LongWork.perform(iterations: min(2, chunks.count)) { _ in
            var bits = ContiguousArray<UInt64>(repeating: 0, count: size)
            var room = SearchRoom()
            while !progress.isCancelled {
                let chunk = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard chunk < chunks.count else { break }
                chunks[chunk].mark(query.words, in: &bits, &room)
            }
            found.withLock { $0.append(bits) }
        }
        return found.withLock { $0 }
    }

    /// What one part of a scan finds; touched by the thread of the part, and afterwards by the one that started it.
    private final class Finding {
        var bits: ContiguousArray<UInt64>
        var room = SearchRoom()
        init(size: Int) { bits = ContiguousArray(repeating: 0, count: size) }
    }

    private func searchStore(_ query: SearchQuery, _ progress: FetchProgress) throws(StoreError) -> [ContiguousArray<UInt64>] {
        let findings = (0..<2).map { _ in Finding(size: bitCount) }
        try Self.scan(store, request, keyPaths, model, progress) { part in
            let finding = findings[part]
            return { chunk in
                chunk.mark(query.words, in: &finding.bits, &finding.room)
                return true
            }
        }
        return findings.map(\.bits)
    }
}

/// Objects scanned by both threads together.
final class ScannedCounter: Sendable {
    private let objects = Atomic<Int>(0)
    private let progress: FetchProgress

    init(_ progress: FetchProgress) { self.progress = progress }

    func countOne() {
        let count = objects.wrappingAdd(1, ordering: .relaxed).newValue
        if count % 4096 == 0 { progress.report(count) }
    }
}

/// Where each object stands in a list, by its key.
struct ListPlaces: Sendable {
    /// For dense keys, as rows of a table have: key → place, `absent` where there is none.
    private var dense: ContiguousArray<UInt32> = []
    private var sparse: CollapsibleDataModel<ObjectKey, ObjectKey>?

    private static let absent = UInt32.max

    /// - Throws: `outOfMemory`.
    init(_ model: ListContents.Model) throws(StoreError) {
        let items = model.items
        let largest = items.max() ?? 0
        guard let smallest = items.min(), smallest >= 0, largest < items.count * 4 + 1024, items.count < Int(Self.absent) else {
            try FreeMemory.check(items.count * 6)
            sparse = CollapsibleDataModel(backingModel: model, collapsedSectionNames: [], showsHeaders: false)
            return
        }
        try FreeMemory.check((Int(largest) + 1) * MemoryLayout<UInt32>.stride)
        dense = ContiguousArray(repeating: Self.absent, count: Int(largest) + 1)
        dense.withUnsafeMutableBufferPointer { dense in
            for (place, key) in items.enumerated() { dense[Int(key)] = UInt32(truncatingIfNeeded: place) }
        }
    }

    func position(of key: ObjectKey) -> UInt32? {
        if let sparse {
            return sparse.backingModel.indexPath(forIdentifier: key).flatMap { sparse.position(of: $0) }.flatMap {
                UInt32(exactly: $0)
            }
        }
        guard key >= 0, key < dense.count else { return nil }
        let place = dense[Int(key)]
        return place == Self.absent ? nil : place
    }
}

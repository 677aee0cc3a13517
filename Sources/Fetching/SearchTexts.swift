import Dispatch
import IndexPathModel
package import ObjectStore
import Synchronization

/// The texts of a list's rows, folded for searching.
///
/// Made in one pass over the store, by both cores; holds the folded bytes, and one byte and four bytes more an object.
package final class SearchTexts: Sendable {
    private let chunks: [SearchChunk]
    private let model: ListContents.Model

    /// So many objects are worth a second thread.
    private static let splitCount = 20_000

    /// - Complexity: O(bytes of text + objects).
    package init(
        store: any ObjectStore, request: FetchRequest, keyPaths: [ObjectKeyPath], model: ListContents.Model,
        progress: FetchProgress
    ) throws(StoreError) {
        let places = ListPlaces(model)
        let counter = ScannedCounter(progress)
        progress.expect(model.numberOfItems)
        let builders = (0..<(model.numberOfItems > Self.splitCount ? 2 : 1)).map { _ in
            SearchChunkBuilder(places: places, counter: counter)
        }
        try store.scanTexts(at: keyPaths, of: request, progress: progress, into: builders)
        chunks = builders.flatMap { $0.finish() }
        self.model = model
    }

    /// The rows that hold all words of a query, in the list's order. O(bytes of text) for each word, by both cores, and O(objects).
    package func matches(_ query: SearchQuery, alphabetical: Bool?, progress: FetchProgress) throws(StoreError) -> ListMatches {
        let size = (model.numberOfItems + 63) / 64
        let parts = min(2, chunks.count)
        let found = Mutex<[ContiguousArray<UInt64>]>([])
        let next = Atomic<Int>(0)
        DispatchQueue.concurrentPerform(iterations: parts) { _ in
            var bits = ContiguousArray<UInt64>(repeating: 0, count: size)
            var room = SearchRoom()
            while !progress.isCancelled {
                let chunk = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard chunk < chunks.count else { break }
                chunks[chunk].mark(query.words, in: &bits, &room)
            }
            found.withLock { $0.append(bits) }
        }
        if progress.isCancelled { throw StoreError(file: "", cause: .cancelled) }
        var all = found.withLock { $0 }
        var bits = all.popLast() ?? ContiguousArray(repeating: 0, count: size)
        for other in all {
            for place in bits.indices { bits[place] |= other[place] }
        }
        return ListMatches(query: query, bits: bits, of: model, alphabetical: alphabetical)
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

    init(_ model: ListContents.Model) {
        let items = model.items
        let largest = items.max() ?? 0
        guard let smallest = items.min(), smallest >= 0, largest < items.count * 4 + 1024, items.count < Int(Self.absent) else {
            sparse = CollapsibleDataModel(backingModel: model, collapsedSectionNames: [], showsHeaders: false)
            return
        }
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

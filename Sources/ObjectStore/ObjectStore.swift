/// A store of objects: what every backend offers, and all that the rest of the program knows of it.
///
/// Calls block and may come from any thread. Nothing here assumes SQL, or that all rows fit in memory: order and
/// sections come as keys and counts, values only for the objects that are asked for.
package protocol ObjectStore: Sendable {
    /// The entities; read once when the store is opened.
    var schema: Schema { get }

    /// How the store is called in messages: a path, or `-`.
    var name: String { get }

    /// Objects in order, in sections. O(n log n) comparisons for n objects.
    ///
    /// - Throws: `StoreError.cancelled` once `progress` was cancelled, else what went wrong.
    func fetch(_ request: FetchRequest, progress: FetchProgress) throws(StoreError) -> FetchedObjects

    /// The first objects of what `fetch` gives for the same request, in the same order and sections, where they can be had
    /// much sooner than all; nil where they cannot.
    ///
    /// - Parameters:
    ///   - limit: so many objects; where there are fewer the answer is nil, as the list is there as soon.
    ///   - progress: only asked whether it was cancelled.
    /// - Returns: `limit` keys. The sections' counts add up to them; in the whole list sections may have more.
    func firstObjects(_ request: FetchRequest, limit: Int, progress: FetchProgress) throws(StoreError) -> FetchedObjects?

    /// Number of objects of an entity, those of its sub-entities included.
    func count(of entityName: String) throws(StoreError) -> Int

    /// The values at key paths for some objects of one entity; a statement or two, however many objects.
    ///
    /// The answer has an entry for each key, in the same order, nil where no such object is left. Values are in the order of
    /// `keyPaths`. A key path across a to-many gives a `.list`, one that ends in an object an `.object`.
    func values(
        at keyPaths: [ObjectKeyPath], of keys: [ObjectKey], in entityName: String, as form: ValueForm
    ) throws(StoreError) -> [[Value]?]

    /// Calls `body` with the UTF-8 of each stored text at the key paths, for all objects of a request; objects come in no
    /// particular order, the texts of one object one after the other. Values that are no texts are left out.
    ///
    /// The bytes are valid during the call only. One pass over the rows.
    func scanTexts(
        at keyPaths: [ObjectKeyPath], of request: FetchRequest, progress: FetchProgress,
        _ body: (ObjectKey, UnsafeRawBufferPointer) -> Void
    ) throws(StoreError)

    /// What the store's files look like now; another value when they have changed, nil when they are not there. A few `stat` calls.
    func fileState() -> FileState?

    /// What names an object for good: a Core Data URI, or `Table/key`.
    func uri(of object: ObjectID) -> String

    /// The most derived entity of an object, or the one given if nothing more is known.
    func concreteEntityName(of object: ObjectID) throws(StoreError) -> String
}

/// What a store's files look like, by nodes, sizes and times; equal as long as nothing has changed.
package struct FileState: Sendable, Equatable {
    package let stamps: [Int64]

    package init(stamps: [Int64]) { self.stamps = stamps }
}

extension ObjectStore {
    /// A store without files never changes.
    package func fileState() -> FileState? { FileState(stamps: []) }

    /// All objects are as soon there as the first.
    package func firstObjects(
        _ request: FetchRequest, limit: Int, progress: FetchProgress
    ) throws(StoreError) -> FetchedObjects? { nil }

    /// By way of `fetch` and `values`, for stores that have nothing better.
    package func scanTexts(
        at keyPaths: [ObjectKeyPath], of request: FetchRequest, progress: FetchProgress,
        _ body: (ObjectKey, UnsafeRawBufferPointer) -> Void
    ) throws(StoreError) {
        let keys = try fetch(request, progress: progress).keys
        var start = 0
        while start < keys.count {
            let batch = Array(keys[start..<min(start + 512, keys.count)])
            start += batch.count
            let rows = try values(at: keyPaths, of: batch, in: request.entityName, as: .stored)
            for (key, row) in zip(batch, rows) {
                for case .string(var text) in row ?? [] { text.withUTF8 { body(key, UnsafeRawBufferPointer($0)) } }
            }
        }
    }
}

/// In which form values are wanted.
package enum ValueForm: Sendable, Hashable {
    /// By the attribute's type: a TIMESTAMP as a date, 0 and 1 of a Boolean attribute as such.
    case typed
    /// By the attribute's type, with texts cut after 64 KB: for rows of lists, which show one line of them.
    case excerpt
    /// As stored: integer, real, text, bytes or NULL.
    case stored
}

import Glibc

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

    /// As `fetch`, and hands over the first objects where they can be had much sooner than all.
    func fetch(_ request: FetchRequest, first: FirstObjects?, progress: FetchProgress) throws(StoreError) -> FetchedObjects

    /// Whether a fetch takes a few milliseconds whatever the data are: then it is not worth another thread.
    func isQuick(_ request: FetchRequest) -> Bool

    /// Number of objects of an entity, those of its sub-entities included.
    func count(of entityName: String) throws(StoreError) -> Int

    /// As `count`, but of a damaged entity as many as can be read; what is damaged is noted.
    ///
    /// - Parameter seconds: A view is a program, and may be an endless one: beyond this time it is given up.
    /// - Throws: `takesTooLong`, and what `count` throws.
    func readableCount(of entityName: String, within seconds: Double) throws(StoreError) -> (count: Int, isWhole: Bool)

    /// The same data for a report: a store all of whose readings are of one committed state, whoever writes meanwhile. Blocks for as long
    /// as opening does.
    func ofOneState() throws(StoreError) -> any ObjectStore

    /// What else is to be said of the store as a whole (`Schema.warnings`), and takes a pass over its rows to find out. Blocks.
    func lateWarnings(progress: FetchProgress) throws(StoreError) -> [String]

    /// Whether all readings so far were of one committed state, where the store was opened for such.
    var hasKeptState: Bool { get }

    /// What was found damaged and left out, or read as NULL, since this was asked last; the first so many, then how many more.
    func takeDamage() -> [StoreDamage]

    /// The values at key paths for some objects of one entity; a statement or two, however many objects.
    ///
    /// The answer has an entry for each key, in the same order, nil where no such object is left. Values are in the order of
    /// `keyPaths`. A key path across a to-many gives a `.list`, one that ends in an object an `.object`.
    func values(
        at keyPaths: [ObjectKeyPath], of keys: [ObjectKey], in entityName: String, as form: ValueForm
    ) throws(StoreError) -> [[Value]?]

    /// As above, for many objects: nil once the texts and bytes among the values have more than `most` bytes.
    ///
    /// May wait for a running fetch.
    func values(
        at keyPaths: [ObjectKeyPath], of keys: [ObjectKey], in entityName: String, as form: ValueForm, upTo most: Int
    ) throws(StoreError) -> [[Value]?]?

    /// What a to-many relationship of an object names that is not there, as keys in a table of pairs may: `danglingReference`s, a
    /// bounded number of them; none where that cannot be found out.
    func danglingReferences(of relationshipName: String, from object: ObjectID) -> [Value]

    /// Hands over the UTF-8 of each stored text at the key paths, for all objects of a request; objects come in no particular
    /// order, the texts of one object one after the other to one receiver. Values that are no texts are left out.
    ///
    /// One pass over the rows.
    ///
    /// - Parameter receivers: at least one; so many parts of the rows may be read at a time, each receiver being called by one
    ///   thread.
    func scanTexts(
        at keyPaths: [ObjectKeyPath], of request: FetchRequest, progress: FetchProgress, into receivers: [any TextReceiver]
    ) throws(StoreError)

    /// What the store's files look like now; another value when something was committed, nil when they are not there. A few `stat`
    /// calls, and where the files allow it a glance at the store's own count of commits; never waits for a writer.
    func fileState() -> FileState?

    /// The file whose folder shows the store's changes, without symbolic links; nil: nothing ever changes.
    var file: String? { get }

    /// Brings the store up to date with its files where it would not see by itself that they are others now. Blocks; what is being
    /// read meanwhile is read from what was there.
    ///
    /// - Throws: what is wrong with the files; then everything stays as it was.
    func refresh() throws(StoreError) -> StoreRefresh

    /// The same, only that the files are read anew whatever their times say. Blocks.
    func reread() throws(StoreError) -> StoreRefresh

    /// Why what lies there now cannot be all of the store, as of a file that is being written anew in its place; nil where it is, or
    /// was no more when it was opened. A look at the file's head.
    func missingPart() -> StoreError?

    /// What tells two versions of an object apart, for all objects of a request: see `RowVersions`. Nil where the store cannot
    /// tell.
    func versions(
        at keyPaths: [ObjectKeyPath], of request: FetchRequest, progress: FetchProgress
    ) throws(StoreError) -> RowVersions?

    /// What has become of a request's objects: one pass over what tells their versions apart, and where few of them are others, some
    /// looks by key for each of those instead of a fetch. Nil where the store cannot tell.
    ///
    /// - Parameters:
    ///   - objects: as they were fetched; nil where they are not, or are not known to be, those of `versions`.
    ///   - versions: of the same key paths, taken before.
    func follow(
        _ objects: FetchedObjects?, since versions: RowVersions, at keyPaths: [ObjectKeyPath], of request: FetchRequest,
        progress: FetchProgress
    ) throws(StoreError) -> FollowedObjects?

    /// What names an object for good: a Core Data URI, or `Table/key`.
    func uri(of object: ObjectID) -> String

    /// The same for objects of one entity; a statement or two, however many objects.
    func uris(of keys: [ObjectKey], in entityName: String) -> ObjectURIs

    /// The most derived entity of an object, or the one given if nothing more is known.
    func concreteEntityName(of object: ObjectID) throws(StoreError) -> String
}

/// Somebody who wants the beginning of a fetched list before the whole.
package struct FirstObjects: Sendable {
    /// So many objects; where there are fewer the whole list is there as soon.
    package let limit: Int
    /// Shorter lists are there as a whole as soon.
    package let leastCount: Int
    /// Takes them, `limit` keys, in the order and the sections of the whole list; sections may have more there. Called on the
    /// fetch's thread, again where the reading has to begin again.
    package let receive: @Sendable (FetchedObjects) -> Void

    package init(
        limit: Int, leastCount: Int = 100_000, receive: @escaping @Sendable (FetchedObjects) -> Void
    ) {
        self.limit = limit
        self.leastCount = leastCount
        self.receive = receive
    }
}

/// Takes the texts of a scan.
package protocol TextReceiver: AnyObject {
    /// - Parameter text: UTF-8 as stored, valid during the call only.
    /// - Returns: whether it wants more.
    func receive(_ text: UnsafeRawBufferPointer, of key: ObjectKey) -> Bool
}

/// Something of a store that cannot be read.
package struct StoreDamage: Sendable, Hashable {
    /// An entity, or an object's URI, with the key path where it is one value.
    package var place: String
    package var problem: String

    package init(place: String, problem: String) {
        self.place = place
        self.problem = problem
    }
}

/// What names some objects for good, in their order.
package enum ObjectURIs: Sendable, Equatable {
    /// All alike, with the object's key at their end.
    case keyed(prefix: String)
    case texts([String])

    /// The URI of one of the objects; O(1).
    package func uri(at place: Int, key: ObjectKey) -> String {
        switch self {
        case .keyed(let prefix): prefix + String(key)
        case .texts(let texts): texts.indices.contains(place) ? texts[place] : ""
        }
    }
}

extension ObjectStore {
    package func readableCount(of entityName: String) throws(StoreError) -> (count: Int, isWhole: Bool) {
        try readableCount(of: entityName, within: 10)
    }

    package func readableCount(
        of entityName: String, within seconds: Double
    ) throws(StoreError) -> (count: Int, isWhole: Bool) {
        (try count(of: entityName), true)
    }

    /// What is read as a whole is of one state.
    package var hasKeptState: Bool { true }

    /// All is said by the schema.
    package func lateWarnings(progress: FetchProgress) throws(StoreError) -> [String] { [] }

    package func ofOneState() throws(StoreError) -> any ObjectStore { self }

    package func takeDamage() -> [StoreDamage] { [] }

    package func isQuick(_ request: FetchRequest) -> Bool { false }

    /// A store that knows its objects by themselves has none.
    package func danglingReferences(of relationshipName: String, from object: ObjectID) -> [Value] { [] }

    /// All values, whatever their size.
    package func values(
        at keyPaths: [ObjectKeyPath], of keys: [ObjectKey], in entityName: String, as form: ValueForm, upTo most: Int
    ) throws(StoreError) -> [[Value]?]? {
        try values(at: keyPaths, of: keys, in: entityName, as: form)
    }

    /// One by one.
    package func uris(of keys: [ObjectKey], in entityName: String) -> ObjectURIs {
        .texts(keys.map { uri(of: ObjectID(entityName: entityName, key: $0)) })
    }

    /// A store without files never changes.
    package func fileState() -> FileState? { FileState(stamps: []) }

    package var file: String? { nil }

    /// What reads its file anew each time is always up to date.
    package func refresh() throws(StoreError) -> StoreRefresh { .same }

    package func reread() throws(StoreError) -> StoreRefresh { try refresh() }

    package func missingPart() -> StoreError? { nil }

    package func versions(
        at keyPaths: [ObjectKeyPath], of request: FetchRequest, progress: FetchProgress
    ) throws(StoreError) -> RowVersions? { nil }

    /// By a pass over the versions; the objects have to be fetched.
    package func follow(
        _ objects: FetchedObjects?, since versions: RowVersions, at keyPaths: [ObjectKeyPath], of request: FetchRequest,
        progress: FetchProgress
    ) throws(StoreError) -> FollowedObjects? {
        guard let new = try self.versions(at: keyPaths, of: request, progress: progress) else { return nil }
        return FollowedObjects(versions: new, changes: new.changes(since: versions))
    }

    /// What the store's files look like once they have not been written for a moment; nil where they are written all the time. May
    /// wait for some ticks of the files' clock.
    package func settledFileState() -> FileState? {
        for wait in 0..<4 {
            if wait > 0 { usleep(20_000) }
            if let state = fileState(), state.isSettled { return state }
        }
        return nil
    }

    /// All objects are as soon there as the first.
    package func fetch(
        _ request: FetchRequest, first: FirstObjects?, progress: FetchProgress
    ) throws(StoreError) -> FetchedObjects {
        try fetch(request, progress: progress)
    }

    /// By way of `fetch` and `values`, for stores that have nothing better.
    package func scanTexts(
        at keyPaths: [ObjectKeyPath], of request: FetchRequest, progress: FetchProgress, into receivers: [any TextReceiver]
    ) throws(StoreError) {
        guard let receiver = receivers.first else { return }
        let keys = try fetch(request, progress: progress).keys
        var start = 0
        while start < keys.count {
            let batch = Array(keys[start..<min(start + 512, keys.count)])
            start += batch.count
            let rows = try values(at: keyPaths, of: batch, in: request.entityName, as: .stored)
            for (key, row) in zip(batch, rows) {
                for case .string(var text) in row ?? [] {
                    guard text.withUTF8({ receiver.receive(UnsafeRawBufferPointer($0), of: key) }) else { return }
                }
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
    /// By the attribute's type, with texts cut after 1 MB (2^20 bytes): for details, which show them over many lines.
    case beginning
    /// As stored: integer, real, text, bytes or NULL.
    case stored

    /// Bytes of a text that are kept of it; nil: all.
    package var longestText: Int? {
        switch self {
        case .excerpt: 1 << 16
        case .beginning: 1 << 20
        case .typed, .stored: nil
        }
    }
}

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

    /// Number of objects of an entity, those of its sub-entities included.
    func count(of entityName: String) throws(StoreError) -> Int

    /// The values at key paths for some objects of one entity; a statement or two, however many objects.
    ///
    /// The answer has an entry for each key, in the same order, nil where no such object is left. Values are in the order of
    /// `keyPaths`. A key path across a to-many gives a `.list`, one that ends in an object an `.object`.
    func values(
        at keyPaths: [ObjectKeyPath], of keys: [ObjectKey], in entityName: String, as form: ValueForm
    ) throws(StoreError) -> [[Value]?]

    /// What names an object for good: a Core Data URI, or `Table/key`.
    func uri(of object: ObjectID) -> String

    /// The most derived entity of an object, or the one given if nothing more is known.
    func concreteEntityName(of object: ObjectID) throws(StoreError) -> String
}

/// In which form values are wanted.
package enum ValueForm: Sendable, Hashable {
    /// By the attribute's type: a TIMESTAMP as a date, 0 and 1 of a Boolean attribute as such.
    case typed
    /// As stored: integer, real, text, bytes or NULL.
    case stored
}

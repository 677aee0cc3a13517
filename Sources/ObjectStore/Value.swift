package import Foundation

/// A value of an object, typed as its attribute says.
///
/// What the store holds and the attribute's type can disagree (SQLite lets any value into any column). Then the value keeps the
/// type that it is stored with: nothing is coerced into something that the file does not say.
package enum Value: Hashable, Sendable {
    case null
    case integer(Int64)
    case double(Double)
    case boolean(Bool)
    case string(String)
    /// Seconds since 2001-01-01 00:00:00 UTC, as Core Data counts.
    case date(Double)
    case data(Data)
    case uuid(UUID)
    /// The object at the end of a to-one relationship.
    case object(ObjectID)
    /// The values at the end of a to-many relationship, in the relationship's order.
    case list([Value])
    /// NULL at the end of a key path because a foreign key on it leads to no row: the entity that the row should be of, and the key
    /// as stored, shortened. Only where objects are looked at: for order, sections and predicates it is NULL.
    case danglingReference(entityName: String, key: String)
    /// What a document says and no other case holds: a number with more digits than 64 bits or a double have, a list or a record
    /// within a list. JSON, as the document has it.
    case source(String)
}

/// An object: its entity, and its key in the entity's table.
package struct ObjectID: Hashable, Sendable {
    /// The object's concrete entity where it is known, else the entity that it was asked for by.
    package let entityName: String
    /// Unique among the objects of one root entity. For Core Data `Z_PK`, for a table its rowid; other stores number their rows.
    package let key: ObjectKey

    package init(entityName: String, key: ObjectKey) {
        self.entityName = entityName
        self.key = key
    }
}

/// The part of an object's identity that tells it from the others of its entity; lists of millions hold this alone.
package typealias ObjectKey = Int64

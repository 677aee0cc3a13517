/// What came of bringing a store up to date with its files.
package enum StoreRefresh: Sendable, Equatable {
    /// Nothing had to be done.
    case same
    /// It was opened anew; its schema is what it was.
    case reopened
    /// Entities or properties are others now: what was resolved has to be resolved again.
    case otherSchema
    /// Only a part of it could be read, as of a file that is still being written: it is what it was, and worth another try soon.
    case unfinished
}

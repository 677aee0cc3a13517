import ObjectStore

// Foundation has a type of the same name; where both are imported this one is meant by its alias.
typealias SortKey = SortDescriptor

import ObjectStore

/// Foundation has a type of the same name.
typealias SortKey = SortDescriptor

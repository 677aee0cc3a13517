/// Which objects, in which order, grouped by what: Core Data's fetch request, with the section key path of its results controller.
package struct FetchRequest: Sendable, Equatable {
    /// Where the objects come from.
    package enum Scope: Sendable, Equatable {
        /// All objects of the entity, those of its sub-entities included.
        case all
        /// The objects at the far end of a relationship of one object; the request's entity is the relationship's destination.
        case related(to: ObjectID, through: String)
    }

    package var entityName: String
    package var scope: Scope
    package var sortDescriptors: [SortDescriptor]
    /// Nil: one list without sections.
    package var sectionKeyPath: ObjectKeyPath?
    /// At most so many objects, the first of the order; nil: all.
    package var fetchLimit: Int?
    /// Only objects for which it is true; nil: all.
    package var predicate: ResolvedPredicate?

    package init(
        entityName: String, scope: Scope = .all, sortDescriptors: [SortDescriptor] = [], sectionKeyPath: ObjectKeyPath? = nil,
        fetchLimit: Int? = nil, predicate: ResolvedPredicate? = nil
    ) {
        self.entityName = entityName
        self.predicate = predicate
        self.scope = scope
        self.sortDescriptors = sortDescriptors
        self.sectionKeyPath = sectionKeyPath
        self.fetchLimit = fetchLimit
    }
}

/// One key of an order.
package struct SortDescriptor: Sendable, Equatable {
    /// How strings are compared; numbers and dates are always compared as such, and NULL comes first.
    package enum Selector: String, Sendable, CaseIterable {
        /// By code point.
        case compare = "compare:"
        /// Full case folding, then canonical decomposition, then by code point.
        case caseInsensitiveCompare = "caseInsensitiveCompare:"
        /// By the locale's collation, without regard to case.
        case localizedCaseInsensitiveCompare = "localizedCaseInsensitiveCompare:"
        /// By the locale's collation, digits by their number: what a person expects.
        case localizedStandardCompare = "localizedStandardCompare:"
    }

    package enum Key: Sendable, Equatable {
        case keyPath(ObjectKeyPath)
        /// The stored order of an ordered relationship; only in the scope of one.
        case relationshipOrder
    }

    package var key: Key
    package var ascending: Bool
    package var selector: Selector

    package init(_ key: Key, ascending: Bool = true, selector: Selector = .caseInsensitiveCompare) {
        self.key = key
        self.ascending = ascending
        self.selector = selector
    }
}

/// What a fetch found: object keys in order, cut into sections.
///
/// The keys of one section stand together, in the request's order; sections stand in the order in which the sorted objects first
/// meet them. It holds keys and counts, no text: eight bytes an object.
package struct FetchedObjects: Sendable, Equatable {
    package struct Section: Sendable, Equatable {
        /// The section key path's value; `.null` for the one section of a list without a section key path, too.
        package var value: Value
        package var count: Int

        package init(value: Value, count: Int) {
            self.value = value
            self.count = count
        }
    }

    package var keys: ContiguousArray<ObjectKey>
    /// Counts add up to the number of keys; none is zero.
    package var sections: [Section]
    /// Where reading broke off in a damaged store, nil if all was read; the keys are those that could be reached.
    package var fault: StoreError?

    package init(keys: ContiguousArray<ObjectKey>, sections: [Section], fault: StoreError? = nil) {
        self.keys = keys
        self.sections = sections
        self.fault = fault
    }
}

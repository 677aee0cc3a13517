package import ObjectStore

/// What a list plist says, before it is checked against a store's entities; key paths as written.
package struct ListDescription: Sendable, Equatable {
    /// One entry of `sortKeyPaths`.
    package struct SortEntry: Sendable, Equatable {
        package var keyPath: String
        package var ascending: Bool
        package var selector: SortDescriptor.Selector

        package init(keyPath: String, ascending: Bool = true, selector: SortDescriptor.Selector = .caseInsensitiveCompare) {
            self.keyPath = keyPath
            self.ascending = ascending
            self.selector = selector
        }
    }

    /// Rows that an index bar needs where the plist does not say, as in CDL.
    package static let defaultMinimumDisplayRowCount = 6

    /// Path of the plist; nil for a list made from a schema.
    package var file: String?
    package var entityName: String
    package var sortKeyPaths: [SortEntry]
    package var cellTextLabelKeyPath: String
    /// Without `.plist`, looked up beside the list plist; nil only for a list made from a schema.
    package var detailViewPropertyListFile: String?
    package var controllerTitle: String?
    package var sectionKeyPath: String?
    /// By which of its two spellings the plist has the section key path: for messages.
    package var sectionKey = "sectionKeyPath"
    /// What the other spelling says, where it says something else: a fault, but it is checked as well.
    var otherSectionKeyPath: String?
    package var sectionIndexTitlesEnabled = false
    package var sectionIndexTitlesAlphabetical = false
    package var cellDetailTextLabelKeyPaths: [String] = []
    /// Whether `cellDetailTextLabelKeyPath` was an array: then its texts are aligned columns with headings.
    package var showsDetailColumns = false

    package var dataFile: String?
    package var modelFile: String?
    package var filterPredicate: String?
    package var fetchLimit: Int?
    package var sectionsInitiallyCollapsed = false
    package var singleExpandedSection = false
    /// With fewer rows the index bar stays away.
    package var sectionIndexMinimumDisplayRowCount = ListDescription.defaultMinimumDisplayRowCount
    package var dateFormatterStyle: DateStyle?
    package var timeFormatterStyle: DateStyle?

    package init(entityName: String, sortKeyPaths: [SortEntry], cellTextLabelKeyPath: String) {
        self.entityName = entityName
        self.sortKeyPaths = sortKeyPaths
        self.cellTextLabelKeyPath = cellTextLabelKeyPath
    }
}

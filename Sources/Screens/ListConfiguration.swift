package import ObjectStore

/// What stays the same while a list screen lives: what its plist says of it.
package struct ListConfiguration: Sendable {
    /// What the rows stand for, and Enter opens.
    package enum Rows: Sendable {
        case objects, entities
    }

    package var title: String
    /// What the list is called in the path of screens that it leads to, where its title is a path itself.
    package var nameInPath: String?
    package var opens = Rows.objects
    /// What one row is called in counts, and several.
    package var noun = (one: "object", many: "objects")
    /// Entity of the rows, for opening one.
    package var entityName: String
    /// The order, for the last line: `name ↑`.
    package var orderLabel: String
    package var hasSections: Bool
    package var wantsIndexBar: Bool
    /// With fewer objects the index bar stays away.
    package var minimumRowCountForIndexBar: Int
    /// Headings of aligned columns; empty where the secondary text is one text.
    package var columnHeadings: [String]
    /// Columns of numbers, by place.
    package var rightAlignedColumns: Set<Int>
    /// Whether sections that were not there before are open.
    package var startsOpen: Bool
    /// Whether the first section alone is open at the start: where only one may be.
    package var firstSectionStartsOpen = false
    package var singleExpandedSection: Bool
    /// What was kept of folds, where the command line's rule is in force and not the one that they are exceptions from.
    package var keptFolds: KeptFolds?
    /// Whether there are stored texts to search in.
    package var isSearchable = true
    /// What predicates are looked up in; nil where the rows are no objects of a store.
    package var schema: Schema?
    /// The filter that plist and command line put in force, as written; nil: none.
    package var filterLabel: String?
    /// Why nothing shows when nothing shows.
    package var emptyReason: String

    package init(title: String, entityName: String) {
        self.title = title
        self.entityName = entityName
        orderLabel = ""
        hasSections = false
        wantsIndexBar = false
        minimumRowCountForIndexBar = 6
        columnHeadings = []
        rightAlignedColumns = []
        startsOpen = true
        singleExpandedSection = false
        emptyReason = "no objects"
    }

    /// Why a list of an entity has no rows, where nothing but its plist's filter, if any, narrows it.
    package static func emptyReason(entityName: String, filter: String?) -> String {
        filter.map { "no object of the entity \(entityName) matches the plist’s filter \($0)" }
            ?? "no objects of the entity \(entityName)"
    }

    /// Why nothing shows.
    ///
    /// - Parameters:
    ///   - search, filter: what narrows the list, as typed.
    ///   - base: the filter that `filter` is put on top of.
    ///   - reason: where neither narrows it.
    package static func emptyText(search: String?, filter: String?, among base: String?, otherwise reason: String) -> String {
        if let search { return "no match for “\(search)”" }
        guard let filter else { return reason }
        return "no object matches \(filter)" + (base.map { " among those that match \($0)" } ?? "")
    }

    /// Whether a section is open until somebody folds it.
    func opens(section: Int) -> Bool { startsOpen || firstSectionStartsOpen && section == 0 }
}

/// Folds as they are kept: sections that are not as their plist has them at first.
package struct KeptFolds: Sendable, Equatable {
    /// As those of `ListPlace`.
    package var exceptions: Set<String?>
    /// The plist's rule.
    package var startsOpen: Bool
    package var firstSectionStartsOpen: Bool

    package init(exceptions: Set<String?>, startsOpen: Bool, firstSectionStartsOpen: Bool) {
        self.exceptions = exceptions
        self.startsOpen = startsOpen
        self.firstSectionStartsOpen = firstSectionStartsOpen
    }

    func opens(section: Int) -> Bool { startsOpen || firstSectionStartsOpen && section == 0 }
}

/// Where the reader was: kept between runs, and over a reload.
package struct ListPlace: Sendable, Equatable {
    /// The object under the cursor, nil on a header.
    package var key: ObjectKey?
    /// Title of the cursor's section; nil for the section of missing values, or where there are none.
    package var sectionTitle: String?
    /// Row of the section, should the object be gone.
    package var rowInSection: Int
    /// Rows between the top of the list's window and the cursor.
    package var offset: Int
    /// Titles of the sections that are folded (list starts open) or open (starts folded); nil stands for missing values.
    package var exceptions: Set<String?>

    package init(key: ObjectKey?, sectionTitle: String?, rowInSection: Int, offset: Int, exceptions: Set<String?>) {
        self.key = key
        self.sectionTitle = sectionTitle
        self.rowInSection = rowInSection
        self.offset = offset
        self.exceptions = exceptions
    }
}

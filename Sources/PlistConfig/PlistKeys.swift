import ObjectStore

/// The vocabulary of list plists: CDL's keys first, then our own.
enum ListKey: String, CaseIterable {
    case entityName, sortKeyPaths, cellTextLabelKeyPath, detailViewPropertyListFile
    case controllerTitle, sectionKeyPath, sectionNameKeyPath, sectionIndexTitlesEnabled, sectionIndexTitlesAlphabetical
    case cellDetailTextLabelKeyPath
    case dataFile, modelFile, filterPredicate, fetchLimit, sectionsInitiallyCollapsed, singleExpandedSection
    case sectionIndexMinimumDisplayRowCount, dateFormatterStyle, timeFormatterStyle

    /// Any one of these makes a dictionary a list plist.
    static let required: [ListKey] = [.entityName, .sortKeyPaths, .cellTextLabelKeyPath, .detailViewPropertyListFile]

    /// Accepted, with a note under `--check`; an entry goes when its feature comes.
    static let notYet: [ListKey] = []

    /// What is written there, for the message that it is missing.
    var meaning: String? {
        switch self {
        case .entityName: "name the entity to list"
        case .sortKeyPaths: "name at least one key path to sort by"
        case .cellTextLabelKeyPath: "name the key path of the row text"
        case .detailViewPropertyListFile: "name the detail plist, without .plist"
        default: nil
        }
    }
}

/// The keys of a detail plist's section.
enum DetailSectionKey: String, CaseIterable {
    case sectionTitle, rowInformation
}

/// The keys of a detail plist's row.
enum DetailRowKey: String, CaseIterable {
    case rowType, rowLabel, attributeKeyPath, dateFormatterStyle, timeFormatterStyle, rowCustomControllerClass
    case showAddNewObject, addNewObjectPropertyListFile, showAddExistingObjects, drillDownKeyPath
    case detailViewPropertyListFile

    /// Accepted, with a note under `--check`; an entry goes when its feature comes.
    static let notYet: [DetailRowKey] = [
        .showAddNewObject, .addNewObjectPropertyListFile, .showAddExistingObjects, .drillDownKeyPath,
    ]
}

/// The keys of a sort entry that is a dictionary.
enum SortEntryKey: String, CaseIterable {
    case keyPath, ascending, selector
}

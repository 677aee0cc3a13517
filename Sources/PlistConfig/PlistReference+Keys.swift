// What each key is: no key compiles without it.

extension ListKey {
    var reference: PlistReference.Entry {
        let isRequired = ListKey.required.contains(self)
        return switch self {
        case .entityName: .init(.string, "the entity, table or collection to list", isRequired: isRequired)
        case .sortKeyPaths:
            .init(.array, "key paths that the rows are sorted by, at least one, the first counting most", isRequired: isRequired)
        case .cellTextLabelKeyPath: .init(.string, "the text of a row", isRequired: isRequired)
        case .detailViewPropertyListFile:
            .init(.string, "the detail plist without `.plist`, beside the list plist", isRequired: isRequired)
        case .controllerTitle: .init(.string, "the title of the screen; the entity's name if it is not given")
        case .sectionKeyPath: .init(.string, "the value that groups the rows into sections; without it there is one list")
        case .sectionNameKeyPath: .init(.string, "another name for `sectionKeyPath`; both with different values is a fault")
        case .sectionIndexTitlesEnabled: .init(.boolean, "whether there is an index bar at the right edge; needs sections")
        case .sectionIndexTitlesAlphabetical:
            .init(.boolean, "whether the bar has the whole alphabet, `#` and `A` to `Z`, rather than the sections' own letters")
        case .cellDetailTextLabelKeyPath:
            .init(.keyPaths, "the secondary text of a row; an array shows aligned columns with headings")
        case .dataFile: .init(.string, "the data, relative to the plist")
        case .modelFile: .init(.string, "the Core Data model, relative to the plist")
        case .filterPredicate: .init(.string, "which objects are listed, in NSPredicate's format")
        case .fetchLimit: .init(.count, "how many objects are listed at most, the first of the order; 0 is no limit")
        case .sectionsInitiallyCollapsed: .init(.boolean, "whether the list starts with all sections folded")
        case .singleExpandedSection:
            .init(.boolean, "whether unfolding one section folds the others; the list starts with its first section open")
        case .sectionIndexMinimumDisplayRowCount:
            .init(
                .count,
                "with fewer objects the index bar stays away; \(ListDescription.defaultMinimumDisplayRowCount) if it is not given"
            )
        case .dateFormatterStyle: .init(oneOf: "a formatter style", "how days look in the rows")
        case .timeFormatterStyle: .init(oneOf: "a formatter style", "how times look in the rows")
        }
    }
}

extension SortEntryKey {
    var reference: PlistReference.Entry {
        switch self {
        case .keyPath: .init(.string, "the key path", isRequired: true)
        case .ascending: .init(.boolean, "upwards, or downwards with `NO`; upwards if it is not given")
        case .selector: .init(oneOf: "a selector", "how strings are compared")
        }
    }
}

extension DetailSectionKey {
    var reference: PlistReference.Entry {
        switch self {
        case .sectionTitle: .init(.string, "its title")
        case .rowInformation: .init(.array, "its rows, at least one", isRequired: true)
        }
    }
}

extension DetailRowKey {
    var reference: PlistReference.Entry {
        switch self {
        case .rowType: .init(oneOf: "a row type", "what the row looks like", isRequired: true)
        case .rowLabel: .init(.string, "its label; required for to-many rows")
        case .attributeKeyPath: .init(.string, "the value; required but for custom rows")
        case .dateFormatterStyle: .init(oneOf: "a formatter style", "how days look")
        case .timeFormatterStyle: .init(oneOf: "a formatter style", "how times look")
        case .rowCustomControllerClass: .init(.string, "which custom row; required for those")
        case .showAddNewObject: .init(.boolean, "whether objects can be added to a to-many relationship")
        case .addNewObjectPropertyListFile: .init(.string, "the detail plist that a new object is filled in by, without `.plist`")
        case .showAddExistingObjects: .init(.boolean, "whether existing objects can be added to a to-many relationship")
        case .drillDownKeyPath: .init(.string, "CDL's key for a way on from the related object")
        case .detailViewPropertyListFile:
            .init(.string, "on a relationship's row: the detail plist of the related object, without `.plist`")
        }
    }
}

extension DetailDescription.RowType {
    var meaning: String {
        switch self {
        case .singleLineValueNoLabel: "the value alone"
        case .singleLineValueSmallLabel: "the label, right-aligned, and the value beside it"
        case .singleLineValueLargeLabel: "the label at the left, the value at the right"
        case .multiLineValueNoLabel: "the value alone, over as many lines as it needs"
        case .multiLineValueSmallLabel: "the label and the value, over as many lines as it needs"
        case .booleanSwitch: "the label at the left, a switch at the right"
        case .relationship: "a to-one relationship: `category.name` shows the related object's `name`, and Enter opens the object"
        case .toManyRelationship:
            "a to-many relationship: `discoverers.name` shows a line for each related object, sorted; alone in its section"
        case .toManyOrderedRelationship:
            "a to-many relationship in order, through an entity with an attribute `order`: `degrees.note.name`, or in Core Data's own order: `lines.text`; alone in its section"
        case .custom: "a row type that is registered in code under `rowCustomControllerClass`"
        }
    }
}

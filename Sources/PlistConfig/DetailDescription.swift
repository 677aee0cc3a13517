package import ObjectStore
package import PropertyLists

/// What a detail plist says, before it is checked against an entity; key paths as written.
package struct DetailDescription: Sendable, Equatable {
    package struct Section: Sendable, Equatable {
        package var title: String?
        package var rows: [Row]

        package init(title: String? = nil, rows: [Row]) {
            self.title = title
            self.rows = rows
        }
    }

    /// The types that CDL knows; the raw value is the plist's spelling.
    package enum RowType: String, Sendable, Equatable, CaseIterable {
        case singleLineValueNoLabel = "CDLTableRowTypeSingleLineValueNoLabel"
        case singleLineValueSmallLabel = "CDLTableRowTypeSingleLineValueSmallLabel"
        case singleLineValueLargeLabel = "CDLTableRowTypeSingleLineValueLargeLabel"
        case multiLineValueNoLabel = "CDLTableRowTypeMultiLineValueNoLabel"
        case multiLineValueSmallLabel = "CDLTableRowTypeMultiLineValueSmallLabel"
        case booleanSwitch = "CDLTableRowTypeBooleanSwitch"
        case relationship = "CDLTableRowTypeRelationship"
        case toManyRelationship = "CDLTableRowTypeToManyRelationship"
        case toManyOrderedRelationship = "CDLTableRowTypeToManyOrderedRelationship"
        case custom = "CDLTableRowTypeCustom"

        /// Whether the value has as many lines as it needs.
        package var isMultiLine: Bool { self == .multiLineValueNoLabel || self == .multiLineValueSmallLabel }
    }

    package struct Row: Sendable, Equatable {
        package var type: RowType
        package var label: String?
        /// Empty only for custom rows.
        package var attributeKeyPath: String
        package var dateFormatterStyle: DateStyle?
        package var timeFormatterStyle: DateStyle?
        package var customControllerClass: String?
        /// Detail plist of the related object, without `.plist`.
        package var detailViewPropertyListFile: String?
        package var showAddNewObject = false
        package var addNewObjectPropertyListFile: String?
        package var showAddExistingObjects: Bool?
        /// The row's whole dictionary, for custom rows and for keys to come.
        package var dictionary: PropertyList?
        /// Whether the key path has no empty part, so that it can be looked up even where something else is wrong with the row.
        package var keyPathIsSound = true
        /// What is wrong with the row as written, so that it cannot be shown; it keeps its place, and the rows around it are shown.
        package var problem: String?

        package init(type: RowType, label: String? = nil, attributeKeyPath: String) {
            self.type = type
            self.label = label
            self.attributeKeyPath = attributeKeyPath
        }
    }

    /// Path of the plist; nil for a detail made from a schema.
    package var file: String?
    package var sections: [Section]

    package init(file: String? = nil, sections: [Section]) {
        self.file = file
        self.sections = sections
    }
}

import ObjectStore
import PlistConfig
import PropertyLists

// The words of the comments: what a person needs to go on from here.
extension Scaffold {
    /// Names listed in a comment at most.
    private static let mostNames = 12

    func text(of list: ListDescription, entity: Entity, file: String) -> String {
        let attributes = entity.attributes.filter { !$0.isTransient }.map(\.name)
        let toOne = entity.relationships.filter { !$0.isToMany }.compactMap { relationship in
            destination(of: relationship)?.displayAttribute.map { "\(relationship.name).\($0.name)" }
        }
        let toMany = entity.relationships.filter(\.isToMany).map { "\($0.name).@count" }
        let choices = [("Attributes", attributes), ("Through relationships", toOne + toMany)]
            .filter { !$0.1.isEmpty }.map { "\($0): \(names($1))." }
        var notes = [
            "sortKeyPaths": ["What orders the rows, the first entry counting most; “-\(list.cellTextLabelKeyPath)” is downwards."]
                + choices,
            "cellTextLabelKeyPath": ["The text of a row."],
            "detailViewPropertyListFile": ["The detail plist, beside this file, without .plist."],
            "dataFile": ["Relative to this file. Another store of the same kind: tlbrowse \(file) DATA"],
        ]
        if list.showsDetailColumns {
            notes["cellDetailTextLabelKeyPath"] = ["Columns beside the text; a single key path shows it without a heading."]
        }
        if let section = list.sectionKeyPath {
            notes["sectionKeyPath"] = [
                "What groups the rows; without it there is one list. Also: any key path above, and of a date",
                "dateKeyPath.@year, .@month or .@day. Now: \(section).",
            ]
        }
        var ending = ["Further keys:", "filterPredicate = \"\(list.cellTextLabelKeyPath) != nil\";", "fetchLimit = 1000;"]
        if list.sectionKeyPath != nil { ending += ["sectionsInitiallyCollapsed = YES;", "singleExpandedSection = YES;"] }
        let heading = [
            "The list of the entity \(entity.name). Shown by: tlbrowse \(file)",
            "Checked, after every change, by: tlbrowse --check \(file)",
            "All keys are in tlbrowse's plist-reference.md.",
        ]
        return PlistText.list(list, heading: heading, notes: notes, ending: ending)
    }

    func text(of detail: DetailDescription, entity: Entity) -> String {
        let types = DetailDescription.RowType.allCases.map { String($0.rawValue.dropFirst("CDLTableRowType".count)) }
        let heading = [
            "The detail of one object of the entity \(entity.name).",
            "Sections, and rows in them, are shown in this order; put in sectionTitle = \"…\", and leave out what nobody reads.",
            "rowType is CDLTableRowType and one of: \(types.prefix(3).joined(separator: ", ")),",
            "\(types.dropFirst(3).prefix(4).joined(separator: ", ")),",
            "\(types.dropFirst(7).joined(separator: ", ")).",
            "The row of a relationship opens the detail that a list plist in this folder names for the other entity, or",
            "the one that its own detailViewPropertyListFile names. A to-many row stands alone in its section.",
        ]
        var notes: [String: [String]] = [:]
        for relationship in entity.relationships where relationship.isToMany {
            let order = relationship.isOrdered ? "in the relationship's own order" : "sorted by what it shows"
            notes[relationship.name] = ["A line for each \(relationship.destinationEntityName), \(order)."]
        }
        return PlistText.detail(detail, heading: heading, notes: notes)
    }

    private func names(_ all: [String]) -> String {
        all.prefix(Scaffold.mostNames).joined(separator: ", ") + (all.count > Scaffold.mostNames ? ", …" : "")
    }
}

extension PlistText {
    /// What the text says; nil if it cannot be read, which no text written here is.
    static func parsed(_ text: String) -> PropertyList? {
        try? PropertyListReader.read(bytes: Array(text.utf8))
    }
}

import ObjectStore
package import PlistConfig

/// List and detail plists as text in the OpenStep format, which a person can read and go on from.
package enum PlistText {
    /// A list plist. `load` reads the same description from it.
    ///
    /// - Parameters:
    ///   - heading: lines of a comment at the beginning.
    ///   - notes: lines of a comment before a key.
    ///   - ending: lines of a comment after the last key.
    package static func list(
        _ list: ListDescription, heading: [String] = [], notes: [String: [String]] = [:], ending: [String] = []
    ) -> String {
        var text = OpenStepText()
        text.comment(heading)
        text.open("{")
        func key(_ name: String, _ write: (inout OpenStepText) -> Void) {
            if let note = notes[name] { text.comment(note, spaced: true) }
            write(&text)
        }
        func string(_ name: String, _ value: String?) {
            guard let value, !value.isEmpty else { return }
            key(name) { $0.member(name, OpenStepText.string(value)) }
        }
        func flag(_ name: String, _ value: Bool) { if value { key(name) { $0.member(name, "YES") } } }

        string("entityName", list.entityName)
        string("controllerTitle", list.controllerTitle)
        key("sortKeyPaths") { text in
            text.open("(", key: "sortKeyPaths")
            for entry in list.sortKeyPaths { text.element(sortEntry(entry)) }
            text.close(");")
        }
        string("sectionKeyPath", list.sectionKeyPath)
        flag("sectionIndexTitlesEnabled", list.sectionKeyPath != nil && list.sectionIndexTitlesEnabled)
        flag("sectionIndexTitlesAlphabetical", list.sectionKeyPath != nil && list.sectionIndexTitlesAlphabetical)
        string("cellTextLabelKeyPath", list.cellTextLabelKeyPath)
        let details = list.cellDetailTextLabelKeyPaths
        if list.showsDetailColumns, !details.isEmpty {
            key("cellDetailTextLabelKeyPath") { text in
                text.open("(", key: "cellDetailTextLabelKeyPath")
                for path in details { text.element(OpenStepText.string(path)) }
                text.close(");")
            }
        } else {
            string("cellDetailTextLabelKeyPath", details.first)
        }
        string("detailViewPropertyListFile", list.detailViewPropertyListFile)
        string("dataFile", list.dataFile)
        string("modelFile", list.modelFile)
        string("filterPredicate", list.filterPredicate)
        string("fetchLimit", list.fetchLimit.map { String($0) })
        flag("sectionsInitiallyCollapsed", list.sectionKeyPath != nil && list.sectionsInitiallyCollapsed)
        flag("singleExpandedSection", list.sectionKeyPath != nil && list.singleExpandedSection)
        if list.sectionIndexMinimumDisplayRowCount != ListDescription.defaultMinimumDisplayRowCount {
            string("sectionIndexMinimumDisplayRowCount", String(list.sectionIndexMinimumDisplayRowCount))
        }
        string("dateFormatterStyle", list.dateFormatterStyle?.rawValue)
        string("timeFormatterStyle", list.timeFormatterStyle?.rawValue)
        text.comment(ending, spaced: true)
        text.close("}")
        return text.text
    }

    /// A detail plist. Custom rows and rows at fault, of which a description does not keep all, are left out.
    package static func detail(_ detail: DetailDescription, heading: [String] = [], notes: [String: [String]] = [:]) -> String {
        var text = OpenStepText()
        text.comment(heading)
        text.open("(")
        for section in detail.sections {
            let rows = section.rows.filter { $0.type != .custom && $0.problem == nil }
            guard !rows.isEmpty else { continue }
            if let title = section.title, let note = notes[title] { text.comment(note) }
            text.open("{")
            if let title = section.title, !title.isEmpty { text.member("sectionTitle", OpenStepText.string(title)) }
            text.open("(", key: "rowInformation")
            for row in rows {
                text.open("{")
                for (key, value) in members(of: row) { text.member(key, OpenStepText.string(value)) }
                text.close("},")
            }
            text.close(");")
            text.close("},")
        }
        text.close(")")
        return text.text
    }

    private static func members(of row: DetailDescription.Row) -> [(String, String)] {
        let all = [
            ("rowType", row.type.rawValue), ("rowLabel", row.label), ("attributeKeyPath", row.attributeKeyPath),
            ("dateFormatterStyle", row.dateFormatterStyle?.rawValue), ("timeFormatterStyle", row.timeFormatterStyle?.rawValue),
            ("detailViewPropertyListFile", row.detailViewPropertyListFile),
            ("showAddNewObject", row.showAddNewObject ? "YES" : nil),
            ("addNewObjectPropertyListFile", row.addNewObjectPropertyListFile),
            ("showAddExistingObjects", row.showAddExistingObjects.map { $0 ? "YES" : "NO" }),
        ]
        return all.compactMap { key, value in value.flatMap { $0.isEmpty ? nil : (key, $0) } }
    }

    /// The shortest of the three ways to write it.
    private static func sortEntry(_ entry: ListDescription.SortEntry) -> String {
        if entry.selector == .caseInsensitiveCompare, !entry.keyPath.hasPrefix("-") {
            return OpenStepText.string((entry.ascending ? "" : "-") + entry.keyPath)
        }
        var text = "{ keyPath = \(OpenStepText.string(entry.keyPath));"
        if !entry.ascending { text += " ascending = NO;" }
        if entry.selector != .caseInsensitiveCompare { text += " selector = \(OpenStepText.string(entry.selector.rawValue));" }
        return text + " }"
    }
}

import ObjectStore
package import PropertyLists

extension DetailDescription {
    /// Reads a detail plist and finds everything that is wrong with it in one run.
    ///
    /// Nil only for what is no array of sections at all. A row that is at fault stays in its place with its `problem`, so that the
    /// others can be shown.
    package static func load(file: String) -> (description: DetailDescription?, faults: [Fault]) {
        do {
            return decode(try PlistReading(file: file))
        } catch {
            return (nil, [Fault(file: file, error)])
        }
    }

    /// The same for a property list that has been read already; `file` is for the messages.
    package static func decode(_ plist: PropertyList, file: String) -> (description: DetailDescription?, faults: [Fault]) {
        decode(PlistReading(file: file, plist: plist))
    }

    private static func decode(_ reading: PlistReading) -> (description: DetailDescription?, faults: [Fault]) {
        let (plist, file) = (reading.plist, reading.file)
        guard case .array(let values) = plist else {
            return (nil, [Fault(file: file, key: nil, .wrongType(expected: .detail, found: plist.kindInWords))])
        }
        guard !values.isEmpty else {
            return (nil, [Fault(file: file, key: nil, .empty(remedy: "write at least one section"))])
        }
        var faults = reading.warnings
        let sections = values.enumerated().map { index, value in
            var reader = DictionaryReader(file: file, place: "[\(index)]", dictionary: value)
            let section = reader.detailSection()
            faults += reader.faults
            return section
        }
        return (DetailDescription(file: file, sections: sections), faults)
    }
}

extension DetailDescription.Row {
    /// What stands where the plist has something that is no row.
    fileprivate init(problem: String) {
        self.init(type: .singleLineValueNoLabel, attributeKeyPath: "")
        self.problem = problem
    }
}

extension DetailDescription.RowType {
    /// Whether its section is made of the objects of a to-many relationship.
    package var isToMany: Bool { self == .toManyRelationship || self == .toManyOrderedRelationship }

    /// How the key path is written where CDL fixes the number of its parts, and the numbers that it may have.
    fileprivate var keyPathForm: (form: String, parts: ClosedRange<Int>)? {
        switch self {
        case .relationship, .toManyRelationship: ("relationship.attribute", 1...2)
        // Two parts are for a relationship that is ordered by itself, which only the schema knows.
        case .toManyOrderedRelationship: ("toIntermediate.toObject.attribute", 1...3)
        default: nil
        }
    }
}

extension DictionaryReader {
    fileprivate mutating func detailSection() -> DetailDescription.Section {
        func section(problem: Fault?) -> DetailDescription.Section {
            DetailDescription.Section(rows: [DetailDescription.Row(problem: problem?.problem ?? "")])
        }
        guard case .dictionary = dictionary else {
            faults.append(Fault(file: file, key: place, .wrongType(expected: .dictionary, found: dictionary.kindInWords)))
            return section(problem: faults.last)
        }
        let title = string(DetailSectionKey.sectionTitle.rawValue)
        complainOfKeys(otherThan: DetailSectionKey.allCases.map(\.rawValue))
        let key = DetailSectionKey.rowInformation.rawValue
        switch dictionary[key] {
        case .array(let values) where !values.isEmpty:
            let rows = values.enumerated().map { detailRow($1, at: path("\(key)[\($0)]")) }
            complainOfCompany(rows, key: key)
            return DetailDescription.Section(title: title, rows: rows)
        case .array, .string(""): complain(key, .empty(remedy: "write at least one row"))
        case nil: complain(key, .missing(remedy: "write at least one row"))
        case .some(let other): complain(key, .wrongType(expected: .array, found: other.kindInWords))
        }
        var failed = section(problem: faults.last)
        failed.title = title
        return failed
    }

    /// A to-many row is the only one of its section, since the first row's type decides what the section is.
    private mutating func complainOfCompany(_ rows: [DetailDescription.Row], key: String) {
        guard rows.count > 1 else { return }
        for (index, row) in rows.enumerated() where row.type.isToMany && row.problem == nil {
            complain("\(key)[\(index)].\(DetailRowKey.rowType.rawValue)", .notAloneInSection)
        }
    }

    private mutating func detailRow(_ value: PropertyList, at place: String) -> DetailDescription.Row {
        var reader = DictionaryReader(file: file, place: place, dictionary: value)
        defer { faults += reader.faults }
        guard case .dictionary(let entries) = value else {
            let complaint = Complaint.wrongType(expected: .dictionary, found: value.kindInWords)
            reader.faults.append(Fault(file: file, key: place, complaint))
            return DetailDescription.Row(problem: complaint.problem)
        }
        guard !entries.isEmpty else {
            reader.faults.append(Fault(file: file, key: place, .empty(remedy: "write rowType and attributeKeyPath")))
            return DetailDescription.Row(problem: "empty")
        }
        return reader.detailRow()
    }

    private mutating func detailRow() -> DetailDescription.Row {
        let type = rowType()
        // A row without a type is read like a plain one, so that what else is wrong with it is said in the same run.
        var row = DetailDescription.Row(
            type: type ?? .singleLineValueNoLabel, label: string(DetailRowKey.rowLabel.rawValue), attributeKeyPath: "")
        row.dictionary = dictionary
        if row.type == .custom {
            row.customControllerClass = requiredString(
                DetailRowKey.rowCustomControllerClass.rawValue, remedy: "name the custom row")
            row.attributeKeyPath = string(DetailRowKey.attributeKeyPath.rawValue) ?? ""
        } else {
            row.attributeKeyPath = rowKeyPath(row.type, keyPathIsSound: &row.keyPathIsSound) ?? ""
            row.customControllerClass = string(DetailRowKey.rowCustomControllerClass.rawValue)
            complainOfKeys(otherThan: DetailRowKey.allCases.map(\.rawValue))
        }
        row.dateFormatterStyle = dateStyle(DetailRowKey.dateFormatterStyle.rawValue)
        row.timeFormatterStyle = dateStyle(DetailRowKey.timeFormatterStyle.rawValue)
        row.detailViewPropertyListFile = string(DetailRowKey.detailViewPropertyListFile.rawValue)
        // CDL reads the key and never uses it: that it is a string is all that can be wrong with it.
        _ = string(DetailRowKey.drillDownKeyPath.rawValue)
        if row.type.isToMany { complainIfAbsent(DetailRowKey.rowLabel.rawValue, remedy: "a to-many row needs a label") }
        readEditing(into: &row)
        if type == nil { row.problem = faults.first { $0.key == path(DetailRowKey.rowType.rawValue) }?.problem ?? "no row type" }
        let keysThatDecide = [DetailRowKey.attributeKeyPath, .rowCustomControllerClass].map { path($0.rawValue) }
        if row.problem == nil, let fault = faults.first(where: { $0.severity == .fault && keysThatDecide.contains($0.key ?? "") })
        {
            row.problem = "\(fault.key?.split(separator: ".").last ?? ""): \(fault.problem)"
        }
        return row
    }

    private mutating func rowType() -> DetailDescription.RowType? {
        let key = DetailRowKey.rowType.rawValue
        guard let name = requiredString(key, remedy: "such as \(DetailDescription.RowType.singleLineValueSmallLabel.rawValue)")
        else { return nil }
        if let type = DetailDescription.RowType(rawValue: name) { return type }
        let known = DetailDescription.RowType.allCases.map(\.rawValue)
        // The prefix that all of them have would make everything near.
        let short = known.map { String($0.dropFirst("CDLTableRowType".count)) }
        let stem = name.hasPrefix("CDLTableRowType") ? String(name.dropFirst("CDLTableRowType".count)) : name
        let nearest = nearestName(to: stem, among: short).map { "CDLTableRowType" + $0 }
        complain(
            key,
            .unknownName(
                kind: "row type", name: name, nearest: nearest, known: "CDLTableRowType… " + short.joined(separator: ", ")))
        return nil
    }

    private mutating func rowKeyPath(_ type: DetailDescription.RowType, keyPathIsSound: inout Bool) -> String? {
        let key = DetailRowKey.attributeKeyPath.rawValue
        guard let keyPath = requiredString(key, remedy: type.keyPathForm?.form ?? "name the attribute") else { return nil }
        let keys = keyPath.split(separator: ".", omittingEmptySubsequences: false)
        if keys.contains("") {
            complain(key, .keyPath(.empty))
            keyPathIsSound = false
        } else if let (form, parts) = type.keyPathForm, !parts.contains(keys.filter { !$0.hasPrefix("@") }.count) {
            complain(key, .keyPathLength(keyPath, form: form))
        }
        return keyPath
    }

    private mutating func readEditing(into row: inout DetailDescription.Row) {
        row.showAddNewObject = boolean(DetailRowKey.showAddNewObject.rawValue) ?? false
        row.showAddExistingObjects = boolean(DetailRowKey.showAddExistingObjects.rawValue)
        row.addNewObjectPropertyListFile = string(DetailRowKey.addNewObjectPropertyListFile.rawValue)
        if row.type.isToMany, row.showAddNewObject {
            complainIfAbsent(
                DetailRowKey.addNewObjectPropertyListFile.rawValue,
                remedy: "\(DetailRowKey.showAddNewObject.rawValue) needs the detail plist of a new object, without .plist")
        }
        guard row.type != .custom else { return }
        for key in DetailRowKey.allCases where DetailRowKey.notYet.contains(key) {
            if let value = dictionary[key.rawValue], value != .string(""), value.boolValue != false || !DetailRowKey.isFlag(key) {
                complain(key.rawValue, .notYet)
            }
        }
    }
}

extension DetailRowKey {
    fileprivate static func isFlag(_ key: DetailRowKey) -> Bool { key == .showAddNewObject || key == .showAddExistingObjects }
}

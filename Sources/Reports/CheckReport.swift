package import ObjectStore
package import PlistConfig

/// What `--check` finds: the faults and warnings of a plist and of those it leads to, against the data where there is any.
package struct CheckReport: Sendable, Equatable {
    /// What came of looking for the data of a list plist.
    package enum Data: Sendable {
        /// The faults did not keep it from being opened: a model that is not there.
        case schema(Schema, file: String, faults: [Fault] = [])
        /// There is none, and where it was looked for; key paths stay unchecked.
        case none(Fault)
        /// There is some, but it cannot be opened, or the plist names a file that is not there.
        case failed(Fault)
    }

    package private(set) var faults: [Fault] = []
    /// The plists that were read, in order.
    package private(set) var files: [String] = []

    /// The printed lines, without line ends and not yet made safe for a terminal; a last one says that all is well, if it is.
    package var lines: [String] {
        let problems = faults.filter { $0.severity != .note }
        let summary = problems.isEmpty ? files.map { "tlbrowse: \($0): no faults" } : []
        return faults.map(\.printedLine) + summary
    }

    /// 1 if there is more than warnings.
    package var exitStatus: Int32 { faults.hasFault ? 1 : 0 }

    private let customRows: Set<String>

    private init(customRows: Set<String>) { self.customRows = customRows }

    /// Checks a list plist, its detail and the details that this names.
    ///
    /// - Parameters:
    ///   - customRows: names of the custom rows that are registered in code.
    ///   - data: opens the data of a list.
    package static func list(
        file: String, customRows: Set<String> = [], data: (ListDescription) -> Data
    ) -> CheckReport {
        var report = CheckReport(customRows: customRows)
        report.checkList(file, data: data)
        return report
    }

    /// Checks a detail plist against the entity of a list plist beside it that leads to it, where there is one.
    package static func detail(
        file: String, customRows: Set<String> = [], data: (ListDescription) -> Data
    ) -> CheckReport {
        var report = CheckReport(customRows: customRows)
        report.checkDetailAlone(file, data: data)
        return report
    }

    // MARK: Lists

    private mutating func checkList(_ file: String, data: (ListDescription) -> Data) {
        files.append(file)
        let (description, found) = ListDescription.loadWhatIsThere(file: file)
        faults += found
        guard let description else {
            note(file, "key paths, detail and data were not checked", remedy: "correct the faults first")
            return
        }
        let schema = schema(for: description, data: data)
        // An entity that is missing was said by loading.
        if let schema, !description.entityName.isEmpty { faults += description.resolve(in: schema).faults }
        let detail: String
        do {
            guard let path = try DataLocator.detail(for: description) else { return }
            detail = path
        } catch {
            faults.append(error)
            return
        }
        checkDetail(detail, entityName: description.entityName, schema: schema)
    }

    private mutating func schema(for description: ListDescription, data: (ListDescription) -> Data) -> Schema? {
        let file = description.file ?? description.entityName
        switch data(description) {
        case .schema(let schema, let dataFile, let found):
            faults += found
            faults += schema.warnings.map { Fault(file: dataFile, problem: $0, severity: .warning) }
            return schema
        case .failed(let fault): faults.append(fault)
        case .none(let fault):
            note(fault.file, fault.problem, remedy: fault.remedy)
        }
        note(file, "entity and key paths were not checked", remedy: "there is no data to check them against")
        return nil
    }

    private mutating func note(_ file: String, _ problem: String, remedy: String?) {
        faults.append(Fault(file: file, problem: problem, remedy: remedy, severity: .note))
    }

    // MARK: Details

    private mutating func checkDetailAlone(_ file: String, data: (ListDescription) -> Data) {
        let ownName = CheckReport.name(of: file)
        guard let list = DetailLocator.lists(beside: file).first(where: { CheckReport.name(of: $0.detailName) == ownName }),
            let description = ListDescription.loadWhatIsThere(file: list.file).description
        else {
            checkDetail(file, entityName: "", schema: nil)
            note(file, "key paths were not checked", remedy: "no list plist beside it leads to this detail")
            return
        }
        checkDetail(file, entityName: description.entityName, schema: schema(for: description, data: data))
    }

    /// Checks a detail, and then those that its rows name, each once.
    private mutating func checkDetail(_ first: String, entityName: String, schema: Schema?) {
        var waiting = [(file: first, entityName: entityName)]
        // A list plist that names itself as its detail is read as one: that is what the program does with it.
        var checked: Set<String> = []
        while let (file, entityName) = waiting.popLast() {
            guard checked.insert(file).inserted else { continue }
            if !files.contains(file) { files.append(file) }
            let (description, found) = DetailDescription.load(file: file)
            faults += found
            guard let description else { continue }
            var targets: [[String?]] = []
            // An entity that is not there was said once, about the list.
            if let schema, schema.entity(named: entityName) != nil {
                let (detail, unresolved) = description.resolve(in: schema, entityName: entityName, customRows: customRows)
                faults += unresolved
                targets = detail.sections.map { $0.rows.map(\.targetEntityName) }
            }
            var named: [(file: String, entityName: String)] = []
            for (sectionIndex, section) in description.sections.enumerated() {
                for (rowIndex, row) in section.rows.enumerated() {
                    let target = targets.isEmpty ? nil : targets[sectionIndex][rowIndex]
                    for path in detailFiles(of: row, in: file, at: "[\(sectionIndex)].rowInformation[\(rowIndex)]") {
                        named.append((path, target ?? ""))
                    }
                }
            }
            // A row that is at fault does not say which entity its detail is about; another that names the same detail may.
            waiting += named.filter { $0.entityName.isEmpty }.reversed() + named.filter { !$0.entityName.isEmpty }.reversed()
        }
    }

    /// The details that a row names; a fault for each that is not there.
    private mutating func detailFiles(of row: DetailDescription.Row, in file: String, at place: String) -> [String] {
        var paths: [String] = []
        for (key, name) in [
            ("detailViewPropertyListFile", row.detailViewPropertyListFile),
            ("addNewObjectPropertyListFile", row.showAddNewObject ? row.addNewObjectPropertyListFile : nil),
        ] {
            guard let name else { continue }
            do {
                paths.append(try DataLocator.detail(named: name, beside: file, key: "\(place).\(key)"))
            } catch {
                faults.append(error)
            }
        }
        return paths
    }

    /// A file's name without folder and `.plist`.
    private static func name(of file: String) -> Substring {
        let name = file.split(separator: "/").last ?? Substring(file)
        return name.hasSuffix(".plist") ? name.dropLast(".plist".count) : name
    }
}

extension ResolvedDetail.Row {
    /// The entity that a relationship row leads to.
    fileprivate var targetEntityName: String? {
        switch content {
        case .toOne(let toOne): toOne.targetEntityName
        case .toMany(let toMany): toMany.targetEntityName
        case .value, .noValue, .custom, .unavailable: nil
        }
    }
}

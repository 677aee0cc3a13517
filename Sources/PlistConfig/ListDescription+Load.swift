import ObjectStore
package import PropertyLists

extension ListDescription {
    /// Reads a list plist and finds everything that is wrong with it in one run; nil if something of it is a fault.
    ///
    /// Key paths are not checked here: `resolve(in:)` does that.
    package static func load(file: String) -> (description: ListDescription?, faults: [Fault]) {
        let (description, faults) = loadWhatIsThere(file: file)
        return (faults.hasFault ? nil : description, faults)
    }

    /// What can be read of a list plist, even where something of it is a fault: what is missing or malformed is empty. Nil only for
    /// what is no dictionary at all.
    package static func loadWhatIsThere(file: String) -> (description: ListDescription?, faults: [Fault]) {
        do {
            return decodeWhatIsThere(try PlistReading(file: file))
        } catch {
            return (nil, [Fault(file: file, error)])
        }
    }

    /// As `load`, for a property list that has been read already; `file` is for the messages.
    package static func decode(_ plist: PropertyList, file: String) -> (description: ListDescription?, faults: [Fault]) {
        let (description, faults) = decodeWhatIsThere(PlistReading(file: file, plist: plist))
        return (faults.hasFault ? nil : description, faults)
    }

    private static func decodeWhatIsThere(_ reading: PlistReading) -> (description: ListDescription?, faults: [Fault]) {
        guard case .dictionary = reading.plist else {
            let complaint = Complaint.wrongType(expected: .list, found: reading.plist.kindInWords)
            return (nil, [Fault(file: reading.file, key: nil, complaint)])
        }
        var reader = DictionaryReader(file: reading.file, dictionary: reading.plist)
        let description = ListDescription(reading: &reader)
        return (description, reading.warnings + reader.faults)
    }

    private init(reading reader: inout DictionaryReader) {
        func required(_ key: ListKey) -> String { reader.requiredString(key.rawValue, remedy: key.meaning) ?? "" }
        func optional(_ key: ListKey) -> String? { reader.string(key.rawValue) }
        func flag(_ key: ListKey) -> Bool { reader.boolean(key.rawValue) ?? false }

        self.init(
            entityName: required(.entityName), sortKeyPaths: reader.sortEntries(),
            cellTextLabelKeyPath: required(.cellTextLabelKeyPath))
        file = reader.file
        let detail = required(.detailViewPropertyListFile)
        detailViewPropertyListFile = detail.isEmpty ? nil : detail
        controllerTitle = optional(.controllerTitle)
        (sectionKeyPath, sectionKey, otherSectionKeyPath) = reader.sectionKeyPath()
        sectionIndexTitlesEnabled = flag(.sectionIndexTitlesEnabled)
        sectionIndexTitlesAlphabetical = flag(.sectionIndexTitlesAlphabetical)
        (cellDetailTextLabelKeyPaths, showsDetailColumns) = reader.detailTextKeyPaths()

        dataFile = optional(.dataFile)
        modelFile = optional(.modelFile)
        filterPredicate = optional(.filterPredicate)
        if let filterPredicate {
            // Its names are looked up by `resolve(in:)`.
            do {
                _ = try PredicateFormat(filterPredicate)
            } catch {
                reader.complain(ListKey.filterPredicate.rawValue, .predicate(error))
                self.filterPredicate = nil
            }
        }
        // As for Core Data's fetch requests, 0 is no limit.
        fetchLimit = reader.count(ListKey.fetchLimit.rawValue).flatMap { $0 == 0 ? nil : $0 }
        sectionsInitiallyCollapsed = flag(.sectionsInitiallyCollapsed)
        singleExpandedSection = flag(.singleExpandedSection)
        sectionIndexMinimumDisplayRowCount =
            reader.count(ListKey.sectionIndexMinimumDisplayRowCount.rawValue) ?? sectionIndexMinimumDisplayRowCount
        dateFormatterStyle = reader.dateStyle(ListKey.dateFormatterStyle.rawValue)
        timeFormatterStyle = reader.dateStyle(ListKey.timeFormatterStyle.rawValue)

        complainOfKeysWithoutEffect(&reader)
        reader.complainOfKeys(otherThan: ListKey.allCases.map(\.rawValue))
        for key in ListKey.allCases where ListKey.notYet.contains(key) {
            if let value = reader.dictionary[key.rawValue], value != .string("") { reader.complain(key.rawValue, .notYet) }
        }
    }

    private func complainOfKeysWithoutEffect(_ reader: inout DictionaryReader) {
        if sectionKeyPath == nil {
            for (key, isSet) in [
                (ListKey.sectionIndexTitlesEnabled, sectionIndexTitlesEnabled),
                (.sectionIndexTitlesAlphabetical, sectionIndexTitlesAlphabetical),
                (.sectionsInitiallyCollapsed, sectionsInitiallyCollapsed), (.singleExpandedSection, singleExpandedSection),
            ] where isSet {
                reader.complain(key.rawValue, .noEffectWithout(ListKey.sectionKeyPath.rawValue))
            }
        } else if sectionIndexTitlesAlphabetical, !sectionIndexTitlesEnabled {
            reader.complain(
                ListKey.sectionIndexTitlesAlphabetical.rawValue,
                .noEffectWithout("\(ListKey.sectionIndexTitlesEnabled.rawValue) = YES"))
        }
    }
}

extension DictionaryReader {
    /// The section key path by either spelling; both with different values is a fault.
    fileprivate mutating func sectionKeyPath() -> (keyPath: String?, key: String, other: String?) {
        let documented = string(ListKey.sectionKeyPath.rawValue)
        let inCode = string(ListKey.sectionNameKeyPath.rawValue)
        let key: ListKey = documented == nil && inCode != nil ? .sectionNameKeyPath : .sectionKeyPath
        var other: String?
        if let documented, let inCode, documented != inCode {
            other = inCode
            complain(
                key.rawValue, .differingSpellings(other: ListKey.sectionNameKeyPath.rawValue, first: documented, second: inCode))
        }
        return (documented ?? inCode, key.rawValue, other)
    }

    fileprivate mutating func sortEntries() -> [ListDescription.SortEntry] {
        let key = ListKey.sortKeyPaths.rawValue
        switch dictionary[key] {
        case nil, .string(""):
            complainIfAbsent(key, remedy: ListKey.sortKeyPaths.meaning)
            return []
        case .array(let entries):
            if entries.isEmpty { complain(key, .empty(remedy: ListKey.sortKeyPaths.meaning)) }
            // What is at fault is empty, so that the others keep their places.
            return entries.enumerated().map { sortEntry($1, at: "\(key)[\($0)]") ?? ListDescription.SortEntry(keyPath: "") }
        case .some(let other):
            complain(key, .wrongType(expected: .array, found: other.kindInWords))
            return []
        }
    }

    private mutating func sortEntry(_ value: PropertyList, at place: String) -> ListDescription.SortEntry? {
        switch value {
        case .string(let text):
            let isDescending = text.hasPrefix("-")
            let keyPath = isDescending ? String(text.dropFirst()) : text
            guard !keyPath.isEmpty else {
                complain(place, .empty(remedy: "name a key path"))
                return nil
            }
            return ListDescription.SortEntry(keyPath: keyPath, ascending: !isDescending)
        case .dictionary:
            var reader = DictionaryReader(file: file, place: place, dictionary: value)
            let entry = reader.sortEntry()
            faults += reader.faults
            return entry
        default:
            complain(place, .wrongType(expected: .sortEntry, found: value.kindInWords))
            return nil
        }
    }

    private mutating func sortEntry() -> ListDescription.SortEntry? {
        let keyPath = requiredString(SortEntryKey.keyPath.rawValue, remedy: "name a key path")
        let ascending = boolean(SortEntryKey.ascending.rawValue) ?? true
        var selector = SortDescriptor.Selector.caseInsensitiveCompare
        if let name = string(SortEntryKey.selector.rawValue) {
            let known = SortDescriptor.Selector.allCases.map(\.rawValue)
            if let named = SortDescriptor.Selector(rawValue: name) {
                selector = named
            } else {
                complain(
                    SortEntryKey.selector.rawValue,
                    .unknownName(
                        kind: "selector", name: name, nearest: nearestName(to: name, among: known),
                        known: known.joined(separator: ", ")))
            }
        }
        complainOfKeys(otherThan: SortEntryKey.allCases.map(\.rawValue))
        return keyPath.map { ListDescription.SortEntry(keyPath: $0, ascending: ascending, selector: selector) }
    }

    fileprivate mutating func detailTextKeyPaths() -> ([String], isArray: Bool) {
        let key = ListKey.cellDetailTextLabelKeyPath.rawValue
        switch dictionary[key] {
        case nil, .string(""): return ([], false)
        case .string(let keyPath): return ([keyPath], false)
        case .array(let values):
            var keyPaths: [String] = []
            for (index, value) in values.enumerated() {
                // What is at fault is empty, so that the others keep their places.
                var keyPath = ""
                switch value {
                case .string(""): complain("\(key)[\(index)]", .empty(remedy: "name a key path"))
                case .string(let named): keyPath = named
                default: complain("\(key)[\(index)]", .wrongType(expected: .string, found: value.kindInWords))
                }
                keyPaths.append(keyPath)
            }
            return (keyPaths, !keyPaths.isEmpty)
        case .some(let other):
            complain(key, .wrongType(expected: .keyPaths, found: other.kindInWords))
            return ([], false)
        }
    }
}

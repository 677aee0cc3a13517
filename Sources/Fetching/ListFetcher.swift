import IndexPathModel
package import ObjectStore
package import PlistConfig
package import Presentation

/// A list plist and a store together: fetches the list, and the texts of its rows.
package struct ListFetcher: Sendable {
    package let store: any ObjectStore
    package let list: ResolvedList
    package let presentation: ValuePresentation
    /// What is fetched; the plist's own request, or that of a relationship shown as a list.
    package let request: FetchRequest
    /// Only these objects of the request's, in their order where the request asks for that of a relationship; nil: all.
    package let members: LineMembers?

    package init(
        store: any ObjectStore, list: ResolvedList, presentation: ValuePresentation, request: FetchRequest? = nil,
        members: LineMembers? = nil
    ) {
        self.members = members
        self.store = store
        self.list = list
        self.presentation = presentation
        self.request = request ?? list.request
    }

    /// Whether the list is there in a few milliseconds, whatever the data are.
    package var isQuick: Bool { members == nil && store.isQuick(request) }

    /// The same list, only with the objects for which a predicate is true, too.
    package func narrowed(by predicate: ResolvedPredicate?) -> ListFetcher {
        guard let predicate else { return self }
        var narrowed = request
        narrowed.predicate = request.predicate?.and(predicate) ?? predicate
        return ListFetcher(store: store, list: list, presentation: presentation, request: narrowed, members: members)
    }

    /// The whole list, in order and in sections. O(n log n) comparisons in the store, another fetch only where two
    /// sections merge.
    ///
    /// - Parameters:
    ///   - previewLimit: so many objects from the beginning are wanted ahead; nil: none.
    ///   - preview: takes them, where the store has them much sooner.
    package func contents(
        previewLimit: Int? = nil, progress: FetchProgress, preview: @escaping @Sendable (ListContents) -> Void = { _ in }
    ) throws(StoreError) -> ListContents {
        let first = previewLimit.map { limit in
            FirstObjects(limit: limit) { fetched in if let contents = self.preview(of: fetched) { preview(contents) } }
        }
        return try contents(of: fetch(request, first: first, progress: progress), progress: progress)
    }

    /// The list's objects, from the store or from the object whose members they are.
    func fetch(
        _ request: FetchRequest, first: FirstObjects? = nil, progress: FetchProgress
    ) throws(StoreError) -> FetchedObjects {
        if let members { return try members.fetch(request, from: store, progress: progress) }
        return try store.fetch(request, first: first, progress: progress)
    }

    /// What was fetched, in sections by their titles.
    func contents(of fetched: FetchedObjects, progress: FetchProgress) throws(StoreError) -> ListContents {
        // That it cannot be counted is no reason not to show what was found.
        let isFiltered = request.predicate != nil && request.scope == .all && members == nil
        let total = isFiltered ? try? store.count(of: request.entityName) : nil
        let hasSections = request.sectionKeyPath != nil
        guard hasSections else {
            let sections =
                fetched.keys.isEmpty ? [] : [(name: SectionName.unnamed, indexTitle: String?.none, count: fetched.keys.count)]
            var contents = ListContents(
                model: ListContents.Model(identifiers: fetched.keys, sections: sections), index: nil, fault: fetched.fault,
                total: total)
            contents.fetched = fetched
            return contents
        }
        let names = fetched.sections.map { SectionName(title(of: $0.value)) }
        let (keys, sections) = try merged(fetched, names: names, progress: progress)
        let model = ListContents.Model(
            identifiers: keys, sections: sections.map { (name: $0.name, indexTitle: nil, count: $0.count) })
        var contents = ListContents(
            model: model,
            index: indexIsAlphabetical.map { SectionIndex(titles: sections.map(\.name.title), alphabetical: $0) },
            fault: fetched.fault, total: total)
        if sections.count == names.count { contents.fetched = fetched }
        return contents
    }

    /// The beginning of the list; nil where its sections may still merge with others, such as two moments of one day.
    private func preview(of fetched: FetchedObjects) -> ListContents? {
        if let path = request.sectionKeyPath, path.type == .date, path.derivation == nil { return nil }
        let titles = request.sectionKeyPath == nil ? [nil] : fetched.sections.map { title(of: $0.value) }
        guard Set(titles).count == fetched.sections.count else { return nil }
        let sections = zip(titles, fetched.sections).map { (name: SectionName($0), indexTitle: String?.none, count: $1.count) }
        return ListContents(
            model: ListContents.Model(identifiers: fetched.keys, sections: sections), index: nil, isPreview: true)
    }

    /// Whether the index has the whole alphabet; nil where there is no index.
    package var indexIsAlphabetical: Bool? {
        guard request.sectionKeyPath != nil, list.description.sectionIndexTitlesEnabled else { return nil }
        return list.description.sectionIndexTitlesAlphabetical
    }

    /// The key paths that a search looks at: label and secondary texts that are stored strings.
    package var searchKeyPaths: [ObjectKeyPath] {
        ([list.textKeyPath] + list.detailTextKeyPaths).compactMap { path in
            guard let path, !path.isToMany, path.derivation == nil, case .attribute = path.ending,
                path.type == .string || path.type == .uri
            else { return nil }
            return path
        }
    }

    /// The texts of a fetched list, for searching.
    package func searchTexts(of model: ListContents.Model, progress: FetchProgress) throws(StoreError) -> SearchTexts {
        var request = request
        // The order is the model's.
        if members != nil { request.sortDescriptors = [] }
        return try SearchTexts(store: store, request: request, keyPaths: searchKeyPaths, model: model, progress: progress)
    }

    /// The list for a report: all of it, or the hits of a search alone; and where the store broke, if only a part of the list could
    /// be read.
    package func contents(
        ofHits query: SearchQuery?, progress: FetchProgress
    ) throws(StoreError) -> (contents: ListContents, fault: StoreError?) {
        let whole = try contents(progress: progress)
        guard let query, !query.isEmpty else { return (whole, whole.fault) }
        let texts = try searchTexts(of: whole.model, progress: progress)
        let hits = try texts.matches(query, alphabetical: nil, progress: progress).contents
        let total = whole.total ?? whole.model.numberOfItems
        return (ListContents(model: hits.model, index: hits.index, fault: hits.fault, total: total), whole.fault)
    }

    func title(of value: Value) -> String? {
        presentation.sectionTitle(
            for: value, dateStyle: list.description.dateFormatterStyle, timeStyle: list.description.timeFormatterStyle)
    }

    /// Brings sections together whose values differ and whose titles do not, such as two moments of one day.
    private func merged(
        _ fetched: FetchedObjects, names: [SectionName], progress: FetchProgress
    ) throws(StoreError) -> (keys: ContiguousArray<ObjectKey>, sections: [(name: SectionName, count: Int)]) {
        var places: [SectionName: Int] = [:]
        // Few are looked through: a table of them takes longer to begin than they take to compare.
        let isShort = names.count <= 32
        if !isShort { places.reserveCapacity(names.count) }
        var parts: [[Range<Int>]] = []
        var order: [SectionName] = []
        var start = 0
        for number in 0..<min(names.count, fetched.sections.count) {
            let name = names[number]
            let range = start..<min(start + fetched.sections[number].count, fetched.keys.count)
            start = range.upperBound
            if let place = isShort ? order.firstIndex(of: name) : places[name] {
                parts[place].append(range)
            } else {
                if !isShort { places[name] = parts.count }
                parts.append([range])
                order.append(name)
            }
        }
        let sections = order.indices.map { (name: order[$0], count: parts[$0].reduce(0) { $0 + $1.count }) }
        guard parts.count < names.count else { return (fetched.keys, sections) }
        try FreeMemory.check(fetched.keys.count * MemoryLayout<ObjectKey>.stride)
        var keys = ContiguousArray<ObjectKey>()
        keys.reserveCapacity(fetched.keys.count)
        for ranges in parts {
            for range in ranges { keys.append(contentsOf: fetched.keys[range]) }
        }
        if !partsAreInOrder { try sort(&keys, where: parts, progress: progress) }
        return (keys, sections)
    }

    /// Whether parts of one section, one after the other, are in the order of the list: so it is where the section's value is what
    /// the list is sorted by, and no two values are equal to the order.
    private var partsAreInOrder: Bool {
        guard let path = request.sectionKeyPath, path.type == .date else { return false }
        return request.sortDescriptors.first?.key == .keyPath(path)
    }

    /// Brings the objects of sections that were merged into the list's order, which costs a second fetch.
    private func sort(
        _ keys: inout ContiguousArray<ObjectKey>, where parts: [[Range<Int>]], progress: FetchProgress
    ) throws(StoreError) {
        var plain = request
        plain.sectionKeyPath = nil
        var ranks: [ObjectKey: Int] = [:]
        var start = 0
        var mixed: [Range<Int>] = []
        for ranges in parts {
            let range = start..<(start + ranges.reduce(0) { $0 + $1.count })
            start = range.upperBound
            guard ranges.count > 1 else { continue }
            mixed.append(range)
            for key in keys[range] { ranks[key] = .max }
        }
        for (rank, key) in try store.fetch(plain, progress: progress).keys.enumerated() where ranks[key] != nil {
            ranks[key] = rank
        }
        for range in mixed { keys[range].sort { ranks[$0, default: .max] < ranks[$1, default: .max] } }
    }

    /// Texts of some rows, by key; nil for an object that is gone. One or two statements, however many rows.
    package func rows(_ keys: [ObjectKey], as form: ValueForm) throws(StoreError) -> [ObjectKey: ListRow?] {
        // A key path of a transient attribute has no value: its place stays empty.
        let wanted = [list.textKeyPath] + list.detailTextKeyPaths
        let values = try store.values(
            at: wanted.compactMap { $0 }, of: keys, in: list.entity.name, as: form == .typed ? .excerpt : form)
        var rows: [ObjectKey: ListRow?] = [:]
        for (key, found) in zip(keys, values) {
            guard var found = found.map({ ArraySlice($0) }) else {
                rows[key] = .some(nil)
                continue
            }
            let texts = wanted.map { path in path == nil ? PresentedText.null : text(found.popFirst() ?? .null, as: form) }
            rows[key] = ListRow(text: texts[0], details: Array(texts.dropFirst()))
        }
        return rows
    }

    private func text(_ value: Value, as form: ValueForm) -> PresentedText {
        presentation.text(
            value, as: form, dateStyle: list.description.dateFormatterStyle, timeStyle: list.description.timeFormatterStyle)
    }
}

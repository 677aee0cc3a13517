package import Fetching
import IndexPathModel
package import ObjectStore
package import PlistConfig
package import Presentation

/// A fetched list as it is printed: values are read from the store batch by batch.
package struct ListPrintSource: PrintSource {
    /// What stands at a place of a row's values.
    private enum DetailColumn {
        /// Place among the values that are read with the row.
        case value(Int)
        case noValue
        /// The objects of a to-many, read for each row: their order is the request's.
        case toMany(ResolvedDetail.ToMany)
    }

    /// What was read of some rows.
    package struct Batch: Sendable {
        fileprivate let keys: [ObjectKey]
        fileprivate let values: [[Value]?]
        fileprivate let uris: ObjectURIs
        /// For each to-many of the detail, the values of each row.
        fileprivate let related: [[[Value]?]]
        /// The same as the detail shows them.
        fileprivate let shownRelated: [[[Value]?]]
    }

    package let title: String
    package let isSectioned: Bool
    package let sections: [PrintedSection]
    package let columnHeadings: [String]
    package let detailKeyPaths: [String]
    package let detailLabels: [String]
    package var total: Int?
    package var emptyReason: String?

    private let store: any ObjectStore
    private let list: ResolvedList
    private let keys: ContiguousArray<ObjectKey>
    /// One for each worker, so that none waits for the other's formatters.
    private let presentations: [ValuePresentation]
    /// What is read for each row, each key path once.
    private let keyPaths: [ObjectKeyPath]
    private let textPlace: Int?
    private let detailTextPlaces: [Int?]
    private let detailColumns: [DetailColumn]
    /// What makes the detail's texts, one for each worker; empty where values are printed.
    private let shownDetails: [DetailFetcher]
    /// The key paths of its rows, and where they are among the values read.
    private let shownPlaces: [(path: ObjectKeyPath, place: Int)]

    /// The list as the screen has it: values that have one title make one section.
    ///
    /// - Parameters:
    ///   - detail: with it, the values of its rows are printed too; those of rows that cannot be shown are left out.
    ///   - shown: with it, what a detail shows is printed too.
    package init(
        store: any ObjectStore, list: ResolvedList, contents: ListContents, presentation: ValuePresentation,
        detail: ResolvedDetail? = nil, shown: DetailFetcher? = nil
    ) {
        // A model without items has one section that stands for none.
        let count = contents.model.numberOfItems == 0 ? 0 : contents.model.numberOfSections
        let sections = (0..<count).map {
            PrintedSection(title: contents.model.sectionTitle(at: $0), count: contents.model.numberOfRows(inSection: $0) ?? 0)
        }
        self.init(
            store: store, list: list, keys: contents.model.items, sections: sections, presentation: presentation, detail: detail,
            shown: shown)
        total = contents.total
    }

    /// One object of the list alone, as it is printed among the others.
    ///
    /// - Parameter sectionTitle: title of its section; nil for missing values, and where there are no sections.
    package init(
        store: any ObjectStore, list: ResolvedList, key: ObjectKey, sectionTitle: String?, presentation: ValuePresentation,
        detail: ResolvedDetail? = nil
    ) {
        self.init(
            store: store, list: list, keys: [key], sections: [PrintedSection(title: sectionTitle, count: 1)],
            presentation: presentation, detail: detail)
    }

    private init(
        store: any ObjectStore, list: ResolvedList, keys: ContiguousArray<ObjectKey>, sections: [PrintedSection],
        presentation: ValuePresentation, detail: ResolvedDetail?, shown: DetailFetcher? = nil
    ) {
        let description = list.description
        title = description.controllerTitle ?? description.entityName
        isSectioned = list.sectionKeyPath != nil
        self.sections = sections
        columnHeadings = description.showsDetailColumns ? description.cellDetailTextLabelKeyPaths : []
        self.store = store
        self.list = list
        self.keys = keys
        let presentations = [presentation, ValuePresentation(localization: presentation.localization)]
        self.presentations = presentations

        var keyPaths: [ObjectKeyPath] = []
        func place(_ path: ObjectKeyPath) -> Int {
            if let place = keyPaths.firstIndex(of: path) { return place }
            keyPaths.append(path)
            return keyPaths.count - 1
        }
        textPlace = list.textKeyPath.map(place)
        detailTextPlaces = list.detailTextKeyPaths.map { $0.map(place) }
        var columns: [DetailColumn] = []
        var names: [String] = []
        for row in detail?.sections.flatMap(\.rows) ?? [] where !names.contains(row.description.attributeKeyPath) {
            switch row.content {
            case .value(let path): columns.append(.value(place(path)))
            case .toOne(let toOne): columns.append(.value(place(toOne.display)))
            case .toMany(let toMany): columns.append(.toMany(toMany))
            case .noValue: columns.append(.noValue)
            case .custom, .unavailable: continue
            }
            names.append(row.description.attributeKeyPath)
        }
        shownPlaces = shown?.shownKeyPaths.map { ($0, place($0)) } ?? []
        shownDetails = shown.map { [$0, $0.presenting(by: presentations[1])] } ?? []
        detailLabels = shown?.rowLabels ?? []
        self.keyPaths = keyPaths
        detailColumns = columns
        detailKeyPaths = names
    }

    /// Bytes that the values of one batch may have, unless it is of the smallest size.
    private static let mostBytes = 1 << 24

    package func read(_ places: Range<Int>) throws(StoreError) -> (batch: Batch, count: Int) {
        let keys = Array(keys[places.clamped(to: keys.indices)])
        let isLarge = keys.count > ListPrinter.smallestBatch
        let most = isLarge ? ListPrintSource.mostBytes : .max
        guard let values = try store.values(at: keyPaths, of: keys, in: list.entity.name, as: .typed, upTo: most) else {
            return try read(places.prefix(ListPrinter.smallestBatch))
        }
        var related: [[[Value]?]] = []
        for case .toMany(let toMany) in detailColumns {
            related.append(
                try zip(keys, values).map { key, values throws(StoreError) in
                    try values.map { _ throws(StoreError) in
                        try relatedValues(toMany, of: ObjectID(entityName: list.entity.name, key: key))
                    }
                })
        }
        var shownRelated: [[[Value]?]] = []
        for toMany in shownDetails.first?.toManys ?? [] {
            shownRelated.append(
                try zip(keys, values).map { key, values throws(StoreError) in
                    try values.map { _ throws(StoreError) in
                        try shownValues(toMany, of: ObjectID(entityName: list.entity.name, key: key))
                    }
                })
        }
        let uris = store.uris(of: keys, in: list.entity.name)
        let batch = Batch(keys: keys, values: values, uris: uris, related: related, shownRelated: shownRelated)
        return (batch, places.count)
    }

    package func rows(_ places: Range<Int>, of batch: Batch, worker: Int, _ body: (PrintedRow) -> Void) {
        // What two workers share is taken hold of once, not for each row: they would wait for each other's counts of references.
        let presentation = presentations[worker & 1]
        let shown = shownDetails.isEmpty ? nil : shownDetails[worker & 1]
        let shownPlaces = shownPlaces
        let (dateStyle, timeStyle) = (list.description.dateFormatterStyle, list.description.timeFormatterStyle)
        let present = { (value: Value) in presentation.present(value, dateStyle: dateStyle, timeStyle: timeStyle) }
        let (columns, detailPlaces, textPlace) = (detailColumns, detailTextPlaces, textPlace)
        let (keys, uris) = (batch.keys, batch.uris)
        batch.values.withUnsafeBufferPointer { values in
            for place in places.clamped(to: values.indices) {
                guard let values = values[place] else { continue }
                let key = keys[place]
                var row = PrintedRow(
                    objectID: uris.uri(at: place, key: key),
                    text: present(textPlace.map { value(at: $0, of: values) } ?? missingText(key)))
                switch detailPlaces.count {
                case 0: break
                case 1: row.details = [present(detailPlaces[0].map { value(at: $0, of: values) } ?? .null)]
                default: row.details = detailPlaces.map { present($0.map { value(at: $0, of: values) } ?? .null) }
                }
                if !columns.isEmpty { row.detailValues = detailValues(columns, values, place, batch) }
                if let shown {
                    let found = shownPlaces.map { ($0.path, value(at: $0.place, of: values)) }
                    row.shownDetail = shown.printed(
                        Dictionary(found, uniquingKeysWith: { first, _ in first }),
                        related: batch.shownRelated.map { $0[place] ?? [] })
                }
                body(row)
            }
        }
    }

    /// Without a text key path, of an entity without attributes, the object stands for itself.
    private func missingText(_ key: ObjectKey) -> Value {
        list.description.file == nil ? .object(ObjectID(entityName: list.entity.name, key: key)) : .null
    }

    private func detailValues(_ columns: [DetailColumn], _ values: [Value], _ place: Int, _ batch: Batch) -> [Value] {
        var toMany = 0
        return columns.map { column in
            switch column {
            case .value(let place): return withURIs(value(at: place, of: values))
            case .noValue: return .null
            case .toMany:
                toMany += 1
                return .list(batch.related[toMany - 1][place] ?? [])
            }
        }
    }

    private func value(at place: Int, of values: [Value]) -> Value { values.indices.contains(place) ? values[place] : .null }

    private func relatedValues(_ toMany: ResolvedDetail.ToMany, of object: ObjectID) throws(StoreError) -> [Value] {
        let found = Array(try store.fetch(toMany.request(for: object), progress: FetchProgress()).keys)
        let dangling = store.danglingReferences(of: toMany.relationshipName, from: object)
        guard let display = toMany.display else {
            let uris = store.uris(of: found, in: toMany.entityName)
            return found.enumerated().map { .string(uris.uri(at: $0, key: $1)) } + dangling
        }
        let values = try store.values(at: [display], of: found, in: toMany.entityName, as: .typed)
        return values.map { withURIs($0?.first ?? .null) } + dangling
    }

    /// What the lines of a to-many section show: a value of each object, else the object.
    private func shownValues(_ toMany: ResolvedDetail.ToMany, of object: ObjectID) throws(StoreError) -> [Value] {
        let found = Array(try store.fetch(toMany.request(for: object), progress: FetchProgress()).keys)
        let dangling = store.danglingReferences(of: toMany.relationshipName, from: object)
        let values = try toMany.display.map { path throws(StoreError) in
            try store.values(at: [path], of: found, in: toMany.entityName, as: .typed)
        }
        return found.enumerated().map { place, key in
            values?[place]?.first ?? .object(ObjectID(entityName: toMany.entityName, key: key))
        } + dangling
    }

    /// Objects as their URIs, which only the store knows.
    private func withURIs(_ value: Value) -> Value {
        switch value {
        case .object(let object): .string(store.uri(of: object))
        case .list(let values): .list(values.map(withURIs))
        default: value
        }
    }
}

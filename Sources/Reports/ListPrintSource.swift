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

    package let title: String
    package let isSectioned: Bool
    package let sections: [PrintedSection]
    package let columnHeadings: [String]
    package let detailKeyPaths: [String]

    private let store: any ObjectStore
    private let list: ResolvedList
    private let keys: ContiguousArray<ObjectKey>
    private let presentation: ValuePresentation
    /// What is read for each row, each key path once.
    private let keyPaths: [ObjectKeyPath]
    private let textPlace: Int?
    private let detailTextPlaces: [Int?]
    private let detailColumns: [DetailColumn]

    /// The list as the screen has it: values that have one title make one section.
    ///
    /// - Parameter detail: with it, its rows are printed too; rows that cannot be shown are left out.
    package init(
        store: any ObjectStore, list: ResolvedList, contents: ListContents, presentation: ValuePresentation,
        detail: ResolvedDetail? = nil
    ) {
        // A model without items has one section that stands for none.
        let count = contents.model.numberOfItems == 0 ? 0 : contents.model.numberOfSections
        let sections = (0..<count).map {
            PrintedSection(title: contents.model.sectionTitle(at: $0), count: contents.model.numberOfRows(inSection: $0) ?? 0)
        }
        self.init(
            store: store, list: list, keys: contents.model.items, sections: sections, presentation: presentation, detail: detail)
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

    /// What was fetched as it is: a section for each value, even where two have one title.
    package init(
        store: any ObjectStore, list: ResolvedList, fetched: FetchedObjects, presentation: ValuePresentation,
        detail: ResolvedDetail? = nil
    ) {
        let styles = (list.description.dateFormatterStyle, list.description.timeFormatterStyle)
        let sections = fetched.sections.map {
            PrintedSection(
                title: presentation.sectionTitle(for: $0.value, dateStyle: styles.0, timeStyle: styles.1), count: $0.count)
        }
        self.init(
            store: store, list: list, keys: fetched.keys, sections: sections, presentation: presentation, detail: detail)
    }

    private init(
        store: any ObjectStore, list: ResolvedList, keys: ContiguousArray<ObjectKey>, sections: [PrintedSection],
        presentation: ValuePresentation, detail: ResolvedDetail?
    ) {
        let description = list.description
        title = description.controllerTitle ?? description.entityName
        isSectioned = list.sectionKeyPath != nil
        self.sections = sections
        columnHeadings = description.showsDetailColumns ? description.cellDetailTextLabelKeyPaths : []
        self.store = store
        self.list = list
        self.keys = keys
        self.presentation = presentation

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
        self.keyPaths = keyPaths
        detailColumns = columns
        detailKeyPaths = names
    }

    package func rows(_ range: Range<Int>) throws(StoreError) -> [PrintedRow?] {
        let keys = Array(keys[range.clamped(to: keys.indices)])
        let values = try store.values(at: keyPaths, of: keys, in: list.entity.name, as: .typed)
        var rows: [PrintedRow?] = []
        rows.reserveCapacity(keys.count)
        for (key, values) in zip(keys, values) { rows.append(try values.map { value throws(StoreError) in try row(key, value) }) }
        return rows
    }

    private func row(_ key: ObjectKey, _ values: [Value]) throws(StoreError) -> PrintedRow {
        let object = ObjectID(entityName: list.entity.name, key: key)
        // Without a text key path, of an entity without attributes, the object stands for itself.
        let text = textPlace.map { value(at: $0, of: values) } ?? (list.description.file == nil ? .object(object) : .null)
        var row = PrintedRow(
            objectID: store.uri(of: object), text: present(text),
            details: detailTextPlaces.map { present($0.map { value(at: $0, of: values) } ?? .null) })
        for column in detailColumns {
            switch column {
            case .value(let place): row.detailValues.append(withURIs(value(at: place, of: values)))
            case .noValue: row.detailValues.append(.null)
            case .toMany(let toMany): row.detailValues.append(.list(try relatedValues(toMany, of: object)))
            }
        }
        return row
    }

    private func value(at place: Int, of values: [Value]) -> Value { values.indices.contains(place) ? values[place] : .null }

    private func present(_ value: Value) -> PresentedText {
        presentation.present(
            value, dateStyle: list.description.dateFormatterStyle, timeStyle: list.description.timeFormatterStyle)
    }

    private func relatedValues(_ toMany: ResolvedDetail.ToMany, of object: ObjectID) throws(StoreError) -> [Value] {
        let found = Array(try store.fetch(toMany.request(for: object), progress: FetchProgress()).keys)
        guard let display = toMany.display else {
            return found.map { .string(store.uri(of: ObjectID(entityName: toMany.entityName, key: $0))) }
        }
        let values = try store.values(at: [display], of: found, in: toMany.entityName, as: .typed)
        return values.map { withURIs($0?.first ?? .null) }
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

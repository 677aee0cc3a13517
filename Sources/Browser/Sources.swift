import IndexPathModel
import Presentation
import Fetching
import ObjectStore
import PlistConfig
import Screens
import Synchronization

/// Answers a list screen.
final class ListSource: ScreenSource {
    private let fetcher: ListFetcher
    /// The list as it was fetched last, and its texts once a search has asked for them.
    private let fetched = Mutex<(model: ListContents.Model?, texts: SearchTexts?)>((nil, nil))

    init(fetcher: ListFetcher) { self.fetcher = fetcher }

    func answer(_ request: DataRequest, progress: FetchProgress) throws(StoreError) -> DataReply.Kind {
        switch request.kind {
        case .list:
            let contents = try fetcher.contents(progress: progress)
            fetched.withLock { $0 = (contents.model, nil) }
            return .list(contents)
        case .rows(let keys): return .rows(try fetcher.rows(keys, as: request.form))
        case .matches(let query): return .matches(try matches(query, progress))
        case .detail, .related: return .rows([:])
        }
    }

    private func matches(_ query: SearchQuery, _ progress: FetchProgress) throws(StoreError) -> ListMatches {
        let (model, known) = fetched.withLock { $0 }
        let texts: SearchTexts
        if let known {
            texts = known
        } else {
            guard let model else { throw StoreError(file: "", cause: .cancelled) }
            texts = try fetcher.searchTexts(of: model, progress: progress)
            fetched.withLock { $0.texts = texts }
        }
        return try texts.matches(query, alphabetical: fetcher.indexIsAlphabetical, progress: progress)
    }
}

/// Answers a detail screen.
struct DetailSource: ScreenSource {
    let navigator: ObjectNavigator
    let object: ObjectID
    let layout: String?

    func answer(_ request: DataRequest, progress: FetchProgress) throws(StoreError) -> DataReply.Kind {
        let fetcher = try navigator.fetcher(for: object, layout: layout)
        switch request.kind {
        case .detail:
            let concrete = ObjectID(entityName: fetcher.detail.entityName, key: object.key)
            return .detail(try fetcher.contents(of: concrete, as: request.form, progress: progress))
        case .related(let section, let keys):
            return .related(section: section, rows: try fetcher.relatedRows(section: section, keys: keys, as: request.form))
        case .list, .rows, .matches: return .rows([:])
        }
    }
}

/// Answers the list of a store's entities; their keys are their places in the schema.
struct EntityListSource: ScreenSource {
    let store: any ObjectStore

    func answer(_ request: DataRequest, progress: FetchProgress) throws(StoreError) -> DataReply.Kind {
        let entities = store.schema.entities
        guard case .rows(let keys) = request.kind else {
            let places = entities.indices.filter { !entities[$0].isSystem } + entities.indices.filter { entities[$0].isSystem }
            let sections = places.isEmpty ? [] : [(name: SectionName.unnamed, indexTitle: String?.none, count: places.count)]
            let model = ListContents.Model(identifiers: ContiguousArray(places.map(ObjectKey.init)), sections: sections)
            return .list(ListContents(model: model, index: nil))
        }
        var rows: [ObjectKey: ListRow?] = [:]
        for key in keys {
            guard let place = Int(exactly: key), entities.indices.contains(place) else { continue }
            let entity = entities[place]
            let note = entity.isSystem ? "  (system)" : entity.isAbstract ? "  (abstract)" : ""
            let count: PresentedText
            do throws(StoreError) {
                count = PresentedText(String(try store.count(of: entity.name)))
            } catch {
                // One table that cannot be read is no reason to hide the others.
                count = PresentedText(error.problem, isPlaceholder: true)
            }
            rows[key] = ListRow(text: PresentedText(entity.name + note), details: [count])
        }
        return .rows(rows)
    }
}

import IndexPathModel
import Presentation
import Fetching
import ObjectStore
import PlistConfig
import Screens

/// Answers a list screen.
struct ListSource: ScreenSource {
    let fetcher: ListFetcher

    func answer(_ request: DataRequest, progress: FetchProgress) throws(StoreError) -> DataReply.Kind {
        switch request.kind {
        case .list: .list(try fetcher.contents(progress: progress))
        case .rows(let keys): .rows(try fetcher.rows(keys, as: request.form))
        case .detail, .related: .rows([:])
        }
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
        case .list, .rows: return .rows([:])
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

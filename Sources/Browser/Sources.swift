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

import IndexPathModel
import Presentation
import Fetching
import ObjectStore
import PlistConfig
import Screens
import Synchronization

/// Answers a list screen.
final class ListSource: EarlyAnswering {
    let fetcher: ListFetcher
    /// What differs from the plist's order and grouping.
    let arrangement: ListArrangement
    /// For telling what has changed.
    let versions = ListVersions()
    /// The same of the list that a predicate narrows.
    let narrowedVersions = ListVersions()
    /// The narrowed list is nil once the whole one was fetched again.
    private let fetched: Mutex<(whole: Fetched, narrowed: Fetched?)>

    /// A list as it was fetched last, and its texts once a search has asked for them.
    private struct Fetched {
        var fetcher: ListFetcher
        var predicate: ResolvedPredicate?
        var model: ListContents.Model?
        var texts: SearchTexts?
    }

    init(fetcher: ListFetcher, arrangement: ListArrangement = ListArrangement()) {
        self.fetcher = fetcher
        self.arrangement = arrangement
        fetched = Mutex((Fetched(fetcher: fetcher), nil))
    }

    func answer(
        _ request: DataRequest, progress: FetchProgress, early: @escaping @Sendable (DataReply.Kind) -> Void
    ) throws(StoreError) -> DataReply.Kind {
        switch request.kind {
        case .list:
            let narrowed = fetcher.narrowed(by: request.predicate)
            if request.predicate == nil { narrowedVersions.forget() }
            let versions = request.predicate == nil ? versions : narrowedVersions
            let contents = try versions.contents(
                narrowed, predicate: request.predicate, previewLimit: request.previewLimit, progress: progress
            ) { early(.list($0)) }
            // Half of a file that is being written anew is no list; the observation tells when it is whole.
            if contents.fault != nil || contents.model.numberOfItems == 0, let missing = fetcher.store.missingPart() {
                // The next one is compared with what is shown, not with this.
                versions.forget()
                throw missing
            }
            keep(Fetched(fetcher: narrowed, predicate: request.predicate, model: contents.model))
            return .list(contents)
        case .rows(let keys):
            let rows = try fetcher.rows(keys, as: request.form)
            if rows.values.contains(nil), let missing = fetcher.store.missingPart() { throw missing }
            return .rows(rows)
        case .matches(let query): return .matches(try matches(query, in: request.predicate, progress))
        case .searchTexts:
            _ = try texts(in: request.predicate, progress)
            return .rows([:])
        case .sectionCounts: return .sectionCounts(try fetcher.sectionCounts(progress: progress))
        case .detail, .value, .outline, .related, .relatedHit, .picture: return .rows([:])
        }
    }

    /// The list that was fetched last is followed from now on.
    func follow() {
        let lists = fetched.withLock { $0 }
        let list = lists.narrowed ?? lists.whole
        guard let model = list.model else { return }
        (list.predicate == nil ? versions : narrowedVersions).begin(
            list.fetcher, predicate: list.predicate, objectCount: model.numberOfItems)
    }

    private func keep(_ list: Fetched) {
        fetched.withLock { if list.predicate == nil { $0 = (list, nil) } else { $0.narrowed = list } }
    }

    private func matches(
        _ query: SearchQuery, in predicate: ResolvedPredicate?, _ progress: FetchProgress
    ) throws(StoreError) -> ListMatches {
        try texts(in: predicate, progress)
            .matches(query, alphabetical: fetcher.indexIsAlphabetical, progress: progress)
    }

    /// The texts of the list as it was fetched last; read once.
    private func texts(in predicate: ResolvedPredicate?, _ progress: FetchProgress) throws(StoreError) -> SearchTexts {
        let lists = fetched.withLock { $0 }
        guard var list = predicate == nil ? lists.whole : lists.narrowed, list.predicate == predicate, let model = list.model
        else { throw StoreError(file: "", cause: .cancelled) }
        if let known = list.texts { return known }
        let texts = try list.fetcher.searchTexts(of: model, progress: progress)
        list.texts = texts
        keep(list)
        return texts
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
            let contents = try fetcher.contents(of: concrete, as: request.form, progress: progress)
            // What cannot be read of half a file would stand there as missing values.
            if let missing = fetcher.store.missingPart() { throw missing }
            return .detail(contents)
        case .related(let section, let keys):
            return .related(section: section, rows: try fetcher.relatedRows(section: section, keys: keys, as: request.form))
        case .relatedHit(let search):
            return .relatedHit(search, place: try fetcher.hit(of: search, as: request.form, progress: progress))
        case .list, .rows, .searchTexts, .sectionCounts, .matches, .value, .outline, .picture: return .rows([:])
        }
    }
}

/// Answers a viewer: the whole value of one row of a detail.
struct ValueSource: ScreenSource {
    let detail: DetailSource
    let section: Int
    let row: Int

    func answer(_ request: DataRequest, progress: FetchProgress) throws(StoreError) -> DataReply.Kind {
        let fetcher = try detail.navigator.fetcher(for: detail.object, layout: detail.layout)
        switch try fetcher.value(of: detail.object, section: section, row: row) {
        case .data(let bytes)?: return .value(ViewedContent(bytes: bytes, isFirstLook: request.kind == .value))
        case .string(let text)?: return .value(ViewedContent(text: text, isFirstLook: request.kind == .value))
        case .null?, nil: return .value(nil)
        case let other?: return .value(ViewedContent(text: detail.navigator.presentation.present(other).text))
        }
    }
}

/// Answers the list of a store's entities; their keys are made of their names, so that each keeps its own when others come and go.
struct EntityListSource: EarlyAnswering {
    let store: any ObjectStore

    /// What is counted in no time is shown at once, and does not wait for a view that may be endless; in seconds.
    private static let moment = 0.1
    /// For all views of an answer together, as the rows of other screens wait meanwhile.
    private static let longest = 1.0

    func answer(
        _ request: DataRequest, progress: FetchProgress, early: @escaping @Sendable (DataReply.Kind) -> Void
    ) throws(StoreError) -> DataReply.Kind {
        switch request.kind {
        case .list: return .list(ListContents(model: Self.model(of: listed), index: nil))
        case .matches(let query): return .matches(matches(query))
        case .rows(let keys): return .rows(rows(keys, progress: progress, early: early))
        case .detail, .value, .outline, .related, .relatedHit, .picture, .searchTexts, .sectionCounts: return .rows([:])
        }
    }

    /// The entities in the order of the list: system entities last.
    private var listed: [Entity] {
        let entities = store.schema.entities
        return entities.filter { !$0.isSystem } + entities.filter(\.isSystem)
    }

    private static func model(of entities: [Entity]) -> ListContents.Model {
        let sections = entities.isEmpty ? [] : [(name: SectionName.unnamed, indexTitle: String?.none, count: entities.count)]
        return ListContents.Model(identifiers: ContiguousArray(entities.map { key(of: $0.name) }), sections: sections)
    }

    /// The entities in whose names the words are.
    private func matches(_ query: SearchQuery) -> ListMatches {
        let entities = listed
        let model = Self.model(of: entities)
        // Places are the model's: of two names with one key only the first is in it.
        let names = Dictionary(
            entities.map { (Self.key(of: $0.name), Self.label(of: $0)) }, uniquingKeysWith: { first, _ in first })
        var bits = ContiguousArray<UInt64>(repeating: 0, count: (model.numberOfItems + 63) / 64)
        for (place, key) in model.items.enumerated() where names[key].map({ query.matches($0) }) ?? false {
            bits[place / 64] |= 1 << UInt64(place % 64)
        }
        return ListMatches(query: query, bits: bits, of: model, alphabetical: nil)
    }

    /// What the row of an entity says besides its count.
    private static func label(of entity: Entity) -> String {
        entity.name + (entity.isSystem ? "  (system)" : entity.isAbstract ? "  (abstract)" : "")
    }

    private func rows(
        _ keys: [ObjectKey], progress: FetchProgress, early: (DataReply.Kind) -> Void
    ) -> [ObjectKey: ListRow?] {
        var rows: [ObjectKey: ListRow?] = [:]
        var slow: [ObjectKey] = []
        for key in keys {
            guard let row = row(key, within: Self.moment) else { continue }
            rows[key] = row.row
            if row.isUnfinished { slow.append(key) }
        }
        guard !slow.isEmpty else { return rows }
        early(.rows(rows))
        let end = ContinuousClock.now + .seconds(Self.longest)
        for key in slow where !progress.isCancelled {
            let left = (end - .now) / .seconds(1)
            guard left > Self.moment, let row = row(key, within: left) else { continue }
            rows[key] = row.row
        }
        return rows
    }

    /// The key of an entity: 62 bits of its name's hash, none of them the sign.
    static func key(of name: String) -> ObjectKey {
        let hash = StableHash.of(name)
        return ObjectKey(truncatingIfNeeded: (hash ^ hash >> 32) & 0x3FFF_FFFF_FFFF_FFFF)
    }

    /// The entity with a key; O(entities).
    static func entity(_ key: ObjectKey, in schema: Schema) -> Entity? { schema.entities.first { self.key(of: $0.name) == key } }

    /// An entity with its count, or with why there is none; nil for a key that is no entity's.
    private func row(_ key: ObjectKey, within seconds: Double) -> (row: ListRow, isUnfinished: Bool)? {
        guard let entity = Self.entity(key, in: store.schema) else { return nil }
        let count: PresentedText
        var isUnfinished = false
        do throws(StoreError) {
            let found = try store.readableCount(of: entity.name, within: seconds)
            count = PresentedText(String(found.count) + (found.isWhole ? "" : " (damaged)"))
        } catch {
            // One table that cannot be read is no reason to hide the others.
            isUnfinished = error.cause == .takesTooLong
            count = PresentedText(isUnfinished ? "(takes too long to count)" : error.problem, isPlaceholder: true)
        }
        return (ListRow(text: PresentedText(Self.label(of: entity)), details: [count]), isUnfinished)
    }
}

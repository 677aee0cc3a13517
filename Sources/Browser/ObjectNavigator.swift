package import CustomRows
import Fetching
package import ObjectStore
package import PlistConfig
package import Presentation
package import Screens
import Synchronization
import TerminalUI

/// Leads from object to object in one store: which list, which detail, laid out by which plist.
package final class ObjectNavigator: Navigator {
    let store: any ObjectStore
    let presentation: ValuePresentation
    private let customRows: CustomRowRegistry
    /// The list plist that the browser was started with; its folder's plists lay out details. Nil with data alone.
    private let root: ResolvedList?
    let rootDetail: DetailDescription?
    /// The model that was named apart from the plist (`--model`); what is saved has to name it, too.
    let modelPath: String?
    private let listsBeside: MadeOnce<[DetailLocator.List]>
    private let fetchers = Mutex<[String: DetailFetcher]>([:])

    package init(
        store: any ObjectStore, root: ResolvedList?, rootDetail: DetailDescription?, presentation: ValuePresentation,
        modelPath: String? = nil, customRows: CustomRowRegistry = .standard
    ) {
        self.modelPath = modelPath
        self.store = store
        self.root = root
        self.rootDetail = rootDetail
        self.presentation = presentation
        self.customRows = customRows
        let file = root?.description.file
        listsBeside = MadeOnce { file.map { DetailLocator.lists(beside: $0) } ?? [] }
    }

    package func refresh() throws(StoreError) -> StoreRefresh { try store.reread() }

    package func damageWarning() -> String? {
        store.schema.isDamaged ? store.schema.warnings.joined(separator: " ") : nil
    }

    package func resolvedAnew(_ entry: StackEntry) -> Result<StackEntry, Fault> {
        // Details are laid out anew when they are asked for.
        fetchers.withLock { $0 = [:] }
        guard let source = entry.source as? ListSource, var screen = entry.screen as? ListScreen else { return .success(entry) }
        let old = source.fetcher.list.description
        let description = madeAnew(old, source.arrangement) ?? old
        let (resolved, faults) = description.resolve(in: store.schema)
        guard let resolved else {
            return .failure(faults.first { $0.severity == .fault } ?? Fault(file: store.name, problem: "the list is not there"))
        }
        let oldRequest = source.fetcher.request
        var request = resolved.request
        request.scope = oldRequest.scope
        request.predicate = oldRequest.predicate
        request.fetchLimit = oldRequest.fetchLimit
        let members = source.fetcher.members.map { $0.resolvedAnew(in: store.schema) }
        if oldRequest.sortDescriptors.first?.key == .relationshipOrder {
            request.sortDescriptors = oldRequest.sortDescriptors
            if members != nil { request.sectionKeyPath = nil }
        }
        var list = resolved
        list.predicate = source.fetcher.list.predicate
        let fetcher = ListFetcher(
            store: store, list: list, presentation: presentation, request: request, members: members)
        if description != old {
            screen.arrange(screen.configuration.showing(list, isSearchable: !fetcher.searchKeyPaths.isEmpty, in: store.schema))
        } else {
            screen.follow(in: store.schema)
        }
        return .success(StackEntry(screen: screen, source: ListSource(fetcher: fetcher, arrangement: source.arrangement)))
    }

    /// A list that the schema made is made of the new one, as far as it was not arranged by hand; nil for others.
    private func madeAnew(_ old: ListDescription, _ arrangement: ListArrangement) -> ListDescription? {
        guard old.file == nil, let entity = store.schema.entity(named: old.entityName) else { return nil }
        let new = ListDescription.fromSchema(entity, in: store.schema).arranged(arrangement)
        var made = old
        made.sortKeyPaths = new.sortKeyPaths
        made.cellTextLabelKeyPath = new.cellTextLabelKeyPath
        made.sectionKeyPath = new.sectionKeyPath
        made.sectionIndexTitlesEnabled = new.sectionIndexTitlesEnabled
        made.sectionIndexTitlesAlphabetical = new.sectionIndexTitlesAlphabetical
        made.cellDetailTextLabelKeyPaths = new.cellDetailTextLabelKeyPaths
        made.showsDetailColumns = new.showsDetailColumns
        // Where the arrangement means nothing any more, the schema's own will do.
        return made.resolve(in: store.schema).list == nil ? ListDescription.fromSchema(entity, in: store.schema) : made
    }

    // MARK: Lists

    /// A list as a plist or the schema describes it.
    ///
    /// - Parameter arrangement: how `list` differs already from its plist.
    package func entry(
        for list: ResolvedList, place: ListPlace? = nil, arrangement: ListArrangement = ListArrangement()
    ) -> StackEntry {
        let fetcher = ListFetcher(store: store, list: list, presentation: presentation)
        var configuration = ListConfiguration(list)
        configuration.isSearchable = !fetcher.searchKeyPaths.isEmpty
        configuration.schema = store.schema
        let source = ListSource(fetcher: fetcher, arrangement: arrangement)
        return StackEntry(screen: ListScreen(configuration, place: place), source: source)
    }

    /// The entities of the store with their counts, system entities last.
    package func entityList(title: String) -> StackEntry {
        var configuration = ListConfiguration(title: title, entityName: "")
        configuration.noun = ("entity", "entities")
        configuration.opens = .entities
        configuration.emptyReason = "no entities in this store"
        return StackEntry(screen: ListScreen(configuration), source: EntityListSource(store: store))
    }

    package func list(ofEntityAt key: ObjectKey, breadcrumb: [String]) -> StackEntry? {
        guard let entity = EntityListSource.entity(key, in: store.schema) else { return nil }
        let description = ListDescription.fromSchema(entity, in: store.schema)
        guard let list = description.resolve(in: store.schema).list else { return nil }
        return entry(for: list)
    }

    package func list(of object: ObjectID, through relationship: String, breadcrumb: [String]) -> StackEntry? {
        guard let owner = store.schema.entity(named: object.entityName), let found = owner.relationship(named: relationship),
            let destination = store.schema.entity(named: found.destinationEntityName)
        else { return nil }
        guard let list = relatedList(ofEntity: destination.name) else { return nil }
        var request = list.request
        request.scope = .related(to: object, through: found.name)
        request.fetchLimit = nil
        // What the root's plist hides among all objects is not hidden among those of one.
        request.predicate = nil
        if found.isOrdered { request.sortDescriptors = [SortDescriptor(.relationshipOrder)] }
        var configuration = relatedConfiguration(list, through: found.name, breadcrumb: breadcrumb)
        configuration.isSearchable = true
        let fetcher = ListFetcher(store: store, list: list, presentation: presentation, request: request)
        return StackEntry(screen: ListScreen(configuration), source: ListSource(fetcher: fetcher))
    }

    /// How the objects at the far end of a relationship are listed.
    func relatedConfiguration(_ list: ResolvedList, through name: String, breadcrumb: [String]) -> ListConfiguration {
        var configuration = ListConfiguration(list)
        configuration.schema = store.schema
        configuration.filterLabel = nil
        configuration.emptyReason = "no objects in \(name)"
        configuration.nameInPath = name
        configuration.title = (breadcrumb + [name]).map { DisplayText.printable($0) }.joined(separator: " › ")
        return configuration
    }

    /// How objects of an entity are listed that another object leads to: as the root's plist says, else as the schema does.
    func relatedList(ofEntity name: String) -> ResolvedList? {
        guard let entity = store.schema.entity(named: name) else { return nil }
        let description =
            root.flatMap { $0.entity.name == name ? $0.description : nil } ?? ListDescription.fromSchema(entity, in: store.schema)
        return description.resolve(in: store.schema).list
    }

    // MARK: Details

    package func detail(of object: ObjectID, layout: String?, breadcrumb: [String]) -> StackEntry {
        StackEntry(
            screen: DetailScreen(object, breadcrumb: breadcrumb),
            source: DetailSource(navigator: self, object: object, layout: layout))
    }

    package func viewer(of detail: StackEntry, section: Int, row: Int, title: String, breadcrumb: [String]) -> StackEntry? {
        guard let source = detail.source as? DetailSource else { return nil }
        return StackEntry(
            screen: ViewerScreen(breadcrumb: breadcrumb + [title]),
            source: ValueSource(detail: source, section: section, row: row))
    }

    /// What fetches the detail of an object: laid out by the plist of the name given, else by the list plist's own detail, else by
    /// the detail of a list plist beside it for the entity or one above it, else by the schema.
    func fetcher(for object: ObjectID, layout: String?) throws(StoreError) -> DetailFetcher {
        let entityName = try store.concreteEntityName(of: object)
        let name = "\(layout ?? "")\u{0}\(entityName)"
        if let known = fetchers.withLock({ $0[name] }) { return known }
        let description = describe(entityName, layout: layout)
        let (detail, _) = description.resolve(in: store.schema, entityName: entityName, customRows: customRows.names)
        let fetcher = DetailFetcher(
            store: store, detail: detail, titleKeyPath: titleKeyPath(of: entityName), presentation: presentation,
            customRows: customRows)
        fetchers.withLock { $0[name] = fetcher }
        return fetcher
    }

    private func describe(_ entityName: String, layout: String?) -> DetailDescription {
        if let layout, let file = root?.description.file,
            let path = try? DataLocator.detail(named: layout, beside: file, key: ""),
            let named = DetailDescription.load(file: path).description
        {
            return named
        }
        for ancestor in lineage(of: entityName) {
            if ancestor == root?.entity.name, let rootDetail { return rootDetail }
            if let path = DetailLocator.detail(for: ancestor, among: listsBeside.value),
                let found = DetailDescription.load(file: path).description
            {
                return found
            }
        }
        guard let entity = store.schema.entity(named: entityName) else { return DetailDescription(sections: []) }
        return DetailDescription.fromSchema(entity, in: store.schema)
    }

    /// The entity and those above it, nearest first.
    private func lineage(of entityName: String) -> [String] {
        var names: [String] = []
        var current = store.schema.entity(named: entityName)
        while let entity = current, !names.contains(entity.name) {
            names.append(entity.name)
            current = entity.superentityName.flatMap { store.schema.entity(named: $0) }
        }
        return names
    }

    private func titleKeyPath(of entityName: String) -> ObjectKeyPath? {
        if let root, lineage(of: entityName).contains(root.entity.name) {
            return try? store.schema.keyPath(root.description.cellTextLabelKeyPath, in: entityName)
        }
        guard let entity = store.schema.entity(named: entityName) else { return nil }
        return try? store.schema.keyPath(
            ListDescription.fromSchema(entity, in: store.schema).cellTextLabelKeyPath, in: entityName)
    }
}

extension ListConfiguration {
    /// What a list plist says of its screen.
    init(_ list: ResolvedList) {
        let description = list.description
        self.init(title: description.controllerTitle ?? list.entity.name, entityName: list.entity.name)
        orderLabel = list.sortDescriptors.compactMap { descriptor in
            guard case .keyPath(let path) = descriptor.key else { return nil }
            return path.text + (descriptor.ascending ? " ↑" : " ↓")
        }.joined(separator: ", ")
        hasSections = list.sectionKeyPath != nil
        wantsIndexBar = hasSections && description.sectionIndexTitlesEnabled
        minimumRowCountForIndexBar = description.sectionIndexMinimumDisplayRowCount
        if description.showsDetailColumns {
            columnHeadings = description.cellDetailTextLabelKeyPaths
            rightAlignedColumns = Set(
                list.detailTextKeyPaths.enumerated().compactMap { place, path in path?.type?.isNumber == true ? place : nil })
        }
        let isSingle = description.singleExpandedSection
        startsOpen = !description.sectionsInitiallyCollapsed && !isSingle
        firstSectionStartsOpen = !description.sectionsInitiallyCollapsed && isSingle
        singleExpandedSection = description.singleExpandedSection
        filterLabel = list.predicate?.text
        emptyReason = Self.emptyReason(entityName: list.entity.name, filter: filterLabel)
    }
}

extension AttributeType {
    /// Whether values line up at the right.
    fileprivate var isNumber: Bool {
        switch self {
        case .int16, .int32, .int64, .decimal, .double, .float: true
        case .string, .boolean, .date, .binary, .uuid, .uri, .transformable: false
        }
    }
}

import Fetching
import ObjectStore
package import PlistConfig
package import Screens

extension ObjectNavigator {
    package func menu(for entry: StackEntry, grouping: Bool) -> MenuScreen? {
        guard let source = entry.source as? ListSource else { return nil }
        let list = source.fetcher.list
        if grouping {
            let choices = store.schema.groupingChoices(of: list.entity)
            return choices.isEmpty ? nil : MenuScreen(.group(list.description.sectionKeyPath), choices: choices)
        }
        let choices = store.schema.sortChoices(of: list.entity)
        let keys = list.description.sortKeyPaths.map { ListArrangement.SortKey(keyPath: $0.keyPath, ascending: $0.ascending) }
        return choices.isEmpty ? nil : MenuScreen(.sort(keys), choices: choices)
    }

    package func list(_ entry: StackEntry, arranged arrangement: ListArrangement) -> StackEntry? {
        guard let source = entry.source as? ListSource, var screen = entry.screen as? ListScreen,
            let list = source.fetcher.list.arranged(arrangement, in: store.schema)
        else { return nil }
        var request = list.request
        request.scope = source.fetcher.request.scope
        request.predicate = source.fetcher.request.predicate
        let fetcher = ListFetcher(
            store: store, list: list, presentation: presentation, request: request, members: source.fetcher.members)
        let old = screen.configuration
        let configuration = old.showing(list, isSearchable: old.isSearchable, in: old.schema)
        screen.arrange(configuration)
        return StackEntry(screen: screen, source: ListSource(fetcher: fetcher, arrangement: arrangement.over(source.arrangement)))
    }
}

extension ListConfiguration {
    /// This list in another arrangement, or with other columns.
    func showing(_ list: ResolvedList, isSearchable: Bool, in schema: Schema?) -> ListConfiguration {
        var configuration = ListConfiguration(list)
        configuration.title = title
        configuration.nameInPath = nameInPath
        configuration.schema = schema
        configuration.filterLabel = filterLabel
        configuration.emptyReason = emptyReason
        configuration.isSearchable = isSearchable
        configuration.keptFolds = keptFolds
        return configuration
    }
}

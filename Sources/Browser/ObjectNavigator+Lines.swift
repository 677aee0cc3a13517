import Fetching
package import ObjectStore
package import PlistConfig
import Screens
import TerminalUI

// The objects at the far end of an intermediate entity as a list.
extension ObjectNavigator {
    package func list(of object: ObjectID, lines: ResolvedDetail.ToMany, breadcrumb: [String]) -> StackEntry? {
        guard let members = LineMembers(of: object, lines), let list = relatedList(ofEntity: lines.targetEntityName) else {
            return nil
        }
        var request = list.request
        request.fetchLimit = nil
        // What the root's plist hides among all objects is not hidden among those of one.
        request.predicate = nil
        request.sectionKeyPath = nil
        request.sortDescriptors = [SortDescriptor(.relationshipOrder)]
        var configuration = relatedConfiguration(list, through: lines.relationshipName, breadcrumb: breadcrumb)
        configuration.orderLabel = "in the order of \(lines.relationshipName)"
        configuration.hasSections = false
        configuration.wantsIndexBar = false
        let fetcher = ListFetcher(
            store: store, list: list, presentation: presentation, request: request, members: members)
        return StackEntry(screen: ListScreen(configuration), source: ListSource(fetcher: fetcher))
    }
}

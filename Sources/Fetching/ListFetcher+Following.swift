import IndexPathModel
package import ObjectStore
import PlistConfig

// The list as it is after the store has changed.
extension ListFetcher {
    /// What two versions of an object are compared by, beside what the list is sorted and grouped by.
    private var shownKeyPaths: [ObjectKeyPath] { ([list.textKeyPath] + list.detailTextKeyPaths).compactMap { $0 } }

    /// What tells two versions of each object apart, by all that the list sorts by, groups by and shows; nil where the store cannot.
    package func versions(progress: FetchProgress) throws(StoreError) -> RowVersions? {
        // Of the others nobody wants to know what has changed.
        guard members == nil else { return nil }
        return try store.versions(at: shownKeyPaths, of: request, progress: progress)
    }

    /// What has become of the list: one pass over what tells versions apart; nil where the store cannot tell.
    ///
    /// - Parameters:
    ///   - old: the list as it was when the versions were taken; nil where that is not known.
    /// - Returns: the list as it is now where it could be made of the old one; else it has to be fetched.
    package func follow(
        _ old: ListContents?, since versions: RowVersions, progress: FetchProgress
    ) throws(StoreError) -> (versions: RowVersions, changes: RowChanges, contents: ListContents?)? {
        guard members == nil,
            let found = try store.follow(
                old?.fetched, since: versions, at: shownKeyPaths, of: request, progress: progress)
        else { return nil }
        guard let patch = found.patch, let old else { return (found.versions, found.changes, nil) }
        var contents = try contents(of: patch.objects, progress: progress)
        contents.changes = found.changes
        if contents.fetched != nil {
            contents.differences = IndexPathDifferences(
                from: old.model, to: contents.model, removed: patch.removed, inserted: patch.inserted)
        }
        return (found.versions, found.changes, contents)
    }
}

package import ObjectStore
package import PlistConfig
package import Screens

/// Where a screen's data come from. Called on a background queue; blocks.
package protocol ScreenSource: Sendable {
    func answer(_ request: DataRequest, progress: FetchProgress) throws(StoreError) -> DataReply.Kind

    /// As above; `early` takes what can be said ahead of the answer.
    func answer(
        _ request: DataRequest, progress: FetchProgress, early: @escaping @Sendable (DataReply.Kind) -> Void
    ) throws(StoreError) -> DataReply.Kind
}

extension ScreenSource {
    package func answer(
        _ request: DataRequest, progress: FetchProgress, early: @escaping @Sendable (DataReply.Kind) -> Void
    ) throws(StoreError) -> DataReply.Kind { try answer(request, progress: progress) }
}

/// A source that has something to say ahead of some answers; asked without, it keeps that to itself.
protocol EarlyAnswering: ScreenSource {}

extension EarlyAnswering {
    func answer(_ request: DataRequest, progress: FetchProgress) throws(StoreError) -> DataReply.Kind {
        try answer(request, progress: progress) { _ in }
    }
}

/// A screen of the stack with the source of its data.
package struct StackEntry: Sendable {
    package var screen: any Screen
    package let source: (any ScreenSource)?

    package init(screen: any Screen, source: (any ScreenSource)?) {
        self.screen = screen
        self.source = source
    }
}

/// Makes the screens that others lead to.
package protocol Navigator: Sendable {
    /// The detail of an object, laid out by the named detail plist where one is given.
    func detail(of object: ObjectID, layout: String?, breadcrumb: [String]) -> StackEntry
    /// The viewer for a value of a detail that this made, by section and row; nil where there is none.
    func viewer(of detail: StackEntry, section: Int, row: Int, title: String, breadcrumb: [String]) -> StackEntry?
    /// The objects of a to-many relationship as a list; nil where that cannot be.
    func list(of object: ObjectID, through relationship: String, breadcrumb: [String]) -> StackEntry?
    /// The objects that the lines of a to-many show, through an intermediate entity, as a list; nil where that cannot be.
    func list(of object: ObjectID, lines: ResolvedDetail.ToMany, breadcrumb: [String]) -> StackEntry?
    /// The choice of sort keys or groupings for a list that this made; nil where there is none.
    func menu(for list: StackEntry, grouping: Bool) -> MenuScreen?
    /// A list that this made, sorted or grouped in another way.
    func list(_ list: StackEntry, arranged arrangement: ListArrangement) -> StackEntry?
    /// The view of a list that this made, printed to a new file, in the form that its name says; nil where that cannot be.
    func printing(_ list: StackEntry, toFile path: String, columns: Int) -> BackgroundJob?
    /// A list that this made, as it is arranged, saved as a new list plist; nil where that cannot be.
    func saving(_ list: StackEntry, toFile path: String) -> BackgroundJob?
    /// The object that the screen on top is about, for the clipboard; nil where there is none.
    func copying(_ stack: [StackEntry], as form: CopyForm) -> BackgroundJob?
    /// A screen whose list is resolved in the store's schema as it is now; a fault where the list means nothing there. Screens
    /// without a list of their own stay as they are.
    func resolvedAnew(_ entry: StackEntry) -> Result<StackEntry, Fault>
    /// Brings the store up to date with its files, which are read anew whatever their times say. Blocks.
    func refresh() throws(StoreError) -> StoreRefresh
    /// What a start would say of a store that is damaged as it is now; nil where it is not.
    func damageWarning() -> String?
    /// What is to be said of the store after a look at all of it; nil for nothing. Blocks for as long as that takes.
    func remark() -> String?
    /// The list of one of the entities, by its key in the list of entities.
    func list(ofEntityAt key: ObjectKey, breadcrumb: [String]) -> StackEntry?
}

extension Navigator {
    package func damageWarning() -> String? { nil }

    package func list(of object: ObjectID, lines: ResolvedDetail.ToMany, breadcrumb: [String]) -> StackEntry? { nil }
}

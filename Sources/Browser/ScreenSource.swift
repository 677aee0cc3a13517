package import ObjectStore
package import Screens

/// Where a screen's data come from. Called on a background queue; blocks.
package protocol ScreenSource: Sendable {
    func answer(_ request: DataRequest, progress: FetchProgress) throws(StoreError) -> DataReply.Kind
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
    /// The objects of a to-many relationship as a list; nil where that cannot be.
    func list(of object: ObjectID, through relationship: String, breadcrumb: [String]) -> StackEntry?
    /// The list of one of the entities, by its key in the list of entities.
    func list(ofEntityAt key: ObjectKey, breadcrumb: [String]) -> StackEntry?
}

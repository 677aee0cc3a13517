import Fetching
import ObjectStore
import PlistConfig
import Screens
import Synchronization
import TestSupport
import Testing

@testable import Browser

/// What a list becomes when the store's schema becomes another.
struct SchemaFollowingTests {
    /// A store of one entity, whose attributes change.
    private final class ChangingStore: Sendable {
        private let state = Mutex((names: [String](), version: Int64(0)))

        init(_ names: [String]) { change(to: names) }

        func change(to names: [String]) { state.withLock { $0 = (names, $0.version + 1) } }

        func open() throws(StoreError) -> ReopeningStore {
            try ReopeningStore(file: nil, .whenChanged, state: { FileState(stamps: [self.state.withLock { $0.version }]) }) {
                () throws(StoreError) in
                let attributes = self.state.withLock { $0.names }.map { Attribute(name: $0, type: .string, columnName: $0) }
                let schema = Schema(entities: [Entity(name: "k", tableName: "k", attributes: attributes)], origin: .inferred)
                return MemoryObjectStore(schema: schema, objects: [.init("k", 1, ["name": .string("a"), "title": .string("b")])])
            }
        }
    }

    private func navigator(_ store: ReopeningStore, file: String? = nil) throws -> (ObjectNavigator, StackEntry) {
        let entity = try #require(store.schema.entity(named: "k"))
        var description = ListDescription.fromSchema(entity, in: store.schema)
        description.file = file
        let list = try #require(description.resolve(in: store.schema).list)
        let navigator = ObjectNavigator(store: store, root: list, rootDetail: nil, presentation: PeopleStore.presentation)
        return (navigator, navigator.entry(for: list))
    }

    private func shown(_ entry: StackEntry) -> [String] {
        guard let source = entry.source as? ListSource, let screen = entry.screen as? ListScreen else { return [] }
        let list = source.fetcher.list.description
        #expect(screen.configuration.columnHeadings == list.cellDetailTextLabelKeyPaths)
        return [list.cellTextLabelKeyPath] + list.cellDetailTextLabelKeyPaths
    }

    @Test func aListOfTheSchemaIsMadeAnew() throws {
        let changing = ChangingStore(["name", "other"])
        let store = try changing.open()
        let (navigator, first) = try navigator(store)
        var entry = first
        #expect(shown(entry) == ["name", "other"])
        for (names, wanted) in [
            (["name", "other", "more"], ["name", "other", "more"]), (["title", "other"], ["title", "other"]),
            (["other"], ["other"]), (["name"], ["name"]),
        ] {
            changing.change(to: names)
            #expect(try store.refresh() == .otherSchema)
            entry = try navigator.resolvedAnew(entry).get()
            #expect(shown(entry) == wanted)
        }
    }

    /// How it was arranged by hand stays, as long as that means something.
    @Test func anArrangementStays() throws {
        let changing = ChangingStore(["name", "other"])
        let store = try changing.open()
        let (navigator, first) = try navigator(store)
        let arrangement = ListArrangement(
            sort: [.init(keyPath: "other", ascending: false)], grouping: ListArrangement.Grouping.none)
        var entry = try #require(navigator.list(first, arranged: arrangement))
        func order() -> [String] {
            (entry.source as? ListSource)?.fetcher.list.description.sortKeyPaths.map(\.keyPath) ?? []
        }
        #expect(order() == ["other"])
        changing.change(to: ["name", "other", "more"])
        #expect(try store.refresh() == .otherSchema)
        entry = try navigator.resolvedAnew(entry).get()
        #expect(order() == ["other"])
        #expect(shown(entry) == ["name", "other", "more"])
        changing.change(to: ["name"])
        #expect(try store.refresh() == .otherSchema)
        entry = try navigator.resolvedAnew(entry).get()
        #expect(order() == ["name"])
    }

    /// A plist's list means what the plist says.
    @Test func aListOfAPlistKeepsItsKeyPaths() throws {
        let changing = ChangingStore(["name", "other"])
        let store = try changing.open()
        let (navigator, entry) = try navigator(store, file: "/nowhere/List.plist")
        changing.change(to: ["name", "other", "more"])
        #expect(try store.refresh() == .otherSchema)
        #expect(shown(try navigator.resolvedAnew(entry).get()) == ["name", "other"])
        changing.change(to: ["title"])
        #expect(try store.refresh() == .otherSchema)
        #expect(throws: Fault.self) { try navigator.resolvedAnew(entry).get() }
    }
}

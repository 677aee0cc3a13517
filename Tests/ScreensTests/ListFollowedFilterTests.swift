import Fetching
import IndexPathModel
import ObjectStore
import Presentation
import TerminalUI
import TestSupport
import Testing

@testable import Screens

/// A list that a predicate narrows while its store changes: it shows what one shows that begins with the predicate then.
struct ListFollowedFilterTests {
    private static let size = Size(60, 40)
    private static let schema = Schema(
        entities: [
            Entity(
                name: "Event", tableName: "ZEVENT", attributes: [Attribute(name: "n", type: .int32, columnName: "ZN")])
        ], origin: .inferred)

    /// What a store holds: objects with their section; those that are listed match the predicate.
    private struct World {
        var sections: [String: [(key: ObjectKey, matches: Bool)]]
        var hasSections: Bool

        init(_ random: inout SeededGenerator, hasSections: Bool) {
            self.hasSections = hasSections
            sections = [:]
            for key in ObjectKey(1)...16 where Int.random(in: 0..<4, using: &random) > 0 {
                let title = hasSections ? ["A", "B", "C", "D"][Int.random(in: 0..<4, using: &random)] : ""
                sections[title, default: []].append((key, Bool.random(using: &random)))
            }
        }

        var count: Int { sections.values.reduce(0) { $0 + $1.count } }

        /// The whole list, or what the predicate leaves.
        func contents(isNarrowed: Bool) -> ListContents {
            let found = sections.sorted { $0.key < $1.key }.map { title, objects in
                (title, objects.filter { !isNarrowed || $0.matches }.map(\.key))
            }.filter { !$0.1.isEmpty }
            return ListContents(
                model: ListContents.Model(
                    identifiers: ContiguousArray(found.flatMap(\.1)),
                    sections: found.map { (name: hasSections ? SectionName($0.0) : .unnamed, indexTitle: nil, count: $0.1.count) }
                ),
                index: nil, total: isNarrowed ? count : nil)
        }

        var counts: SectionCounts {
            let named = sections.map { (SectionName($0.key), $0.value.count) }
            return SectionCounts(total: count, bySection: Dictionary(uniqueKeysWithValues: named))
        }
    }

    @discardableResult
    private static func answer(_ screen: inout ListScreen, _ world: World) -> [Effect] {
        var effects: [Effect] = []
        var requests = screen.takeRequests()
        while !requests.isEmpty {
            for request in requests {
                let kind: DataReply.Kind
                switch request.kind {
                case .list: kind = .list(world.contents(isNarrowed: request.predicate != nil))
                case .rows(let keys):
                    kind = .rows(Dictionary(uniqueKeysWithValues: keys.map { ($0, ListRow(text: PresentedText("Row \($0)"))) }))
                case .sectionCounts: kind = .sectionCounts(world.counts)
                // Each row has the words.
                case .matches(let query):
                    let model = world.contents(isNarrowed: request.predicate != nil).model
                    let bits = ContiguousArray(repeating: UInt64.max, count: model.numberOfItems / 64 + 1)
                    kind = .matches(ListMatches(query: query, bits: bits, of: model, alphabetical: nil))
                default: continue
                }
                effects += screen.receive(DataReply(kind, generation: request.generation))
            }
            requests = screen.takeRequests()
            if requests.isEmpty { requests = screen.takeIdleRequests() }
        }
        return effects
    }

    private static func screen(_ world: World, startsWithFilter: Bool) throws -> ListScreen {
        var configuration = ListConfiguration(title: "Events", entityName: "Event")
        configuration.hasSections = world.hasSections
        configuration.schema = schema
        var screen = ListScreen(configuration)
        screen.resize(to: size)
        if startsWithFilter { screen.begin(with: try PredicateFormat("n > 7").resolve(in: schema, entityName: "Event")) }
        answer(&screen, world)
        guard !startsWithFilter else { return screen }
        _ = screen.perform(.filter)
        for key in KeyScript.keys("n > 7<Enter>") { _ = screen.handle(key) }
        answer(&screen, world)
        return screen
    }

    private static func lines(_ screen: ListScreen) -> [String] {
        let frame = screen.frame(size)
        return (0..<size.rows).map { frame.text(row: $0).replacing("•", with: " ") }
    }

    @Test(arguments: [true, false], [true, false]) func itShowsWhatAFreshStartShows(
        startsWithFilter: Bool, hasSections: Bool
    ) throws {
        var random = SeededGenerator(seed: 9)
        for _ in 0..<200 {
            var world = World(&random, hasSections: hasSections)
            var screen = try Self.screen(world, startsWithFilter: startsWithFilter)
            #expect(Self.lines(screen) == Self.lines(try Self.screen(world, startsWithFilter: true)))
            for _ in 0..<3 {
                world = World(&random, hasSections: hasSections)
                if Bool.random(using: &random) { screen.follow() } else { _ = screen.perform(.reload) }
                Self.answer(&screen, world)
                #expect(Self.lines(screen) == Self.lines(try Self.screen(world, startsWithFilter: true)))
            }
            _ = screen.undo()
            Self.answer(&screen, world)
            #expect(Self.lines(screen)[0].contains("\(world.count) object"))
            #expect(!Self.lines(screen).contains { $0.contains(" of ") })
        }
    }

    /// With a search in force besides, and when that is dropped, the number of all objects is today's.
    @Test(arguments: [true, false]) func theTotalIsTodaysUnderASearch(startsWithFilter: Bool) throws {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<100 {
            var screen = try Self.screen(World(&random, hasSections: true), startsWithFilter: startsWithFilter)
            _ = screen.perform(.find)
            for key in KeyScript.keys("Row<Enter>") { _ = screen.handle(key) }
            var world = World(&random, hasSections: true)
            for _ in 0..<3 {
                Self.answer(&screen, world)
                world = World(&random, hasSections: true)
                screen.follow()
                Self.answer(&screen, world)
                let shown = world.contents(isNarrowed: true).model.numberOfItems
                #expect(Self.lines(screen)[0].contains("\(shown) of \(world.count) match"))
            }
            _ = screen.undo()
            #expect(Self.lines(screen) == Self.lines(try Self.screen(world, startsWithFilter: true)))
        }
    }

    /// Counts that gave way to a search are asked for again; where there are none, none are said.
    @Test func countsThatDoNotCome() throws {
        var random = SeededGenerator(seed: 1)
        let world = World(&random, hasSections: true)
        var screen = try Self.screen(world, startsWithFilter: false)
        #expect(Self.lines(screen)[1].contains(" of "))
        for cause in [StoreError.Cause.cancelled, .busy] {
            screen.follow()
            for request in screen.takeRequests() where request.kind == .list {
                _ = screen.receive(DataReply(.list(world.contents(isNarrowed: true)), generation: request.generation))
            }
            let request = try #require(screen.takeIdleRequests().first { $0.kind == .sectionCounts })
            let failure = DataReply.Kind.failure(.sectionCounts, StoreError(file: "", cause: cause))
            #expect(screen.receive(DataReply(failure, generation: request.generation)).isEmpty)
            #expect(screen.takeIdleRequests().contains { $0.kind == .sectionCounts } == (cause == .cancelled))
        }
        #expect(!Self.lines(screen)[1].contains(" of "))
    }

    /// What changed among the objects that match is counted, as in the whole list.
    @Test func changesAreCounted() throws {
        var random = SeededGenerator(seed: 2)
        for startsWithFilter in [true, false] {
            for _ in 0..<50 {
                let before = World(&random, hasSections: true)
                let after = World(&random, hasSections: true)
                var screen = try Self.screen(before, startsWithFilter: startsWithFilter)
                screen.follow()
                let said = Self.answer(&screen, after)
                let (old, new) = (
                    Set(before.contents(isNarrowed: true).model.items), Set(after.contents(isNarrowed: true).model.items)
                )
                let parts = [(new.subtracting(old).count, "new"), (old.subtracting(new).count, "gone")]
                let text = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
                #expect(said == (text.isEmpty ? [] : [.message(text)]))
            }
        }
    }

    /// In the list of entities the counts come with the rows.
    @Test func entitiesThatChangedAreCounted() {
        var configuration = ListConfiguration(title: "data", entityName: "")
        configuration.opens = .entities
        var screen = ListScreen(configuration)
        screen.resize(to: Self.size)
        func answer(_ counts: [ObjectKey: Int]) -> [Effect] {
            let model = ListContents.Model(
                identifiers: ContiguousArray(counts.keys.sorted()),
                sections: [(name: .unnamed, indexTitle: nil, count: counts.count)])
            var effects: [Effect] = []
            var requests = screen.takeRequests()
            while !requests.isEmpty {
                for request in requests {
                    switch request.kind {
                    case .list:
                        effects += screen.receive(
                            DataReply(.list(ListContents(model: model, index: nil)), generation: request.generation))
                    case .rows(let keys):
                        let rows = keys.map {
                            ($0, counts[$0].map { ListRow(text: PresentedText("e"), details: [PresentedText(String($0))]) })
                        }
                        effects += screen.receive(
                            DataReply(.rows(Dictionary(uniqueKeysWithValues: rows)), generation: request.generation))
                    default: break
                    }
                }
                requests = screen.takeRequests()
            }
            return effects
        }
        #expect(answer([1: 5, 2: 7, 3: 0]).isEmpty)
        screen.follow()
        #expect(answer([1: 5, 2: 7, 3: 0]).isEmpty)
        screen.follow()
        #expect(answer([1: 6, 2: 7, 3: 1]).last == .message("2 changed"))
        screen.follow()
        #expect(answer([1: 6, 3: 2, 4: 1]).last == .message("1 new, 1 changed, 1 gone"))
    }
}

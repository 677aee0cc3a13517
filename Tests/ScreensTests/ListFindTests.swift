import Fetching
import IndexPathModel
import ObjectStore
import Presentation
import TerminalUI
import TestSupport
import Testing

@testable import Screens

/// Find as you type, answered by a plain loop over all rows.
struct ListFindTests {
    private static let size = Size(40, 12)
    private static let words = ["Alpha", "Anton", "Berta", "Delta", "Echo", "Foxtrot", "Golf", "Gamma", "Hotel", "Théta"]

    private static func fixture() -> ListFixture {
        var fixture = ListFixture([("A", 2), ("B", 1), ("D", 1), ("E", 1), ("F", 1), ("G", 2), ("H", 1), ("T", 1)])
        fixture.row = { ListRow(text: .init(words[Int($0) - 1])) }
        return fixture
    }

    /// The store behind a list of these words.
    private static func texts(_ fixture: ListFixture) throws -> SearchTexts {
        let schema = Schema(
            entities: [
                Entity(name: "Word", tableName: "WORD", attributes: [Attribute(name: "name", type: .string, columnName: "NAME")])
            ], origin: .inferred)
        let store = MemoryObjectStore(
            schema: schema,
            objects: words.enumerated().map { .init("Word", ObjectKey($0.offset + 1), ["name": .string($0.element)]) })
        return try SearchTexts(
            store: store, request: FetchRequest(entityName: "Word"), keyPaths: [schema.keyPath("name", in: "Word")],
            model: fixture.contents.model, progress: FetchProgress())
    }

    private static func answer(_ screen: inout ListScreen) throws {
        let fixture = fixture()
        var requests = screen.takeRequests()
        while !requests.isEmpty {
            for request in requests {
                switch request.kind {
                case .list: _ = screen.receive(DataReply(.list(fixture.contents), generation: request.generation))
                case .matches(let query):
                    let matches = try texts(fixture).matches(query, alphabetical: true, progress: FetchProgress())
                    _ = screen.receive(DataReply(.matches(matches), generation: request.generation))
                case .rows(let keys):
                    let rows = Dictionary(uniqueKeysWithValues: keys.map { ($0, fixture.row($0)) })
                    _ = screen.receive(DataReply(.rows(rows), generation: request.generation))
                default: break
                }
            }
            requests = screen.takeRequests()
        }
    }

    private static func type(_ script: String, _ screen: inout ListScreen) throws -> [Effect] {
        var effects: [Effect] = []
        for key in KeyScript.keys(script) {
            if screen.takesKeys {
                effects = screen.handle(key)
            } else {
                switch key {
                case .character("/"): effects = screen.perform(.find)
                case .character("n"): effects = screen.perform(.nextHit)
                case .character("N"): effects = screen.perform(.previousHit)
                case Key(.escape): effects = screen.undo() ? [] : [.back]
                default: effects = screen.perform(.moveDown)
                }
            }
            try answer(&screen)
        }
        return effects
    }

    private static func shown(_ screen: ListScreen) -> [String] {
        (0..<screen.list.rowCount).compactMap { screen.key(at: screen.list.row(at: $0)) }.map { words[Int($0) - 1] }
    }

    @Test func aSearchThatFailsSaysSoBesideTheWords() throws {
        var screen = Self.fixture().screen(Self.size)
        _ = screen.perform(.find)
        _ = screen.handle(.character("a"))
        let request = try #require(
            screen.takeRequests().first { if case .matches = $0.kind { true } else { false } })
        let failure = DataReply.Kind.failure(request.kind, StoreError(file: "", cause: .outOfMemory))
        _ = screen.receive(DataReply(failure, generation: request.generation))
        #expect(screen.prompt?.fault == "not enough memory")
        // The next letter tries again.
        _ = screen.handle(.character("b"))
        #expect(screen.prompt?.fault == nil)
    }

    @Test(arguments: ["a", "ta", "o", "the", "el", "x", "zz", "alpha", "a n", " "]) func narrowsToTheHits(typed: String) throws {
        var screen = Self.fixture().screen(Self.size)
        _ = try Self.type("/" + typed, &screen)
        let wanted = typed.lowercased().split(separator: " ")
        let hits = Self.words.filter { word in
            let plain = word.lowercased().replacing("é", with: "e")
            return wanted.allSatisfy { plain.contains($0) }
        }
        #expect(Self.shown(screen) == hits)
        if !wanted.isEmpty {
            #expect(screen.frame(Self.size).text(row: 0).contains("\(hits.count) of 10 match"))
            if hits.isEmpty { #expect(screen.frame(Self.size).text(row: 1).contains("no match for “")) }
        }
    }

    /// Dropping the search brings folds, cursor and scroll position back.
    @Test func escapeBringsTheWholeListBack() throws {
        var screen = Self.fixture().screen(Self.size)
        screen.setExpanded(5, false)
        _ = screen.perform(.moveToEnd)
        Self.fixture().answer(&screen)
        let before = screen.frame(Self.size)
        _ = try Self.type("/ga", &screen)
        // A folded section with hits is open while the search is on.
        #expect(Self.shown(screen) == ["Gamma"])
        _ = try Self.type("<Esc>", &screen)
        #expect(screen.frame(Self.size) == before)
        // Enter keeps the hits, the next Esc drops them, and after that there is nothing to undo.
        _ = try Self.type("/ga<Enter>", &screen)
        #expect(!screen.takesKeys && screen.isNarrowed)
        #expect(screen.frame(Self.size).text(row: 11).hasPrefix(" /ga  (Esc drops the search) "))
        #expect(try Self.type("<Esc>", &screen) == [])
        #expect(screen.frame(Self.size) == before)
        #expect(try Self.type("<Esc>", &screen) == [.back])
    }

    /// What is folded among hits that are kept, and where the cursor is, stays when the store changes.
    @Test func hitsThatAreFollowedKeepFoldsAndCursor() throws {
        var screen = Self.fixture().screen(Self.size)
        _ = try Self.type("/a<Enter>", &screen)
        screen.setExpanded(0, false)
        for moves in 0..<4 {
            _ = screen.perform(.moveToStart)
            for _ in 0..<moves { _ = screen.perform(.moveDown) }
            let before = screen.frame(Self.size)
            for _ in 0..<2 {
                screen.follow()
                try Self.answer(&screen)
                #expect(screen.isNarrowed && screen.frame(Self.size) == before, "after \(moves) moves")
            }
        }
        // Another search begins with all its sections open.
        _ = try Self.type("/al<Enter>", &screen)
        #expect(Self.shown(screen) == ["Alpha"])
    }

    /// After a search `n` and `N` go from hit to hit, round and round, and unfold for it.
    @Test func fromHitToHit() throws {
        var screen = Self.fixture().screen(Self.size)
        #expect(try Self.type("n", &screen) == [.message("nothing was searched for yet (/)")])
        _ = try Self.type("/ta<Enter><Esc>", &screen)
        _ = screen.perform(.collapseAll)
        var seen: [String] = []
        for _ in 0..<4 {
            _ = try Self.type("n", &screen)
            seen.append(screen.cursorKey.map { Self.words[Int($0) - 1] } ?? "")
        }
        #expect(seen == ["Berta", "Delta", "Théta", "Berta"])
        #expect(try Self.type("N", &screen) == [.message("from the last hit again")])
        #expect(screen.cursorKey == 10)
    }

    @Test func staleMatchesAreDropped() throws {
        var screen = Self.fixture().screen(Self.size)
        _ = screen.perform(.find)
        _ = screen.handle(.character("g"))
        let old = try Self.texts(Self.fixture()).matches(SearchQuery("g"), alphabetical: true, progress: FetchProgress())
        _ = screen.handle(.character("o"))
        _ = screen.receive(DataReply(.matches(old), generation: 0))
        #expect(!screen.isNarrowed)
        #expect(screen.takeRequests().first?.kind == .matches(SearchQuery("go")))
    }

    /// The texts are read while nothing else is to be done, once for a list; `/` does not wait for that.
    @Test func textsAreAskedForAhead() {
        var screen = Self.fixture().screen(Self.size)
        #expect(screen.takeIdleRequests().map(\.kind) == [.searchTexts])
        #expect(screen.takeIdleRequests().isEmpty)
        _ = screen.perform(.find)
        #expect(screen.takeRequests().map(\.kind) == [.searchTexts])
        _ = screen.handle(.character("g"))
        #expect(screen.takeRequests().map(\.kind) == [.matches(SearchQuery("g"))])
        var still = Self.fixture().screen(Self.size)
        _ = still.perform(.find)
        _ = still.handle(.character("g"))
        // What finds reads them anyway.
        #expect(still.takeRequests().map(\.kind) == [.matches(SearchQuery("g"))])
        #expect(still.takeIdleRequests().isEmpty)
    }

    /// What is typed after a `/` is no command, whether there is anything to find or not.
    @Test func aListWithoutTextTakesTheLettersAllTheSame() throws {
        var screen = Self.fixture().screen(Self.size) { $0.isSearchable = false }
        _ = screen.perform(.find)
        #expect(screen.takesKeys && screen.prompt?.fault != nil)
        let effects = KeyScript.keys("alb").flatMap { screen.handle($0) }
        #expect(effects == [])
        #expect(screen.prompt?.text == "alb" && screen.prompt?.fault != nil)
        let requests = screen.takeRequests()
        #expect(requests.allSatisfy { if case .matches = $0.kind { false } else { true } })
        _ = screen.handle(Key(.escape))
        #expect(!screen.takesKeys)
    }
}

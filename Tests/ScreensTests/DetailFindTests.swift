import Fetching
import ObjectStore
import PlistConfig
import Presentation
import TerminalUI
import TestSupport
import Testing

@testable import Screens

/// Finding in a detail of a hundred attributes, and in the help.
struct DetailFindTests {
    private static let size = Size(40, 12)

    private static let fixture: DetailFixture = {
        let rows = (0..<100).map {
            DetailFixture.row(
                .singleLineValueSmallLabel, "field\($0)", PresentedText($0 % 10 == 3 ? "Naïve \($0)" : "value \($0)"))
        }
        return DetailFixture([
            .init(title: "Fields", body: .rows(rows)), .init(title: "Naïve", body: .related(DetailFixture.related([3, 4, 5]))),
        ])
    }()

    private static func type<S: Screen>(_ script: String, _ screen: inout S) -> [Effect] {
        var effects: [Effect] = []
        for key in KeyScript.keys(script) { effects = screen.handle(key) }
        return effects
    }

    @Test func goesFromHitToHit() {
        var screen = Self.fixture.screen(Self.size)
        let before = screen.frame(Self.size)
        #expect(screen.perform(.nextHit) == [.message("nothing was searched for yet (/)")])
        _ = screen.perform(.find)
        _ = Self.type("naive", &screen)
        #expect(screen.takesKeys && screen.cursor == 3 && screen.typingPosition == Position(row: 11, column: 6))
        _ = Self.type("<Esc>", &screen)
        #expect(!screen.takesKeys && screen.frame(Self.size) == before)
        _ = screen.perform(.find)
        _ = Self.type("naive<Enter>", &screen)
        for hit in [13, 23, 33, 43, 53, 63, 73, 83, 93, 3] {
            #expect(screen.perform(.nextHit) == [])
            Self.fixture.answer(&screen)
            #expect(screen.cursor == hit)
        }
        _ = screen.perform(.previousHit)
        Self.fixture.answer(&screen)
        #expect(screen.cursor == 93)
        // Words in any order, from label and value.
        _ = screen.perform(.find)
        _ = Self.type("93 field9<Enter>", &screen)
        #expect(screen.cursor == 93)
        #expect(screen.undo() && !screen.undo())
    }

    @Test func hitsAreMarkedAndNothingFoundIsSaid() {
        var screen = Self.fixture.screen(Self.size)
        _ = screen.perform(.find)
        _ = Self.type("naive<Enter>", &screen)
        let marked = screen.frame(Self.size).styledSnapshot()
        _ = screen.undo()
        #expect(marked != screen.frame(Self.size).styledSnapshot())
        _ = screen.perform(.find)
        #expect(Self.type("zzz<Enter>", &screen) == [])
        #expect(Self.answer(&screen) == [.message("no match for “zzz”")])
        _ = screen.perform(.moveToEnd)
        Self.fixture.answer(&screen)
        #expect(screen.perform(.nextHit) == [.message("no match for “zzz”")])
        _ = screen.perform(.find)
        _ = Self.type("object 4<Enter>", &screen)
        #expect(screen.cursor == 101)
    }

    /// Answers the requests of a search; what is said in the end.
    private static func answer(_ screen: inout DetailScreen) -> [Effect] {
        var effects: [Effect] = []
        var requests = screen.takeRequests()
        while !requests.isEmpty {
            for request in requests {
                guard case .relatedHit(let lines) = request.kind else { continue }
                let places = lines.forward ? Array(lines.places) : lines.places.reversed()
                let hit = places.first { place in
                    fixture.related(lines.keys[place]).map { lines.query.matches($0.text.text) } ?? false
                }
                effects = screen.receive(DataReply(.relatedHit(lines, place: hit), generation: request.generation))
            }
            requests = screen.takeRequests()
        }
        return effects
    }

    /// Related objects that nobody has seen yet are found as those on the screen are, in either direction, from anywhere; the order
    /// is that of the lines, as a plain walk over all texts has it.
    @Test(arguments: 0..<40) func unreadLinesAreFoundInOrder(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let words = ["red", "green", "blue"]
        func word() -> String { words[Int.random(in: 0..<words.count, using: &random)] }
        var texts: [String] = []
        var sections: [DetailSection] = []
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            if Bool.random(using: &random) {
                let rows = (0..<Int.random(in: 1...5, using: &random)).map { _ in word() }
                texts += rows
                sections.append(
                    .init(
                        title: "Fields",
                        body: .rows(rows.map { DetailFixture.row(.singleLineValueNoLabel, nil, PresentedText($0)) })))
            } else {
                let first = texts.count
                let count = Int.random(in: 1...60, using: &random)
                texts += (0..<count).map { _ in Int.random(in: 0..<9, using: &random) == 0 ? word() : "grey" }
                sections.append(
                    .init(title: "Things", body: .related(DetailFixture.related((first..<first + count).map { ObjectKey($0) }))))
            }
        }
        let all = texts
        var fixture = DetailFixture(sections)
        fixture.related = { RelatedRow(text: PresentedText(all[Int($0)]), destination: nil) }
        var screen = fixture.screen(Self.size)
        for _ in 0..<12 {
            let here = screen.cursor
            let query = word()
            if Bool.random(using: &random) {
                _ = screen.perform(.find)
                _ = Self.type(query + "<Enter>", &screen)
                fixture.answer(&screen)
                let hits = (0..<all.count).map { (here + $0) % all.count }.filter { all[$0] == query }
                #expect(screen.cursor == hits.first ?? here)
            } else if let wanted = screen.finding.query?.text {
                let forward = Bool.random(using: &random)
                _ = screen.perform(forward ? .nextHit : .previousHit)
                fixture.answer(&screen)
                let step = forward ? 1 : all.count - 1
                let hits = (1...all.count).map { (here + step * $0) % all.count }.filter { all[$0] == wanted }
                #expect(screen.cursor == hits.first ?? here)
            }
            if Int.random(in: 0..<3, using: &random) == 0 {
                _ = screen.perform(Bool.random(using: &random) ? .moveToEnd : .moveToStart)
                fixture.answer(&screen)
            }
        }
    }

    /// A search that is dropped, or gives way to another, moves nothing any more, and what it reads is stopped.
    @Test func droppedSearches() throws {
        var screen = Self.fixture.screen(Self.size)
        _ = screen.perform(.find)
        _ = Self.type("object", &screen)
        let first = try #require(screen.takeRequests().first)
        guard case .relatedHit(let lines) = first.kind else { throw StoreError(file: "", cause: .cancelled) }
        #expect(screen.isFilling)
        _ = Self.type("<Esc>", &screen)
        let last = try #require(screen.takeRequests().first)
        guard case .relatedHit(let nothing) = last.kind else { throw StoreError(file: "", cause: .cancelled) }
        #expect(nothing.places.isEmpty && !screen.isFilling)
        #expect(screen.receive(DataReply(.relatedHit(lines, place: 0), generation: first.generation)) == [])
        #expect(screen.cursor == 0)
        // Stopped by hand it is over as well.
        _ = screen.perform(.find)
        _ = Self.type("object<Enter>", &screen)
        let again = try #require(screen.takeRequests().first)
        let cancelled = StoreError(file: "", cause: .cancelled)
        #expect(screen.receive(DataReply(.failure(again.kind, cancelled), generation: again.generation)) == [])
        #expect(!screen.isFilling && screen.cursor == 0)
    }

    /// A long value is shown and searched as a whole; one that is cut says where the rest is.
    @Test func longValues() {
        let text = (0..<9_000).map { "w\($0)" }.joined(separator: "\n") + "\nENDMARK"
        var row = DetailFixture.row(.multiLineValueSmallLabel, "Notes", PresentedText(text))
        row.hasViewer = true
        func screen(_ row: DetailRow) -> DetailScreen {
            DetailFixture([.init(title: nil, body: .rows([row]))]).screen(Self.size)
        }
        var whole = screen(row)
        _ = whole.perform(.find)
        #expect(Self.type("endmark<Enter>", &whole) == [])
        #expect(whole.frame(Self.size).snapshot().contains("ENDMARK"))
        #expect(whole.perform(.find) == [] && Self.type("zzz<Enter>", &whole) == [.message("no match for “zzz”")])
        row.isCut = true
        var cut = screen(row)
        _ = cut.perform(.moveToEnd)
        for _ in 0..<9_001 { _ = cut.perform(.moveDown) }
        #expect(cut.frame(Self.size).snapshot().contains("Enter shows the rest"))
        _ = cut.perform(.find)
        #expect(
            Self.type("zzz<Enter>", &cut)
                == [.message("no match for “zzz” in what is shown; Enter shows the rest of a long value")])
    }

    @Test func emptyDetail() {
        var screen = DetailFixture([]).screen(Self.size)
        _ = screen.perform(.find)
        #expect(Self.type("a<Enter>", &screen) == [.message("no match for “a”")])
    }

    @Test(arguments: [20, 80]) func help(columns: Int) {
        var screen = TextScreen(title: "Help", lines: TextScreenTests.lines)
        screen.resize(to: Size(columns, 5))
        _ = screen.perform(.find)
        _ = Self.type("the<Enter>", &screen)
        var seen: [[Effect]] = []
        for _ in 0..<3 {
            seen.append(screen.perform(.copy))
            _ = screen.perform(.nextHit)
        }
        let lines = ["Space  fold or unfold the section", "→ l  open the object", "q  back; at the root quit"]
        #expect(seen == lines.map { [.copy($0, label: "line")] })
        _ = screen.perform(.previousHit)
        #expect(screen.perform(.copy) == [.copy(lines[2], label: "line")])
        #expect(screen.undo() && !screen.undo())
    }
}

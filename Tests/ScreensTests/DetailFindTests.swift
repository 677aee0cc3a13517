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
            #expect(screen.cursor == hit)
        }
        _ = screen.perform(.previousHit)
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
        #expect(Self.type("zzz<Enter>", &screen).first == .message("no match for “zzz” in the lines read so far"))
        _ = screen.perform(.moveToEnd)
        Self.fixture.answer(&screen)
        #expect(screen.perform(.nextHit) == [.message("no match for “zzz”")])
        _ = screen.perform(.find)
        _ = Self.type("object 4<Enter>", &screen)
        #expect(screen.cursor == 101)
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

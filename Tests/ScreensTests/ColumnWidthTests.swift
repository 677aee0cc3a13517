import Fetching
import ObjectStore
import Presentation
import TerminalUI
import TestSupport
import Testing

@testable import Screens

/// Columns are as wide as the widest text that was seen and is still there.
struct ColumnWidthTests {
    private static let size = Size(80, 14)

    private func fixture(_ texts: [ObjectKey: String], rows: Int = 8) -> ListFixture {
        var fixture = ListFixture(rows: rows)
        fixture.row = { key in
            ListRow(text: PresentedText("Row \(key)"), details: [PresentedText(texts[key] ?? "x"), PresentedText("second")])
        }
        return fixture
    }

    private func screen(_ fixture: ListFixture) -> ListScreen {
        fixture.screen(Self.size) { $0.columnHeadings = ["a", "b"] }
    }

    private func widths(_ screen: ListScreen) -> [Int] { screen.columnWidths.map(\.cells) }

    /// What a follow leaves is what a fresh start shows, whatever was there before.
    @Test func aTextThatPassesLeavesNoTrace() {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<200 {
            func any() -> [ObjectKey: String] {
                var texts: [ObjectKey: String] = [:]
                for key in 1...8 where Bool.random(using: &random) {
                    texts[ObjectKey(key)] = String(repeating: "w", count: Int.random(in: 0...50, using: &random))
                }
                return texts
            }
            var screen = screen(fixture(any()))
            for _ in 0..<3 {
                let now = fixture(any())
                screen.follow()
                now.answer(&screen)
                #expect(widths(screen) == widths(self.screen(now)))
            }
        }
    }

    @Test func aWideObjectThatGoesTakesItsWidthAlong() {
        var screen = screen(fixture([8: String(repeating: "w", count: 30)]))
        #expect(widths(screen) == [30, 6])
        screen.follow()
        let now = fixture([:], rows: 7)
        for request in screen.takeRequests() where request.kind == .list {
            var contents = now.contents
            contents.changes = RowChanges(deleted: [8])
            _ = screen.receive(DataReply(.list(contents), generation: request.generation))
        }
        now.answer(&screen)
        #expect(widths(screen) == [1, 6])
    }

    /// Columns stand still while the reader moves on; reading all again begins anew.
    @Test func columnsStandStill() {
        let texts: [ObjectKey: String] = [2: String(repeating: "w", count: 30)]
        let fixture = fixture(texts, rows: 200)
        var screen = screen(fixture)
        #expect(widths(screen) == [30, 6])
        _ = screen.perform(.moveToEnd)
        fixture.answer(&screen)
        #expect(widths(screen) == [30, 6])
        _ = screen.reload()
        fixture.answer(&screen)
        #expect(widths(screen) == [1, 6])
    }
}

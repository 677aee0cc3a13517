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

    /// Sorted or grouped anew, the rows that are known are not read again: the columns are as wide as they.
    @Test func columnsKeepTheirWidthWhenTheListIsArrangedAnew() {
        let fixture = fixture([2: String(repeating: "w", count: 30)])
        var screen = screen(fixture)
        screen.arrange(screen.configuration)
        #expect(widths(screen) == [30, 6])
        fixture.answer(&screen)
        #expect(widths(screen) == [30, 6])
        // Rows that were asked for before are asked for again: their answer would be of the former list.
        var late = fixture.screen(Self.size) { $0.columnHeadings = ["a", "b"] }
        _ = late.reload()
        for request in late.takeRequests() where request.kind == .list {
            _ = late.receive(DataReply(.list(fixture.contents), generation: request.generation))
        }
        _ = late.takeRequests()
        late.arrange(late.configuration)
        fixture.answer(&late)
        #expect(widths(late) == [30, 6])
    }

    // MARK: Sharing a line

    @Test func whereAllFitEachHasWhatItNeeds() {
        let layout = ColumnLayout(room: 60, text: 8, columns: [20, 12, 4])
        #expect(layout.columns == [20, 12, 4])
        #expect(layout.text == 60 - 36 - 6)
        #expect(!layout.isCut)
    }

    @Test func theWidestShrinkFirst() {
        #expect(ColumnLayout(room: 40, text: 8, columns: [30, 10, 3]).columns == [13, 10, 3])
        #expect(ColumnLayout(room: 40, text: 8, columns: [30, 30]).columns == [14, 14])
        #expect(ColumnLayout(room: 40, text: 100, columns: [100]) == ColumnLayout(room: 40, text: 90, columns: [90]))
    }

    /// No cell is lost or used twice, nothing is cut that has no need to be, and a column is left out only where it cannot be shown.
    @Test func aLineIsSharedWhole() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<5_000 {
            let room = Int.random(in: 0...120, using: &random)
            let text = Int.random(in: 0...60, using: &random)
            let needs = (0..<Int.random(in: 0...9, using: &random)).map { _ in Int.random(in: 1...60, using: &random) }
            let layout = ColumnLayout(room: room, text: text, columns: needs)
            #expect(layout.text + layout.columns.reduce(0) { $0 + $1 + 2 } == room)
            #expect(layout.isCut == (layout.columns.count < needs.count))
            if text + needs.reduce(0, { $0 + $1 + 2 }) <= room, room > 10 {
                #expect(layout.columns == needs)
            } else if !layout.columns.isEmpty {
                let cut = zip(layout.columns, needs).filter { $0 < $1 }.map(\.0)
                for width in layout.columns where !cut.isEmpty { #expect(width <= (cut.max() ?? 0) + 1 || width <= 6) }
            }
            #expect(zip(layout.columns, needs).allSatisfy { $0 <= $1 && $0 >= min($1, 4) })
        }
    }

    @Test func aColumnLeftOutLeavesASign() {
        let fixture = fixture([:])
        func heading(_ columns: Int) -> String {
            let screen = fixture.screen(Size(columns, 14)) { $0.columnHeadings = ["first", "second", "third", "fourth"] }
            let frame = screen.frame(Size(columns, 14))
            return (0..<columns).compactMap { frame[1, $0]?.text }.joined()
        }
        #expect(heading(24).hasSuffix("…"))
        #expect(!heading(80).contains("…"))
    }
}

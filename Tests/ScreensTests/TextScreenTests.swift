import TerminalUI
import TestSupport
import Testing

@testable import Screens

struct TextScreenTests {
    static let lines = [
        TextScreen.Line(text: "List", isHeading: true), TextScreen.Line(label: "Space", text: "fold or unfold the section"),
        TextScreen.Line(label: "→ l", text: "open the object"), TextScreen.Line(text: ""),
        TextScreen.Line(text: "On every screen", isHeading: true), TextScreen.Line(label: "PgUp ^B", text: "a page up"),
        TextScreen.Line(label: "q", text: "back; at the root quit"),
    ]

    private func screen(_ size: Size) -> TextScreen {
        var screen = TextScreen(title: "Help", lines: Self.lines)
        screen.resize(to: size)
        return screen
    }

    @Test func roomy() {
        #expect(
            screen(Size(50, 10)).frame(Size(50, 10)).snapshot() == """
                 Help
                 List
                 Space    fold or unfold the section
                 → l      open the object

                 On every screen
                 PgUp ^B  a page up
                 q        back; at the root quit

                                                           q back
                """)
    }

    @Test func narrow() {
        #expect(
            screen(Size(20, 14)).frame(Size(20, 14)).snapshot() == """
                 Help
                 List
                 Space    fold or
                          unfold
                          the
                          section
                 → l      open the
                          object

                 On every screen
                 PgUp ^B  a page up
                 q        back; at
                          the root
                 lines 1–12… q back
                """)
    }

    @Test func styles() {
        #expect(
            screen(Size(30, 5)).frame(Size(30, 5)).styledSnapshot() == """
                 Help
                |tttttttttttttttttttttttttttttt
                 List
                >.ssss
                 Space    fold or unfold the
                |.aaaaa
                          section
                |
                 lines 1–3 of 9        q back
                |bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
                """)
    }

    @Test func movement() {
        var screen = screen(Size(50, 5))
        func copied() -> [Effect] { screen.perform(.copy) }
        _ = screen.perform(.nextSection)
        #expect(copied() == [.copy("On every screen", label: "line")])
        _ = screen.perform(.moveToEnd)
        #expect(copied() == [.copy("q  back; at the root quit", label: "line")])
        _ = screen.perform(.nextSection)
        #expect(copied() == [.copy("q  back; at the root quit", label: "line")])
        _ = screen.perform(.previousSection)
        _ = screen.perform(.previousSection)
        #expect(copied() == [.copy("List", label: "line")])
        #expect(screen.perform(.back) == [.back] && screen.perform(.moveLeft) == [.back])
        _ = screen.handle(MouseEvent(.press, at: Position(row: 2, column: 4)))
        #expect(copied() == [.copy("Space  fold or unfold the section", label: "line")])
        _ = screen.handle(MouseEvent(.wheelDown, at: Position(row: 2, column: 4)))
        _ = screen.handle(MouseEvent(.wheelDown, at: Position(row: 2, column: 4)))
        #expect(copied() == [.copy("q  back; at the root quit", label: "line")])
    }

    /// A wrapped line is copied whole, and a new width keeps the cursor on its line.
    @Test func cursorStaysOnItsLine() {
        var screen = screen(Size(50, 6))
        for _ in 0..<5 { _ = screen.perform(.moveDown) }
        for columns in [20, 12, 3, 1, 80] {
            screen.resize(to: Size(rows: 6, columns: columns))
            #expect(screen.perform(.copy) == [.copy("PgUp ^B  a page up", label: "line")], "\(columns)")
        }
    }

    @Test func cursorIsAlwaysInSight() {
        var random = SeededGenerator(seed: 8)
        var screen = screen(Size(50, 5))
        var size = Size(50, 5)
        for _ in 0..<2_000 {
            if Int.random(in: 0..<6, using: &random) == 0 {
                size = Size(rows: Int.random(in: 1...9, using: &random), columns: Int.random(in: 1...40, using: &random))
                screen.resize(to: size)
            } else {
                // A prompt has the last line, and in a window of one line all of it.
                let commands = Command.allCases.filter { $0 != .find && $0 != .goToRow }
                _ = screen.perform(commands.randomElement(using: &random) ?? .moveDown)
            }
            let frame = screen.frame(size)
            let marked = (0..<size.rows).filter { frame[$0, 0]?.style.isCursor == true }
            #expect(marked.count == 1, "\(size)")
        }
    }

    @Test func aNumberGoesToItsLine() {
        var screen = screen(Size(50, 5))
        for (typed, cursor) in [("6", 5), ("1", 0), ("0", 0), ("99999999999999999999", 6), ("", 6), ("x", 6)] {
            _ = screen.perform(.goToRow)
            for key in KeyScript.keys(typed + "<Enter>") { _ = screen.handle(key) }
            #expect(screen.cursor == cursor && !screen.takesKeys)
        }
    }
}

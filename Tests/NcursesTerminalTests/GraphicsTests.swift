import Foundation
import TerminalUI
import TestSupport
import Testing

@testable import NcursesTerminal

/// What the terminal gets of pictures. In the suite of the terminal, since curses is the process's.
extension NcursesTerminalTests {
    private static func graphic(_ content: Graphic.Content) -> PlacedGraphic {
        PlacedGraphic(Graphic(content, size: Size(rows: 2, columns: 3)), at: Position(row: 1, column: 4))
    }

    @Test func pixelsAreSentOnceAndTakenBack() throws {
        let pty = try #require(PseudoTerminal(rows: 6, columns: 30))
        let terminal = try terminal(pty)
        defer { terminal.close() }
        var buffer = CellBuffer(size: terminal.size)
        buffer.graphics = [Self.graphic(.pixels(width: 2, height: 1, [UInt8](repeating: 0xFF, count: 8)))]
        terminal.present(buffer, cursor: nil)
        let sent = pty.output()
        #expect(
            sent.contains(
                "\u{1B}7\u{1B}[2;5H\u{1B}_Ga=T,f=32,s=2,v=1,c=3,r=2,i=8457,q=2,C=1,m=0;//////////8=\u{1B}\\\u{1B}8"))
        buffer.write("x", row: 5, column: 0, columns: 1)
        terminal.present(buffer, cursor: nil)
        #expect(!pty.output().contains("\u{1B}_G"))
        terminal.invalidate()
        terminal.present(buffer, cursor: nil)
        #expect(pty.output().contains("a=T"))
        buffer.graphics = []
        terminal.present(buffer, cursor: nil)
        #expect(pty.output().contains("\u{1B}_Ga=d,d=I,i=8457,q=2\u{1B}\\"))
    }

    /// In Base64, each piece in a command of its own.
    @Test func manyPixelsAreSentInPieces() {
        let placed = Self.graphic(.pixels(width: 40, height: 40, [UInt8](repeating: 0xFF, count: 6400)))
        let pieces = String(decoding: NcursesTerminal.bytes(of: placed), as: UTF8.self).components(separatedBy: "\u{1B}_G")
            .dropFirst()
        #expect(
            pieces.map { $0.prefix { $0 != ";" } } == ["a=T,f=32,s=40,v=40,c=3,r=2,i=8457,q=2,C=1,m=1", "q=2,m=1", "q=2,m=0"])
        #expect(pieces.allSatisfy { $0.utf8.count < 4200 && $0.hasSuffix("\u{1B}\\") })
        // More pixels than there are, or fewer: nothing is sent.
        #expect(NcursesTerminal.bytes(of: Self.graphic(.pixels(width: 3, height: 1, [1, 2]))).isEmpty)
    }

    @Test func graphicsGoWithTheTerminal() throws {
        let pty = try #require(PseudoTerminal(rows: 6, columns: 30))
        let terminal = try terminal(pty)
        var buffer = CellBuffer(size: terminal.size)
        buffer.graphics = [Self.graphic(.pixels(width: 1, height: 1, [1, 2, 3, 4]))]
        terminal.present(buffer, cursor: nil)
        _ = pty.output()
        terminal.close()
        #expect(pty.output().hasPrefix("\u{1B}_Ga=d"))
    }

    @Test func linesUnderSixelsArePaintedAnew() throws {
        let pty = try #require(PseudoTerminal(rows: 6, columns: 30))
        let terminal = try terminal(pty)
        defer { terminal.close() }
        var buffer = CellBuffer(size: terminal.size)
        for row in 0..<6 { buffer.write("row\(row)", row: row, column: 20, columns: 5) }
        buffer.graphics = [Self.graphic(.sixel(Array("\u{1B}Pq#0~\u{1B}\\".utf8)))]
        terminal.present(buffer, cursor: nil)
        #expect(pty.output().contains("\u{1B}7\u{1B}[2;5H\u{1B}Pq#0~\u{1B}\\\u{1B}8"))
        buffer.graphics = []
        terminal.present(buffer, cursor: nil)
        let painted = pty.output()
        #expect(painted.contains("row1") && painted.contains("row2"))
        #expect(!painted.contains("row0") && !painted.contains("row3"))
    }

    @Test func colouredCells() throws {
        let pty = try #require(PseudoTerminal(rows: 4, columns: 20))
        let terminal = try terminal(pty)
        defer { terminal.close() }
        var buffer = CellBuffer(size: terminal.size)
        let few = CellColors(foreground: .palette(196), background: .palette(21))
        buffer.write("▀", row: 1, column: 2, columns: 1, style: Style(.text, colors: few))
        let many = CellColors(foreground: .rgb(0x010203), background: .standard)
        buffer.write("▀▀", row: 2, column: 2, columns: 2, style: Style(.text, colors: many))
        terminal.present(buffer, cursor: nil)
        let painted = pty.output()
        #expect(painted.contains("38;5;196") && painted.contains("48;5;21"))
        #expect(painted.contains("\u{1B}[3;3H\u{1B}[0;38;2;1;2;3m▀▀\u{1B}[0m"))
        // As they were: nothing is written again.
        terminal.present(buffer, cursor: nil)
        #expect(!pty.output().contains("▀"))
        // Blanks in the place of coloured blanks, of whose colour curses knows nothing.
        buffer = CellBuffer(size: terminal.size)
        buffer.write("  ", row: 3, column: 0, columns: 2, style: Style(.text, colors: many))
        terminal.present(buffer, cursor: nil)
        _ = pty.output()
        terminal.present(CellBuffer(size: terminal.size), cursor: nil)
        let cleared = pty.output()
        #expect(
            cleared.contains("\u{1B}[J") || cleared.contains("\u{1B}[K") || cleared.contains("    "),
            "\(cleared.debugDescription)")
        #expect(terminal.overlaidRows.isEmpty)
    }

    /// A terminal has a number for each pair of colours, and not numbers without end.
    @Test func picturesWithoutEndDoNotRunOutOfColours() throws {
        let pty = try #require(PseudoTerminal(rows: 4, columns: 100))
        let terminal = try terminal(pty)
        defer { terminal.close() }
        // What fits into the pseudo-terminal without being read.
        let cells = 100
        for picture in 0..<400 {
            var buffer = CellBuffer(size: terminal.size)
            for place in 0..<cells {
                let number = picture * cells + place
                let colors = CellColors(
                    foreground: .palette(UInt8(number / 256 % 256)), background: .palette(UInt8(number % 256)))
                buffer.write("▀", row: 1, column: place, columns: 1, style: Style(.text, colors: colors))
            }
            terminal.present(buffer, cursor: nil)
            let painted = pty.output()
            let last = (picture + 1) * cells - 1
            #expect(painted.contains("48;5;\(last % 256)m") || last % 256 < 16, "\(picture)")
        }
    }

    @Test func theTerminalIsAskedOnceAndAnswers() throws {
        let pty = try #require(PseudoTerminal())
        let terminal = try terminal(pty, "xterm-256color", mouse: true, ["COLORTERM": "truecolor"])
        defer { terminal.close() }
        _ = pty.output()
        #expect(terminal.graphics() == TerminalGraphics(.cells(colors: 1 << 24)))
        #expect(pty.output() == "\u{1B}[c")
        pty.type("\u{1B}[?62;22c")
        #expect(terminal.events(wakeDescriptor: -1, milliseconds: 0) == [])
        pty.type("\u{1B}[?62;4;22c")
        #expect(terminal.events(wakeDescriptor: -1, milliseconds: nil) == [.graphicsChanged])
        #expect(terminal.graphics().form == .sixel)
        #expect(pty.output() == "")
    }

    @Test func theEnvironmentSaysWhatTheTerminalShows() {
        func form(_ colors: Int, _ environment: [String: String]) -> TerminalGraphics.Form {
            GraphicsDetection.form(environment: environment, colors: colors)
        }
        #expect(form(256, ["TERM": "xterm-kitty"]) == .kitty)
        #expect(form(256, ["TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"]) == .kitty)
        #expect(form(256, ["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"]) == .kitty)
        #expect(form(256, ["TERM": "foot"]) == .sixel)
        #expect(form(256, ["TERM": "mlterm"]) == .sixel)
        // tmux and screen pass on what they inherited, not what they can.
        #expect(form(256, ["TERM": "tmux-256color", "KITTY_WINDOW_ID": "1", "TMUX": "x"]) == .cells(colors: 256))
        #expect(form(256, ["TERM": "screen-256color", "COLORTERM": "truecolor", "STY": "x"]) == .cells(colors: 256))
        #expect(form(256, ["TERM": "xterm-256color", "COLORTERM": "24bit"]) == .cells(colors: 1 << 24))
        #expect(form(256, ["TERM": "xterm-256color"]) == .cells(colors: 256))
        #expect(form(16, ["TERM": "xterm-16color"]) == .cells(colors: 16))
        #expect(form(8, ["TERM": "linux"]) == .cells(colors: 8))
        #expect(form(0, ["TERM": "vt100"]) == .none)
        #expect(form(256, ["TERM": "xterm-256color", "NO_COLOR": "1"]) == .none)
    }
}

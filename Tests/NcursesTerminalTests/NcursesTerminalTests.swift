import Glibc
import TerminalUI
import TestSupport
import Testing

@testable import NcursesTerminal

/// One after the other: curses and signals are the process's.
@Suite(.serialized) struct NcursesTerminalTests {
    func terminal(
        _ pty: PseudoTerminal, _ name: String = "xterm-256color", mouse: Bool = true, _ more: [String: String] = [:]
    )
        throws -> NcursesTerminal
    {
        try NcursesTerminal(
            input: pty.slave, output: pty.slave, environment: more.merging(["TERM": name]) { $1 }, usesMouse: mouse)
    }

    @Test(arguments: ["xterm-256color", "xterm", "tmux-256color", "screen-256color", "linux", "vt100"])
    func paintsReadsAndGivesBack(name: String) throws {
        let pty = try #require(PseudoTerminal(rows: 5, columns: 30))
        let before = pty.modes
        let terminal = try terminal(pty, name)
        #expect(pty.modes != before)
        #expect(terminal.size == Size(rows: 5, columns: 30))
        var buffer = CellBuffer(size: terminal.size)
        for row in 0..<5 {
            buffer.write(
                "row\(row) 世界 e\u{301} 👨‍👩‍👧 \u{1B}]0;x\u{7}", row: row, column: 0, columns: 30,
                style: Style(row == 2 ? .accent : .text))
        }
        buffer.write("#", row: 4, column: 29, columns: 1)
        terminal.present(buffer, cursor: Position(row: 1, column: 1))
        let painted = pty.output()
        for text in ["row0", "row4", "世界", "e\u{301}", "👨 ", "␛]0;x", "#"] { #expect(painted.contains(text), "\(text)") }
        #expect(!painted.contains("\u{1B}]0") && !painted.contains("\u{200D}"))
        terminal.present(buffer, cursor: Position(row: 1, column: 1))
        #expect(!pty.output().contains("row"))
        terminal.invalidate()
        terminal.present(buffer, cursor: nil)
        #expect(pty.output().contains("row3"))

        pty.type("q\u{1B}[Aé\u{3}\u{1A}\u{13}\r")
        let keys = terminal.events(wakeDescriptor: -1, milliseconds: nil)
        #expect(keys == KeyScript.keys("q<Up>é^C^Z^S<Enter>").map { .key($0) })
        pty.type("\u{1B}")
        #expect(terminal.events(wakeDescriptor: -1, milliseconds: nil) == [.key(Key(.escape))])
        #expect(terminal.events(wakeDescriptor: -1, milliseconds: 0) == [])

        terminal.close()
        terminal.close()
        #expect(pty.modes == before)
        #expect(terminal.events(wakeDescriptor: -1, milliseconds: nil) == [.endOfInput])
    }

    /// Each piece would wake the terminal, which may take our core before the next one is written.
    @Test func frameIsWrittenInOnePiece() throws {
        let pty = try #require(PseudoTerminal(rows: 10, columns: 60))
        let terminal = try terminal(pty)
        defer { terminal.close() }
        _ = pty.output()
        var generator = SeededGenerator(seed: 7)
        for round in 0..<20 {
            let before = terminal.written
            var buffer = CellBuffer(size: terminal.size)
            for row in 0..<10 where round % 4 != 3 || row == 7 {
                let text = String((0..<40).map { _ in "abc 世é".randomElement(using: &generator) ?? " " })
                buffer.write(text, row: row, column: row % 9, columns: 50, style: Style(row % 2 == 0 ? .accent : .dimmed))
            }
            if round == 10 { terminal.invalidate() }
            terminal.present(buffer, cursor: round % 2 == 0 ? Position(row: 3, column: 4) : nil)
            let shown = pty.output()
            #expect(terminal.written.pieces - before.pieces == 1)
            // Nothing has come past that piece.
            #expect(shown.utf8.count == terminal.written.bytes - before.bytes)
        }
    }

    /// The terminal is made while the data are opened, which may fail: then it has never been touched.
    @Test func heldBackTerminalShowsNothingBeforeItsFirstFrame() throws {
        let pty = try #require(PseudoTerminal(rows: 5, columns: 30))
        let before = pty.modes
        let environment = ["TERM": "xterm-256color"]
        let unseen = try NcursesTerminal(input: pty.slave, output: pty.slave, environment: environment, isHeldBack: true)
        #expect(pty.modes != before)
        unseen.close()
        #expect(pty.output().isEmpty)
        #expect(pty.modes == before)

        let terminal = try NcursesTerminal(input: pty.slave, output: pty.slave, environment: environment, isHeldBack: true)
        #expect(pty.output().isEmpty)
        var buffer = CellBuffer(size: terminal.size)
        buffer.write("first", row: 0, column: 0, columns: 30)
        terminal.present(buffer, cursor: nil)
        #expect(terminal.written.pieces == 1)
        let shown = pty.output()
        #expect(shown.utf8.count == terminal.written.bytes)
        let places = ["\u{1B}[?1049h", "\u{1B}[?2004h", "first"].map { shown.firstRange(of: $0)?.lowerBound }
        #expect(!places.contains(nil) && places.compactMap { $0 } == places.compactMap { $0 }.sorted())
        terminal.close()
        #expect(pty.output().contains("\u{1B}[?1049l"))
        #expect(pty.modes == before)
    }

    /// Whatever else is the first thing that goes to the terminal, what was held back goes before it.
    @Test func heldBackTerminalIsThereForOtherOutput() throws {
        let pty = try #require(PseudoTerminal(rows: 5, columns: 30))
        let terminal = try NcursesTerminal(
            input: pty.slave, output: pty.slave, environment: ["TERM": "xterm-256color"], isHeldBack: true)
        #expect(terminal.copyToClipboard("text"))
        #expect(pty.output().hasPrefix("\u{1B}[?1049h"))
        terminal.close()
        #expect(pty.output().contains("\u{1B}[?1049l"))
    }

    @Test func mouseAndPasteAreSwitchedOnAndOff() throws {
        let pty = try #require(PseudoTerminal())
        let terminal = try terminal(pty)
        #expect(pty.output().contains("\u{1B}[?1000h\u{1B}[?1002h\u{1B}[?1006h\u{1B}[?2004h"))
        terminal.close()
        let last = pty.output()
        #expect(last.contains("\u{1B}[?2004l\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?1000l") && last.contains("\u{1B}[?1049l"))

        let without = try self.terminal(pty, mouse: false)
        let output = pty.output()
        #expect(!output.contains("\u{1B}[?1000h") && output.contains("\u{1B}[?2004h"))
        without.close()
        _ = pty.output()

        let console = try self.terminal(pty, "linux")
        #expect(!console.copyToClipboard("x"))
        #expect(!pty.output().contains("1000"))
        console.close()
    }

    @Test func terminalsThatCannotAreRefused() throws {
        let pty = try #require(PseudoTerminal())
        let before = pty.modes
        for (name, error) in [
            ("no-such-terminal", TerminalError.unknownTerminal("no-such-terminal")), ("", .unknownTerminal("")),
            ("dumb", .incapableTerminal("dumb")),
        ] {
            #expect(throws: error) { try terminal(pty, name) }
            #expect(pty.modes == before)
        }
        let nowhere = open("/dev/null", O_RDWR)
        defer { close(nowhere) }
        #expect(throws: TerminalError.noTerminal) {
            try NcursesTerminal(input: nowhere, output: nowhere, environment: ["TERM": "xterm"])
        }
        // A file that is closed is no terminal either.
        #expect(throws: TerminalError.noTerminal) { try NcursesTerminal(input: -1, output: -1, environment: ["TERM": "xterm"]) }
    }

    @Test func resizingDownToOneCell() throws {
        let pty = try #require(PseudoTerminal())
        let terminal = try terminal(pty)
        // As large as what a terminal holds that nobody reads from meanwhile.
        for (rows, columns) in [(1, 1), (20, 5), (40, 200), (2, 300)] as [(UInt16, UInt16)] {
            pty.resize(rows: rows, columns: columns)
            kill(getpid(), SIGWINCH)
            let size = Size(rows: Int(rows), columns: Int(columns))
            #expect(terminal.events(wakeDescriptor: -1, milliseconds: nil) == [.resize(size)])
            #expect(terminal.size == size)
            var buffer = CellBuffer(size: size)
            buffer.fill(Rect(size), with: "x")
            buffer.write("世", row: 0, column: 0, columns: 2)
            terminal.present(buffer, cursor: nil)
            #expect(pty.output().contains(columns > 1 ? "世" : "…"))
            // A frame of another size is not shown.
            terminal.present(CellBuffer(size: Size(rows: 7, columns: 7)), cursor: nil)
        }
        // A signal without a change is no event.
        kill(getpid(), SIGWINCH)
        pty.type("k")
        #expect(terminal.events(wakeDescriptor: -1, milliseconds: nil).last == .key(.character("k")))
        terminal.close()
    }

    @Test func endingSignalsAreEvents() throws {
        let pty = try #require(PseudoTerminal())
        let terminal = try terminal(pty)
        for signal in [SIGTERM, SIGHUP, SIGINT] {
            if isIgnored(signal) { continue }
            kill(getpid(), signal)
            #expect(terminal.events(wakeDescriptor: -1, milliseconds: nil) == [.terminate(signal: signal)])
        }
        terminal.close()
    }

    private func isIgnored(_ signal: Int32) -> Bool {
        var action = sigaction()
        sigaction(signal, nil, &action)
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }

    @Test func theMailboxWakesAndStaysUnread() throws {
        let pty = try #require(PseudoTerminal())
        let terminal = try terminal(pty)
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        write(ends[1], "x", 1)
        #expect(terminal.events(wakeDescriptor: ends[0], milliseconds: nil) == [])
        pty.type("a")
        var events: [TerminalEvent] = []
        while events.isEmpty { events = terminal.events(wakeDescriptor: ends[0], milliseconds: nil) }
        #expect(events == [.key(.character("a"))])
        var byte: UInt8 = 0
        #expect(read(ends[0], &byte, 1) == 1)
        ends.forEach { close($0) }
        terminal.close()
    }

    @Test func aProgramGetsTheTerminalAsItWas() throws {
        let pty = try #require(PseudoTerminal())
        let before = pty.modes
        let terminal = try terminal(pty)
        let ours = pty.modes
        pty.type("\n")
        #expect(terminal.run(["sh", "-c", "stty -a; read line; exit 3"]) == 3)
        #expect(pty.output().contains(" icanon"))
        #expect(pty.modes == ours)
        #expect(terminal.events(wakeDescriptor: -1, milliseconds: nil).contains(.resumed))
        #expect(terminal.run(["/no/such/program"]) == 127)
        #expect(terminal.run(["sh", "-c", "kill -TERM $$"]) == 143)
        #expect(terminal.run([]) == 127)
        terminal.close()
        #expect(pty.modes == before)
    }

    @Test func theClipboard() throws {
        let pty = try #require(PseudoTerminal())
        let terminal = try terminal(pty)
        _ = pty.output()
        #expect(terminal.copyToClipboard("héllo"))
        #expect(pty.output() == "\u{1B}]52;c;aMOpbGxv\u{7}")
        #expect(!terminal.copyToClipboard(String(repeating: "x", count: Clipboard.maximumBytes + 1)))
        #expect(pty.output() == "")
        terminal.close()
        for (text, code) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")] {
            #expect(String(decoding: Clipboard.base64(Array(text.utf8)), as: UTF8.self) == code)
        }
    }

    @Test func anotherCharacterSetGetsOnlyASCII() throws {
        for (locale, isOther) in [
            ("de_DE.ISO-8859-1", true), ("C", false), ("", false), ("de_DE.UTF-8", false), ("de_DE.utf8@euro", false),
            ("de_DE", false),
        ] { #expect(NcursesTerminal.namesOtherCharacterSet(["LANG": locale]) == isOther) }
        #expect(!NcursesTerminal.namesOtherCharacterSet(["LC_ALL": "C.UTF-8", "LANG": "ja_JP.EUC-JP"]))
        let pty = try #require(PseudoTerminal())
        let terminal = try terminal(pty, "xterm-256color", mouse: true, ["LANG": "de_DE.ISO-8859-1"])
        var buffer = CellBuffer(size: terminal.size)
        buffer.write("▾ 世é a…", row: 0, column: 0, columns: 20)
        terminal.present(buffer, cursor: nil)
        let output = pty.output()
        #expect(output.contains("v ??? a~") && output.utf8.allSatisfy { $0 < 0x80 })
        terminal.close()
    }

    @Test func noMoreInput() throws {
        var pty = PseudoTerminal()
        let slave = dup(try #require(pty).slave)
        let terminal = try NcursesTerminal(input: slave, output: slave, environment: ["TERM": "xterm"])
        pty = nil
        #expect(terminal.events(wakeDescriptor: -1, milliseconds: nil) == [.endOfInput])
        terminal.close()
        close(slave)
    }

    @Test func aTrapGivesTheTerminalBack() async throws {
        let pty = try #require(PseudoTerminal())
        let before = pty.modes
        let path = pty.path
        await #expect(processExitsWith: .failure) { [path = path as String] in
            let slave = open(path, O_RDWR | O_NOCTTY)
            let terminal = try NcursesTerminal(input: slave, output: slave, environment: ["TERM": "xterm-256color"])
            let nothing: [Int] = []
            print(nothing[terminal.size.rows])
        }
        #expect(pty.modes == before)
        let output = pty.output()
        #expect(output.contains("\u{1B}[?1049h") && output.hasSuffix("\u{1B}[?1049l\u{1B}[23;0;0t"))
        #expect(output.contains("\u{1B}[?1000l"))
    }

    @Test func leavingByExitGivesTheTerminalBack() async throws {
        let pty = try #require(PseudoTerminal())
        let before = pty.modes
        let path = pty.path
        await #expect(processExitsWith: .exitCode(7)) { [path = path as String] in
            let slave = open(path, O_RDWR | O_NOCTTY)
            let terminal = try NcursesTerminal(input: slave, output: slave, environment: ["TERM": "xterm-256color"])
            withExtendedLifetime(terminal) { exit(7) }
        }
        #expect(pty.modes == before)
        #expect(pty.output().contains("\u{1B}[?1049l"))
    }
}

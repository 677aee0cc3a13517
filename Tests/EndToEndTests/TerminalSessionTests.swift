import Foundation
import TestSupport
import Testing

/// The driver itself, over a small shell program that keeps the same promises as ours.
@Suite(.needsTmux)
struct TerminalSessionTests {
    /// Shows each key in angle brackets; `q` ends with 7, `z` suspends; tells its size after a change. Signals come through a
    /// descriptor, so that none is missed between looking and waiting.
    static let program = """
        import os, select, signal, sys, termios
        idle_to = int(os.environ["TLBROWSE_IDLE_FD"])
        saved = termios.tcgetattr(0)
        def put(text): os.write(1, text.encode())
        def idle(): os.write(idle_to, b"i")
        def start():
            mode = termios.tcgetattr(0)
            mode[3] &= ~(termios.ICANON | termios.ECHO | termios.ISIG)
            termios.tcsetattr(0, termios.TCSADRAIN, mode)
            put("\\033[?1049h\\033[H\\033[2J")
        def end():
            put("\\033[?1049l")
            termios.tcsetattr(0, termios.TCSADRAIN, saved)
        signals, wake = os.pipe()
        os.set_blocking(wake, False)
        signal.set_wakeup_fd(wake)
        for number in (signal.SIGWINCH, signal.SIGTERM): signal.signal(number, lambda *_: None)
        start()
        put("one\\r\\n\\033[7m" + "two".ljust(os.get_terminal_size(0).columns - 1) + "\\033[m\\r\\nthree\\r\\n")
        idle()
        while True:
            ready = select.select([0, signals], [], [])[0]
            if signals in ready:
                for number in os.read(signals, 64):
                    if number == signal.SIGTERM:
                        end()
                        sys.exit(9)
                    if number == signal.SIGWINCH:
                        size = os.get_terminal_size(0)
                        put("(%d %d)" % (size.lines, size.columns))
                        idle()
            if 0 in ready:
                for key in os.read(0, 64).decode():
                    put("<%s>" % key)
                    if key == "q":
                        end()
                        sys.exit(7)
                    if key == "z":
                        end()
                        os.kill(os.getpid(), signal.SIGTSTP)
                        start()
                        put("again")
                idle()
        """

    func session(rows: Int = 6, columns: Int = 30) throws -> TerminalSession {
        try TerminalSession(
            program: "/usr/bin/env", arguments: ["python3", "-c", Self.program], rows: rows, columns: columns, seconds: 30)
    }

    @Test func showsTheScreenAfterEachKey() throws {
        let screen = try session()
        #expect(try screen.lines == ["one", "two", "three", "", "", ""])
        try screen.send("a", ";", "'")
        #expect(try screen.lines[3] == "<a><;><'>")
        try screen.type("x y")
        #expect(try screen.lines[3] == "<a><;><'><x>< ><y>")
        #expect(screen.exitStatus == nil)
    }

    @Test func findsTheCursorBar() throws {
        let screen = try session()
        #expect(try screen.highlightedRows == [1])
        #expect(try screen.cursorRow == 1)
        #expect(try screen.cursorText == "two")
        #expect(try screen.styledLines[1].contains("\u{1b}[7m"))
    }

    @Test func tellsHowItEnded() throws {
        let screen = try session()
        #expect(try screen.isAlternateScreen)
        #expect(try !screen.isTerminalCooked)
        try screen.send("q")
        #expect(try screen.waitForExit() == 7)
        #expect(try !screen.isAlternateScreen)
        #expect(try screen.isTerminalCooked)
    }

    @Test func suspendsAndResumes() throws {
        let screen = try session()
        try screen.send("z")
        try screen.waitForSuspension()
        #expect(screen.isSuspended)
        #expect(screen.exitStatus == nil)
        let text = try screen.text
        #expect(text.contains("suspended"), "\(text)")
        try screen.resume()
        #expect(!screen.isSuspended)
        #expect(try screen.lines[0] == "again")
        try screen.send("q")
        #expect(try screen.waitForExit() == 7)
    }

    @Test func resizesDownToOneCell() throws {
        let screen = try session()
        try screen.resize(rows: 10, columns: 40)
        #expect(try screen.size == (10, 40))
        #expect(try screen.text.contains("(10 40)"))
        try screen.resize(rows: 1, columns: 1)
        #expect(try screen.size == (1, 1))
    }

    @Test func deliversSignals() throws {
        let screen = try session()
        try screen.signal(15)
        #expect(try screen.waitForExit() == 9)
    }

    @Test func showsTheScreenWhereAWaitIsInVain() throws {
        let screen = try TerminalSession(
            program: "/bin/bash",
            arguments: ["--norc", "-c", "printf here; printf i >&$TLBROWSE_IDLE_FD; read -r; read -r"], seconds: 1)
        let failure = #expect(throws: TerminalFailure.self) { try screen.send("a") }
        #expect(failure?.what.contains("here") == true)
    }

    @Test func leavesNothingBehind() throws {
        var folder = ""
        try {
            let screen = try session()
            folder = try screen.format("socket_path")
            #expect(FileManager.default.fileExists(atPath: folder))
        }()
        #expect(!FileManager.default.fileExists(atPath: folder))
    }
}

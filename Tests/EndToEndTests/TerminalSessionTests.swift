import Foundation
import TestSupport
import Testing

/// The driver itself, over a small shell program that keeps the same promises as ours.
@Suite(.needsTmux)
struct TerminalSessionTests {
    /// Shows each key in angle brackets; `q` ends with 7, `z` suspends; tells its size after a change.
    static let program = """
        idle() { printf i >&"$TLBROWSE_IDLE_FD"; }
        saved=$(stty -g)
        start() { stty -icanon -echo -isig; printf '\\033[?1049h\\033[H\\033[2J'; }
        end() { printf '\\033[?1049l'; stty "$saved"; }
        trap 'printf "(%s)" "$(stty size)"; idle' WINCH
        trap 'end; exit 9' TERM
        start
        printf 'one\\n\\033[7mtwo%*s\\033[m\\nthree\\n' $(($(stty size | cut -d" " -f2) - 3)) ''
        idle
        while true; do
            IFS= read -rsn1 key || [ $? -gt 128 ] || exit 3
            printf '<%s>' "$key"
            case $key in
            q) end; exit 7 ;;
            z) end; kill -TSTP $$; start; printf 'again' ;;
            esac
            idle
        done
        """

    func session(rows: Int = 6, columns: Int = 30) throws -> TerminalSession {
        try TerminalSession(
            program: "/bin/bash", arguments: ["--norc", "-c", Self.program], rows: rows, columns: columns, seconds: 30)
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

import Glibc
import TestSupport
import Testing

/// What the program owes the terminal: suspension, signals, sizes, and giving it back.
@Suite(.needsTmux, .needsBrowser)
struct TerminalTests {
    func expectGivenBack(_ screen: TerminalSession) throws {
        #expect(try !screen.isAlternateScreen)
        #expect(try screen.isTerminalCooked)
    }

    @Test func quitsWithZero() throws {
        let screen = try Screens.elements()
        #expect(try screen.isAlternateScreen)
        try screen.send("q")
        #expect(try screen.waitForExit() == 0)
        try expectGivenBack(screen)
    }

    @Test func controlCEndsWith130() throws {
        let screen = try Screens.elements()
        try screen.send("C-c")
        #expect(try screen.waitForExit() == 130)
        try expectGivenBack(screen)
    }

    @Test(arguments: [SIGHUP, SIGINT, SIGTERM]) func signalsEndItInOrder(number: Int32) throws {
        let screen = try Screens.elements()
        try screen.signal(number)
        #expect(try screen.waitForExit() == 128 + Int(number))
        try expectGivenBack(screen)
    }

    @Test func suspendsAndComesBack() throws {
        let screen = try Screens.elements()
        try screen.send("Down", "Down")
        let before = try screen.text
        let row = try screen.cursorRow
        try screen.send("C-z")
        try screen.waitForSuspension()
        try expectGivenBack(screen)
        try screen.resume()
        #expect(try screen.isAlternateScreen)
        #expect(try screen.text == before)
        #expect(try screen.cursorRow == row)
        try screen.send("q")
        #expect(try screen.waitForExit() == 0)
    }

    @Test func stopSignalFromOutsideIsASuspension() throws {
        let screen = try Screens.elements()
        let before = try screen.text
        try screen.signal(SIGTSTP)
        try screen.waitForSuspension()
        try expectGivenBack(screen)
        try screen.resume()
        #expect(try screen.text == before)
    }

    @Test func redraws() throws {
        let screen = try Screens.elements()
        let before = try screen.text
        try screen.send("C-l")
        #expect(try screen.text == before)
    }

    @Test func followsEachSizeDownToOneCell() throws {
        let screen = try Screens.elements()
        let before = try screen.text
        for (rows, columns) in [(60, 200), (20, 5), (3, 80), (2, 2), (1, 80), (24, 1), (1, 1)] {
            try screen.resize(rows: rows, columns: columns)
            #expect(screen.exitStatus == nil, "\(rows)×\(columns)")
            try screen.send("Down", "Space", "PageDown", "Home")
        }
        #expect(screen.exitStatus == nil)
        try screen.send("E")
        try screen.resize(rows: 24, columns: 80)
        try screen.send("Home")
        #expect(try screen.text == before)
    }

    @Test func startsInSmallTerminals() throws {
        for (rows, columns) in [(1, 1), (2, 10), (5, 20)] {
            let screen = try Screens.elements(rows: rows, columns: columns)
            try screen.send("Down", "Enter", "q", "q")
            #expect(try screen.waitForExit() == 0, "\(rows)×\(columns)")
        }
    }

    @Test func detailSurvivesResize() throws {
        let screen = try Screens.elements()
        try screen.send("Home", "Down", "Enter")
        try screen.resize(rows: 8, columns: 30)
        try screen.resize(rows: 24, columns: 80)
        #expect(try screen.text.contains("Atomic number"))
    }

    @Test(arguments: ["no-such-terminal", "dumb"]) func unusableTerminalIsOneLineAndOne(term: String) throws {
        let screen = try Screens.elements(environment: ["TERM": term])
        #expect(try screen.waitForExit() == 1)
        let lines = try screen.lines.filter { !$0.isEmpty }
        #expect(lines.first?.hasPrefix("tlbrowse: ") == true)
        #expect(try screen.text.contains(term))
        try expectGivenBack(screen)
    }

    @Test func vt100IsEnough() throws {
        let screen = try Screens.elements(environment: ["TERM": "vt100"])
        #expect(try screen.text.contains("Hydrogen"))
        try screen.send("Down", "Down")
        #expect(try screen.cursorRow != nil)
        try screen.send("q")
        #expect(try screen.waitForExit() == 0)
    }
}

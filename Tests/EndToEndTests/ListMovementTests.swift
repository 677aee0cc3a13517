import TestSupport
import Testing

/// Moving over the list: SPEC section 3, keys on every screen.
@Suite(.needsTmux, .needsBrowser)
struct ListMovementTests {
    @Test func firstScreenShowsTitleCountSectionsAndHint() throws {
        let screen = try Screens.elements()
        let lines = try screen.lines
        #expect(lines[0].contains("Chemical Elements"))
        #expect(lines[0].contains("118 objects"))
        #expect(lines[1].contains("▾ Nonmetal"))
        #expect(lines[2].contains("Hydrogen") && lines[2].contains("H"))
        #expect(lines[23].contains("? help"))
        #expect(try screen.cursorRow != nil)
    }

    @Test(arguments: [("Down", "Up"), ("j", "k")]) func stepsDownAndUp(down: String, up: String) throws {
        let screen = try Screens.elements()
        let start = try #require(try screen.cursorRow)
        try screen.send(down)
        #expect(try screen.cursorRow == start + 1)
        try screen.send(down, up)
        #expect(try screen.cursorRow == start + 1)
    }

    @Test(arguments: ["End", "G"]) func goesToTheEnd(key: String) throws {
        let screen = try Screens.elements()
        try screen.send(key)
        #expect(try screen.cursorText.hasPrefix("Oganesson"))
    }

    @Test(arguments: ["Home", "g"]) func goesToTheTop(key: String) throws {
        let screen = try Screens.elements()
        let start = try screen.cursorText
        try screen.send("End", key)
        #expect(try screen.cursorText == start)
        #expect(try screen.lines[1].contains("Nonmetal"))
    }

    @Test(arguments: [("PageDown", "PageUp"), ("C-f", "C-b"), ("C-d", "C-u")]) func pages(down: String, up: String) throws {
        let screen = try Screens.elements()
        let first = try screen.lines[2]
        try screen.send(down)
        let moved = try screen.cursorText
        #expect(moved != first)
        try screen.send(down, down)
        #expect(try screen.cursorText != moved)
        try screen.send(up, up, up, up)
        #expect(try screen.lines[1].contains("Nonmetal"))
        #expect(try screen.lines[2] == first)
    }

    @Test func cursorNeverLeavesTheScreen() throws {
        let screen = try Screens.elements(rows: 10)
        for key in ["Up", "PageUp", "End", "Down", "PageDown", "Home", "Up"] {
            try screen.send(key)
            #expect(try screen.cursorRow != nil, "after \(key)")
        }
    }

    @Test func headerOfTheTopRowsStaysWhileTheyScroll() throws {
        let screen = try Screens.elements(rows: 12)
        try screen.send("End", "PageUp")
        // The header stays in the line under the title although its section began above.
        #expect(try screen.lines[1].contains("Not yet known") || screen.lines[1].contains("Actinide"))
        #expect(try screen.lines[1].contains("▾"))
    }

    @Test func escapeDoesNothingAtTheRoot() throws {
        let screen = try Screens.elements()
        let before = try screen.text
        try screen.send("Escape")
        #expect(try screen.text == before)
        #expect(screen.exitStatus == nil)
    }

    @Test func helpShowsTheKeysAndGoesAway() throws {
        let screen = try Screens.elements()
        let before = try screen.text
        try screen.send("?")
        #expect(try screen.text != before)
        var help = try screen.text
        try screen.send("End")
        help += try "\n" + screen.text
        for part in ["Space", "PgDn", "^C"] { #expect(help.contains(part), "\(part)") }
        try screen.send("Escape")
        #expect(try screen.text == before)
    }
}

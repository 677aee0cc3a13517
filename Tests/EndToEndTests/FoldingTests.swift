import TestSupport
import Testing

/// Folding and unfolding: SPEC section 3.
@Suite(.needsTmux, .needsBrowser)
struct FoldingTests {
    @Test func spaceOnARowFoldsItsSectionAndGoesToTheHeader() throws {
        let screen = try Screens.elements()
        try screen.send("Down", "Down", "Space")
        #expect(try screen.cursorText.hasPrefix("▸ Nonmetal"))
        #expect(try !screen.text.contains("Hydrogen"))
        try screen.send("Space")
        #expect(try screen.cursorText.hasPrefix("▾ Nonmetal"))
        #expect(try screen.text.contains("Hydrogen"))
    }

    @Test func collapseAndExpandAll() throws {
        let screen = try Screens.elements()
        try screen.send("C")
        let lines = try screen.lines
        #expect(lines.count { $0.contains("▸") } == 11)
        #expect(lines[0].contains("118 objects"))
        try screen.send("E")
        #expect(try screen.lines.allSatisfy { !$0.contains("▸") })
        #expect(try screen.text.contains("Hydrogen"))
    }

    @Test func enterAndArrowsOnAHeader() throws {
        let screen = try Screens.elements()
        try screen.send("C", "Home")
        #expect(try screen.cursorText.hasPrefix("▸ Nonmetal"))
        try screen.send("Enter")
        #expect(try screen.cursorText.hasPrefix("▾ Nonmetal"))
        try screen.send("Enter")
        #expect(try screen.cursorText.hasPrefix("▸ Nonmetal"))
        try screen.send("Right")
        #expect(try screen.cursorText.hasPrefix("▾ Nonmetal"))
        try screen.send("Left")
        #expect(try screen.cursorText.hasPrefix("▸ Nonmetal"))
        try screen.send("l", "Down", "h")
        // From a row, ← goes to its header and folds nothing.
        #expect(try screen.cursorText.hasPrefix("▾ Nonmetal"))
    }

    @Test func unfoldingShowsAsMuchAsFits() throws {
        let screen = try Screens.elements(rows: 14)
        try screen.send("C", "End", "Space")
        #expect(try screen.cursorText.hasPrefix("▾ Not yet known"))
        #expect(try screen.text.contains("Oganesson"))
    }

    @Test func startsCollapsedWhereAsked() throws {
        let screen = try Screens.elements(arguments: ["--collapsed"])
        #expect(try screen.lines.count { $0.contains("▸") } == 11)
        #expect(try !screen.text.contains("Hydrogen"))
    }
}

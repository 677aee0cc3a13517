import TestSupport
import Testing

/// Opening an object and coming back: SPEC section 4.
@Suite(.needsTmux, .needsBrowser)
struct DetailTests {
    @Test(arguments: ["Enter", "Right", "l"]) func opensTheRowOfTheCursor(key: String) throws {
        let screen = try Screens.elements()
        try screen.send("Home", "Down", key)
        let text = try screen.text
        for part in ["Symbol", "Atomic number", "1.008", "Category", "Nonmetal", "Henry Cavendish", "1766"] {
            #expect(text.contains(part), "\(part)")
        }
    }

    @Test(arguments: ["q", "Escape", "Left", "h"]) func comesBackToTheSameLine(key: String) throws {
        let screen = try Screens.elements()
        try screen.send("PageDown", "Down", "Down")
        let before = try screen.text
        let row = try screen.cursorRow
        try screen.send("Enter")
        #expect(try screen.text != before)
        try screen.send(key)
        #expect(try screen.text == before)
        #expect(try screen.cursorRow == row)
    }

    @Test func wrapsLongTextAndShowsNull() throws {
        let screen = try Screens.elementsByName(columns: 40)
        // Carbon was known to the ancients: no year, no discoverer, and a summary longer than the screen is wide.
        try screen.send("Tab", "C", "Enter")
        while try !screen.cursorText.hasPrefix("Carbon") { try screen.send("Down") }
        try screen.send("Enter")
        var seen = try screen.text
        try screen.send("End")
        seen += try "\n" + screen.text
        #expect(seen.contains("Known to the ancients"))
        #expect(seen.contains("compounds than"))
        #expect(seen.contains("—"))
        #expect(!seen.contains("Optional("))
    }

    @Test func movesWithinTheDetail() throws {
        let screen = try Screens.elements(rows: 10)
        try screen.send("Home", "Down", "Enter")
        let top = try screen.text
        try screen.send("End")
        #expect(try screen.text.contains("Henry Cavendish"))
        try screen.send("Home")
        #expect(try screen.text == top)
        try screen.send("Space")
        #expect(try screen.text != top)
    }
}

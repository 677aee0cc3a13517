import TestSupport
import Testing

/// The bar of letters at the right edge: SPEC section 3.
@Suite(.needsTmux, .needsBrowser)
struct IndexBarTests {
    /// The last column of the lines between the first and the last, top to bottom, without blanks.
    func bar(_ screen: TerminalSession) throws -> String {
        let columns = try screen.size.columns
        return String(try screen.lines.dropFirst().dropLast().compactMap { $0.count == columns ? $0.last : nil })
    }

    @Test func showsTheWholeAlphabetWhereItFits() throws {
        #expect(try bar(Screens.elementsByName(rows: 40)) == "#ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    }

    @Test func dropsLettersForDotsWhereItDoesNot() throws {
        let bar = try bar(Screens.elementsByName())
        #expect(bar.hasPrefix("#") && bar.hasSuffix("Z"))
        #expect(bar.contains("•"))
        #expect(bar.count <= 22)
    }

    @Test func letterJumpsAtOnce() throws {
        let screen = try Screens.elementsByName()
        try screen.send("Tab", "N")
        #expect(try screen.text.contains("▾ N"))
        #expect(try screen.text.contains("Neodymium"))
        try screen.send("Enter")
        #expect(try screen.cursorText.hasPrefix("▾ N") || screen.cursorText.hasPrefix("Neodymium"))
    }

    /// No element's name begins with W; its neighbours in the alphabet are V (Vanadium) and X (Xenon): equally near, the later wins.
    @Test func letterWithoutSectionGoesToTheNearest() throws {
        let screen = try Screens.elementsByName()
        try screen.send("Tab", "W", "Enter")
        #expect(try screen.text.contains("Xenon"))
        #expect(try screen.cursorText.hasPrefix("▾ X") || screen.cursorText.hasPrefix("Xenon"))
    }

    @Test(arguments: ["Tab", "Enter", "Escape"]) func returnsToTheList(key: String) throws {
        let screen = try Screens.elementsByName()
        try screen.send("Tab", "M", key, "Down")
        // Back in the list ↓ moves the cursor by one line, not to the next letter.
        #expect(try screen.text.contains("Magnesium"))
        #expect(screen.exitStatus == nil)
    }

    @Test func saysWhyThereIsNone() throws {
        let screen = try TerminalSession(arguments: [BuiltProgram.projectFile("Configs/Chords.plist")])
        let before = try screen.lines
        try screen.send("Tab")
        #expect(try screen.lines[23] != before[23])
        #expect(try screen.lines[23].lowercased().contains("index"))
    }
}

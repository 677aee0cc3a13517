import Foundation
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

    /// `singleExpandedSection`: the first section alone is open at the start, and opening another folds it.
    @Test func oneSectionAtATime() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try """
        {
            entityName = Element; sortKeyPaths = ("category.name", name); sectionKeyPath = "category.name";
            cellTextLabelKeyPath = name; detailViewPropertyListFile = D; singleExpandedSection = YES;
            dataFile = "\(BuiltProgram.projectFile("Data/Elements.sqlite"))";
        }
        """.write(toFile: folder.path + "/L.plist", atomically: true, encoding: .utf8)
        let row = "rowType = CDLTableRowTypeSingleLineValueNoLabel; attributeKeyPath = name;"
        try "( { rowInformation = ( { \(row) } ); } )".write(
            toFile: folder.path + "/D.plist", atomically: true, encoding: .utf8)
        let screen = try TerminalSession(arguments: ["--no-state", folder.path + "/L.plist"], rows: 40)
        func open(_ screen: TerminalSession) throws -> [String] {
            try screen.lines.filter { $0.contains("▾") }.map { String($0.prefix(14)) }
        }
        #expect(try open(screen) == [" ▾ Actinide   "])
        try screen.send("Home", "]", "Enter")
        #expect(try open(screen) == [" ▾ Alkali meta"])
        // All of them can still be opened at once, by the key for that; state brings back what was.
        try screen.send("E")
        #expect(try open(screen).count > 1)
        let folded = try TerminalSession(arguments: ["--no-state", "--collapsed", folder.path + "/L.plist"], rows: 40)
        #expect(try open(folded).isEmpty)
    }
}

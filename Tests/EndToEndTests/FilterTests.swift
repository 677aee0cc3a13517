import TestSupport
import Testing

/// Predicates on the command line and on the screen: SPEC sections 1 and 3.
@Suite(.needsBrowser)
struct FilterTests {
    @Test func printsWhatMatches() throws {
        let result = try BuiltProgram.run(["--print=tsv", "--filter", "atomicNumber < 5", Screens.elements])
        #expect(result.exitStatus == 0)
        let lines = result.standardOutput.split(separator: "\n").map(String.init)
        #expect(lines.count == 5)
        for name in ["Hydrogen", "Helium", "Lithium", "Beryllium"] { #expect(result.standardOutput.contains(name)) }
    }

    /// What cannot be parsed is wrong usage; what does not fit the data is a fault of it.
    @Test(arguments: [
        (
            "atomicNumber < < 5", Int32(2),
            ["character 16: expected a key path or a value, found “<”, at ▸ in “atomicNumber < ▸< 5”"]
        ),
        (
            "atomicNumbr < 5 OR nmae = nil", Int32(1),
            [
                "character 1: “Element” has no property “atomicNumbr”, at ▸ in “▸atomicNumbr < 5 OR nmae = nil” (did you mean “atomicNumber”?)",
                "character 20: “Element” has no property “nmae”, at ▸ in “atomicNumbr < 5 OR ▸nmae = nil” (did you mean “name”?)",
            ]
        ),
    ])
    func pointsAtEachFaultInALineOfItsOwn(filter: String, status: Int32, messages: [String]) throws {
        let result = try BuiltProgram.run(["--print", "--filter", filter, Screens.elements])
        #expect(result.exitStatus == status)
        #expect(result.standardOutput.isEmpty)
        let lines = result.standardError.split(separator: "\n").map(String.init)
        #expect(lines == messages.map { "tlbrowse: --filter: \($0)" })
    }
}

@Suite(.needsTmux, .needsBrowser)
struct FilterScreenTests {
    @Test func ampersandNarrowsAndEscapeShowsAllAgain() throws {
        let screen = try Screens.elements()
        try screen.send("Down", "&")
        try screen.type("name BEGINSWITH[c] 'h'")
        try screen.send("Enter")
        #expect(try screen.lines[0].contains("of 118 match"))
        #expect(try screen.text.contains("Hydrogen"))
        #expect(try !screen.text.contains("Oxygen"))
        try screen.send("Escape")
        #expect(try screen.lines[0].contains("118 objects"))
        #expect(try screen.cursorText.contains("Hydrogen"))
    }

    /// It is the filter that `&` edits, and Esc drops it; printed, it stays.
    @Test func theCommandLinesFilterIsWhatAmpersandEdits() throws {
        let screen = try Screens.elements(arguments: ["--filter", "atomicNumber < 5"])
        #expect(try screen.lines[0].contains("4 of 118 match"))
        #expect(try screen.lines.last?.hasPrefix(" &atomicNumber < 5  (Esc shows all)") == true)
        try screen.send("&", "C-u")
        try screen.type("atomicNumber > 110")
        try screen.send("Enter")
        #expect(try screen.lines[0].contains("8 of 118 match"))
        try screen.send("Escape")
        #expect(try screen.lines[0].contains("118 objects"))
    }
}

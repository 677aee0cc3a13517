import Foundation
import TestSupport
import Testing

/// `T` and `P` in the real program: what they write is what the program shows and prints.
@Suite(.needsTmux, .needsBrowser)
struct SavingTests {
    @Test func aSavedListShowsWhatWasOnTheScreen() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let screen = try Screens.elements()
        // Another order, no sections, and a filter.
        try screen.type("&period == 2")
        try screen.send("Enter")
        try screen.type("S")
        try screen.send("Home", "Enter")
        try screen.type("T\(folder.path)/Second")
        try screen.send("Enter")
        #expect(try screen.text.contains("saved \(folder.path)/Second.plist"))
        try screen.type("P\(folder.path)/view.tsv")
        try screen.send("Enter")
        #expect(try screen.text.contains("printed 8 objects"))
        try screen.type("q")
        #expect(try screen.waitForExit() == 0)

        let plist = folder.path + "/Second.plist"
        let check = try BuiltProgram.run(["--check", plist])
        #expect(check.exitStatus == 0)
        #expect(check.standardOutput.split(separator: "\n").allSatisfy { $0.hasSuffix(": no faults") }, "\(check.standardOutput)")
        let printed = try BuiltProgram.run(["--print=tsv", plist])
        #expect(printed.exitStatus == 0 && printed.standardOutput.split(separator: "\n").count == 9)
        #expect(try printed.standardOutput == String(contentsOfFile: folder.path + "/view.tsv", encoding: .utf8))
    }

    /// A model that was named on the command line is the saved plist's, too: without it the list might not be the same.
    @Test func aSavedListNamesTheModelOfTheCommandLine() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let model = BuiltProgram.projectFile("Data/Elements.xcdatamodeld")
        let screen = try TerminalSession(arguments: [
            "--no-state", "--model", model, "--entity", "Element", BuiltProgram.projectFile("Data/Elements.sqlite"),
        ])
        try screen.type("T\(folder.path)/Mine")
        try screen.send("Enter")
        try screen.type("q")
        #expect(try screen.waitForExit() == 0)
        let plist = folder.path + "/Mine.plist"
        let text = try String(contentsOfFile: plist, encoding: .utf8)
        #expect(text.contains("modelFile") && text.contains("Elements.xcdatamodeld"), "\(text)")
        let check = try BuiltProgram.run(["--check", plist])
        #expect(check.exitStatus == 0, "\(check.standardOutput)")
        let printed = try BuiltProgram.run(["--print=csv", plist])
        #expect(
            try printed.standardOutput
                == BuiltProgram.run(["--print=csv", "--model", model, "--entity", "Element", "Data/Elements.sqlite"])
                .standardOutput)
    }
}

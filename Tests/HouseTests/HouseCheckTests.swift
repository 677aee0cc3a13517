import Foundation
import TestSupport
import Testing

/// The checks of `script/test` find what they are for: each is given a small package with one fault.
struct HouseCheckTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    func write(_ text: String, to path: String) throws {
        let file = URL(fileURLWithPath: folder.path + "/" + path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    /// What `check-imports` says of target A with this source, which may import B, in a package that has C and tests, too.
    func imports(_ source: String, target: String = "A") throws -> CommandResult {
        defer { folder.remove() }
        let home = target.hasSuffix("Tests") ? "Tests" : "Sources"
        try write(source, to: "\(home)/\(target)/File.swift")
        try write(
            """
            {"targets": [
                {"name": "A", "type": "regular", "dependencies": [{"byName": ["B", null]}]},
                {"name": "B", "type": "regular", "dependencies": []}, {"name": "C", "type": "regular", "dependencies": []},
                {"name": "CNcurses", "type": "regular", "dependencies": []},
                {"name": "ATests", "type": "test", "dependencies": [{"byName": ["A", null]}]}
            ]}
            """, to: "package.json")
        return try CommandResult(["script/check-imports", folder.path + "/package.json", folder.path])
    }

    @Test(arguments: [
        "import B\nimport Foundation\npackage import B\n", "@_exported public import struct B.Thing\n", "// import C\n",
        "/* import C\nimport C */ import B\n", "let text = \"\"\"\n    import C\n    \"\"\"\n", "let important = 1\n",
    ]) func allowedImportsPass(source: String) throws {
        let result = try imports(source)
        #expect(result.exitStatus == 0)
        #expect(result.standardOutput.isEmpty)
    }

    @Test(arguments: [
        ("import B\nimport C\n", "Sources/A/File.swift:2: A imports C"),
        ("  package import enum C.Thing\n", "File.swift:1: A imports C"),
        ("import Testing\n", "Testing is for tests only"), ("internal import CNcurses\n", "CNcurses is for NcursesTerminal only"),
        ("import Elsewhere\n", "Elsewhere is no module of this package"),
    ]) func lockedDoorsAreReported(source: String, message: String) throws {
        let result = try imports(source)
        #expect(result.exitStatus == 1)
        #expect(result.standardOutput.contains(message), "\(result.standardOutput)")
    }

    @Test func testsMayImportTesting() throws {
        #expect(try imports("import Testing\n@testable import A\n", target: "ATests").exitStatus == 0)
    }

    func house(_ source: String, at path: String) throws -> CommandResult {
        defer { folder.remove() }
        try write("script/run script/test", to: "README.md")
        try write("script/test", to: ".ci/run")
        try write(source, to: path)
        return try CommandResult(["script/check-house", folder.path])
    }

    /// The words are put together here, so that the check does not find them in this very file.
    @Test(arguments: [
        ("let a = try" + "! b()\n", "Sources/A/A.swift", "A.swift:1: traps"),
        ("_ = a as" + "! B\n", "Sources/A/A.swift", "traps"),
        ("fatalEr" + "ror()\n", "Sources/A/A.swift", "traps"), ("// TO" + "DO: more\n", "Sources/A/A.swift", "left unfinished"),
        ("private var count = 0\n", "Sources/A/A.swift", "a global variable"),
        (String(repeating: "// line\n", count: 451), "Sources/A/A.swift", "451 lines"),
        ("internal import CNcurses\n", "Sources/Screens/A.swift", "ncurses is imported outside"),
        ("final class A: @unchecked Sendable {}\n", "Sources/A/A.swift", "why it is sound"),
        ("usle" + "ep(10)\n", "Tests/A/A.swift", "A.swift:1: waits for time"),
        ("@Test(.disa" + "bled()) func a() {}\n", "Tests/A/A.swift", "waits for time"),
    ]) func brokenRulesAreReported(source: String, path: String, message: String) throws {
        let result = try house(source, at: path)
        #expect(result.exitStatus == 1)
        #expect(result.standardOutput.contains(message), "\(result.standardOutput)")
    }

    @Test func quietWhereAllIsWell() throws {
        let result = try house("let a = 1\nfunc f() {\n    var b = 1\n}\n", at: "Sources/A/A.swift")
        #expect(result.exitStatus == 0)
        #expect(result.standardOutput.isEmpty)
    }

    @Test func missingCommandsAreReported() throws {
        defer { folder.remove() }
        try write("nothing", to: "README.md")
        let result = try CommandResult(["script/check-house", folder.path])
        #expect(result.exitStatus == 1)
        #expect(result.standardOutput.split(separator: "\n").count == 3)
    }

    @Test func commandsAreSoundShell() throws {
        for name in ["setup", "run", "test", "bench", "fuzz", "make-examples"] {
            #expect(try CommandResult(["bash", "-n", "script/" + name]).exitStatus == 0, "\(name)")
        }
    }

    @Test func missingSwiftIsOneSentence() throws {
        defer { folder.remove() }
        // The script in a folder of its own, so that nothing is built yet, and a PATH with little more than the shell.
        try FileManager.default.createDirectory(atPath: folder.path + "/bin", withIntermediateDirectories: true)
        for tool in ["bash", "dirname", "basename", "find", "env"] {
            let found = try CommandResult(["sh", "-c", "command -v " + tool]).standardOutput.trimmingCharacters(in: .newlines)
            try FileManager.default.createSymbolicLink(atPath: folder.path + "/bin/" + tool, withDestinationPath: found)
        }
        try FileManager.default.createDirectory(atPath: folder.path + "/script", withIntermediateDirectories: true)
        for name in ["setup", "run"] {
            try FileManager.default.copyItem(
                atPath: BuiltProgram.projectFile("script/" + name), toPath: folder.path + "/script/" + name)
        }
        let result = try CommandResult(["PATH=" + folder.path + "/bin", folder.path + "/script/run", "x.plist"])
        #expect(result.exitStatus == 1)
        #expect(result.standardOutput.isEmpty)
        #expect(result.standardError.hasPrefix("script/run: Swift 6.2 or later is needed"))
        #expect(result.standardError.split(separator: "\n").count == 1)
    }
}

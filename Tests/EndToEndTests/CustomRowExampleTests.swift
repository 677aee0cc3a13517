import Foundation
import TestSupport
import Testing

/// A program with a row of its own, as an outsider writes one: `Sources/CustomRowExample`.
@Suite(.needsTmux, .needsBrowser)
struct CustomRowExampleTests {
    private static let row =
        "{ rowType = CDLTableRowTypeCustom; rowCustomControllerClass = LetterCountRowController; rowLabel = Letters; counted = name; }"

    /// A list of one object, whose detail names the row.
    private static func files() throws -> (folder: TemporaryFolder, list: String) {
        let folder = try TemporaryFolder()
        let list =
            "{ entityName = People; sortKeyPaths = (name); cellTextLabelKeyPath = name; detailViewPropertyListFile = PeopleDetail; }"
        for (name, text) in [
            ("People.plist", list), ("PeopleDetail.plist", "({ rowInformation = (\(row)); })"),
            ("People.json", #"[{"name": "Ada King"}]"#),
        ] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path + "/" + name))
        }
        return (folder, folder.path + "/People.plist")
    }

    @Test func theExampleShowsItsRow() throws {
        let (folder, list) = try Self.files()
        defer { folder.remove() }
        let screen = try TerminalSession(program: BuiltProgram.besideTests("CustomRowExample"), arguments: ["--no-state", list])
        try screen.send("Enter")
        #expect(try screen.lines.contains { $0.hasPrefix(" Letters ") && $0.hasSuffix(" 7") })
    }

    /// The program itself knows no such row, and says so.
    @Test func theProgramItselfDoesNotKnowIt() throws {
        let (folder, list) = try Self.files()
        defer { folder.remove() }
        let result = try BuiltProgram.run(["--check", list])
        #expect(result.exitStatus == 0)
        #expect(result.standardOutput.contains("no custom row “LetterCountRowController”"))
        let example = try CommandResult([BuiltProgram.besideTests("CustomRowExample"), "--check", list])
        #expect(example.exitStatus == 0 && !example.standardOutput.contains("no custom row"), "\(example.standardOutput)")
    }
}

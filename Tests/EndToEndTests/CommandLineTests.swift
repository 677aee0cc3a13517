import Foundation
import TestSupport
import Testing

/// Options and exit statuses without a terminal: SPEC section 1.
@Suite(.needsBrowser)
struct CommandLineTests {
    static let shippedStoreLists = ["Elements", "ElementsByName", "Discoverers", "Scales", "Chords"]

    func run(_ arguments: String...) throws -> BuiltProgram.Result { try BuiltProgram.run(arguments) }

    @Test func helpNamesEveryOption() throws {
        let result = try run("--help")
        #expect(result.exitStatus == 0)
        #expect(result.standardError.isEmpty)
        for option in ["--data", "--collapsed", "--print", "--check", "--help", "--version"] {
            #expect(result.standardOutput.contains(option), "\(option)")
        }
        #expect(result.standardOutput.split(separator: "\n").allSatisfy { $0.count <= 80 || !$0.contains("  ") })
    }

    @Test func versionIsOneLine() throws {
        let result = try run("--version")
        #expect(result.exitStatus == 0)
        #expect(result.standardOutput.hasPrefix("tlbrowse "))
        #expect(result.standardOutput.split(separator: "\n").count == 1)
    }

    @Test(arguments: [
        ["--no-such-option"], [], ["--data"], ["--edit", Screens.elements], ["--scaffold"], ["--generate", "poem"],
        ["--sort", ",", Screens.elements], ["--sort", "name,", Screens.elements],
        // They are about the objects of one entity, and this store has several.
        ["--sort", "name", "Data/Scales.sqlite"], ["--search", "x", "Data/Scales.sqlite"],
        ["--filter", "name = 'x'", "Data/Scales.sqlite"],
        ["--sort", "name", "--check", Screens.elements], ["--search", "x", "--schema", "Data/Scales.sqlite"],
        // One report at a time; a form is part of its option.
        ["--schema", "--print", "Data/Scales.sqlite"], ["--print", "csv", Screens.elements],
    ])
    func wrongUsageAndWhatIsNotThereYet(arguments: [String]) throws {
        let result = try BuiltProgram.run(arguments)
        #expect(result.exitStatus == 2)
        #expect(result.standardOutput.isEmpty)
        #expect(result.standardError.hasPrefix("tlbrowse: "))
        if let option = arguments.first { #expect(result.standardError.contains(option)) }
    }

    /// A model that is not there hides nothing of what else is wrong with the plist.
    @Test func aMissingModelHidesNoOtherFault() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let store = FileManager.default.currentDirectoryPath + "/" + "Data/Elements.sqlite"
        let list = "\(folder.path)/List.plist"
        try Data(
            """
            { entityName = Element; sortKeyPaths = (nmae); cellTextLabelKeyPath = name; detailViewPropertyListFile = Gone;
              dataFile = "\(store)"; modelFile = "Gone.mom"; filterPredicate = "name = "; }
            """.utf8
        ).write(to: URL(fileURLWithPath: list))
        let expected = [
            "filterPredicate: character 8: expected a key path or a value, found the end, at ▸ in “name = ▸”",
            "modelFile: no such file: \(folder.path)/Gone.mom (the path is relative to the plist)",
            "sortKeyPaths[0]: “Element” has no property “nmae” (did you mean “name”?)",
            "detailViewPropertyListFile: no such file: \(folder.path)/Gone.plist",
        ].map { "tlbrowse: \(list): \($0)" }
        let checked = try run("--check", list)
        #expect(checked.exitStatus == 1)
        #expect(checked.standardOutput.split(separator: "\n").map(String.init) == expected)
        let printed = try run("--print", list)
        #expect(printed.exitStatus == 1 && printed.standardOutput.isEmpty)
        #expect(printed.standardError.split(separator: "\n").map(String.init) == expected)
    }

    /// A model that was asked for is looked at whatever the data are.
    @Test(arguments: ["Data/Elements.sqlite", "Data/Mountain.json", "Data/Moons.plist"])
    func aModelThatIsNotThereIsAFault(data: String) throws {
        let result = try run("--model", "/nonexistent.mom", "--schema", data)
        #expect(result.exitStatus == 1 && result.standardOutput.isEmpty)
        #expect(result.standardError == "tlbrowse: /nonexistent.mom: no such file\n")
    }

    /// Prose and programs are no table of one column.
    @Test(arguments: ["README.md", "Package.swift"]) func whatIsNoDataIsRefusedInOneLine(file: String) throws {
        let result = try run("--print", file)
        #expect(result.exitStatus == 1 && result.standardOutput.isEmpty)
        #expect(
            result.standardError
                == "tlbrowse: \(file): neither a database nor a document: JSON, CSV or a property list is expected\n")
    }

    /// A row whose key path leads nowhere is a fault of the plist; the others are printed all the same.
    @Test(arguments: ["csv", "tsv", "json", "ndjson", "text"]) func aFaultyDetailRowIsSaid(format: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        func write(_ text: String, _ name: String) throws {
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder.path)/\(name)"))
        }
        try write(#"[{"name": "Alpha"}, {"name": "Beta"}]"#, "records.json")
        try write(
            """
            { entityName = records; sortKeyPaths = (name); cellTextLabelKeyPath = name; detailViewPropertyListFile = Detail;
              dataFile = "records.json"; }
            """, "List.plist")
        let rows = ["name", "nmae"].map { "{ rowType = CDLTableRowTypeSingleLineValueNoLabel; attributeKeyPath = \($0); }" }
        try write("( { rowInformation = ( \(rows.joined(separator: ", ")) ); } )", "Detail.plist")
        let result = try run("--print=\(format)", "--details", "\(folder.path)/List.plist")
        #expect(result.exitStatus == 1)
        #expect(result.standardOutput.contains("Alpha") && result.standardOutput.contains("Beta"))
        #expect(result.standardError.contains("[0].rowInformation[1].attributeKeyPath: “records” has no property “nmae”"))
        #expect(result.standardError.split(separator: "\n").count == 1)
    }

    /// Titles that a reader cannot tell apart are one section, wherever the sort order puts their rows.
    @Test(arguments: ["caseInsensitiveCompare:", "compare:"]) func titlesThatLookTheSameAreOneSection(selector: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try Data(
            """
            { entityName = records; sortKeyPaths = ({ keyPath = group; selector = "\(selector)"; }, name); cellTextLabelKeyPath = name;
              detailViewPropertyListFile = Detail; sectionKeyPath = group; dataFile = "records.json"; }
            """.utf8
        ).write(to: URL(fileURLWithPath: "\(folder.path)/List.plist"))
        try Data("({ rowInformation = ({ rowType = CDLTableRowTypeSingleLineValueNoLabel; attributeKeyPath = name; }); })".utf8)
            .write(to: URL(fileURLWithPath: "\(folder.path)/Detail.plist"))
        try Data(
            #"[{"name": "a", "group": "\u00e9"}, {"name": "b", "group": "f"}, {"name": "c", "group": "e\u0301"}]"#.utf8
        ).write(to: URL(fileURLWithPath: "\(folder.path)/records.json"))
        let result = try run("--print", "\(folder.path)/List.plist")
        #expect(result.exitStatus == 0, "\(result.standardError)")
        let headers = result.standardOutput.split(separator: "\n").filter { $0.contains("▾") }
        #expect(headers.count == 2)
        #expect(headers.contains { $0.contains("▾ é ") && $0.hasSuffix("2") })
    }

    @Test(arguments: shippedStoreLists) func shippedListsPassTheCheck(name: String) throws {
        let result = try run("--check", "Configs/\(name).plist")
        #expect(result.exitStatus == 0, "\(result.standardOutput)\(result.standardError)")
    }

    @Test(arguments: shippedStoreLists) func shippedListsPrint(name: String) throws {
        let result = try run("--print", "Configs/\(name).plist")
        #expect(result.exitStatus == 0, "\(result.standardError)")
        #expect(result.standardOutput.split(separator: "\n").count >= 40)
        #expect(!result.standardOutput.contains("\u{1b}"))
    }

    @Test func printIsTheListUnfolded() throws {
        let result = try run("--print", "--collapsed", Screens.elements)
        #expect(result.exitStatus == 0)
        for part in ["Chemical Elements", "Nonmetal", "Hydrogen", "Oganesson"] { #expect(result.standardOutput.contains(part)) }
        #expect(try run("--print", Screens.elements).standardOutput == result.standardOutput)
        // Without a terminal and anything else asked it prints.
        #expect(try run(Screens.elements).standardOutput == result.standardOutput)
    }

    @Test func dataMayBeNamed() throws {
        let named = try run("--print", "--data", "Data/Elements.sqlite", Screens.elements)
        #expect(named.exitStatus == 0)
        #expect(try run("--print", Screens.elements, "Data/Elements.sqlite").standardOutput == named.standardOutput)
        #expect(try run("--print", Screens.elements).standardOutput == named.standardOutput)
    }

    @Test func lookingChangesNothing() throws {
        let store = BuiltProgram.projectFile("Data/Elements.sqlite")
        func state() throws -> (Data, Date?, [String]) {
            let attributes = try FileManager.default.attributesOfItem(atPath: store)
            return (
                try Data(contentsOf: URL(fileURLWithPath: store)), attributes[.modificationDate] as? Date,
                try FileManager.default.contentsOfDirectory(atPath: BuiltProgram.projectFile("Data")).sorted()
            )
        }
        let before = try state()
        #expect(try run("--print", Screens.elements).exitStatus == 0)
        let after = try state()
        #expect(before.0 == after.0 && before.1 == after.1 && before.2 == after.2)
    }

    @Test func faultsAreLinesAndOne() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let plist = folder.path + "/Broken.plist"
        try Data("{ entityName = \"\"; sortKeyPaths = (); sectionKeyPath = a; sectionNameKeyPath = b; }".utf8)
            .write(to: URL(fileURLWithPath: plist))
        let checked = try run("--check", plist)
        #expect(checked.exitStatus == 1)
        // All of them in one run: three required strings and the sort keys missing, two section keys that differ.
        for key in ["entityName", "sortKeyPaths", "cellTextLabelKeyPath", "detailViewPropertyListFile", "sectionKeyPath"] {
            #expect(checked.standardOutput.contains(key), "\(key)")
        }
        let opened = try run("--print", plist)
        #expect(opened.exitStatus == 1)
        #expect(opened.standardOutput.isEmpty)
        #expect(opened.standardError.split(separator: "\n").allSatisfy { $0.hasPrefix("tlbrowse: ") })
    }

    @Test(arguments: ["", "not a plist {", "bplist00garbage", "\u{0}\u{1}\u{2}", "<plist><dict><key>a</key></plist>"])
    func anyFileIsAClearFault(contents: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = folder.path + "/Any.plist"
        try Data(contents.utf8).write(to: URL(fileURLWithPath: file))
        for arguments in [["--check", file], ["--print", file], ["--print", "--data", file, Screens.elements]] {
            let result = try BuiltProgram.run(arguments)
            #expect(result.exitStatus == 1, "\(arguments)")
            #expect(!(result.standardOutput + result.standardError).isEmpty)
            #expect(!result.standardError.contains("Fatal error"))
        }
    }

    @Test func missingFilesAreNamed() throws {
        let result = try run("--print", "/nowhere/at/all.plist")
        #expect(result.exitStatus == 1)
        #expect(result.standardError.contains("/nowhere/at/all.plist"))
    }

    @Test(arguments: [
        "--help", "--version", "--generate man", "--schema Data/Elements.sqlite", "--schema=json Data/Elements.sqlite",
        "--print Configs/Elements.plist", "--print=csv Configs/Elements.plist", "--check Configs/Elements.plist",
    ]) func aFullDiskIsAFault(arguments: String) throws {
        let result = try CommandResult([
            "bash", "-c", "cd \"$1\" && \"$2\" $3 >/dev/full", "bash", BuiltProgram.projectFolder.path, BuiltProgram.path,
            arguments,
        ])
        #expect(result.exitStatus == 1)
        #expect(result.standardError == "tlbrowse: standard output: cannot be written: No space left on device\n")
    }

    @Test func anEntityIsNamedWithDataAlone() throws {
        for arguments in [
            ["--entity", "Element", Screens.elements], ["--entity=Element", "--data", "Data/Elements.sqlite", Screens.elements],
        ] {
            let result = try BuiltProgram.run(["--print"] + arguments)
            #expect(result.exitStatus == 2)
            #expect(result.standardOutput.isEmpty && result.standardError.contains("--entity"))
        }
        #expect(try run("--print", "--entity", "Element", "Data/Elements.sqlite").exitStatus == 0)
    }

    @Test func fullPipeEndsQuietly() throws {
        let result = try CommandResult([
            "bash", "-c", "\"$1\" --print \"$2\" | head -n 1; exit ${PIPESTATUS[0]}", "bash", BuiltProgram.path, Screens.elements,
        ])
        #expect(result.exitStatus == 0)
        #expect(result.standardError.isEmpty)
    }
}

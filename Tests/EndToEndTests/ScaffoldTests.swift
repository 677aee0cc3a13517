import Foundation
import TestSupport
import Testing

/// `--scaffold`: from data to plists that the program takes.
@Suite(.needsBrowser)
struct ScaffoldTests {
    @Test(arguments: ["Data/Elements.sqlite", "Data/Scales.sqlite"]) func plistsPassTheCheckAndPrint(store: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let place = folder.path + "/new/plists"
        let result = try BuiltProgram.run(["--scaffold", place, store])
        #expect(result.exitStatus == 0, "\(result.standardError)")
        let files = result.standardOutput.split(separator: "\n").map(String.init)
        let present = try FileManager.default.contentsOfDirectory(atPath: place).map { "\(place)/\($0)" }
        #expect(files.count >= 6 && files.sorted() == present.sorted())
        for list in files where list.hasSuffix("ListView.plist") {
            let check = try BuiltProgram.run(["--check", list])
            #expect(check.exitStatus == 0)
            // It finds the data by itself, and nothing in it is even a warning.
            let lines = check.standardOutput.split(separator: "\n")
            #expect(lines.count == 2 && lines.allSatisfy { $0.hasSuffix(": no faults") }, "\(check.standardOutput)")
            let entity = URL(fileURLWithPath: list).lastPathComponent.replacingOccurrences(of: "ListView.plist", with: "")
            // Made from the schema, so it shows what is shown without a plist.
            let printed = try BuiltProgram.run(["--print=csv", "--details", list])
            #expect(printed.exitStatus == 0)
            #expect(
                try printed.standardOutput
                    == BuiltProgram.run(["--print=csv", "--details", "--entity", entity, store]).standardOutput)
        }
    }

    @Test func nothingIsOverwritten() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let mine = folder.path + "/ElementListView.plist"
        try Data("mine".utf8).write(to: URL(fileURLWithPath: mine))
        let result = try BuiltProgram.run(["--scaffold", folder.path, "Data/Elements.sqlite"])
        #expect(result.exitStatus == 1)
        #expect(result.standardOutput.isEmpty)
        #expect(result.standardError == "tlbrowse: \(mine): is there already (nothing was written; name another folder)\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["ElementListView.plist"])
        #expect(try String(contentsOfFile: mine, encoding: .utf8) == "mine")
    }

    @Test func oneEntityAndUnknownOnes() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let one = try BuiltProgram.run(["--scaffold", folder.path, "--entity", "Discoverer", "Data/Elements.sqlite"])
        #expect(one.exitStatus == 0)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
                == ["DiscovererDetailView.plist", "DiscovererListView.plist"])
        let unknown = try BuiltProgram.run(["--scaffold", folder.path, "--entity", "Discoverers", "Data/Elements.sqlite"])
        #expect(unknown.exitStatus == 1 && unknown.standardError.contains("Discoverer"))
        let file = try BuiltProgram.run(["--scaffold", folder.path + "/DiscovererListView.plist", "Data/Elements.sqlite"])
        #expect(file.exitStatus == 1 && file.standardError.contains("is a file, not a folder"))
    }
}

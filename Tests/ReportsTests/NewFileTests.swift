import Foundation
import Reports
import TestSupport
import Testing

@Suite final class NewFileTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }
    deinit { folder.remove() }

    func contents(_ name: String) -> String? { try? String(contentsOfFile: "\(folder.path)/\(name)", encoding: .utf8) }

    @Test func neverOverwrites() throws {
        let path = folder.path + "/a"
        try NewFile.create(path) { output throws(ReportOutputError) in try output.write("first") }
        #expect(throws: NewFile.Failure.self) {
            try NewFile.create(path) { output throws(ReportOutputError) in try output.write("second") }
        }
        #expect(contents("a") == "first")
        // A link that leads nowhere is there, too.
        #expect(symlink(folder.path + "/nowhere", folder.path + "/link") == 0)
        #expect(throws: NewFile.Failure.self) { try NewFile.create(folder.path + "/link") { _ in } }
        #expect(contents("nowhere") == nil)
    }

    @Test func halfAFileDoesNotStay() throws {
        let failure = #expect(throws: NewFile.Failure.self) {
            try NewFile.create(self.folder.path + "/half") { output throws(ReportOutputError) in
                try output.write("half")
                try output.flush()
                throw .failed("it broke")
            }
        }
        #expect(failure?.text == "\(folder.path)/half: it broke")
        #expect(contents("half") == nil)
    }

    /// Somebody else is quicker: their file stays, ours goes. Where files need names from the beginning nobody can be.
    @Test func theNameIsGivenWhenAllIsWritten() throws {
        let path = folder.path + "/late"
        var isTaken = false
        do {
            try NewFile.create(path) { output throws(ReportOutputError) in
                try output.write("mine")
                isTaken = FileManager.default.fileExists(atPath: path)
                if !isTaken { _ = FileManager.default.createFile(atPath: path, contents: Data("theirs".utf8)) }
            }
            #expect(isTaken && contents("late") == "mine")
        } catch {
            #expect(!isTaken && error.problem == "is there already" && contents("late") == "theirs")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["late"])
    }

    @Test func pathsBetweenFolders() throws {
        for name in ["a/b", "a/c", "d"] {
            try FileManager.default.createDirectory(
                atPath: "\(folder.path)/\(name)", withIntermediateDirectories: true)
        }
        #expect(symlink("\(folder.path)/a/b", "\(folder.path)/link") == 0)
        func path(_ file: String, from place: String) -> String {
            RelativePath.path(of: "\(folder.path)/\(file)", from: "\(folder.path)/\(place)")
        }
        #expect(path("a/x", from: "a") == "x")
        #expect(path("a/b/x", from: "a") == "b/x")
        #expect(path("x", from: "a/b") == "../../x")
        #expect(path("a/c/x", from: "a/b") == "../c/x")
        // `..` of a link is the parent of what it leads to.
        #expect(path("a/c/x", from: "link") == "../c/x")
        #expect(path("link/x", from: "d") == "../a/b/x")
        #expect(RelativePath.path(of: "/usr/x", from: folder.path) == "/usr/x")
        #expect(RelativePath.path(of: "/usr/x", from: "/tmp", isAlwaysRelative: true) == "../usr/x")
        #expect(path("x", from: "gone") == folder.path + "/x")
    }

    @Test(
        arguments: [
            ("a.txt", PrintFormat.text), ("a.b.CSV", .csv), ("/x.y/a.tsv", .tsv), (".json", .json), ("a.ndjson", .ndjson),
            ("a", nil),
            ("csv", nil), ("a.jsonx", nil), ("", nil),
        ] as [(String, PrintFormat?)]) func formsByName(name: String, format: PrintFormat?)
    {
        #expect(PrintFormat(fileName: name) == format)
    }
}

import Foundation
import TestSupport
import Testing

/// What the program prints of a store or a document is what Python reads in it: names, types, counts, values, relationships.
@Suite(.needsBrowser, .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")))
struct SecondReadingTests {
    private static let project = BuiltProgram.projectFolder.path

    private func compare(_ file: String) throws {
        let result = try CommandResult([
            "/usr/bin/python3", Self.project + "/script/second-reading.py", BuiltProgram.path, file,
        ])
        #expect(result.exitStatus == 0, "\(result.standardOutput)\(result.standardError)")
        #expect(result.standardOutput.contains(" 0 faults"))
    }

    @Test(arguments: ["Elements.sqlite", "Scales.sqlite", "Moons.plist", "Mountain.json"]) func examplesAgree(name: String) throws
    {
        try compare(Self.project + "/Data/" + name)
    }

    /// Files that others made, where they are at hand.
    static let samples: [String] = {
        let folder = BuiltProgram.projectFolder.deletingLastPathComponent().appendingPathComponent("shared/samples")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects as? [URL] ?? []
        return files.filter { url in
            let isStore = (try? FileHandle(forReadingFrom: url).read(upToCount: 16)).map {
                $0 == Data("SQLite format 3\u{0}".utf8)
            }
            return isStore ?? false || url.deletingLastPathComponent().lastPathComponent == "documents"
        }.map(\.path).sorted()
    }()

    @Test(arguments: samples) func samplesAgree(file: String) throws { try compare(file) }
}

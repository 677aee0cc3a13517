import Foundation
import TestSupport
import Testing

/// What the program prints of a store is what Python's sqlite3 reads in it: names, counts, values.
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

    @Test(arguments: ["Elements", "Scales"]) func examplesAgree(name: String) throws {
        try compare(Self.project + "/Data/\(name).sqlite")
    }

    /// Files that others made, where they are at hand.
    static let samples: [String] = {
        let folder = BuiltProgram.projectFolder.deletingLastPathComponent().appendingPathComponent("shared/samples")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects as? [URL] ?? []
        return files.filter { url in
            (try? FileHandle(forReadingFrom: url).read(upToCount: 16)).map { $0 == Data("SQLite format 3\u{0}".utf8) } ?? false
        }.map(\.path).sorted()
    }()

    @Test(arguments: samples) func samplesAgree(file: String) throws { try compare(file) }
}

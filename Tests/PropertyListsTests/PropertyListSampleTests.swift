import Foundation
import Testing

@testable import PropertyLists

/// The property lists among the samples, where they are at hand.
@Suite(.enabled(if: FileManager.default.fileExists(atPath: "/work/shared/samples/README.md")))
struct PropertyListSampleTests {
    private static let samples = "/work/shared/samples/"

    private func paths(withSuffix suffix: String) -> [String] {
        let names = FileManager.default.enumerator(atPath: Self.samples)?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(suffix) }.map { Self.samples + $0 }.sorted()
    }

    @Test func readsAllAsFoundationDoes() throws {
        var count = 0
        for path in paths(withSuffix: ".plist")
        where !path.hasSuffix("/truncated.plist") && !path.hasSuffix("/NSKeyedArchiver.plist") {
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            let mine = Reference.sorted(try PropertyListReader.read(file: path))
            let agrees = mine == Reference.read(data)
            #expect(agrees, "\(path)")
            count += 1
        }
        #expect(count > 15)
    }

    @Test func opensArchivesAndWhatIsLeft() throws {
        let archive = try OutlineNode.root(
            bytes: PropertyListReader.bytes(file: Self.samples + "documents/NSKeyedArchiver.plist"))
        #expect(archive.childCount == 8)
        let truncated = try PropertyListReader.bytes(file: Self.samples + "documents/truncated.plist")
        #expect(throws: PropertyListError.self) { try OutlineNode.root(bytes: truncated) }
        let salvaged = try #require(OutlineNode.salvaged(bytes: truncated))
        #expect(salvaged.root.children().map(\.label).first == "com.apple.ibtool.document.hierarchy")
        #expect(salvaged.root.child(at: 0)?.childCount ?? 0 > 0)
    }
}

import DocumentStores
import Foundation
import ObjectStore
import SQLiteStores
import Testing

/// The documents that the program comes with.
@Suite struct ExampleTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Data").path

    @Test func mountains() throws {
        let store = try DocumentStore.open(path: ExampleTests.folder + "/Mountain.json")
        #expect(store.schema.warnings.isEmpty)
        #expect(store.schema.entities.map(\.name) == ["Mountain", "firstAscent", "climbers", "expeditions"])
        #expect(store.schema.entity(named: "Mountain")?.attribute(named: "height")?.type == .int64)
        #expect(store.schema.entity(named: "firstAscent")?.attribute(named: "date")?.type == .date)
        #expect(try store.column("firstAscent.year", of: "Mountain").first == .integer(1913))
        guard case .list(let climbers)? = try store.column("climbers.name", of: "Mountain").first else {
            Issue.record("no climbers")
            return
        }
        #expect(climbers.count == 4 && climbers.first == .string("Walter Harper"))
        #expect(store.schema.entity(named: "expeditions")?.attribute(named: "year") != nil)
    }

    @Test func moons() throws {
        let store = try DocumentStore.open(path: ExampleTests.folder + "/Moons.plist")
        #expect(store.schema.entities.map(\.name) == ["Moon", "Planet"])
        #expect(store.schema.warnings.isEmpty)
        #expect(store.schema.entity(named: "Moon")?.attribute(named: "meanRadius")?.type == .double)
        #expect(store.schema.entity(named: "Moon")?.attribute(named: "isRetrograde")?.type == .boolean)
        #expect(try store.column("name", of: "Moon").first == .string("Moon"))
    }
}

import Foundation
import ObjectStore
import SQLiteStores
import Testing

@Suite struct PredicateRandomTests {
    /// Ten thousand predicates on ten worlds: what SQLite finds is what a plain evaluation finds.
    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func agreesWithPlainEvaluation(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let world = PredicateWorld(&random)
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let store = try SQLiteObjectStore.open(path: folder.database(world.sql))
        var generator = PredicateGenerator(world, seed: seed &* 1000)
        var matched = 0
        var failures = 0
        for round in 0..<1000 where failures < 5 {
            let entity = round % 4 == 0 ? "Artist" : round % 10 == 1 ? "Tag" : "Album"
            let plain = generator.predicate([.init(prefix: "", place: 0, entity: entity)])
            let expected = (world.things[entity] ?? [:]).values.filter { plain.holds([$0]) == true }.map { Int64($0.id) }
            do {
                let predicate = try PredicateFormat(plain.text).resolve(in: store.schema, entityName: entity)
                let found = try store.fetch(FetchRequest(entityName: entity, predicate: predicate), progress: FetchProgress())
                matched += found.keys.count
                if found.keys.sorted() != expected.sorted() { failures += 1 }
                #expect(found.keys.sorted() == expected.sorted(), "\(entity): \(plain.text)")
            } catch {
                failures += 1
                Issue.record("\(entity): \(plain.text): \((error as? PredicateFault)?.problem ?? "\(error)")")
            }
        }
        // Neither everything nor nothing: the predicates say something.
        #expect((1000...30_000).contains(matched))
    }
}

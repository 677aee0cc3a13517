import ObjectStore
import TestSupport
import Testing

@testable import SQLiteStores

/// Orders made of those before, against fetches.
@Suite(.enabled(if: OtherProcess.isThere)) struct OrderPatchTests {
    @Test(arguments: [("DELETE", false), ("WAL", false), ("DELETE", true), ("WAL", true)])
    func aPatchedOrderIsThatOfAFetch(journalMode: String, coreData: Bool) throws {
        var random = SeededGenerator(seed: coreData ? 77 : 78)
        let folder = try TestSupport.TemporaryFolder()
        defer { folder.remove() }
        let world = try FollowedWorld(folder.path + "/s.sqlite", coreData: coreData, journalMode: journalMode)
        try world.change(120, &random)
        let shown = try [world.path("name")]
        var patches = 0
        for _ in 0..<25 {
            let request = try world.request(&random)
            func fetch() throws -> FetchedObjects { try world.store.fetch(request, progress: FetchProgress()) }
            var objects = try fetch()
            var versions = try #require(try world.store.versions(at: shown, of: request, progress: FetchProgress()))
            for _ in 0..<12 {
                let changes = try world.change(Int.random(in: 1...5, using: &random), &random)
                let followed = try #require(
                    try world.store.follow(objects, since: versions, at: shown, of: request, progress: FetchProgress()))
                let wanted = try fetch()
                if let patch = followed.patch {
                    patches += 1
                    #expect(patch.objects == wanted, "\(request) after \(changes)")
                    Self.expectPlaces(patch, objects)
                }
                #expect(followed.versions.count == wanted.keys.count)
                #expect(Set(followed.changes.inserted) == Set(wanted.keys).subtracting(objects.keys))
                #expect(Set(followed.changes.deleted) == Set(objects.keys).subtracting(wanted.keys))
                objects = wanted
                versions = followed.versions
            }
        }
        #expect(patches > 200)
    }

    /// What is not said to be taken out or put in is there before and after.
    private static func expectPlaces(_ patch: PatchedObjects, _ old: FetchedObjects) {
        let removed = Set(patch.removed)
        let inserted = Set(patch.inserted)
        #expect(removed.count == patch.removed.count && inserted.count == patch.inserted.count)
        let left = old.keys.indices.filter { !removed.contains($0) }.map { old.keys[$0] }
        let kept = patch.objects.keys.indices.filter { !inserted.contains($0) }.map { patch.objects.keys[$0] }
        #expect(Set(left) == Set(kept) && left.count == kept.count)
    }

    /// Of a change of one row no other is looked at but on the way to its place.
    @Test func aChangeIsFoundByAFewLooks() throws {
        let folder = try TestSupport.TemporaryFolder()
        defer { folder.remove() }
        let path = folder.path + "/s.sqlite"
        let writer = try OtherProcess(path)
        try writer.run(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT); WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c"
                + " WHERE n < 50000) INSERT INTO t SELECT n, 'name ' || (n * 7919 % 50021) FROM c")
        let store = try SQLiteObjectStore.open(path: path)
        let name = try store.schema.keyPath("name", in: "t")
        let request = FetchRequest(entityName: "t", sortDescriptors: [SortDescriptor(.keyPath(name))])
        let objects = try store.fetch(request, progress: FetchProgress())
        let versions = try #require(try store.versions(at: [name], of: request, progress: FetchProgress()))
        try writer.run(
            "UPDATE t SET name = 'name 5 and a half' WHERE id = 777; DELETE FROM t WHERE id = 50; INSERT INTO t VALUES (60000, 'n')"
        )
        let before = try store.statementCount()
        let followed = try #require(
            try store.follow(objects, since: versions, at: [name], of: request, progress: FetchProgress()))
        #expect(try store.statementCount() - before < 5 + 2 * 17)
        #expect(followed.changes == RowChanges(inserted: [60000], changed: [777], deleted: [50]))
        #expect(try followed.patch?.objects == store.fetch(request, progress: FetchProgress()))
        // Where nothing has changed nothing is looked at.
        let again = try #require(
            try store.follow(
                followed.patch?.objects, since: followed.versions, at: [name], of: request, progress: FetchProgress()))
        #expect(again.changes.count == 0 && again.patch?.objects == followed.patch?.objects)
        // Where much has, all is to be fetched.
        try writer.run("UPDATE t SET name = name || '!' WHERE id % 3 = 0")
        let much = try #require(
            try store.follow(objects, since: versions, at: [name], of: request, progress: FetchProgress()))
        #expect(much.patch == nil && much.changes.changed.count > 16_000)
    }

    /// What does not belong together is not patched: an object that is said to be there and is not.
    @Test func anOrderOfAnotherStateIsNotPatched() throws {
        let folder = try TestSupport.TemporaryFolder()
        defer { folder.remove() }
        let path = folder.path + "/s.sqlite"
        let writer = try OtherProcess(path)
        try writer.run("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO t VALUES (1,'a'),(2,'b'),(3,'c')")
        let store = try SQLiteObjectStore.open(path: path)
        let name = try store.schema.keyPath("name", in: "t")
        let request = FetchRequest(entityName: "t", sortDescriptors: [SortDescriptor(.keyPath(name))])
        var objects = try store.fetch(request, progress: FetchProgress())
        objects.keys = [1, 3]
        objects.sections[0].count = 2
        let versions = try #require(try store.versions(at: [name], of: request, progress: FetchProgress()))
        try writer.run("DELETE FROM t WHERE id = 2")
        let followed = try #require(
            try store.follow(objects, since: versions, at: [name], of: request, progress: FetchProgress()))
        #expect(followed.patch == nil)
        #expect(followed.changes.deleted == [2])
    }

    /// Versions keep keys as they are, wherever they lie.
    @Test func versionsKeepTheirKeys() {
        let keys: ContiguousArray<ObjectKey> = [.min, -300, -45, -44, 0, 1, 255, 256, 512, 767, 1023, .max - 1, .max]
        var versions = RowVersions()
        for key in keys { versions.append(key, version: UInt64(bitPattern: key)) }
        versions.append(5, version: 1)
        #expect(versions.keys == keys)
        #expect(versions.count == keys.count)
        #expect(versions.changes(since: RowVersions()) == RowChanges(inserted: keys))
        #expect(RowVersions().changes(since: versions) == RowChanges(deleted: keys))
    }
}

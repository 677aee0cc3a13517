import Foundation
import Glibc
import ObjectStore
import TestSupport
import Testing

@testable import SQLiteStores

/// A copy over the file, by something that is not SQLite, is seen whatever count of changes it brings.
struct OverwritingTests {
    /// Copies have one of a few heads, so that most of them look to SQLite like one that was read before.
    @Test(arguments: 1...12) func whatIsReadIsWhatLiesThere(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder()
        let path = try Self.database(folder, "store.sqlite", &random)
        try Self.write(try Data(contentsOf: URL(fileURLWithPath: path)), over: path, change: 0)
        let store = try SQLiteObjectStore.open(path: path)
        let name = try store.schema.keyPath("name", in: "t")
        let request = FetchRequest(entityName: "t", sortDescriptors: [SortDescriptor(.keyPath(name), ascending: true)])
        var state = store.fileState()
        #expect(try store.refresh() == .same)
        for change in 1...40 {
            var copy = try Data(contentsOf: URL(fileURLWithPath: try Self.database(folder, "copy-\(change).sqlite", &random)))
            // The bytes by which SQLite knows a file again; of equal length, or the count of pages would tell.
            let head = Data([0, 0, 0, UInt8.random(in: 1...2, using: &random)])
            copy.replaceSubrange(24..<28, with: head)
            copy.replaceSubrange(92..<96, with: head)
            try Self.write(copy, over: path, change: change)
            // Somebody looks, or not, so that each connection has seen another copy last.
            if Bool.random(using: &random) {
                let now = store.fileState()
                #expect(now != state, "copy \(change)")
                state = now
            }
            if Bool.random(using: &random) { _ = try store.values(at: [name], of: [1], in: "t", as: .typed) }
            if Bool.random(using: &random) {
                #expect(try store.refresh() == .same)
                let fresh = try SQLiteObjectStore.open(path: path)
                let found = try store.fetch(request, progress: FetchProgress())
                let wanted = try fresh.fetch(request, progress: FetchProgress())
                let isSame = found.keys == wanted.keys
                #expect(isSame, "copy \(change)")
                let keys = Array(wanted.keys)
                let texts = try store.values(at: [name], of: keys, in: "t", as: .typed)
                let hasSameTexts = try texts == fresh.values(at: [name], of: keys, in: "t", as: .typed)
                #expect(hasSameTexts, "copy \(change)")
            }
        }
    }

    /// A file that was empty, or cut off, or garbage for a while, and is then what it was, is read as before.
    @Test(arguments: [0, 1, 16, 100, 700]) func whatComesBackIsRead(bytes: Int) throws {
        var random = SeededGenerator(seed: 5)
        let folder = try TemporaryFolder()
        let path = try Self.database(folder, "store.sqlite", &random)
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        try Self.write(whole, over: path, change: 0)
        let store = try SQLiteObjectStore.open(path: path)
        let request = FetchRequest(entityName: "t")
        let keys = try store.fetch(request, progress: FetchProgress()).keys
        let name = try store.schema.keyPath("name", in: "t")
        let texts = try store.values(at: [name], of: Array(keys), in: "t", as: .typed)
        for (change, fill) in [nil, UInt8(0), 0xFF, nil].enumerated() {
            let damaged = fill.map { Data(repeating: $0, count: whole.count) } ?? whole.prefix(bytes)
            try Self.write(damaged, over: path, change: 2 * change + 1)
            _ = store.fileState()
            // Whatever these say, they have every connection look.
            _ = try? store.refresh()
            for _ in 0..<3 {
                _ = try? store.fetch(request, progress: FetchProgress())
                _ = try? store.values(at: [name], of: Array(keys.prefix(1)), in: "t", as: .typed)
            }
            try Self.write(whole, over: path, change: 2 * change + 2)
            #expect(try store.refresh() == .same)
            #expect(try store.fetch(request, progress: FetchProgress()).keys == keys)
            #expect(try store.values(at: [name], of: Array(keys), in: "t", as: .typed) == texts)
        }
    }

    /// A part of a file that is being written anew is no store, however much of it is there; the whole is again.
    @Test(arguments: ["DELETE", "WAL"]) func aPartIsNoStore(mode: String) throws {
        var random = SeededGenerator(seed: 8)
        let folder = try TemporaryFolder()
        let path = try Self.database(folder, "store.sqlite", &random)
        if mode == "WAL" { try folder.database("store.sqlite", "PRAGMA journal_mode = WAL") }
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        let store = try SQLiteObjectStore.open(path: path)
        let count = try store.count(of: "t")
        #expect(store.missingPart() == nil)
        for (change, length) in [0, 1, 99, 100, 1023, 1024, 1025, whole.count / 2, whole.count - 1].enumerated() {
            try Self.write(whole.prefix(length), over: path, change: 2 * change + 1)
            #expect(store.missingPart() != nil, "\(length)")
            #expect(throws: StoreError.self) { try store.refresh() }
            // One that is opened as a part is read as far as it goes, and says that it is damaged.
            if let part = try? SQLiteObjectStore.open(path: path) {
                #expect(part.schema.isDamaged && part.missingPart() == nil, "\(length)")
            }
            try Self.write(whole, over: path, change: 2 * change + 2)
            #expect(store.missingPart() == nil)
            #expect(try store.refresh() == .same)
            #expect(try store.count(of: "t") == count)
        }
    }

    /// A rewrite of the same length whose time of writing was put back is seen all the same, in either journal mode.
    @Test(arguments: ["DELETE", "WAL"]) func timesThatWerePutBackHideNothing(mode: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.database(
            "store.sqlite",
            "PRAGMA journal_mode = \(mode); CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO t VALUES (1, 'first')"
        )
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        let store = try SQLiteObjectStore.open(path: path)
        let name = try store.schema.keyPath("name", in: "t")
        func text() throws -> [[Value]?] { try store.values(at: [name], of: [1], in: "t", as: .typed) }
        #expect(try text() == [[.string("first")]])
        for round in 0..<4 {
            let word = round % 2 == 0 ? "other" : "first"
            let range = try #require(whole.range(of: Data("first".utf8)))
            let state = store.fileState()
            let bytes = whole[..<range.lowerBound] + Data(word.utf8) + whole[range.upperBound...]
            try Self.writePuttingBackTime(Data(bytes), over: path)
            #expect(store.fileState() != state)
            #expect(try store.refresh() == .same)
            #expect(try text() == [[.string(word)]])
            // By hand what SQLite does not look at is opened anew in any case.
            #expect(try store.reread() == (mode == "WAL" ? .reopened : .same))
            #expect(try text() == [[.string(word)]])
        }
    }

    /// A writer's own commits are never taken for a part, however much they append, and wherever in one the file is looked at.
    @Test func commitsAreNoParts() throws {
        var random = SeededGenerator(seed: 4)
        let folder = try TemporaryFolder()
        let path = try Self.database(folder, "store.sqlite", &random)
        let store = try SQLiteObjectStore.open(path: path)
        let writer = try Writer(path)
        // Pages go to the file before the commit, beyond what its head counts.
        try writer.run("PRAGMA cache_size = 2")
        for round in 1...5 {
            try writer.run("BEGIN")
            try writer.run("INSERT INTO t SELECT \(round * 10_000) + id, name || hex(randomblob(200)) FROM t WHERE id <= 600")
            #expect(store.missingPart() == nil)
            try writer.run(round % 2 == 0 ? "ROLLBACK" : "COMMIT")
            #expect(store.missingPart() == nil)
        }
        // The head counts what is not there, and a journal says that somebody is at it.
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        try Self.write(whole.prefix(whole.count / 2), over: path, change: 1)
        #expect(store.missingPart() != nil)
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: path + "-journal"))
        #expect(store.missingPart() == nil)
    }

    private static func writePuttingBackTime(_ bytes: Data, over path: String) throws {
        var before = stat()
        #expect(stat(path, &before) == 0)
        var now = before
        // Until the clock that the times are taken from has ticked.
        repeat {
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            try file.write(contentsOf: bytes)
            try file.close()
            #expect(utimensat(AT_FDCWD, path, [before.st_atim, before.st_mtim], 0) == 0)
            #expect(stat(path, &now) == 0)
        } while now.st_ctim.tv_nsec == before.st_ctim.tv_nsec && now.st_ctim.tv_sec == before.st_ctim.tv_sec
        #expect(now.st_mtim.tv_nsec == before.st_mtim.tv_nsec && now.st_size == before.st_size)
    }

    /// A commit of SQLite's own is seen by the pages that it changed: nothing is opened anew.
    @Test func commitsOpenNothing() throws {
        var random = SeededGenerator(seed: 3)
        let folder = try TemporaryFolder()
        let path = try Self.database(folder, "store.sqlite", &random)
        let store = try SQLiteObjectStore.open(path: path)
        let writer = try Writer(path)
        _ = try store.fetch(FetchRequest(entityName: "t"), progress: FetchProgress())
        let readers = try store.source.readers()
        for number in 1...20 {
            try writer.run("UPDATE t SET name = 'n\(number)' WHERE id = \(number)")
            _ = try store.fetch(FetchRequest(entityName: "t"), progress: FetchProgress())
            let name = try store.schema.keyPath("name", in: "t")
            #expect(try store.values(at: [name], of: [ObjectKey(number)], in: "t", as: .typed) == [[.string("n\(number)")]])
            #expect(try store.source.readers() === readers)
        }
    }

    /// Two tables that lie one before the other or the other way round, with 600 rows of names.
    private static func database(_ folder: TemporaryFolder, _ file: String, _ random: inout SeededGenerator) throws -> String {
        let first = "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT);"
        let second = "CREATE TABLE u (id INTEGER PRIMARY KEY, name TEXT);"
        let tables =
            Bool.random(using: &random) ? first + second : "CREATE TABLE x (id);" + first + "DROP TABLE x;" + second
        let rows = (1...600).map { "(\($0),'\(["a", "b", "c"].randomElement(using: &random) ?? "")\($0 % 97)')" }
        return try folder.database(
            file,
            "PRAGMA page_size = 1024; BEGIN; \(tables) INSERT INTO t VALUES \(rows.joined(separator: ",")); "
                + "INSERT INTO u SELECT id, 'of u' FROM t; COMMIT; PRAGMA schema_version = 9")
    }

    /// As a copy does it: the file stays, its contents are others. Each has its own time, as the clock of such times may tick only
    /// a hundred times a second.
    private static func write(_ bytes: Data, over path: String, change: Int) throws {
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: bytes)
        try file.close()
        let time = timespec(tv_sec: 1_700_000_000 + change, tv_nsec: 0)
        #expect(utimensat(AT_FDCWD, path, [time, time], 0) == 0)
    }
}

import Foundation
import ObjectStore
import Testing

@testable import SQLiteStores

/// A store that is named by a symbolic link is what the link leads to, now.
@Suite struct LinkedStoreTests {
    @Test(arguments: ["DELETE", "WAL"])
    func aLinkThatLeadsElsewhereIsFollowed(journalMode: String) throws {
        let folder = try TemporaryFolder()
        for name in ["one", "two"] {
            try folder.database(
                name, "PRAGMA journal_mode = \(journalMode); CREATE TABLE item (name); INSERT INTO item VALUES ('\(name)')")
        }
        let link = folder.file("link.sqlite")
        func lead(to name: String) throws {
            try? FileManager.default.removeItem(atPath: link)
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: name)
        }
        func names(_ store: any ObjectStore) throws -> [Value] {
            try store.column("name", of: store.list("item"), in: "item")
        }
        try lead(to: "one")
        let store = try ReopeningStore(.whenOutdated) { () throws(StoreError) in try SQLiteObjectStore.open(path: link) }
        #expect(try names(store) == [.string("one")])
        let first = try #require(store.fileState())
        #expect(try store.refresh() == .same)

        try FileManager.default.removeItem(atPath: link)
        #expect(store.fileState() == nil, "what was named is not there, though its file is")
        #expect(try names(store) == [.string("one")])
        try lead(to: "two")
        #expect(store.fileState() != first)
        #expect(try store.refresh() == .reopened)
        #expect(try names(store) == [.string("two")])
        let second = try #require(store.fileState())
        #expect(try store.refresh() == .same)
        #expect(store.fileState() == second)

        try lead(to: "one")
        #expect(store.fileState() != second)
        #expect(try store.refresh() == .reopened)
        #expect(try names(store) == [.string("one")])
    }
}

import CSQLite
import Foundation
import ObjectStore
import Testing

@testable import SQLiteStores

/// To-many key paths over columns without an index, counted in steps of SQLite's machine.
@Suite struct RelationshipIndexTests {
    private static let predicates = [
        "item.@count > 3", "item.@sum.Price > 150", "SUBQUERY(item, $i, $i.Price > 50).@count > 1",
        "SUBQUERY(item, $i, $i.Price > OwnerId).@count > 0", "tag.@count > 1",
        "ANY item.Price > 90", "SUBQUERY(item, $i, $i.owner.item.@count > 4).@count > 0",
    ]

    private static func sql(_ count: Int, indexed: Bool) -> String {
        let indexes = indexed ? "CREATE INDEX a ON Item (OwnerId); CREATE INDEX b ON OwnerTag (OwnerId);" : ""
        return """
            CREATE TABLE Owner (OwnerId INTEGER PRIMARY KEY, Name TEXT);
            CREATE TABLE Item (ItemId INTEGER PRIMARY KEY, OwnerId INTEGER REFERENCES Owner (OwnerId), Name TEXT, Price REAL);
            CREATE TABLE Tag (TagId INTEGER PRIMARY KEY, Name TEXT);
            CREATE TABLE OwnerTag (OwnerId INTEGER REFERENCES Owner (OwnerId), TagId INTEGER REFERENCES Tag (TagId));
            \(indexes)
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count)) INSERT INTO Owner SELECT i, 'o' || i FROM n;
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count * 3))
            INSERT INTO Item SELECT i, CASE WHEN i % 11 = 0 THEN NULL ELSE (i * i) % \(count) + 1 END, 'i' || i, i % 101 FROM n;
            INSERT INTO Tag VALUES (1, 'red'), (2, 'blue'), (3, 'green');
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
            INSERT INTO OwnerTag SELECT (i * i) % \(count) + 1, i % 3 + 1 FROM n;
            """
    }

    /// Keys found, and steps of the machine for the rows alone: making the index is one pass and a sort.
    private func fetch(_ text: String, count: Int, indexed: Bool) throws -> (keys: [Int64], steps: Int) {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let store = try SQLiteObjectStore.open(path: folder.database(Self.sql(count, indexed: indexed)))
        let predicate = try PredicateFormat(text).resolve(in: store.schema, entityName: "Owner")
        let plan = try FetchPlan(FetchRequest(entityName: "Owner", predicate: predicate), store.mapping, file: "f")
        return try store.source.perform { readers throws(StoreError) in
            try readers.scan { connections throws(StoreError) in
                guard let connection = connections.first else { return ([], 0) }
                try plan.prepare(connection, timeZone: .gmt)
                let statement = try connection.statement(plan.sql)
                try plan.bind(Int64.min...Int64.max, to: statement)
                defer { statement.reset() }
                var keys: [Int64] = []
                while try statement.step() { keys.append(statement.integer(0)) }
                return (keys, Int(sqlite3_stmt_status(statement.handle, SQLITE_STMTSTATUS_VM_STEP, 0)))
            }
        }
    }

    @Test(arguments: predicates) func growsWithTheRows(predicate: String) throws {
        let small = try fetch(predicate, count: 500, indexed: false)
        let large = try fetch(predicate, count: 2000, indexed: false)
        #expect(!small.keys.isEmpty && small.keys.count < 500, "\(small.keys.count)")
        // Four times the rows: sixteen times the steps would be a pass for each.
        #expect(large.steps < small.steps * 9, "\(small.steps) \(large.steps)")
        // The store's own index and the temporary one find the same.
        #expect(try fetch(predicate, count: 500, indexed: true).keys == small.keys)
    }

    @Test func storesWithAnIndexGetNoSecondOne() throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        for indexed in [true, false] {
            let path = try folder.database("\(indexed).sqlite", Self.sql(10, indexed: indexed))
            let store = try SQLiteObjectStore.open(path: path)
            #expect((store.mapping.indexes.missing(table: "item", column: "ownerid") == nil) == indexed)
            #expect(store.mapping.indexes.missing(table: "Owner", column: "OwnerId") == nil)
            #expect(store.mapping.indexes.missing(table: "Nothing", column: "x") == nil)
        }
    }
}

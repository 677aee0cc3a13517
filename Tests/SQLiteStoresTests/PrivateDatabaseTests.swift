import CSQLite
import Foundation
import ObjectStore
import SQLiteStores
import Testing

@Suite struct PrivateDatabaseTests {
    @Test func isFilledThenRead() throws {
        let database = try PrivateDatabase(name: "-", isPrivate: false)
        try database.run(
            """
            CREATE TABLE t0 (k INTEGER PRIMARY KEY, "first name" TEXT, born TEXT);
            CREATE TABLE t1 (k INTEGER PRIMARY KEY, parent INTEGER, place INTEGER, size REAL);
            INSERT INTO t0 VALUES (1, 'b', '2001-01-02'), (2, 'a', NULL);
            INSERT INTO t1 VALUES (1, 1, 2, 0.5), (2, 1, 1, 1.5);
            """)
        // Its file has lost its name already.
        let targets = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
            .compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
        #expect(targets.contains { $0.contains("/tlbrowse-") && $0.hasSuffix("store (deleted)") })
        let children = Relationship(
            name: "sizes", destinationEntityName: "size", isToMany: true, isOrdered: true, inverseName: "owner")
        let owner = Relationship(name: "owner", destinationEntityName: "person", isToMany: false, inverseName: "sizes")
        let store = try database.store(tables: [
            TableDescription(
                name: "person", tableName: "t0", keyColumn: "k",
                attributes: [
                    Attribute(name: "first name", type: .string, columnName: "first name"),
                    Attribute(name: "born", type: .date, columnName: "born"),
                ], links: [.init(relationship: children, column: "parent", orderColumn: "place")]),
            TableDescription(
                name: "size", tableName: "t1", keyColumn: "k",
                attributes: [Attribute(name: "size", type: .double, columnName: "size")],
                links: [.init(relationship: owner, column: "parent")]),
        ])
        let people = try store.list("person", sort: ["first name"])
        #expect(people.keys == [2, 1])
        #expect(try store.column("born", of: people, in: "person") == [.null, .date(86_400)])
        #expect(try store.column("sizes.size", of: people, in: "person") == [.list([]), .list([.double(1.5), .double(0.5)])])
        #expect(try store.column("owner.first name", of: store.list("size"), in: "size") == [.string("b"), .string("b")])
        #expect(store.uri(of: ObjectID(entityName: "person", key: 2)) == "person/2" && store.name == "-")
    }

    @Test func schemaCanComeFromTheTables() throws {
        let database = try PrivateDatabase(name: "x", isPrivate: true)
        var statement: OpaquePointer?
        try database.run("CREATE TABLE a (id INTEGER PRIMARY KEY, n TEXT)")
        #expect(sqlite3_prepare_v2(database.handle, "INSERT INTO a VALUES (?1, 'n' || ?1)", -1, &statement, nil) == SQLITE_OK)
        for key in 1...100 {
            sqlite3_bind_int64(statement, 1, Int64(key))
            #expect(sqlite3_step(statement) == SQLITE_DONE)
            sqlite3_reset(statement)
        }
        sqlite3_finalize(statement)
        let store = try database.store()
        #expect(try store.list("a", sort: ["-n"]).keys.first == 99 && store.count(of: "a") == 100)
        #expect(throws: StoreError(file: "x", cause: .engine("near \"NONSENSE\": syntax error"))) { try database.run("NONSENSE") }
    }
}

import ObjectStore
import TestSupport

@testable import SQLiteStores

/// A store, who writes into it, and what is asked of it.
struct FollowedWorld {
    let writer: OtherProcess
    let store: SQLiteObjectStore
    private let entity: String
    private let table: String
    private let key: String
    private let owners: String
    private let columns: (name: String, part: String, number: String, owner: String, title: String)
    private let isCoreData: Bool

    init(_ path: String, coreData: Bool, journalMode: String) throws {
        writer = try OtherProcess(path)
        isCoreData = coreData
        try writer.run("PRAGMA journal_mode=\(journalMode)")
        if coreData {
            (entity, table, key, owners) = ("Item", "ZITEM", "Z_PK", "ZOWNER")
            columns = ("ZNAME", "ZPART", "ZNUMBER", "ZOWNER", "ZTITLE")
            try writer.run(
                """
                CREATE TABLE ZITEM(Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNUMBER INTEGER, ZOWNER INTEGER, \
                ZNAME VARCHAR, ZPART VARCHAR); \
                CREATE TABLE ZOWNER(Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTITLE VARCHAR); \
                CREATE TABLE Z_PRIMARYKEY(Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER); \
                CREATE TABLE Z_METADATA(Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB); \
                INSERT INTO Z_METADATA VALUES(1,'ABCDEF',NULL); \
                INSERT INTO Z_PRIMARYKEY VALUES(1,'Item',0,1000),(2,'Owner',0,1000); \
                INSERT INTO ZOWNER VALUES(1,2,1,'x'),(2,2,1,'Y'),(3,2,1,'z'); \
                INSERT INTO ZITEM VALUES(1,1,1,1,1,'a','p'),(2,1,1,2,2,'b','q'),(3,1,1,3,3,'c','r')
                """)
        } else {
            (entity, table, key, owners) = ("item", "item", "id", "owner")
            columns = ("name", "part", "number", "owner_id", "title")
            try writer.run(
                """
                CREATE TABLE owner(id INTEGER PRIMARY KEY, title TEXT); \
                CREATE TABLE item(id INTEGER PRIMARY KEY, number, owner_id INTEGER REFERENCES owner(id), name TEXT, part); \
                INSERT INTO owner VALUES(1,'x'),(2,'Y'),(3,'z')
                """)
        }
        store = try SQLiteObjectStore.open(path: path)
    }

    func path(_ text: String) throws -> ObjectKeyPath { try store.schema.keyPath(text, in: entity) }

    private static let names = ["a", "A", "b", "é", "e\u{301}", "Ab", "", "zz", "a long name that goes on and on", "straße"]
    private static let parts = ["'p'", "'q'", "'r'", "NULL", "1", "'1'", "''", "'é'"]

    private static func name(_ random: inout SeededGenerator) -> String {
        let tail = Int.random(in: 0...2, using: &random) == 0 ? String(Int.random(in: 0...9, using: &random)) : ""
        return Int.random(in: 0...15, using: &random) == 0 ? "NULL" : "'\((names.randomElement(using: &random) ?? "") + tail)'"
    }

    /// Commits some changes at once; what they were.
    @discardableResult
    func change(_ count: Int, _ random: inout SeededGenerator) throws -> [String] {
        let changes = (0..<count).map { _ in change(&random) }
        try writer.run("BEGIN; " + changes.joined(separator: "; ") + "; COMMIT")
        return changes
    }

    private func change(_ random: inout SeededGenerator) -> String {
        let row = Int.random(in: 1...90, using: &random)
        let part = Self.parts.randomElement(using: &random) ?? "NULL"
        let name = Self.name(&random)
        let number = Int.random(in: -4...4, using: &random)
        let owner = Int.random(in: 1...4, using: &random)
        // Who writes by hand does not count versions.
        let counts = isCoreData && Bool.random(using: &random) ? ", Z_OPT = Z_OPT + 1" : ""
        switch Int.random(in: 0...9, using: &random) {
        case 0...2:
            let names = "\(key), \(columns.number), \(columns.owner), \(columns.name), \(columns.part)"
            let values = "\(row), \(number), \(owner), \(name), \(part)"
            return "INSERT OR REPLACE INTO \(table)(\(names)\(isCoreData ? ", Z_ENT, Z_OPT" : "")) VALUES (\(values)"
                + (isCoreData ? ", 1, 1)" : ")")
        case 3, 4: return "DELETE FROM \(table) WHERE \(key) = \(row)"
        case 5: return "UPDATE \(table) SET \(columns.name) = \(name)\(counts) WHERE \(key) = \(row)"
        case 6: return "UPDATE \(table) SET \(columns.part) = \(part)\(counts) WHERE \(key) = \(row)"
        case 7: return "UPDATE \(table) SET \(columns.number) = \(number)\(counts) WHERE \(key) = \(row)"
        case 8: return "UPDATE \(owners) SET \(columns.title) = \(name) WHERE \(key) = \(owner)"
        default: return "DELETE FROM \(table) WHERE \(columns.part) IS \(part) AND \(columns.number) IS \(number)"
        }
    }

    /// Any request: sorted by up to two of everything, with or without sections and a condition, also over a relationship.
    func request(_ random: inout SeededGenerator) throws -> FetchRequest {
        func any(_ texts: [String]) -> String { texts.randomElement(using: &random) ?? "name" }
        var request = FetchRequest(entityName: entity)
        for _ in 0..<Int.random(in: 0...2, using: &random) {
            request.sortDescriptors.append(
                SortDescriptor(
                    .keyPath(try path(any(["name", "part", "number", "owner.title"]))), ascending: Bool.random(using: &random),
                    selector: SortDescriptor.Selector.allCases.randomElement(using: &random) ?? .compare))
        }
        let section = any(["part", "number", "owner.title", "nameFirstLetter", ""])
        if !section.isEmpty { request.sectionKeyPath = try path(section) }
        if Int.random(in: 0...2, using: &random) == 0 {
            let condition = any(["number > 0", "name BEGINSWITH[c] 'a'", "owner.title != 'x'"])
            request.predicate = try PredicateFormat(condition).resolve(in: store.schema, entityName: entity)
        }
        return request
    }
}

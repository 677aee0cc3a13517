import Foundation
import ObjectStore
import SQLiteStores
import Testing

/// Single rules, each on a few rows.
@Suite struct PredicateTests {
    private static let people = """
        CREATE TABLE Person (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, age INTEGER, uuid UUID, note TEXT,
            bossId INTEGER REFERENCES Person(id));
        INSERT INTO Person VALUES (1, 'Ann', 30, 'e621e1f8-c36c-495a-93fc-0c247a3e6e5f', 'a%b', NULL);
        INSERT INTO Person VALUES (2, 'ann', NULL, x'E621E1F8C36C495A93FC0C247A3E6E5F', 'a_b', 1);
        INSERT INTO Person VALUES (3, NULL, 5, NULL, '''; DROP TABLE Person; --', 1);
        INSERT INTO Person VALUES (4, '', 5, 'E621E1F8-C36C-495A-93FC-0C247A3E6E5F', NULL, 99);
        INSERT INTO Person VALUES (5, 'Bö', 7, NULL, 'line
        two', 2);
        INSERT INTO Person VALUES (6, 42, 7.5, NULL, x'00', NULL);
        """

    /// What a person pastes is not refused for its length, and what a stranger writes has its bounds.
    @Test func longPredicates() throws {
        let numbers = (0..<3000).map { "age = \($0 + 6)" }.joined(separator: " OR ")
        #expect(try keys(numbers) == [1, 5])
        let all = (0..<3000).map { "age != \(-$0)" }.joined(separator: " AND ")
        #expect(try keys(all) == [1, 3, 4, 5, 6])
        #expect(try keys("NOT (\(all)) OR \(numbers)") == [1, 5])
        let names = (0..<10_000).map { "'name \($0)'" }.joined(separator: ", ")
        #expect(try keys("name IN {\(names), 'Ann'}") == [1])
        #expect(try keys("name IN[cd] {\(names), 'ANN'}") == [1, 2])
        #expect(try keys("note IN {\(names), 'a%b', '\\u0000', '\\'; DROP TABLE Person; --'}") == [1, 3])
        #expect(try keys("note IN {\(names), 'a%b', '\\'; DROP TABLE Person; --'}") == [1, 3])
        #expect(try keys("age IN {\((0..<10_000).map { String(7 - $0) }.joined(separator: ", "))}") == [3, 4, 5])
        #expect(try keys("note IN {\((0..<10_000).map(String.init).joined(separator: ", "))}") == [])
        // As many parameters as the longest text has place for.
        let most = [String](repeating: "age=5", count: PredicateFormat.longestText / 9).joined(separator: "||")
        #expect(try keys(most) == [3, 4])
    }

    /// Only numbers are added up, and counted for the mean: a word among them is no 0.
    @Test func sumsAndMeansAreOfNumbers() throws {
        let sql = """
            CREATE TABLE a (id INTEGER PRIMARY KEY);
            CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER REFERENCES a(id), v);
            INSERT INTO a VALUES (1), (2), (3);
            INSERT INTO b (a_id, v) VALUES (1, 10), (1, 'n/a'), (1, '20'), (1, '3x'), (1, x'31'), (1, NULL), (1, 0.5), (2, 'x'), (2, NULL);
            """
        let folder = try TemporaryFolder()
        let store = try SQLiteObjectStore.open(path: folder.database(sql))
        let paths = try store.paths(["b.@sum.v", "b.@avg.v", "b.@count"], in: "a")
        let found = try store.values(at: paths, of: [1, 2, 3], in: "a", as: .typed)
        let mean = 30.5 / 3
        #expect(
            found == [
                [.double(30.5), .double(mean), .integer(7)], [.integer(0), .null, .integer(2)],
                [.integer(0), .null, .integer(0)],
            ])
        #expect(try keys("b.@avg.v > 10", sql, entity: "a") == [1])
        withExtendedLifetime(folder) {}
    }

    private func keys(_ text: String, _ sql: String = people, entity: String = "Person") throws -> [ObjectKey] {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let store = try SQLiteObjectStore.open(path: folder.database(sql))
        let predicate = try PredicateFormat(text).resolve(in: store.schema, entityName: entity)
        return try store.fetch(FetchRequest(entityName: entity, predicate: predicate), progress: FetchProgress()).keys.sorted()
    }

    @Test(
        arguments: [
            // NULL is neither equal nor unequal; nil finds it.
            ("name = 'Ann'", [1]), ("name != 'Ann'", [2, 4, 5, 6]), ("NOT (name = 'Ann')", [2, 4, 5, 6]), ("name = nil", [3]),
            ("name != nil", [1, 2, 4, 5, 6]), ("NOT (name = nil)", [1, 2, 4, 5, 6]), ("name = ''", [4]),
            ("name IN {'Ann', nil}", [1]), ("NOT (name IN {'Ann', nil})", []), ("age BETWEEN {5, 7}", [3, 4, 5]),
            ("age > 5 OR name = nil", [1, 3, 5, 6]), ("name = 'x' AND age = 5", []), ("age < 1 + 0", nil),
            // The column's own collation has no say.
            ("name ==[c] 'ANN'", [1, 2]), ("name IN[c] {'ANN'}", [1, 2]), ("name < 'a'", [1, 4, 5, 6]),
            ("name CONTAINS[cd] 'BO'", [5]), ("name CONTAINS[c] 'BO'", []), ("name ENDSWITH 'nn'", [1, 2]),
            ("name BEGINSWITH ''", [1, 2, 4, 5, 6]),
            // What SQL has a meaning for is a letter like others.
            ("note LIKE 'a%*'", [1]), ("note LIKE 'a_b'", [2]), ("note CONTAINS '%'", [1]),
            ("note = \"'; DROP TABLE Person; --\"", [3]),
            ("note CONTAINS \"';\"", [3]), ("note LIKE '*two'", [5]), ("note LIKE '?\\\\??'", []), ("note LIKE 'a??'", [1, 2]),
            // Texts in a column of another kind, and bytes in one of texts.
            ("name MATCHES '\\d+'", [6]), ("name CONTAINS '4'", [6]), ("note MATCHES '.*'", [1, 2, 3]),
            ("note != nil", [1, 2, 3, 5, 6]),
            // A UUID as bytes or as text.
            ("uuid = 'E621E1F8-C36C-495A-93FC-0C247A3E6E5F'", [1, 2, 4]), ("uuid != 'E621E1F8-C36C-495A-93FC-0C247A3E6E5F'", []),
            ("uuid IN {'e621e1f8-c36c-495a-93fc-0c247a3e6e5f'}", [1, 2, 4]), ("uuid = nil", [3, 5, 6]),
            // Through an empty to-one the value is NULL; a reference to nobody is one.
            ("boss = nil", [1, 4, 6]), ("boss.name = 'Ann'", [2, 3]), ("boss.boss.name = 'Ann'", [5]),
            ("boss.name = nil", [1, 4, 6]),
            ("ANY person.name = nil", [1]), ("ALL person.age > 1", [2, 3, 4, 5, 6]),
            ("NONE person.name = 'ann'", [2, 3, 4, 5, 6]),
            ("person.@count = 2", [1]), ("boss = SELF", []), ("name = boss.name", []), ("name ==[c] boss.name", [2]),
            ("SUBQUERY(person, $p, $p.age = nil OR $p.name = nil).@count = 2", [1]), ("1 = 1", [1, 2, 3, 4, 5, 6]),
            ("'a' = 'b'", []),
            ("nil = nil", [1, 2, 3, 4, 5, 6]), ("'nn' IN name", [1, 2]), ("30 IN person.age", []), ("5 IN person.age", [1]),
            ("{1, 30} CONTAINS age", [1]), ("name.@firstLetter = 'B'", [5]), ("TRUEPREDICATE", [1, 2, 3, 4, 5, 6]),
            ("FALSEPREDICATE", []),
        ] as [(String, [ObjectKey]?)])
    func finds(text: String, expected: [ObjectKey]?) throws {
        guard let expected else {
            #expect(throws: PredicateFault.self) { try keys(text) }
            return
        }
        #expect(try keys(text) == expected)
    }

    @Test func patternsThatNeverEndAreRefused() throws {
        let sql = """
            CREATE TABLE T (id INTEGER PRIMARY KEY, name TEXT);
            INSERT INTO T VALUES (1, '\(String(repeating: "a", count: 5000))');
            """
        #expect(throws: StoreError.self) { try keys("name MATCHES '(a+)+b'", sql, entity: "T") }
        #expect(try keys("name MATCHES 'a+'", sql, entity: "T") == [1])
    }

    @Test func longCompoundsAndLists() throws {
        let many = (0..<600).map { "age = \($0)" }
        #expect(try keys(many.joined(separator: " OR ")) == [1, 3, 4, 5])
        #expect(try keys("NOT (" + many.joined(separator: " OR ") + ")") == [6])
        #expect(try keys("age IN {" + (0..<2000).map(String.init).joined(separator: ",") + "}") == [1, 3, 4, 5])
        let deep =
            String(repeating: "NOT (", count: 16) + many.prefix(300).joined(separator: " OR ") + String(repeating: ")", count: 16)
        #expect(try keys(deep) == [1, 3, 4, 5])
    }

    /// Order, sections, limit and texts are those of the objects that match.
    @Test func narrowsEverythingThatAFetchGives() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteObjectStore.open(path: folder.database(Self.people))
        let predicate = try PredicateFormat("age >= 5 AND boss.name != 'x'").resolve(in: store.schema, entityName: "Person")
        var request = FetchRequest(
            entityName: "Person", sortDescriptors: [SortKey(.keyPath(try store.schema.keyPath("boss.name", in: "Person")))],
            sectionKeyPath: try store.schema.keyPath("boss.name", in: "Person"), predicate: predicate)
        let fetched = try store.fetch(request, progress: FetchProgress())
        #expect(Array(fetched.keys) == [3, 5])
        #expect(fetched.sections.map(\.value) == [.string("Ann"), .string("ann")])
        request.fetchLimit = 1
        #expect(try store.fetch(request, progress: FetchProgress()).keys.count == 1)

        let texts = TextCollector()
        try store.scanTexts(
            at: store.paths(["name", "boss.name"], in: "Person"), of: request, progress: FetchProgress(), into: [texts])
        #expect(texts.texts == [3: ["Ann"], 5: ["Bö", "ann"]])

        // The statement is kept; what is bound to it is not.
        for age in [5, 7, 30, 6] {
            let predicate = try PredicateFormat("age = \(age)").resolve(in: store.schema, entityName: "Person")
            let found = try store.fetch(FetchRequest(entityName: "Person", predicate: predicate), progress: FetchProgress())
            #expect(found.keys.sorted() == (age == 5 ? [3, 4] : age == 7 ? [5] : age == 30 ? [1] : []))
        }

        let scope = FetchRequest(
            entityName: "Person", scope: .related(to: ObjectID(entityName: "Person", key: 1), through: "person"),
            predicate: try PredicateFormat("name = nil").resolve(in: store.schema, entityName: "Person"))
        #expect(Array(try store.fetch(scope, progress: FetchProgress()).keys) == [3])
    }

    /// Enough rows for two readers and several windows, with keys far apart.
    @Test func agreesOnManyRows() throws {
        let folder = try TemporaryFolder()
        let path = try folder.database(
            """
            CREATE TABLE T (id INTEGER PRIMARY KEY, name TEXT, n INTEGER);
            WITH RECURSIVE c(x) AS (SELECT 0 UNION ALL SELECT x + 1 FROM c WHERE x < 60000)
                INSERT INTO T SELECT CASE x % 2 WHEN 0 THEN x ELSE 9223372036854775807 - x END, 'Row ' || x, x FROM c;
            INSERT INTO T VALUES (-9223372036854775808, 'Row 1000', -1);
            """)
        let store = try SQLiteObjectStore.open(path: path)
        let predicate = try PredicateFormat("name LIKE 'Row ?000' OR n == 59999").resolve(in: store.schema, entityName: "T")
        let found = try store.fetch(FetchRequest(entityName: "T", predicate: predicate), progress: FetchProgress())
        let thousands: [ObjectKey] = (1...9).map { $0 * 1000 }
        let expected: [ObjectKey] = [.min] + thousands + [.max - 59999]
        #expect(found.keys.sorted() == expected)
    }

    @Test(.enabled(if: Samples.areThere)) func onACoreDataStore() throws {
        let path = try #require(
            FileManager.default.enumerator(atPath: Samples.folder + "/cdl")?.compactMap { $0 as? String }
                .first { $0.hasSuffix(".sqlite") || $0.hasSuffix(".storedata") })
        let store = try SQLiteObjectStore.open(path: Samples.folder + "/cdl/" + path)
        for entity in store.schema.entities where !entity.isSystem {
            let all = try store.fetch(FetchRequest(entityName: entity.name), progress: FetchProgress()).keys.count
            for attribute in entity.attributes where !attribute.isTransient {
                let counts = try ["== nil", "!= nil"].map { ending in
                    let predicate = try PredicateFormat("#\"\(attribute.name)\" \(ending)").resolve(
                        in: store.schema, entityName: entity.name)
                    return try store.fetch(
                        FetchRequest(entityName: entity.name, predicate: predicate), progress: FetchProgress()
                    ).keys.count
                }
                #expect(counts[0] + counts[1] == all)
            }
        }
    }
}

/// Keeps the texts of a scan.
final class TextCollector: TextReceiver {
    private(set) var texts: [ObjectKey: [String]] = [:]

    func receive(_ text: UnsafeRawBufferPointer, of key: ObjectKey) -> Bool {
        texts[key, default: []].append(String(decoding: text, as: UTF8.self))
        return true
    }
}

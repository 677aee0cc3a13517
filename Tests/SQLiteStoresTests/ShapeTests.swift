import CSQLite
import Foundation
import ObjectStore
import SQLiteStores
import Testing

/// Stores of shapes that no sample has, each held against SQL by hand.
@Suite struct ShapeTests {
    private typealias EntityDescription = ManagedObjectModel.EntityDescription
    private typealias AttributeDescription = ManagedObjectModel.AttributeDescription
    private typealias RelationshipDescription = ManagedObjectModel.RelationshipDescription

    private static let start = """
        CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
        CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
        INSERT INTO Z_METADATA VALUES (1, 'STORE', NULL);
        CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB); INSERT INTO Z_MODELCACHE VALUES (x'01');
        """

    /// All rows of a query, by SQLite alone; integers and texts.
    private static func rows(_ path: String, _ sql: String) throws -> [[Value]] {
        let connection = try Writer(path)
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(connection.handle, sql, -1, &statement, nil) == SQLITE_OK else {
            throw Writer.Failure(text: String(cString: sqlite3_errmsg(connection.handle)))
        }
        defer { sqlite3_finalize(statement) }
        var rows: [[Value]] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            rows.append(
                (0..<sqlite3_column_count(statement)).map { column in
                    switch sqlite3_column_type(statement, column) {
                    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
                    case SQLITE_TEXT: return .string(sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "")
                    case SQLITE_FLOAT: return .double(sqlite3_column_double(statement, column))
                    default: return .null
                    }
                })
        }
        return rows
    }

    // MARK: A hundred entities

    /// Ten hierarchies of ten entities: the n-th's parent is the (n / 3)-th of its own hierarchy. All declare a name that others
    /// have, too, and a reference to the next hierarchy.
    @Test func aHundredEntities() throws {
        var entities: [EntityDescription] = []
        var numbers: [String: Int] = [:]
        func name(_ root: Int, _ place: Int) -> String { "E\(root)x\(place)" }
        func parent(_ place: Int) -> Int? { place == 0 ? nil : place / 3 }
        for root in 0..<10 {
            for place in 0..<10 {
                var entity = EntityDescription(name: name(root, place))
                entity.superentityName = parent(place).map { name(root, $0) }
                // Only siblings and cousins collide: a name of an ancestor is inherited.
                let own = place == 0 ? "base" : "value\(place % 4)"
                let inherited = sequence(first: place) { parent($0) }.dropFirst().contains { $0 != 0 && $0 % 4 == place % 4 }
                entity.attributes = inherited ? [] : [AttributeDescription(name: own, typeCode: 700)]
                entity.attributes.append(AttributeDescription(name: "own\(place)", typeCode: 300))
                if place == 0 {
                    entity.relationships = [
                        RelationshipDescription(name: "next", destinationEntityName: name((root + 1) % 10, 1))
                    ]
                }
                entities.append(entity)
            }
        }
        // Numbers run in pre-order, siblings by name.
        var number = 0
        func visit(_ root: Int, _ place: Int) {
            number += 1
            numbers[name(root, place)] = number
            for child in (place + 1)..<10 where parent(child) == place { visit(root, child) }
        }
        for root in 0..<10 { visit(root, 0) }

        // Columns by the rule: in the order of the numbers, then by name; a name that is taken gets 1, 2, 3.
        var sql = ShapeTests.start
        var columns: [String: [String: String]] = [:]
        for root in 0..<10 {
            var taken: [String: Int] = [:]
            var list = ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"]
            for place in (0..<10).sorted(by: { numbers[name(root, $0), default: 0] < numbers[name(root, $1), default: 0] }) {
                let entity = entities[root * 10 + place]
                let properties = entity.attributes.map(\.name) + entity.relationships.map(\.name)
                for property in properties.sorted() {
                    let plain = "Z" + property.uppercased()
                    let count = taken[plain, default: 0]
                    taken[plain] = count + 1
                    let column = plain + (count == 0 ? "" : String(count))
                    columns[entity.name, default: [:]][property] = column
                    list.append("\(column) \(property.hasPrefix("own") || property == "next" ? "INTEGER" : "VARCHAR")")
                    if property == "next" { list.append("Z\(numbers[name((root + 1) % 10, 1), default: 0])_\(column) INTEGER") }
                }
            }
            sql += "CREATE TABLE ZE\(root)X0 (\(list.joined(separator: ", ")));"
        }
        var key = 0
        for root in 0..<10 {
            for place in 0..<10 {
                let ownNumber = numbers[name(root, place), default: 0]
                let super_ = parent(place).map { numbers[name(root, $0), default: 0] } ?? 0
                sql +=
                    "INSERT INTO Z_PRIMARYKEY VALUES (\(ownNumber), '\(name(root, place))', \(super_), \(place == 0 ? 30 : 0));"
                for row in 0..<3 {
                    key += 1
                    var names = ["Z_PK", "Z_ENT", "Z_OPT"]
                    var values = ["\(place * 3 + row + 1)", "\(ownNumber)", "1"]
                    for ancestor in sequence(first: place, next: { parent($0) }) {
                        for (property, column) in columns[name(root, ancestor)] ?? [:] {
                            names.append(column)
                            // The second entity of the next hierarchy has the keys 4 to 6.
                            values.append(
                                property == "next"
                                    ? String(4 + key % 3) : property.hasPrefix("own") ? String(key) : "'\(property) \(key)'")
                        }
                    }
                    sql += "INSERT INTO ZE\(root)X0 (\(names.joined(separator: ","))) VALUES (\(values.joined(separator: ",")));"
                }
            }
        }
        let folder = try TemporaryFolder()
        let path = try folder.database(sql)
        let model = ManagedObjectModel(entities: entities, versionHashes: [:])
        let store = try SQLiteObjectStore.open(path: path, options: CoreDataModelTests.options(model))
        #expect(store.schema.entities.count == 100 && store.schema.warnings.isEmpty)
        for root in 0..<10 {
            for place in 0..<10 {
                let entity = name(root, place)
                func isBelow(_ other: Int) -> Bool { sequence(first: other) { parent($0) }.contains(place) }
                let below = (0..<10).filter(isBelow).map { numbers[name(root, $0), default: 0] }
                let condition = "Z_ENT IN (\(below.map(String.init).joined(separator: ",")))"
                let list = try store.list(entity)
                #expect(list.keys.count == below.count * 3)
                #expect(try store.count(of: entity) == below.count * 3)
                let lineage = Array(sequence(first: place) { parent($0) })
                let properties = lineage.flatMap { columns[name(root, $0)] ?? [:] }.filter { $0.key != "next" }
                for (property, column) in properties {
                    let wanted = try ShapeTests.rows(path, "SELECT \(column) FROM ZE\(root)X0 WHERE \(condition) ORDER BY Z_PK")
                    #expect(try store.column(property, of: list, in: entity) == wanted.map { $0[0] })
                    #expect(store.schema.entity(named: entity)?.attribute(named: property)?.columnName == column)
                }
                let next = columns[name(root, 0)]?["next"] ?? ""
                let wanted = try ShapeTests.rows(path, "SELECT \(next) FROM ZE\(root)X0 WHERE \(condition) ORDER BY Z_PK")
                let destination = name((root + 1) % 10, 1)
                #expect(
                    try store.column("next", of: list, in: entity)
                        == wanted.map { row in
                            guard case .integer(let key) = row[0] else { return .null }
                            return .object(ObjectID(entityName: destination, key: key))
                        })
            }
        }
    }

    // MARK: Join tables

    /// Named by either side, with columns that are numbered or not, ordered or not on either side.
    @Test func joinTablesOfEveryNaming() throws {
        for isNamedByFirst in [true, false] {
            for suffixes in [("", ""), ("1", ""), ("", "2"), ("1", "2")] {
                for (isOrdered, isBackOrdered) in [(false, false), (true, false), (false, true), (true, true)] {
                    var first = EntityDescription(name: "Book")
                    first.attributes = [AttributeDescription(name: "title", typeCode: 700)]
                    var writers = RelationshipDescription(name: "writers", destinationEntityName: "Person")
                    writers.isToMany = true
                    writers.isOrdered = isOrdered
                    writers.inverseName = "written"
                    first.relationships = [writers]
                    var second = EntityDescription(name: "Person")
                    second.attributes = [AttributeDescription(name: "name", typeCode: 700)]
                    var written = RelationshipDescription(name: "written", destinationEntityName: "Book")
                    written.isToMany = true
                    written.isOrdered = isBackOrdered
                    written.inverseName = "writers"
                    second.relationships = [written]
                    // A column has the relationship that leads to its objects, and their entity's number.
                    let people = "Z_2WRITERS\(suffixes.0)"
                    let books = "Z_1WRITTEN\(suffixes.1)"
                    let table = isNamedByFirst ? "Z_1WRITERS" : "Z_2WRITTEN"
                    var columns = "\(people) INTEGER, \(books) INTEGER"
                    if isOrdered { columns += ", Z_FOK_2WRITERS\(suffixes.0) INTEGER" }
                    if isBackOrdered { columns += ", Z_FOK_1WRITTEN\(suffixes.1) INTEGER" }
                    var sql =
                        ShapeTests.start + """
                            INSERT INTO Z_PRIMARYKEY VALUES (1, 'Book', 0, 3), (2, 'Person', 0, 3);
                            CREATE TABLE ZBOOK (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTITLE VARCHAR);
                            CREATE TABLE ZPERSON (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
                            INSERT INTO ZBOOK VALUES (1, 1, 1, 'x'), (2, 1, 1, 'y'), (3, 1, 1, 'z');
                            INSERT INTO ZPERSON VALUES (1, 2, 1, 'a'), (2, 2, 1, 'b'), (3, 2, 1, 'c');
                            CREATE TABLE \(table) (\(columns), PRIMARY KEY (\(people), \(books)));
                            """
                    // Book 1 by 1, 2, 3, in the order 3, 1, 2; person 2 wrote 1 and 2, in the order 2, 1.
                    let pairs: [(person: Int, book: Int, order: Int, back: Int)] = [
                        (1, 1, 20, 5), (2, 1, 30, 9), (3, 1, 10, 5), (2, 2, 1, 4),
                    ]
                    for pair in pairs {
                        var values = "\(pair.person), \(pair.book)"
                        if isOrdered { values += ", \(pair.order)" }
                        if isBackOrdered { values += ", \(pair.back)" }
                        sql += "INSERT INTO \(table) VALUES (\(values));"
                    }
                    let folder = try TemporaryFolder()
                    let model = ManagedObjectModel(entities: [first, second], versionHashes: [:])
                    let store = try SQLiteObjectStore.open(
                        path: folder.database(sql), options: CoreDataModelTests.options(model))
                    let names = { (list: [String]) in Value.list(list.map { .string($0) }) }
                    #expect(
                        try store.column("writers.name", of: store.list("Book"), in: "Book") == [
                            names(isOrdered ? ["c", "a", "b"] : ["a", "b", "c"]), names(["b"]), names([]),
                        ], "\(table) \(columns)")
                    #expect(
                        try store.column("written.title", of: store.list("Person"), in: "Person") == [
                            names(["x"]), names(isBackOrdered ? ["y", "x"] : ["x", "y"]), names(["x"]),
                        ], "\(table) \(columns)")
                    #expect(
                        try store.list("Person", scope: .related(to: ObjectID(entityName: "Book", key: 1), through: "writers"))
                            .keys.count == 3)
                }
            }
        }
    }

    // MARK: Any database

    @Test func aCellOfTenMegabytes() throws {
        let folder = try TemporaryFolder()
        let path = try folder.database(
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT, bytes BLOB);
            INSERT INTO t VALUES (1, 'é' || hex(zeroblob(5000000)), zeroblob(10000000)), (2, 'b', x'01'), (3, 'é' || hex(zeroblob(5000000)) || 'x', NULL);
            """)
        let store = try SQLiteObjectStore.open(path: path)
        let list = try store.list("t", sort: ["text"])
        // Texts that differ only behind what takes part in an order are equal; then the key decides.
        #expect(list.keys == [2, 1, 3])
        let rows = try store.values(at: store.paths(["text", "bytes"], in: "t"), of: [1, 3], in: "t", as: .typed)
        #expect(rows[0]?[0] == .string("é" + String(repeating: "0", count: 10_000_000)))
        #expect(rows[0]?[1] == .data(Data(count: 10_000_000)))
        #expect(rows[1]?[0] == .string("é" + String(repeating: "0", count: 10_000_000) + "x"))
        let short = try store.values(at: store.paths(["text"], in: "t"), of: [1], in: "t", as: .excerpt)
        if case .string(let text)? = short[0]?[0] {
            #expect(text.utf8.count < 70_000 && text.hasSuffix("…"))
        } else {
            Issue.record("no text")
        }
    }

    static let oddNames = [
        "order", "select", "a\"b", "tab\there", "new\nline", "Ünï 東", "with space", "it's", "[x]", "`tick`", "per%cent", "; DROP",
        "--", "a.b",
        "@count", "bell\u{7}", "", "123", "*", "NULL", "rowid",
    ]

    /// Every name as a table, as a column, and as a foreign key that refers to the next table.
    @Test func namesWithEverything() throws {
        func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }
        let names = ShapeTests.oddNames
        var sql = ""
        for (index, name) in names.enumerated() {
            let next = names[(index + 1) % names.count]
            // A column called rowid hides the table's own.
            let column = name.isEmpty ? "empty" : name
            sql +=
                "CREATE TABLE \(quoted("T" + name)) (k INTEGER PRIMARY KEY, \(quoted(column)) TEXT, \(quoted(column + "_id")) INTEGER REFERENCES \(quoted("T" + next)));"
            sql += "INSERT INTO \(quoted("T" + name)) VALUES (1, 'v\(index)', 2), (2, NULL, 1), (3, 'w\(index)', NULL);"
        }
        let folder = try TemporaryFolder()
        let path = try folder.database(sql)
        let store = try SQLiteObjectStore.open(path: path)
        #expect(Set(store.schema.entities.map(\.name)) == Set(names.map { "T" + $0 }))
        for (index, name) in names.enumerated() {
            let entity = try #require(store.schema.entity(named: "T" + name))
            let column = name.isEmpty ? "empty" : name
            let attribute = try #require(entity.attributes.first { $0.columnName == column })
            // A key path cannot have every name as it is; by the name that the schema gives it is found.
            let list = try store.list(entity.name)
            #expect(list.keys.count == 3)
            #expect(
                try store.column(attribute.name, of: list, in: entity.name) == [
                    .string("v\(index)"), .null, .string("w\(index)"),
                ])
            let toOne = try #require(entity.relationships.first { !$0.isToMany })
            #expect(toOne.destinationEntityName == "T" + names[(index + 1) % names.count])
            let destination = toOne.destinationEntityName
            #expect(
                try store.column(toOne.name, of: list, in: entity.name) == [
                    .object(ObjectID(entityName: destination, key: 2)), .object(ObjectID(entityName: destination, key: 1)), .null,
                ])
            let back = try #require(entity.relationships.first { $0.isToMany })
            let source = back.destinationEntityName
            #expect(
                try store.column(back.name, of: list, in: entity.name) == [
                    .list([.object(ObjectID(entityName: source, key: 2))]),
                    .list([.object(ObjectID(entityName: source, key: 1))]), .list([]),
                ])
        }
    }

    /// Composite keys and references in tables without rowid, strict and with generated columns.
    @Test func compositeKeysEverywhere() throws {
        let folder = try TemporaryFolder()
        let path = try folder.database(
            """
            CREATE TABLE place (country TEXT NOT NULL, code INTEGER NOT NULL, name TEXT, label TEXT GENERATED ALWAYS AS (country || code) VIRTUAL,
              size INTEGER GENERATED ALWAYS AS (length(name)) STORED, PRIMARY KEY (country, code)) STRICT, WITHOUT ROWID;
            CREATE TABLE visit (place_country TEXT, place_code INTEGER, day INTEGER, note ANY, PRIMARY KEY (day, place_code),
              FOREIGN KEY (place_country, place_code) REFERENCES place (country, code)) WITHOUT ROWID, STRICT;
            INSERT INTO place (country, code, name) VALUES ('de', 2, 'Bonn'), ('de', 1, 'Köln'), ('at', 1, 'Wien');
            INSERT INTO visit VALUES ('de', 1, 7, 1), ('de', 1, 3, 'x'), ('at', 1, 9, x'00'), ('at', 5, 5, NULL), (NULL, 1, 1, 2.5);
            """)
        let store = try SQLiteObjectStore.open(path: path)
        let visits = try store.list("visit", sort: ["place.name", "day"])
        let rows = try store.values(
            at: store.paths(["day", "place.name", "place.label", "place.size"], in: "visit"), of: Array(visits.keys), in: "visit",
            as: .typed)
        let wanted = try ShapeTests.rows(
            path,
            """
            SELECT day, name, label, size FROM visit LEFT JOIN place ON country = place_country AND code = place_code
            ORDER BY name IS NOT NULL, name, day
            """)
        let gone = Value.danglingReference(entityName: "place", key: "at,5")
        #expect(rows[1] == [.integer(5), gone, gone, gone])
        #expect(rows.map { ($0 ?? []).map { $0 == gone ? .null : $0 } } == wanted)
        let places = try store.list("place")
        let counts = try store.column("visit.@count", of: places, in: "place")
        #expect(
            counts
                == (try ShapeTests.rows(
                    path,
                    "SELECT (SELECT count(*) FROM visit WHERE country = place_country AND code = place_code) FROM place ORDER BY country, code"
                )).map { $0[0] })
        #expect(store.uri(of: ObjectID(entityName: "place", key: places.keys[0])) == "place/at,1")
    }

    /// What virtual tables keep for themselves is set apart; they are read themselves.
    @Test func shadowTablesAreSetApart() throws {
        let folder = try TemporaryFolder()
        let path = try folder.database(
            """
            CREATE VIRTUAL TABLE words USING fts4(body); INSERT INTO words VALUES ('one two'), ('three');
            CREATE VIRTUAL TABLE five USING fts5(title, body); INSERT INTO five VALUES ('a', 'b');
            CREATE VIRTUAL TABLE boxes USING rtree(id, left, right); INSERT INTO boxes VALUES (7, 1.0, 2.0);
            CREATE TABLE words_of_others (x); INSERT INTO words_of_others VALUES (1);
            """)
        let store = try SQLiteObjectStore.open(path: path)
        let shown = store.schema.entities.filter { !$0.isSystem }.map(\.name)
        #expect(shown.sorted() == ["boxes", "five", "words", "words_of_others"])
        #expect(store.schema.entities.filter(\.isSystem).count >= 11)
        #expect(try store.column("body", of: store.list("words"), in: "words") == [.string("one two"), .string("three")])
        #expect(try store.column("title", of: store.list("five"), in: "five") == [.string("a")])
        #expect(try store.column("right", of: store.list("boxes"), in: "boxes") == [.double(2)])
        for name in shown { #expect(try store.count(of: name) == store.list(name).keys.count) }
    }

    /// Dates as text sort by when they are, whatever their zones and precisions, also beside numbers in one column.
    @Test func textDatesSortByTheMoment() throws {
        let texts = [
            "2010-04-07T01:04:48+02:00", "2010-04-06T23:30:00Z", "2010-04-06 23:04:48.25", "2010-04-07", "2010-04-06T23:05",
            "2010-04-06T19:04:49-04:00",
        ]
        let folder = try TemporaryFolder()
        let rows = texts.enumerated().map { "(\($0 + 1), '\($1)')" }.joined(separator: ", ")
        let path = try folder.database(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, created_at TEXT); INSERT INTO t VALUES \(rows), (99, NULL);")
        let store = try SQLiteObjectStore.open(path: path)
        let list = try store.list("t", sort: ["created_at"])
        #expect(list.keys == [99, 1, 3, 6, 5, 2, 4])
        #expect(try store.list("t", sort: ["-created_at"]).keys == [4, 2, 5, 6, 3, 1, 99])
        let moments = try store.column("created_at", of: list, in: "t").compactMap { value -> Double? in
            if case .date(let seconds) = value { seconds } else { nil }
        }
        #expect(moments.count == texts.count && moments == moments.sorted())
        let other = try TemporaryFolder()
        let mixed = try SQLiteObjectStore.open(
            path: other.database(
                "CREATE TABLE t (id INTEGER PRIMARY KEY, created_at); INSERT INTO t VALUES (1, 1270594800), (2, '2010-04-06'), (3, '2010-04-08');"
            ))
        // 1270594800 is 2010-04-06 23:00 UTC.
        #expect(try mixed.list("t", sort: ["created_at"]).keys == [2, 1, 3])
    }
}

import Foundation
import ObjectStore
import SQLiteStores
import Testing

/// Databases of any shape, made here.
@Suite struct TableStoreTests {
    private func open(_ sql: String) throws -> (TemporaryFolder, SQLiteObjectStore) {
        let folder = try TemporaryFolder()
        return (folder, try SQLiteObjectStore.open(path: folder.database(sql)))
    }

    private func relationships(_ store: SQLiteObjectStore, _ entity: String) -> [String] {
        (store.schema.entity(named: entity)?.relationships ?? []).map { relationship in
            "\(relationship.name)→\(relationship.isToMany ? "*" : "")\(relationship.destinationEntityName) \(relationship.inverseName ?? "-")"
        }
    }

    @Test func relationshipNames() throws {
        let (folder, store) = try open(
            """
            CREATE TABLE Artist (ArtistId INTEGER PRIMARY KEY, Name TEXT);
            CREATE TABLE Album (AlbumId INTEGER PRIMARY KEY, Title TEXT, ArtistId INTEGER REFERENCES Artist, producer_id INTEGER REFERENCES Artist);
            CREATE TABLE Employee (id INTEGER PRIMARY KEY, ReportsTo INTEGER REFERENCES Employee(id), XMLFileID INTEGER REFERENCES "Odd file"(name));
            CREATE TABLE "Odd file" (name TEXT UNIQUE NOT NULL);
            CREATE TABLE Tag (id INTEGER PRIMARY KEY, label TEXT);
            CREATE TABLE AlbumTag (AlbumId INTEGER REFERENCES Album, TagId INTEGER REFERENCES Tag, PRIMARY KEY (AlbumId, TagId));
            CREATE TABLE Friend (a INTEGER REFERENCES Employee, b INTEGER REFERENCES Employee);
            """)
        #expect(
            relationships(store, "Album") == [
                "artist→Artist albumByArtistId", "producer→Artist albumByProducer_id", "tag→*Tag album",
            ])
        #expect(relationships(store, "Artist") == ["albumByArtistId→*Album artist", "albumByProducer_id→*Album producer"])
        #expect(
            relationships(store, "Employee") == [
                "reportsToEmployee→Employee employee", "xmlFile→Odd file employee", "employee→*Employee reportsToEmployee",
                "employeeByB→*Employee employeeByA", "employeeByA→*Employee employeeByB",
            ])
        #expect(relationships(store, "Odd file") == ["employee→*Employee xmlFile"])
        #expect(relationships(store, "Tag") == ["album→*Album tag"])
        withExtendedLifetime(folder) {}
    }

    @Test func valuesAcrossRelationships() throws {
        let (folder, store) = try open(
            """
            CREATE TABLE Artist (ArtistId INTEGER PRIMARY KEY, Name TEXT);
            CREATE TABLE Album (AlbumId INTEGER PRIMARY KEY, Title TEXT, Price NUMERIC, ArtistId INTEGER REFERENCES Artist);
            CREATE TABLE Tag (id TEXT PRIMARY KEY, label TEXT);
            CREATE TABLE AlbumTag (AlbumId INTEGER REFERENCES Album, TagId TEXT REFERENCES Tag, PRIMARY KEY (AlbumId, TagId));
            INSERT INTO Artist VALUES (1, 'AC/DC'), (2, 'Nobody'), (3, NULL);
            INSERT INTO Album VALUES (10, 'Let', 5, 1), (11, 'Back', 2.5, 1), (12, 'Lost', 7, 99), (13, 'None', NULL, NULL), (14, 'Void', 1, 3);
            INSERT INTO Tag VALUES ('r', 'rock'), ('l', 'loud');
            INSERT INTO AlbumTag VALUES (10, 'r'), (10, 'l'), (11, 'r');
            """)
        let albums = try store.list("Album", sort: ["artist.Name", "Title"], section: "artist.Name")
        #expect(albums.keys == [12, 13, 14, 11, 10])
        #expect(albums.sections == [.init(value: .null, count: 3), .init(value: .string("AC/DC"), count: 2)])
        let rows = try store.values(
            at: store.paths(["artist", "artist.Name", "tag.label", "tag", "tag.@count"], in: "Album"), of: [10, 777, 12],
            in: "Album",
            as: .typed)
        let rock = ObjectID(entityName: "Tag", key: 1)
        let loud = ObjectID(entityName: "Tag", key: 2)
        #expect(
            rows == [
                [
                    .object(ObjectID(entityName: "Artist", key: 1)), .string("AC/DC"), .list([.string("rock"), .string("loud")]),
                    .list([.object(rock), .object(loud)]), .integer(2),
                ], nil,
                [
                    .danglingReference(entityName: "Artist", key: "99"), .danglingReference(entityName: "Artist", key: "99"),
                    .list([]), .list([]), .integer(0),
                ],
            ])
        let artists = try store.values(
            at: store.paths(
                [
                    "album.Title", "album.@count", "album.@sum.Price", "album.@avg.Price", "album.@min.Price", "album.@max.Title",
                    "album.tag.label",
                ],
                in: "Artist"), of: [1, 2], in: "Artist", as: .typed)
        #expect(
            artists == [
                [
                    .list([.string("Let"), .string("Back")]), .integer(2), .double(7.5), .double(3.75), .double(2.5),
                    .string("Let"),
                    .list([.string("rock"), .string("loud"), .string("rock")]),
                ], [.list([]), .integer(0), .integer(0), .null, .null, .null, .list([])],
            ])
        #expect(try store.list("Artist", sort: ["-album.@count", "Name"]).keys == [1, 3, 2])
        let related = try store.list(
            "Tag", sort: ["label"], scope: .related(to: ObjectID(entityName: "Album", key: 10), through: "tag"))
        #expect(related.keys == [2, 1])
        let back = try store.list(
            "Album", sort: ["Title"], scope: .related(to: ObjectID(entityName: "Artist", key: 1), through: "album"))
        #expect(back.keys == [11, 10])
        #expect(throws: StoreError(file: store.name, cause: .unknownKeyPath("tag.label"))) {
            try store.list("Album", sort: ["tag.label"])
        }
        #expect(store.uri(of: rock) == "Tag/r")
        #expect(store.uri(of: ObjectID(entityName: "Album", key: 10)) == "Album/10")
        withExtendedLifetime(folder) {}
    }

    @Test func rowsWithoutAnIntegerKey() throws {
        let (folder, store) = try open(
            """
            CREATE TABLE pair (a TEXT, b INTEGER, c TEXT, PRIMARY KEY (a, b)) WITHOUT ROWID;
            INSERT INTO pair VALUES ('y', 2, 'y2'), ('x', 10, 'x10'), ('x', 9, 'x9');
            CREATE TABLE child (id INTEGER PRIMARY KEY, pa TEXT, pb INTEGER, FOREIGN KEY (pa, pb) REFERENCES pair(a, b));
            INSERT INTO child VALUES (1, 'x', 10), (2, 'x', 9), (3, 'x', 11), (4, 'x', 10);
            CREATE TABLE hidden (rowid TEXT, _rowid_ TEXT, oid TEXT);
            INSERT INTO hidden VALUES ('r1', 's1', 'o1'), ('r2', 's2', 'o2');
            CREATE TABLE half (rowid TEXT, v); INSERT INTO half(oid, rowid, v) VALUES (70, 'r', 1);
            CREATE VIEW joined AS SELECT child.id * 2 AS twice, pair.c FROM child JOIN pair ON pa = a AND pb = b ORDER BY child.id DESC;
            CREATE TABLE keyed (k TEXT NOT NULL UNIQUE, v);
            INSERT INTO keyed VALUES ('a/b,c%', 1);
            CREATE TABLE composite (a TEXT NOT NULL, b INTEGER NOT NULL, PRIMARY KEY (a, b)); INSERT INTO composite VALUES ('p', 7);
            CREATE TABLE quirk (k INTEGER PRIMARY KEY DESC, v); INSERT INTO quirk VALUES (5, 'five');
            """)
        let pairs = try store.list("pair", sort: ["-c"])
        #expect(try store.column("c", of: pairs, in: "pair") == ["y2", "x9", "x10"].map { .string($0) })
        #expect(pairs.keys == [3, 1, 2])
        #expect(store.uri(of: ObjectID(entityName: "pair", key: 2)) == "pair/x,10")
        let children = try store.list("child", sort: ["id"])
        #expect(
            try store.column("pair.c", of: children, in: "child") == [
                .string("x10"), .string("x9"), .danglingReference(entityName: "pair", key: "x,11"), .string("x10"),
            ])
        #expect(
            try store.column("child.id", of: store.list("pair"), in: "pair") == [
                .list([.integer(2)]), .list([.integer(1), .integer(4)]), .list([]),
            ])
        #expect(
            try store.list("child", scope: .related(to: ObjectID(entityName: "pair", key: 2), through: "child")).keys == [1, 4])
        #expect(try store.column("rowid", of: store.list("hidden"), in: "hidden") == [.string("r1"), .string("r2")])
        #expect(try store.list("half").keys == [70])
        let view = try store.list("joined", sort: ["c", "twice"])
        #expect(try store.column("twice", of: view, in: "joined") == [.integer(2), .integer(8), .integer(4)])
        #expect(view.keys == [3, 1, 2])
        #expect(try store.count(of: "joined") == 3)
        #expect(store.uri(of: ObjectID(entityName: "joined", key: 3)) == "joined/3")
        #expect(store.uri(of: ObjectID(entityName: "keyed", key: 1)) == "keyed/a%2Fb%2Cc%25")
        #expect(store.uri(of: ObjectID(entityName: "composite", key: 1)) == "composite/p,7")
        #expect(store.uri(of: ObjectID(entityName: "quirk", key: 1)) == "quirk/5")
        withExtendedLifetime(folder) {}
    }

    @Test func oddNamesAndColumns() throws {
        let (folder, store) = try open(
            """
            CREATE TABLE "select ""from"" 'x' 東" ("group by" TEXT, "a.b" TEXT, "@count" INTEGER, "Ünï" TEXT, "tab	new
            line" TEXT, "AS" INTEGER, g GENERATED ALWAYS AS ("AS" * 2) VIRTUAL, s AS ("AS" + 1) STORED);
            INSERT INTO "select ""from"" 'x' 東" VALUES ('b', 'dot', 3, 'u', 't', 21), ('a', 'dot2', 4, 'v', 't', 5);
            CREATE TABLE strict (id INTEGER PRIMARY KEY, t TEXT, n ANY) STRICT;
            INSERT INTO strict VALUES (1, 'x', x'00');
            """)
        let name = "select \"from\" 'x' 東"
        let entity = try #require(store.schema.entity(named: name))
        #expect(entity.attributes.map(\.name) == ["group by", "a.b", "@count", "Ünï", "tab\tnew\nline", "AS", "g", "s"])
        let list = try store.list(name, sort: ["group by"])
        let rows = try store.values(
            at: store.paths(entity.attributes.map(\.name), in: name), of: Array(list.keys), in: name, as: .typed)
        #expect(
            rows.last == [
                .string("b"), .string("dot"), .integer(3), .string("u"), .string("t"), .integer(21), .integer(42), .integer(22),
            ])
        #expect(try store.list("strict").keys == [1])
        withExtendedLifetime(folder) {}
    }

    @Test func columnTypes() throws {
        let (folder, store) = try open(
            """
            CREATE TABLE t (b BOOLEAN, i BIGINT, d DATETIME, e DATE, r REAL, n NUMERIC(10,2), s VARCHAR(20), x BLOB, u UUID, anything,
              created_at INTEGER, modified_at INTEGER, born_at INTEGER, jd_date REAL, apple_time REAL, num_at INTEGER, textDate TEXT, plain TEXT);
            INSERT INTO t VALUES (1, 2, '2010-04-07 01:04:48', '1999-12-31', 1.5, 2, 's', x'01', x'00112233445566778899AABBCCDDEEFF', 4,
              1270602288, 1270602288000, 1270602288000000, 2455293.5, 292295088.5, 7, '2010-04-07T01:04:48+02:00', '2010-04-07');
            INSERT INTO t VALUES (2, 'two', 'soon', NULL, 'x', 2.5, 3, 'text', 'not', 5, 1270602289, 1270602289000, 1270602289000000, 2455294,
              292295089, 8, NULL, '2010-04-08');
            """)
        let entity = try #require(store.schema.entity(named: "t"))
        let types = Dictionary(uniqueKeysWithValues: entity.attributes.map { ($0.name, $0.type) })
        #expect(
            types == [
                "b": .boolean, "i": .int64, "d": .date, "e": .date, "r": .double, "n": .decimal, "s": .string, "x": .binary,
                "u": .uuid,
                "anything": .int64, "created_at": .date, "modified_at": .date, "born_at": .date, "jd_date": .date,
                "apple_time": .date,
                "num_at": .int64, "textDate": .date, "plain": .string,
            ])
        let paths = try store.paths(entity.attributes.map(\.name), in: "t")
        let rows = try store.values(at: paths, of: [1, 2], in: "t", as: .typed).map { $0 ?? [] }
        let alpha = 292_295_088.0
        #expect(rows[0][0] == .boolean(true) && rows[1][0] == .integer(2))
        #expect(rows[1][1] == .string("two"))
        #expect(rows[0][2] == .date(alpha) && rows[1][2] == .string("soon"))
        #expect(rows[0][3] == .date(-31_708_800) && rows[1][3] == .null)
        let uuid = try #require(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF"))
        #expect(rows[0][8] == .uuid(uuid) && rows[1][8] == .string("not"))
        #expect(rows[0][10...12] == [.date(alpha), .date(alpha), .date(alpha)])
        #expect(rows[0][13] == .date(292_291_200))
        #expect(rows[0][14] == .date(alpha + 0.5))
        #expect(rows[0][16] == .date(alpha - 7200))
        let raw = try store.values(at: paths, of: [1], in: "t", as: .stored)[0] ?? []
        #expect(
            raw[0] == .integer(1) && raw[10] == .integer(1_270_602_288)
                && raw[8]
                    == .data(Data([0, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xAA, 0xBB, 0xCC, 0xDD, 0xEE, 0xFF]))
        )
        #expect(try store.list("t", section: "created_at.@year").sections == [.init(value: .integer(2010), count: 2)])
        withExtendedLifetime(folder) {}
    }

    @Test func faultyPartsLeaveTheRestReadable() throws {
        let (folder, store) = try open(
            """
            CREATE TABLE good (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO good VALUES (1, 'x');
            CREATE VIEW fine AS SELECT name FROM good;
            CREATE VIEW gone AS SELECT * FROM nowhere;
            CREATE VIEW calls AS SELECT load_extension('evil.so') AS x;
            CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) AS m FROM n;
            CREATE VIRTUAL TABLE text USING fts5(body); INSERT INTO text VALUES ('some words');
            CREATE TRIGGER t AFTER INSERT ON good BEGIN SELECT unknown_function(); END;
            """)
        let names = store.schema.entities.map(\.name)
        #expect(names.contains("good") && names.contains("fine") && !names.contains("gone") && !names.contains("calls"))
        #expect(store.schema.warnings.count == 2)
        #expect(
            store.schema.entities.filter(\.isSystem).map(\.name).sorted() == [
                "text_config", "text_content", "text_data", "text_docsize", "text_idx",
            ])
        #expect(try store.column("body", of: store.list("text"), in: "text") == [.string("some words")])
        #expect(try store.column("name", of: store.list("fine"), in: "fine") == [.string("x")])
        // An endless view ends when the reader says so.
        let progress = FetchProgress()
        let cancelling = Thread { progress.cancel() }
        cancelling.start()
        #expect(throws: StoreError(file: store.name, cause: .cancelled)) {
            try store.fetch(FetchRequest(entityName: "endless"), progress: progress)
        }
        withExtendedLifetime(folder) {}
    }

    @Test func unknownCollationsAreReadByBytes() throws {
        let folder = try TemporaryFolder()
        // The collation is made under a name that is then unknown to the reader.
        let path = try folder.database("CREATE TABLE t (a TEXT PRIMARY KEY, b TEXT); INSERT INTO t VALUES ('x', 'y')")
        let writer = try Writer(path)
        try writer.run(
            """
            PRAGMA writable_schema=ON;
            UPDATE sqlite_schema SET sql = 'CREATE TABLE t (a TEXT COLLATE WEIRD PRIMARY KEY, b TEXT COLLATE ODD)' WHERE name = 't';
            """)
        let store = try SQLiteObjectStore.open(path: path)
        #expect(try store.column("b", of: store.list("t", sort: ["a"]), in: "t") == [.string("y")])
        withExtendedLifetime(writer) {}
    }

    @Test func oneStatementForManyKeys() throws {
        let (folder, store) = try open(
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) INSERT INTO t SELECT i * 3, 'n' || i FROM n;
            """)
        let keys = (1...5000).map { Int64($0) * 3 }.reversed() + [1, 2]
        let rows = try store.values(at: store.paths(["n"], in: "t"), of: Array(keys), in: "t", as: .typed)
        #expect(rows.count == 5002 && rows[0] == [.string("n5000")] && rows[4999] == [.string("n1")] && rows[5000] == nil)
        withExtendedLifetime(folder) {}
    }

    @Test(.enabled(if: Samples.areThere)) func chinook() throws {
        let store = try SQLiteObjectStore.open(path: Samples.folder + "/sqlite/Chinook_Sqlite.sqlite")
        // By code point C stands before a; without regard to case Aaron stands before AC/DC.
        let folded = try store.list("Track", sort: ["album.artist.name"], section: "album.artist.name")
        #expect(folded.sections.first?.value == .string("Aaron Copland & London Symphony Orchestra"))
        let tracks = try store.list(
            "Track", sort: ["album.artist.name", "name"], selector: .compare, section: "album.artist.name")
        #expect(tracks.keys.count == 3503 && tracks.sections.first == .init(value: .string("AC/DC"), count: 18))
        #expect(
            store.schema.entity(named: "Employee")?.relationship(named: "reportsToEmployee")?.destinationEntityName == "Employee")
        #expect(store.schema.entity(named: "Playlist")?.relationship(named: "track")?.isToMany == true)
        let playlists = try store.column("track.@count", of: store.list("Playlist", sort: ["PlaylistId"]), in: "Playlist")
        #expect(playlists.first == .integer(3290))
        #expect(
            try store.column("birthDate", of: store.list("Employee", sort: ["EmployeeId"]), in: "Employee").first
                == .date(-1_226_620_800))
    }

    @Test(.enabled(if: Samples.areThere)) func statementsDoNotGrowWithRows() throws {
        let store = try SQLiteObjectStore.open(path: Samples.folder + "/sqlite/Chinook_Sqlite.sqlite")
        func statements(_ body: () throws -> Void) throws -> Int {
            let before = try store.statementCount()
            try body()
            return try store.statementCount() - before
        }
        // The key range, and the rows.
        #expect(
            try statements { _ = try store.list("Track", sort: ["album.artist.name", "genre.name"], section: "mediaType.name") }
                == 2)
        let paths = try store.paths(
            ["name", "album.title", "album.artist.name", "genre", "playlist.@count", "playlist.name"], in: "Track")
        let keys = (1...900).map(Int64.init)
        // One for all single values, one for the list.
        #expect(try statements { _ = try store.values(at: paths, of: keys, in: "Track", as: .typed) } == 2)
    }

    @Test(.enabled(if: Samples.areThere)) func northwindViews() throws {
        let store = try SQLiteObjectStore.open(path: Samples.folder + "/sqlite/northwind.db")
        for entity in store.schema.entities {
            let list = try store.list(entity.name)
            #expect(list.keys.count == (try store.count(of: entity.name)), "\(entity.name)")
            let rows = try store.values(
                at: store.paths(entity.attributes.map(\.name) + entity.relationships.map(\.name), in: entity.name),
                of: Array(list.keys.prefix(50)), in: entity.name, as: .typed)
            #expect(!rows.contains { $0 == nil }, "\(entity.name)")
        }
        #expect(store.schema.entity(named: "Order Details")?.relationships.map(\.name).sorted() == ["order", "product"])
    }
}

import ObjectStore
import SQLiteStores
import Testing

/// A foreign key that leads to no row is not the same as none.
@Suite struct DanglingReferenceTests {
    private static let albums = """
        CREATE TABLE Label (code TEXT PRIMARY KEY, name TEXT);
        CREATE TABLE Artist (id INTEGER PRIMARY KEY, name TEXT, labelCode TEXT REFERENCES Label(code));
        CREATE TABLE Album (id INTEGER PRIMARY KEY, artistId INTEGER REFERENCES Artist(id));
        CREATE TABLE pair (a TEXT, b INTEGER, c TEXT, PRIMARY KEY (a, b));
        CREATE TABLE child (id INTEGER PRIMARY KEY, pa TEXT, pb INTEGER, FOREIGN KEY (pa, pb) REFERENCES pair(a, b));
        INSERT INTO Label VALUES ('w', 'Warp');
        INSERT INTO Artist VALUES (1, 'Ann', 'w'), (2, NULL, 'gone'), (3, 'Cy', NULL), (4, 'Di', x'00FF');
        INSERT INTO Album VALUES (1, 1), (2, 2), (3, 3), (4, 99), (5, NULL), (6, 4);
        INSERT INTO pair VALUES ('x', 1, 'x1');
        INSERT INTO child VALUES (1, 'x', 1), (2, 'x', 2), (3, NULL, 2), (4, 'y', NULL);
        """

    private func values(_ keyPaths: [String], in entity: String, of keys: [ObjectKey]) throws -> [[Value]?] {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let store = try SQLiteObjectStore.open(path: folder.database(Self.albums))
        return try store.values(at: store.paths(keyPaths, in: entity), of: keys, in: entity, as: .typed)
    }

    private func noArtist(_ key: String) -> Value { .danglingReference(entityName: "Artist", key: key) }
    private func noLabel(_ key: String) -> Value { .danglingReference(entityName: "Label", key: key) }

    @Test func theFirstKeyOfAPathThatLeadsNowhere() throws {
        let keys: [ObjectKey] = [1, 2, 3, 4, 5, 6]
        #expect(
            try values(["artist", "artist.name", "artist.labelCodeLabel.name", "artistId"], in: "Album", of: keys) == [
                [.object(ObjectID(entityName: "Artist", key: 1)), .string("Ann"), .string("Warp"), .integer(1)],
                // The row is there; that its name is NULL is another matter.
                [.object(ObjectID(entityName: "Artist", key: 2)), .null, noLabel("gone"), .integer(2)],
                [.object(ObjectID(entityName: "Artist", key: 3)), .string("Cy"), .null, .integer(3)],
                [noArtist("99"), noArtist("99"), noArtist("99"), .integer(99)], [.null, .null, .null, .null],
                [.object(ObjectID(entityName: "Artist", key: 4)), .string("Di"), noLabel("X'00FF'"), .integer(4)],
            ])
    }

    @Test func keysOfSeveralColumns() throws {
        let gone = Value.danglingReference(entityName: "pair", key: "x,2")
        #expect(
            try values(["pair.c"], in: "child", of: [1, 2, 3, 4]) == [[.string("x1")], [gone], [.null], [.null]])
    }

    /// Order, sections and predicates know it as NULL, as key-value coding does.
    @Test func itSortsAndMatchesAsNull() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteObjectStore.open(path: folder.database(Self.albums))
        #expect(try store.list("Album", sort: ["artist.name"]).keys == [2, 4, 5, 1, 3, 6])
        let predicate = try PredicateFormat("artist.name = nil").resolve(in: store.schema, entityName: "Album")
        let request = FetchRequest(entityName: "Album", predicate: predicate)
        #expect(try store.fetch(request, progress: FetchProgress()).keys.sorted() == [2, 4, 5])
        withExtendedLifetime(folder) {}
    }

    /// Pairs of which one end is gone: those that a to-many relationship names beside the objects that are there.
    @Test func keysInATableOfPairs() throws {
        let folder = try TemporaryFolder()
        let path = try folder.database(
            """
            CREATE TABLE Tag (code TEXT PRIMARY KEY, name TEXT);
            CREATE TABLE Note (id INTEGER PRIMARY KEY, text TEXT);
            CREATE TABLE NoteTag (noteId INTEGER REFERENCES Note(id), tagCode TEXT REFERENCES Tag(code), PRIMARY KEY (noteId, tagCode));
            INSERT INTO Tag VALUES ('a', 'Alpha'), ('b', 'Beta');
            INSERT INTO Note VALUES (1, 'x'), (2, 'y'), (3, 'z');
            INSERT INTO NoteTag VALUES (1, 'a'), (1, 'gone'), (1, NULL), (2, 'b'), (3, 'lost'), (3, x'00FF'), (99, 'a');
            """)
        let store = try SQLiteObjectStore.open(path: path)
        let ways = try #require(store.schema.entity(named: "Note")).relationships.filter { $0.destinationEntityName == "Tag" }
        let name = try #require(ways.first?.name)
        let found = (1...3).map { store.danglingReferences(of: name, from: ObjectID(entityName: "Note", key: $0)) }
        func noTag(_ key: String) -> Value { .danglingReference(entityName: "Tag", key: key) }
        #expect(found[0] == [noTag("gone")] && found[1] == [])
        #expect(Set(found[2]) == [noTag("lost"), noTag("X'00FF'")])
        let back = try #require(store.schema.entity(named: "Tag")?.relationships.first?.name)
        let tag = try #require(try store.list("Tag", sort: ["code"]).keys.first)
        #expect(
            store.danglingReferences(of: back, from: ObjectID(entityName: "Tag", key: tag))
                == [.danglingReference(entityName: "Note", key: "99")])
        // No table of pairs: nobody names what is not there.
        let plain = try SQLiteObjectStore.open(path: folder.database("plain.sqlite", Self.albums))
        #expect(plain.danglingReferences(of: "album", from: ObjectID(entityName: "Artist", key: 1)) == [])
    }
}

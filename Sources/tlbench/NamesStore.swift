import CSQLite
import Glibc

/// A store as Core Data makes it, with names that are the same on every machine: a third of them not ASCII.
struct NamesStore {
    let folder: String
    let size: Int
    /// Names that come first and last in every order that is measured; somewhere in the middle of the table.
    static let first = "Aaaaa First"
    static let last = "Zzzzz Last"

    var path: String { "\(folder)/names\(size).sqlite" }
    /// Lists by first letters, and by places: one for each ten objects, but 100,000 at most.
    var letters: String { "\(folder)/letters.plist" }
    var places: String { "\(folder)/places.plist" }

    static func placeCount(_ size: Int) -> Int { min(100_000, max(1, size / 10)) }

    private static let syllables = [
        "ka", "ro", "mi", "ten", "sal", "ver", "du", "ni", "bel", "or", "an", "gra", "ma", "lo", "pi", "qu", "zu", "wy", "tó",
        "és",
        "be", "fa", "hol", "jo", "ker", "lin", "mos", "pen", "rud", "sti", "vo",
    ]

    /// Writes the store and the lists; nil where the disk is full or SQLite fails.
    init?(folder: String, size: Int) {
        self.folder = folder
        self.size = size
        var handle: OpaquePointer?
        guard sqlite3_open(path, &handle) == SQLITE_OK, let database = handle else { return nil }
        defer { sqlite3_close(database) }
        let schema = """
            PRAGMA journal_mode=DELETE; PRAGMA synchronous=OFF; BEGIN;
            CREATE TABLE ZPERSON (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZBORN TIMESTAMP, ZNAME VARCHAR, ZPLACE VARCHAR);
            CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
            CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
            INSERT INTO Z_METADATA VALUES (1, 'BE7C4A11-0000-4000-8000-000000000001', NULL);
            INSERT INTO Z_PRIMARYKEY VALUES (1, 'Person', 0, \(size));
            """
        var statement: OpaquePointer?
        guard sqlite3_exec(database, schema, nil, nil, nil) == SQLITE_OK,
            sqlite3_prepare_v2(database, "INSERT INTO ZPERSON VALUES (?1, 1, 1, ?2, ?3, ?4)", -1, &statement, nil) == SQLITE_OK
        else { return nil }
        defer { sqlite3_finalize(statement) }
        var generator = Generator()
        for key in 1...size {
            let name = key == size / 2 ? Self.first : key == size / 3 ? Self.last : Self.name(&generator)
            let place = "Place \(generator.below(Self.placeCount(size)))"
            sqlite3_bind_int64(statement, 1, Int64(key))
            sqlite3_bind_double(statement, 2, Double(generator.below(2_000_000_000)) - 1_000_000_000 + 0.5)
            sqlite3_bind_text(statement, 3, name, -1, csqlite_transient())
            sqlite3_bind_text(statement, 4, place, -1, csqlite_transient())
            guard sqlite3_step(statement) == SQLITE_DONE else { return nil }
            sqlite3_reset(statement)
        }
        guard sqlite3_exec(database, "COMMIT", nil, nil, nil) == SQLITE_OK,
            Self.write(Self.list(section: "nameFirstLetter", sort: "name", title: "People"), to: letters),
            Self.write(Self.list(section: "place", sort: "place, name", title: "Places"), to: places),
            Self.write(Self.detail, to: folder + "/person.plist")
        else { return nil }
    }

    private static func name(_ generator: inout Generator) -> String {
        func word(_ count: Int) -> String {
            let text = (0..<count).map { _ in syllables[generator.below(syllables.count)] }.joined()
            return text.prefix(1).uppercased() + text.dropFirst()
        }
        return word(2 + generator.below(4)) + " " + word(3)
    }

    private static func list(section: String, sort: String, title: String) -> String {
        """
        { entityName = Person; controllerTitle = \(title); sortKeyPaths = (\(sort)); sectionKeyPath = \(section);
          sectionIndexTitlesEnabled = YES; sectionIndexTitlesAlphabetical = YES;
          cellTextLabelKeyPath = name; cellDetailTextLabelKeyPath = born; detailViewPropertyListFile = person; }

        """
    }

    private static let detail = """
        ( { rowInformation = ( { attributeKeyPath = name; rowType = CDLTableRowTypeSingleLineValueNoLabel; },
                               { attributeKeyPath = born; rowType = CDLTableRowTypeSingleLineValueNoLabel; },
                               { attributeKeyPath = place; rowType = CDLTableRowTypeSingleLineValueNoLabel; } ); } )

        """

    private static func write(_ text: String, to path: String) -> Bool {
        guard let file = fopen(path, "w") else { return false }
        let isWritten = fputs(text, file) >= 0
        return fclose(file) == 0 && isWritten
    }

    /// SplitMix64, with one seed for all.
    private struct Generator {
        private var state: UInt64 = 20_010_101

        mutating func below(_ limit: Int) -> Int {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return Int((mixed ^ (mixed >> 31)) % UInt64(max(1, limit)))
        }
    }
}

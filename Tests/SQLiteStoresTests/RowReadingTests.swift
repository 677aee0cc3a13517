import CSQLite
import Dispatch
import Foundation
import ObjectStore
import Synchronization
import Testing

@testable import SQLiteStores

/// Rows that a statement hands over itself are those that it would give step by step.
@Suite struct RowReadingTests {
    private typealias Notes = RowNotes

    private static let literals = [
        "NULL", "0", "1", "-7", "9223372036854775807", "1.5", "-0.0", "1e300", "''", "'a'", "'Äpfel'", "'e\u{301}'", "'日本'",
        "'a b'",
        "x''", "x'00ff'", "CAST(x'fffe41' AS TEXT)", "'12'", "'2020-01-01'",
    ]

    /// Two tables, the rows of one pointing to the other's; gaps among the keys, long values on pages of their own.
    private func sql(_ generator: inout SeededGenerator, rows: Int, encoding: String = "UTF-8") -> String {
        func literal() -> String {
            if Int.random(in: 0..<30, using: &generator) == 0 {
                return "'" + String(repeating: "long ", count: Int.random(in: 100...900, using: &generator)) + "'"
            }
            return Self.literals.randomElement(using: &generator) ?? "NULL"
        }
        var sql = """
            PRAGMA encoding='\(encoding)'; PRAGMA page_size=1024; BEGIN;
            CREATE TABLE far (id INTEGER PRIMARY KEY, label TEXT, size);
            CREATE TABLE near (id INTEGER PRIMARY KEY, name TEXT, any, number REAL, far_id INTEGER REFERENCES far(id));
            CREATE INDEX everything ON near (far_id, name, any, number);
            """
        for key in 0..<20 { sql += "INSERT INTO far VALUES (\(key * 3), \(literal()), \(literal()));" }
        var key = Int.random(in: -50...0, using: &generator)
        for _ in 0..<rows {
            key += Int.random(in: 1...3, using: &generator)
            let far = Bool.random(using: &generator) ? "\(Int.random(in: 0...60, using: &generator))" : "NULL"
            sql += "INSERT INTO near VALUES (\(key), \(literal()), \(literal()), \(key % 5 == 0 ? "NULL" : "\(key)"), \(far));"
        }
        return sql + "COMMIT;"
    }

    private func plan(
        _ store: SQLiteObjectStore, _ entity: String, sort: [String], section: String? = nil, predicate: String? = nil
    ) throws -> FetchPlan {
        try store.plan(entity, sort: sort, section: section, predicate: predicate)
    }

    private func bySteps(_ plan: FetchPlan) -> FetchPlan {
        var plan = plan
        plan.handingSQL = nil
        return plan
    }

    /// What a receiver gets of a range, and what the reading says at its end.
    @discardableResult
    private func read(
        _ plan: FetchPlan, _ store: SQLiteObjectStore, _ notes: Notes, _ range: ClosedRange<ObjectKey> = .min ... .max,
        turns: ReadingTurns? = nil, progress: FetchProgress = FetchProgress()
    ) throws -> StoreError? {
        // Rows that are read from pages are tested elsewhere.
        var plan = plan
        plan.pageSQL = nil
        return try store.read(plan, into: notes, range, turns: turns, progress: progress)
    }

    @Test(arguments: Array(UInt64(1)...6)) func handedRowsAreTheStatementsRows(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder()
        let path = try folder.database(
            sql(&generator, rows: 700, encoding: seed % 3 == 0 ? "UTF-16le" : "UTF-8")
                + (seed % 2 == 0 ? "PRAGMA journal_mode=WAL;" : ""))
        let store = try SQLiteObjectStore.open(path: path)
        let nearPaths = ["name", "any", "number", "far.label", "far.size", "far_id"]
        let farPaths = ["label", "size", "near.@count", "near.@max.number"]
        for _ in 0..<40 {
            let isNear = Bool.random(using: &generator)
            let paths = isNear ? nearPaths : farPaths
            let sort = paths.shuffled(using: &generator).prefix(Int.random(in: 0...3, using: &generator))
            let section = Bool.random(using: &generator) ? paths.randomElement(using: &generator) : nil
            let plan = try plan(store, isNear ? "near" : "far", sort: Array(sort), section: section)
            #expect(plan.handingSQL != nil)
            let columns = (plan.keys.map(\.index) + [plan.section?.index ?? 0]).max() ?? 0
            let low = ObjectKey.random(in: -60...1500, using: &generator)
            let range =
                Bool.random(using: &generator) ? low...(low + ObjectKey.random(in: 0...900, using: &generator)) : .min ... .max
            let handed = Notes(columns + 1)
            let stepped = Notes(columns + 1)
            #expect(try read(plan, store, handed, range, turns: seed % 3 == 1 ? ReadingTurns(length: .zero) : nil) == nil)
            #expect(try read(bySteps(plan), store, stepped, range) == nil)
            #expect(handed.rows == stepped.rows, "\(sort) \(section ?? "")")
            #expect(handed.keys == handed.keys.sorted() && handed.counted == handed.keys.count)
            // The statement itself stops for looks only.
            #expect(handed.looks <= handed.keys.count / 128 + 1)
        }
    }

    /// Where SQLite may go another way than by the keys, or has to leave rows out, it is asked step by step.
    @Test func onlyWholeTablesAreHandedOver() throws {
        let folder = try TemporaryFolder()
        let wide = (0..<120).map { "c\($0)" }
        let store = try SQLiteObjectStore.open(
            path: folder.database(
                """
                CREATE TABLE plain (id INTEGER PRIMARY KEY, a); CREATE TABLE keyless (a, b);
                CREATE TABLE down (id INTEGER PRIMARY KEY DESC, a); CREATE TABLE texts (id TEXT PRIMARY KEY, a);
                CREATE TABLE without (id TEXT PRIMARY KEY, a) WITHOUT ROWID; CREATE VIEW seen AS SELECT * FROM plain;
                CREATE VIRTUAL TABLE words USING fts5(a);
                CREATE TABLE wide (id INTEGER PRIMARY KEY, \(wide.joined(separator: ", ")));
                INSERT INTO plain VALUES (3, 'x'), (1, 'y'); INSERT INTO keyless VALUES ('x', 1), ('y', 2);
                INSERT INTO down VALUES (3, 'x'), (1, 'y'); INSERT INTO texts VALUES ('b', 'x'), ('a', 'y');
                INSERT INTO without VALUES ('b', 'x'), ('a', 'y'); INSERT INTO words VALUES ('x'), ('y');
                INSERT INTO wide (id, c0, c119) VALUES (1, 'x', 'z');
                """))
        let handed = [
            "plain": true, "keyless": true, "down": true, "texts": true, "without": false, "seen": false, "words": false,
        ]
        for (entity, isHanded) in handed {
            let plan = try plan(store, entity, sort: ["a"])
            #expect((plan.handingSQL != nil) == isHanded, "\(entity)")
            #expect(try store.list(entity, sort: ["a"]).keys.count == 2, "\(entity)")
        }
        #expect(try plan(store, "plain", sort: ["a"], predicate: "a == 'x'").handingSQL == nil)
        #expect(try plan(store, "wide", sort: Array(wide.prefix(99))).handingSQL != nil)
        #expect(try plan(store, "wide", sort: wide).handingSQL == nil)
        #expect(try store.list("wide", sort: wide).keys == [1])
        #expect(try store.list("wide", sort: Array(wide.prefix(99))).keys == [1])
    }

    /// A key that is not what the rows are numbered by, though Core Data's always is.
    @Test func aKeyMadeUpIsNotTaken() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteObjectStore.open(
            path: folder.database(
                """
                CREATE TABLE ZTHING (Z_PK INTEGER, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
                CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
                CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
                INSERT INTO Z_PRIMARYKEY VALUES (1, 'Thing', 0, 2);
                INSERT INTO ZTHING VALUES (5, 1, 1, 'b'), (4, 1, 1, 'a'), (9, 1, 1, 'c');
                """))
        #expect(try plan(store, "Thing", sort: ["name"]).handingSQL == nil)
        #expect(try store.list("Thing", sort: ["name"]).keys == [4, 5, 9])
    }

    /// Of a table that several entities share, some of the rows: whatever the range, no more are asked for than up to its end.
    @Test(arguments: [UInt64(1), 2]) func rowsOfSomeEntitiesOfATable(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder()
        let rows = (1...900).map {
            "(\($0 * 2), \(Int.random(in: $0 < 450 ? 1...4 : 1...1, using: &generator)), 1, 'n\($0 % 37)')"
        }
        let store = try SQLiteObjectStore.open(
            path: folder.database(
                """
                CREATE TABLE ZTHING (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
                CREATE INDEX kinds ON ZTHING (Z_ENT);
                CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
                CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
                INSERT INTO Z_PRIMARYKEY VALUES (1, 'Thing', 0, 2), (2, 'Part', 1, 2), (3, 'Smaller', 2, 2), (4, 'Leaf', 1, 2);
                INSERT INTO ZTHING VALUES \(rows.joined(separator: ", "));
                """))
        for (entity, isHanded) in [("Thing", true), ("Part", true), ("Leaf", false)] {
            let plan = try plan(store, entity, sort: ["name"])
            #expect((plan.handingSQL != nil) == isHanded, "\(entity)")
            for _ in 0..<30 {
                let low = ObjectKey.random(in: -5...1900, using: &generator)
                let range = low...(low + ObjectKey.random(in: 0...400, using: &generator))
                let handed = Notes(2)
                let stepped = Notes(2)
                #expect(try read(plan, store, handed, range) == nil)
                #expect(try read(bySteps(plan), store, stepped, range) == nil)
                #expect(handed.rows == stepped.rows && handed.keys.allSatisfy { range.contains($0) })
            }
        }
    }

    @Test func readingStopsWhereItShould() throws {
        var generator = SeededGenerator(seed: 77)
        let folder = try TemporaryFolder()
        let store = try SQLiteObjectStore.open(path: folder.database(sql(&generator, rows: 1_500)))
        let plan = try plan(store, "near", sort: ["name", "far.label"])
        let whole = Notes(3)
        try read(plan, store, whole)
        #expect(whole.rows.count == 1_500)
        for plan in [plan, bySteps(plan)] {
            for _ in 0..<20 {
                let row = Int.random(in: 1...1_500, using: &generator)
                let stopped = Notes(3)
                stopped.stop = row
                #expect(try read(plan, store, stopped) == nil)
                #expect(stopped.rows == Array(whole.rows.prefix(row)))

                let failed = Notes(3)
                failed.failing = row - 1
                #expect(try read(plan, store, failed)?.cause == .outOfMemory)
                #expect(failed.rows == Array(whole.rows.prefix(row - 1)))

                let cancelled = Notes(3)
                let progress = FetchProgress()
                cancelled.cancel = (row, progress)
                #expect(try read(plan, store, cancelled, progress: progress)?.cause == .cancelled)
                #expect(cancelled.rows == Array(whole.rows.prefix(cancelled.rows.count)))
                #expect(cancelled.rows.count >= row && cancelled.rows.count <= row + 128)
            }
        }
    }

    /// On a damaged table both ways come as far, and say the same.
    @Test(arguments: Array(UInt64(1)...5)) func damageIsMetAtTheSameRow(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder()
        let path = try folder.database(sql(&generator, rows: 900))
        let whole = [UInt8](try #require(FileManager.default.contents(atPath: path)))
        for _ in 0..<6 {
            var bytes = whole
            let page = Int.random(in: 4..<(bytes.count / 1024), using: &generator)
            for offset in 0..<1024 { bytes[page * 1024 + offset] = UInt8.random(in: 128...255, using: &generator) }
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            let store = try SQLiteObjectStore.open(path: path)
            let plan = try plan(store, "near", sort: ["name", "any"])
            let handed = Notes(3)
            let stepped = Notes(3)
            let fault = try read(plan, store, handed)
            #expect(try read(bySteps(plan), store, stepped)?.cause == fault?.cause)
            #expect(handed.rows == stepped.rows)
        }
    }

    /// A writer gets its turn between two turns of the reading, which goes on behind the row where it stopped.
    @Test func aWriterComesBetweenTurns() throws {
        var generator = SeededGenerator(seed: 5)
        let folder = try TemporaryFolder()
        let path = try folder.database(sql(&generator, rows: 2_000))
        let store = try SQLiteObjectStore.open(path: path)
        let plan = try plan(store, "near", sort: ["name"])
        let before = Notes(2)
        try read(plan, store, before)
        let writer = try Writer(path)
        sqlite3_busy_timeout(writer.handle, 20_000)
        // Sound: the thread alone uses it.
        nonisolated(unsafe) let handle = writer
        let isWritten = DispatchSemaphore(value: 0)
        let written = Mutex<Bool>(false)
        let notes = Notes(2)
        // The lock that the writer waits for is held at a look, and let go behind it: there each turn ends.
        notes.atLook = {
            guard notes.looks == 3 else { return }
            Thread.detachNewThread {
                let isDone = (try? handle.run("UPDATE near SET any = 'written'")) != nil
                written.withLock { $0 = isDone }
                isWritten.signal()
            }
        }
        #expect(try read(plan, store, notes, turns: ReadingTurns(length: .zero)) == nil)
        isWritten.wait()
        #expect(written.withLock { $0 })
        #expect(notes.rows == before.rows)
        #expect(notes.looks >= 2_000 / 128)
    }

    /// Code of the file cannot call the function, not even while rows are handed over.
    @Test func codeOfTheFileCannotCallTheFunction() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("store.sqlite")
        let writer = try Writer(path)
        // The one who wrote the file had a function of this name, which nothing keeps from standing in the schema.
        sqlite3_create_function_v2(
            writer.handle, RowFunction.name, -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil,
            { context, _, _ in sqlite3_result_int(context, 1) }, nil, nil, nil)
        try writer.run(
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, a); INSERT INTO t VALUES (1, 'x'), (2, 'y');
            CREATE VIEW v AS SELECT id, a FROM t WHERE \(RowFunction.name)(id, a);
            CREATE TABLE g (id INTEGER PRIMARY KEY, a, b AS (\(RowFunction.name)(77, a)));
            INSERT INTO g (id, a) VALUES (1, 'x');
            CREATE TABLE c (id INTEGER PRIMARY KEY, a DEFAULT 1 CHECK (\(RowFunction.name)(78, a)));
            INSERT INTO c VALUES (1, 2);
            """)
        let connection = try Connection(uri: StoreFile.uri(path, "mode=ro"), flags: SQLITE_OPEN_READONLY, name: "store")
        connection.allowViews(true)
        let notes = Notes(1)
        func tryAll() throws(StoreError) {
            for columns in 0...3 {
                try connection.rowFunction.hand(columns, to: notes) { () throws(StoreError) in
                    for sql in ["SELECT * FROM v", "SELECT count(*) FROM v"] {
                        #expect(throws: StoreError.self, "\(sql)") { try connection.rows(sql) { $0.integer(0) } }
                    }
                    for sql in ["SELECT b FROM g", "SELECT id FROM g WHERE b"] {
                        let answers = (try? connection.rows(sql) { $0.integer(0) }) ?? []
                        #expect(!answers.contains(1))
                    }
                }
            }
        }
        // A schema with a column that is made by it is refused, and what else there is in it can be read all the same.
        #expect(throws: StoreError.self) { try connection.probe() }
        try tryAll()
        connection.salvage()
        try connection.probe()
        try tryAll()
        let kept = try connection.rows("SELECT id FROM c") { $0.integer(0) }
        #expect(kept == [1])
        #expect(notes.keys.isEmpty)
        // What is no code of the file may call it: for nothing where nobody reads, or with another number of columns.
        let sql = "SELECT \(RowFunction.name)(1, 2)"
        #expect(try connection.rows(sql) { $0.isNull(0) } == [true])
        _ = try connection.rowFunction.hand(3, to: notes) { () throws(StoreError) in try connection.rows(sql) { $0.isNull(0) } }
        #expect(notes.keys.isEmpty)
        _ = try connection.rowFunction.hand(2, to: notes) { () throws(StoreError) in try connection.rows(sql) { $0.isNull(0) } }
        #expect(notes.keys == [1])
        let store = try SQLiteObjectStore.open(path: path)
        #expect(try store.list("t", sort: ["a"]).keys == [1, 2])
        for entity in ["v", "g"] where store.schema.entity(named: entity) != nil {
            _ = try? store.list(entity, sort: ["a"])
        }
        #expect(try store.list("t", sort: ["-a"]).keys == [2, 1])
    }
}

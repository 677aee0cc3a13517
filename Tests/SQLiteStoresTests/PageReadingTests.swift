import CSQLite
import Foundation
import ObjectStore
import Testing

@testable import SQLiteStores

/// Rows that are read from pages are those that SQLite reads.
@Suite struct PageReadingTests {
    /// What a receiver gets by either way.
    private func compare(
        _ plan: FetchPlan, _ store: SQLiteObjectStore, columns: Int32, _ range: ClosedRange<ObjectKey> = .min ... .max,
        turns: ReadingTurns? = nil, isTransaction: Bool = false, _ comment: Comment? = nil
    ) throws -> PageCounts {
        let counts = PageCounts()
        let fromPages = RowNotes(columns)
        let plain = RowNotes(columns)
        var withoutPages = plan
        withoutPages.pageSQL = nil
        // SQLite finds fault with some pages only when it reads them for the first time: so with a connection of its own.
        let other = try SQLiteObjectStore.open(path: store.name)
        let fault = try store.read(
            plan, into: fromPages, range, turns: turns, pageCounts: counts, isTransaction: isTransaction && turns == nil)
        #expect(try other.read(withoutPages, into: plain, range)?.cause == fault?.cause, comment)
        #expect(fromPages.rows == plain.rows, comment)
        #expect(fromPages.keys == plain.keys && (fault != nil || fromPages.counted == fromPages.keys.count), comment)
        #expect(counts.rows <= fromPages.keys.count, comment)
        return counts
    }

    @Test(arguments: Array(UInt64(1)...24)) func rowsOfAnyTable(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder()
        let table = RandomTable(&generator)
        // Kept open, where there is to be a log.
        let writer = try table.write(to: folder.file("store.sqlite"), &generator)
        let store = try SQLiteObjectStore.open(path: folder.file("store.sqlite"))
        var rowsFromPages = 0
        for _ in 0..<10 {
            let sort = Array(table.attributes.shuffled(using: &generator).prefix(Int.random(in: 0...4, using: &generator)))
            let section = Int.random(in: 0..<3, using: &generator) == 0 ? table.attributes.randomElement(using: &generator) : nil
            let plan = try store.plan("t", sort: sort, section: section)
            let low = ObjectKey.random(in: -2000...4000, using: &generator)
            let range =
                Bool.random(using: &generator) ? low...(low + ObjectKey.random(in: 0...2000, using: &generator)) : .min ... .max
            let columns = (plan.keys.map(\.index) + [plan.section?.index ?? 0]).max() ?? 0
            let counts = try compare(
                plan, store, columns: columns + 1, range, turns: seed % 3 == 0 ? ReadingTurns(length: .zero) : nil,
                isTransaction: Bool.random(using: &generator), "\(table.sql) \(sort) \(range)")
            rowsFromPages += counts.rows
        }
        // The only leaf of a small table may be in the log.
        #expect(table.isPlainText ? rowsFromPages > 0 || table.hasLog : rowsFromPages == 0)
        withExtendedLifetime(writer) {}
    }

    /// Of a plain table SQLite reads no row; of one with something odd on some leaves, the rows of these.
    @Test func sqliteReadsOnlyWhatItHasTo() throws {
        let folder = try TemporaryFolder()
        let rows = (1...5000).map { "(\($0), 1, 'name \($0 % 97)', \($0).5)" }.joined(separator: ", ")
        let writer = try Writer(folder.file("store.sqlite"))
        try writer.run(
            """
            PRAGMA page_size=4096; CREATE TABLE t (id INTEGER PRIMARY KEY, kind INTEGER, name TEXT, size REAL);
            INSERT INTO t VALUES \(rows);
            """)
        let store = try SQLiteObjectStore.open(path: folder.file("store.sqlite"))
        let plan = try store.plan("t", sort: ["name", "size"])
        for turns in [nil, ReadingTurns(length: .zero), ReadingTurns()] {
            let counts = try compare(plan, store, columns: 3, turns: turns)
            #expect(counts.rows == 5000 && counts.left == 0)
        }
        // One value that goes on in other pages: the rest of its leaf is left over, not more.
        try writer.run("UPDATE t SET name = '\(String(repeating: "long ", count: 2000))' WHERE id = 2500")
        let long = try compare(plan, store, columns: 3)
        #expect(long.left == 1 && long.rows < 5000 && long.rows > 4800)
        // A column that is not wanted may go on there.
        let short = try compare(store.plan("t", sort: ["kind"]), store, columns: 2)
        #expect(short.rows == 5000 && short.left == 0)
        // Rows from before a column was there have its default, which is not on their pages; NULL is.
        try writer.run("UPDATE t SET name = 'short' WHERE id = 2500; ALTER TABLE t ADD COLUMN later")
        let reopened = try SQLiteObjectStore.open(path: folder.file("store.sqlite"))
        #expect(try compare(reopened.plan("t", sort: ["later"]), reopened, columns: 2).rows == 5000)
        try writer.run("ALTER TABLE t ADD COLUMN number DEFAULT 7; UPDATE t SET number = 1 WHERE id <= 2000")
        let again = try SQLiteObjectStore.open(path: folder.file("store.sqlite"))
        let added = try compare(again.plan("t", sort: ["number"]), again, columns: 2)
        #expect(added.rows >= 1900 && added.rows <= 2000)
        #expect(try compare(again.plan("t", sort: ["name"]), again, columns: 2).rows == 5000)
        // Where nearly every leaf has something odd, the pages are not looked at any more.
        try writer.run("UPDATE t SET number = 1; UPDATE t SET name = printf('%.*c', 9000, 'x') WHERE id % 20 = 0")
        let odd = try compare(again.plan("t", sort: ["name"]), again, columns: 2)
        #expect(odd.left > 8 && odd.left <= 33)
    }

    /// Beside a log only the pages are read that have no image there.
    @Test func pagesInTheLogAreLeftToSQLite() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("store.sqlite")
        let rows = (1...5000).map { "(\($0), 'name \($0 % 97)')" }.joined(separator: ", ")
        let writer = try Writer(path)
        try writer.run(
            """
            PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0; CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT);
            INSERT INTO t VALUES \(rows); PRAGMA wal_checkpoint(TRUNCATE); UPDATE t SET name = 'new' WHERE id = 2500;
            """)
        let store = try SQLiteObjectStore.open(path: path)
        #expect(try store.source.perform { readers throws(StoreError) in readers.opening } == .readOnlySharedMemory)
        let plan = try store.plan("t", sort: ["name"])
        let some = try compare(plan, store, columns: 2)
        #expect(some.left == 1 && some.rows > 4000 && some.rows < 5000)
        try writer.run("UPDATE t SET name = 'newer'")
        let none = try compare(plan, store, columns: 2)
        #expect(none.rows == 0)
        // Written back but still in the log, and at last in the file alone.
        try writer.run("PRAGMA wal_checkpoint(PASSIVE)")
        #expect(try compare(plan, store, columns: 2).rows == 0)
        try writer.run("PRAGMA wal_checkpoint(TRUNCATE); UPDATE t SET name = 'newest' WHERE id IN (1, 5000)")
        let most = try compare(plan, store, columns: 2)
        #expect(most.left == 2 && most.rows > 4000)
    }

    /// Somebody commits, and writes back, while a transaction reads: it goes on in its own state. Between two turns it may see another.
    @Test(arguments: Array(UInt64(1)...8)) func aWriterInBetween(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder()
        let path = folder.file("store.sqlite")
        let hasLog = seed % 2 == 0
        let rows = (1...3000).map { "(\($0 * 3), 'name \($0 % 97)')" }.joined(separator: ", ")
        let writer = try Writer(path)
        try writer.run(
            """
            PRAGMA page_size=1024; PRAGMA journal_mode=\(hasLog ? "WAL" : "DELETE");
            CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO t VALUES \(rows);
            \(hasLog ? "PRAGMA wal_checkpoint(TRUNCATE); UPDATE t SET name = 'x' WHERE id < 300;" : "")
            """)
        let store = try SQLiteObjectStore.open(path: path)
        let plan = try store.plan("t", sort: ["name"])
        let before = RowNotes(2)
        try store.read(plan, into: before)
        sqlite3_busy_timeout(writer.handle, 0)
        let notes = RowNotes(2)
        let counts = PageCounts()
        var written = 0
        let first = Int.random(in: 1...10, using: &generator)
        notes.atLook = {
            guard notes.looks >= first else { return }
            // A lock that a turn holds keeps the writer out until another time.
            let low = Int.random(in: 0...9000, using: &generator)
            let isDone =
                (try? writer.run("UPDATE t SET name = 'y\(notes.looks)' WHERE id BETWEEN \(low) AND \(low + 900)")) != nil
                && (try? writer.run("INSERT INTO t VALUES (\(low * 3 + 1), 'z')")) != nil
            if hasLog { _ = try? writer.run("PRAGMA wal_checkpoint(PASSIVE)") }
            written += isDone ? 1 : 0
        }
        #expect(
            try store.read(plan, into: notes, turns: hasLog ? nil : ReadingTurns(length: .zero), pageCounts: counts) == nil)
        #expect(counts.rows > 0)
        if hasLog {
            #expect(written > 0)
            #expect(notes.rows == before.rows)
        } else {
            #expect(notes.keys.filter { $0 % 3 == 0 } == before.keys)
            #expect(Set(notes.keys).count == notes.keys.count && notes.keys == notes.keys.sorted())
        }
    }

    /// The shape of a table may change between two turns.
    @Test func anotherSchemaInBetween() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("store.sqlite")
        let rows = (1...3000).map { "(\($0), 'other', 'name \($0 % 97)')" }.joined(separator: ", ")
        let writer = try Writer(path)
        try writer.run(
            "PRAGMA page_size=1024; CREATE TABLE t (id INTEGER PRIMARY KEY, a, name TEXT); INSERT INTO t VALUES \(rows)")
        let store = try SQLiteObjectStore.open(path: path)
        let plan = try store.plan("t", sort: ["name"])
        let reading = RowNotes(2)
        var isChanged = false
        let counts = PageCounts()
        let first = RowNotes(2)
        first.stop = 1000
        // One connection, which knows the first shape when it begins anew.
        try store.read(plan, into: first, pageCounts: counts)
        reading.atLook = {
            guard !isChanged else { return }
            isChanged = (try? writer.run("ALTER TABLE t DROP COLUMN a; CREATE TABLE u (x); VACUUM")) != nil
        }
        reading.stop = 1
        try store.read(plan, into: reading, turns: ReadingTurns(length: .zero))
        if !isChanged { try writer.run("ALTER TABLE t DROP COLUMN a; CREATE TABLE u (x); VACUUM") }
        let after = RowNotes(2)
        #expect(try store.read(plan, into: after, turns: ReadingTurns(length: .zero), pageCounts: counts) == nil)
        #expect(after.rows == (1...3000).map { "i\($0) t" + "name \($0 % 97)".utf8.map { String($0) }.joined(separator: ".") })
        #expect(counts.rows == 4000)
    }

    /// Wherever bytes are damaged, both ways come as far, and say the same.
    @Test(arguments: Array(UInt64(1)...16)) func damageIsMetAtTheSameRow(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder()
        var table = RandomTable(&generator)
        table.encoding = "UTF-8"
        table.hasLog = false
        // What is tried around a gap is much where the keys on its sides are far apart.
        table.hasFarKeys = false
        let path = folder.file("store.sqlite")
        _ = try table.write(to: path, &generator)
        let whole = [UInt8](try #require(FileManager.default.contents(atPath: path)))
        var fromPages = 0
        for round in 0..<16 {
            var bytes = whole
            let page = Int.random(in: 1..<(bytes.count / table.pageSize), using: &generator)
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                // The heads of pages, their pointers, the beginnings of rows, and anything else.
                let place = Int.random(in: 0..<[12, 100, table.pageSize].randomElement(using: &generator)!, using: &generator)
                bytes[page * table.pageSize + place] = UInt8.random(in: 0...255, using: &generator)
            }
            if Int.random(in: 0..<10, using: &generator) == 0 {
                bytes.removeLast(Int.random(in: 0..<(bytes.count / 2), using: &generator))
            }
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            guard let store = try? SQLiteObjectStore.open(path: path), store.schema.entity(named: "t") != nil else { continue }
            let sort = Array(table.attributes.shuffled(using: &generator).prefix(2))
            let plan = try store.plan("t", sort: sort)
            fromPages += try compare(plan, store, columns: Int32(plan.columnCount)).rows
            guard round % 8 == 0 else { continue }
            var plainly = StoreOptions()
            plainly.readsPages = false
            let other = try SQLiteObjectStore.open(path: path, options: plainly)
            let fresh = try SQLiteObjectStore.open(path: path)
            let list = Result { try fresh.list("t", sort: sort) }
            let plainList = Result { try other.list("t", sort: sort) }
            switch (list, plainList) {
            case (.success(let list), .success(let plainList)):
                #expect(list.keys == plainList.keys && list.fault?.cause == plainList.fault?.cause)
            case (.failure(let error), .failure(let plainError)):
                #expect((error as? StoreError)?.cause == (plainError as? StoreError)?.cause)
            default: Issue.record("one way gives a list, and the other does not")
            }
        }
        #expect(fromPages > 0)
    }

    /// Rows of some entities of a table: which they are is found out as SQLite does.
    @Test(arguments: [UInt64(1), 2, 3]) func rowsOfSomeEntities(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder()
        let kinds = ["1", "2", "3", "4", "2", "2", seed == 1 ? "1" : "NULL", seed == 2 ? "2" : "2.0", seed == 3 ? "'2'" : "3"]
        let rows = (1...4000).map { "(\($0 * 2), \(kinds.randomElement(using: &generator)!), 1, 'n\($0 % 37)')" }
        let store = try SQLiteObjectStore.open(
            path: folder.database(
                """
                CREATE TABLE ZTHING (Z_PK INTEGER PRIMARY KEY, Z_ENT \(seed == 3 ? "BLOB" : "INTEGER"), Z_OPT INTEGER, ZNAME VARCHAR);
                CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
                CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
                INSERT INTO Z_PRIMARYKEY VALUES (1, 'Thing', 0, 2), (2, 'Part', 1, 2), (3, 'Smaller', 2, 2), (4, 'Leaf', 1, 2);
                INSERT INTO ZTHING VALUES \(rows.joined(separator: ", "));
                """))
        for entity in ["Thing", "Part"] {
            let plan = try store.plan(entity, sort: ["name"])
            for _ in 0..<12 {
                let low = ObjectKey.random(in: -5...7000, using: &generator)
                let range = low...(low + ObjectKey.random(in: 0...2000, using: &generator))
                let counts = try compare(plan, store, columns: 2, range, turns: seed == 2 ? ReadingTurns(length: .zero) : nil)
                if seed == 2 || entity == "Thing" { #expect(counts.left == 0) }
            }
        }
    }

    /// What is stored as a number that is none is NULL, as for SQLite.
    @Test func noNumberIsNull() throws {
        let folder = try TemporaryFolder()
        let path = try folder.database(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, size); INSERT INTO t VALUES (1, 1.2345), (2, 2.5)")
        var bytes = try #require(FileManager.default.contents(atPath: path))
        let number = withUnsafeBytes(of: (1.2345).bitPattern.bigEndian) { Data($0) }
        let place = try #require(bytes.range(of: number))
        bytes.replaceSubrange(place, with: withUnsafeBytes(of: UInt64(0x7FF8_0000_0000_0001).bigEndian) { Data($0) })
        try bytes.write(to: URL(fileURLWithPath: path))
        let store = try SQLiteObjectStore.open(path: path)
        #expect(try compare(store.plan("t", sort: ["size"]), store, columns: 2).rows == 2)
    }
}

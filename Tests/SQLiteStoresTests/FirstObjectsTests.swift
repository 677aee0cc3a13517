import Foundation
import ObjectStore
import SQLiteStores
import Synchronization
import TestSupport
import Testing

/// The first objects of an order are those that the whole fetch begins with.
@Suite struct FirstObjectsTests {
    private static let starts = [
        "Ab", "ab", "B", "b", "Ca", "d", "É", "é", "e\u{301}", "E", "Ā", "å", "A\u{30A}", "ß", "SS", "ſ", "\u{212A}", "k", "K",
        "l·", "L",
        "ﬁ", "İ", "i", "Ж", "ж", "日", "9", "10", "#", " ", "", "_", "{", "~", "\u{1}z", "z", "Z", "\u{1F600}", "https://a/",
        "https://b/",
        "Straße", "ø", "ŉ", "Ď", "D\u{30C}",
    ]

    /// Rows with names of every kind; how skewed the names are the seed says.
    private func literal(_ generator: inout SeededGenerator, mixed: Bool, starts: [String]) -> String {
        let kind = Int.random(in: 0..<40, using: &generator)
        if kind == 0 { return "NULL" }
        if mixed, kind < 4 { return String(Int.random(in: -9...9, using: &generator)) }
        if mixed, kind == 4 { return "x'\(String(format: "%02x", Int.random(in: 0...255, using: &generator)))'" }
        let text = (starts.randomElement(using: &generator) ?? "") + (Self.starts.randomElement(using: &generator) ?? "")
        return "'" + text.replacing("'", with: "''") + "'"
    }

    private func store(_ folder: TemporaryFolder, rows: Int, seed: UInt64) throws -> SQLiteObjectStore {
        var generator = SeededGenerator(seed: seed)
        let starts = (0..<Int.random(in: 1...12, using: &generator)).compactMap { _ in
            Self.starts.randomElement(using: &generator)
        }
        let values = (0..<rows).map { row -> String in
            let number =
                Bool.random(using: &generator) ? "\(Int.random(in: -50...50, using: &generator))" : "\(Double(row % 70) / 4)"
            return """
                (\(row * 2 - 99), 1, 1, \(literal(&generator, mixed: seed % 2 == 0, starts: starts)), \(number), \
                \(row % 17 == 0 ? "NULL" : String(Double(Int.random(in: 0...900, using: &generator)) * 86400.5)))
                """
        }
        var inserts = ""
        for start in stride(from: 0, to: values.count, by: 400) {
            inserts += "INSERT INTO ZTHING VALUES " + values[start..<min(values.count, start + 400)].joined(separator: ",") + ";"
        }
        return try SQLiteObjectStore.open(
            path: folder.database(
                """
                PRAGMA synchronous=OFF; BEGIN;
                CREATE TABLE ZTHING (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME \(seed % 2 == 0 ? "" : "VARCHAR"),
                  ZSIZE FLOAT, ZDAY TIMESTAMP);
                CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
                CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
                INSERT INTO Z_PRIMARYKEY VALUES (1, 'Thing', 0, 2);
                \(inserts)
                COMMIT;
                """))
    }

    private func path(_ text: String, _ store: SQLiteObjectStore) throws -> ObjectKeyPath {
        try store.schema.keyPath(text, in: "Thing")
    }

    /// Whether what was found first is what the whole begins with.
    private func isBeginning(_ first: FetchedObjects, of whole: FetchedObjects, limit: Int) -> Bool {
        guard first.keys.count == limit, Array(first.keys) == Array(whole.keys.prefix(limit)),
            first.sections.reduce(0, { $0 + $1.count }) == limit, first.sections.count <= whole.sections.count
        else { return false }
        return zip(first.sections, whole.sections).enumerated().allSatisfy { place, pair in
            let isLast = place == first.sections.count - 1
            return pair.0.value == pair.1.value && (isLast ? pair.0.count <= pair.1.count : pair.0.count == pair.1.count)
        }
    }

    /// What is handed over ahead of the whole, and the whole.
    private func fetch(
        _ request: FetchRequest, of store: SQLiteObjectStore, limit: Int, leastCount: Int = 1
    ) throws -> (first: FetchedObjects?, whole: FetchedObjects) {
        let received = Mutex<[FetchedObjects]>([])
        let first = FirstObjects(limit: limit, leastCount: leastCount) { objects in received.withLock { $0.append(objects) } }
        let whole = try store.fetch(request, first: first, progress: FetchProgress())
        let all = received.withLock { $0 }
        #expect(all.count <= 1)
        return (all.first, whole)
    }

    @Test(arguments: Array(UInt64(1)...12)) func theBeginningOfTheWhole(_ seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let store = try store(folder, rows: 1_500, seed: seed)
        var answered = 0
        var asked = 0
        for selector in SortDescriptor.Selector.allCases {
            for ascending in [true, false] {
                for name in ["name", "size", "day"] {
                    for section in [nil, "name", "name.@firstLetter", "nameFirstLetter", "size", "day.@year", "day"] {
                        let request = FetchRequest(
                            entityName: "Thing",
                            sortDescriptors: [
                                SortDescriptor(.keyPath(try path(name, store)), ascending: ascending, selector: selector),
                                SortDescriptor(.keyPath(try path("day", store)), ascending: !ascending, selector: selector),
                            ], sectionKeyPath: try section.map { try path($0, store) })
                        asked += 1
                        let (first, whole) = try fetch(request, of: store, limit: 20)
                        guard let first else { continue }
                        answered += 1
                        #expect(
                            isBeginning(first, of: whole, limit: 20),
                            "seed \(seed), \(name) \(selector) \(ascending) by \(section ?? "nothing")")
                    }
                }
            }
        }
        // Only where the first rows are spread over very many sections there is none.
        #expect(answered > asked / 2)
    }

    @Test func anOrderIsTheSameWhereMemoryIsShort() throws {
        let folder = try TemporaryFolder()
        let plain = try store(folder, rows: 3_000, seed: 4)
        let request = FetchRequest(
            entityName: "Thing", sortDescriptors: [SortDescriptor(.keyPath(try path("name", plain)))],
            sectionKeyPath: try path("name.@firstLetter", plain))
        let whole = try plain.fetch(request, first: nil, progress: FetchProgress())
        for limit in [0, 40_000, 1 << 30] {
            var options = StoreOptions()
            options.memoryLimit = limit
            let (first, short) = try fetch(
                request, of: SQLiteObjectStore.open(path: folder.file("store.sqlite"), options: options), limit: 20)
            #expect(short == whole, "\(limit)")
            #expect(first.map { isBeginning($0, of: whole, limit: 20) } != false, "\(limit)")
        }
        // Where nothing may reach a disk, it is said.
        var options = StoreOptions(isPrivate: true)
        options.memoryLimit = 0
        let noPlace = try SQLiteObjectStore.open(path: folder.file("store.sqlite"), options: options)
        #expect(throws: StoreError.self) { try noPlace.fetch(request, first: nil, progress: FetchProgress()) }
    }

    @Test func bothReadersTakePart() throws {
        let folder = try TemporaryFolder()
        // The first rows by name come from both ends of the table, in three sections.
        let values = (0..<60_000).map { row in
            "(\(row), 1, 1, '\(String(UnicodeScalar(UInt8(97 + row % 7 / 2))))\(abs(30_000 - row))')"
        }
        let store = try SQLiteObjectStore.open(
            path: folder.database(
                """
                PRAGMA synchronous=OFF; BEGIN;
                CREATE TABLE ZTHING (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
                CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
                CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
                INSERT INTO Z_PRIMARYKEY VALUES (1, 'Thing', 0, 2);
                INSERT INTO ZTHING VALUES \(values.joined(separator: ","));
                COMMIT;
                """))
        let request = FetchRequest(
            entityName: "Thing", sortDescriptors: [SortDescriptor(.keyPath(try path("name", store)))],
            sectionKeyPath: try path("nameFirstLetter", store))
        for limit in [1, 50, 1_000, 30_000, 60_000] {
            let (first, whole) = try fetch(request, of: store, limit: limit)
            #expect(first.map { isBeginning($0, of: whole, limit: limit) } == true, "\(limit)")
        }
        // More than there are, none, and a list that is there as soon as a whole.
        #expect(try fetch(request, of: store, limit: 60_001).first == nil)
        #expect(try fetch(request, of: store, limit: 0).first == nil)
        #expect(try fetch(request, of: store, limit: 50, leastCount: 60_001).first == nil)
    }
}

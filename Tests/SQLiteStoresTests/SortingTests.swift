import Foundation
import ObjectStore
import SQLiteStores
import Testing

/// Order and sections against the plain rule, computed slowly.
@Suite struct SortingTests {
    /// SPEC section 2: NULL, numbers, strings by folding, decomposition and code point, blobs; ties by key.
    private func plainKey(_ value: Value) -> (Int, Double, [UInt32]) {
        switch value {
        case .null: (0, 0, [])
        case .integer(let number): (1, Double(number), [])
        case .double(let number): (1, number, [])
        case .string(let text): (2, 0, plainFold(text))
        case .data(let data): (3, 0, data.map(UInt32.init))
        default: (4, 0, [])
        }
    }

    /// Foundation's own folding and decomposition, one scalar at a time so that no ICU of ours is in it.
    private func plainFold(_ text: String) -> [UInt32] {
        let special: [Unicode.Scalar: String] = ["ß": "ss", "ẞ": "ss", "ſ": "s", "ς": "σ", "ﬁ": "fi", "İ": "i̇", "ŉ": "ʼn"]
        let folded = text.unicodeScalars.map { special[$0] ?? $0.properties.lowercaseMapping }.joined()
        return folded.decomposedStringWithCanonicalMapping.unicodeScalars.map(\.value)
    }

    private func isBefore(_ left: (Int, Double, [UInt32]), _ right: (Int, Double, [UInt32])) -> Bool? {
        if left.0 != right.0 { return left.0 < right.0 }
        if left.1 != right.1 { return left.1 < right.1 }
        return left.2 == right.2 ? nil : left.2.lexicographicallyPrecedes(right.2)
    }

    private func literal(_ value: Value) -> String {
        switch value {
        case .integer(let number): String(number)
        case .double(let number): "\(number)"
        case .string(let text): "'" + text.replacing("'", with: "''") + "'"
        case .data(let data): "x'" + data.map { String(format: "%02x", $0) }.joined() + "'"
        default: "NULL"
        }
    }

    private static let words = [
        "", "a", "A", "Ab", "aB", "abc", "Ez", "É", "é", "e\u{301}", "F", "f", "ø", "Ø", "z", "Z", "ß", "SS", "ss", "St", "ſ",
        "Straße",
        "STRASSE", "Åse", "A\u{30A}se", "日本", "Жук", "жук", "9", "10", "09", "\u{1}", "\u{1F600}", "ﬁ", "fi", "İstanbul",
        "istanbul",
        "aaaaaaa", "aaaaaaaa", "aaaaaaaaa", "aaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaaab", "Zoë", "Zoe", "zoë",
        "ς", "Σ",
    ]

    private func randomValue(_ generator: inout SeededGenerator) -> Value {
        switch Int.random(in: 0..<10, using: &generator) {
        case 0: .null
        case 1: .integer(Int64.random(in: -5...5, using: &generator))
        case 2: .double(Double(Int.random(in: -20...20, using: &generator)) / 4)
        case 3:
            .data(Data((0..<Int.random(in: 0..<4, using: &generator)).map { _ in UInt8.random(in: 0...2, using: &generator) }))
        default:
            .string(
                (SortingTests.words.randomElement(using: &generator) ?? "")
                    + (Bool.random(using: &generator) ? SortingTests.words.randomElement(using: &generator) ?? "" : ""))
        }
    }

    private func store(_ folder: TemporaryFolder, _ rows: [(Int64, Value, Value)]) throws -> SQLiteObjectStore {
        let values = rows.map { "(\($0.0), 1, 1, \(literal($0.1)), \(literal($0.2)))" }
        var inserts = ""
        for start in stride(from: 0, to: values.count, by: 400) {
            inserts += "INSERT INTO ZTHING VALUES " + values[start..<min(values.count, start + 400)].joined(separator: ",") + ";"
        }
        return try SQLiteObjectStore.open(
            path: folder.database(
                """
                PRAGMA synchronous=OFF; BEGIN;
                CREATE TABLE ZTHING (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZA, ZB);
                CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
                CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
                INSERT INTO Z_PRIMARYKEY VALUES (1, 'Thing', 0, 2);
                \(inserts)
                COMMIT;
                """))
    }

    @Test(arguments: [UInt64(1), 2, 3, 4]) func randomRowsSortLikeThePlainRule(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let count = [30, 200, 400, 900][Int(seed) - 1]
        let rows = (0..<count).map { (Int64($0) * 3 - 50, randomValue(&generator), randomValue(&generator)) }
        let folder = try TemporaryFolder()
        let store = try store(folder, rows)
        for (first, second) in [("a", "b"), ("-a", "b"), ("a", "-b"), ("-b", "-a")] {
            let sorted = rows.sorted { left, right in
                for key in [first, second] {
                    let isDown = key.hasPrefix("-")
                    let isA = key.hasSuffix("a")
                    let order = isBefore(plainKey(isA ? left.1 : left.2), plainKey(isA ? right.1 : right.2))
                    if let order { return order != isDown }
                }
                return left.0 < right.0
            }
            let list = try store.list("Thing", sort: [first, second])
            #expect(Array(list.keys) == sorted.map(\.0), "seed \(seed), \(first) \(second)")
            #expect(list.sections == [.init(value: .null, count: count)])

            // Sections stand where the sorted rows first meet them, and keep the order inside.
            let sectioned = try store.list("Thing", sort: [first, second], section: "b")
            var order: [Value] = []
            var groups: [Value: [Int64]] = [:]
            for row in sorted {
                if groups[row.2] == nil { order.append(row.2) }
                groups[row.2, default: []].append(row.0)
            }
            let isSame =
                sectioned.sections.map(\.value) == order && sectioned.sections.map(\.count) == order.map { groups[$0]?.count }
                && Array(sectioned.keys) == order.flatMap { groups[$0] ?? [] }
            #expect(isSame, "seed \(seed), \(first) \(second)")
        }
    }

    @Test func numbersOfAnySizeKeepTheirOrder() throws {
        let numbers: [Value] = [
            .double(-.infinity), .integer(.min), .integer(.min + 1), .double(-1e18), .integer(-9_007_199_254_740_993),
            .integer(-9_007_199_254_740_992), .integer(-1), .double(-0.5), .integer(0), .double(1e-300), .double(0.5),
            .integer(1),
            .integer(9_007_199_254_740_992), .integer(9_007_199_254_740_993), .integer(9_007_199_254_740_994),
            .integer(.max - 1), .integer(.max), .double(0x1p63), .double(1e300),
        ]
        var generator = SeededGenerator(seed: 11)
        let shuffled = numbers.enumerated().shuffled(using: &generator)
        let rows = shuffled.map { item in (Int64(item.offset), item.element, Value.null) }
        let folder = try TemporaryFolder()
        let sql = rows.map { row in
            "INSERT INTO t VALUES (\(row.0), \(row.1 == .double(-.infinity) ? "-9e999" : literal(row.1)), NULL);"
        }.joined()
        let path = try folder.database(
            """
            CREATE TABLE ZTHING (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZA, ZB);
            CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
            CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
            INSERT INTO Z_PRIMARYKEY VALUES (1, 'Thing', 0, 2);
            CREATE TABLE t (k, a, b); \(sql) INSERT INTO ZTHING SELECT k, 1, 1, a, b FROM t; DROP TABLE t;
            """)
        let store = try SQLiteObjectStore.open(path: path)
        #expect(try Array(store.list("Thing", sort: ["a"]).keys) == numbers.indices.map(Int64.init))
        #expect(try Array(store.list("Thing", sort: ["-a"]).keys) == numbers.indices.reversed().map(Int64.init))
    }

    @Test func collationOrders() throws {
        let words = ["item 10", "Item 9", "Ärger", "Azur", "zoo", "Ähre", "item 9"]
        let folder = try TemporaryFolder()
        let store = try store(folder, words.enumerated().map { (Int64($0.offset), .string($0.element), .null) })
        func order(_ selector: SortKey.Selector) throws -> [String] {
            try store.list("Thing", sort: ["a"], selector: selector).keys.map { words[Int($0)] }
        }
        #expect(try order(.localizedStandardCompare) == ["Ähre", "Ärger", "Azur", "item 9", "Item 9", "item 10", "zoo"])
        // Without regard to case equals keep the order of their keys; digits stand one by one.
        #expect(try order(.localizedCaseInsensitiveCompare) == ["Ähre", "Ärger", "Azur", "item 10", "Item 9", "item 9", "zoo"])
        #expect(try order(.compare) == ["Azur", "Item 9", "item 10", "item 9", "zoo", "Ähre", "Ärger"])
        #expect(
            try order(.caseInsensitiveCompare)
                == ["Azur", "Ähre", "Ärger", "item 10", "Item 9", "item 9", "zoo"].sortedByFolding())
    }

    @Test func twoReadersGiveTheSameAsOne() throws {
        // Wide enough a key range for two readers, with sections that both meet.
        let folder = try TemporaryFolder()
        let path = try folder.database(
            """
            CREATE TABLE ZTHING (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZA VARCHAR, ZB INTEGER);
            CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
            CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
            INSERT INTO Z_PRIMARYKEY VALUES (1, 'Thing', 0, 2);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
            INSERT INTO ZTHING SELECT i, 1, 1, 'name ' || (i * 7919 % 10007), i % 11 FROM n;
            """)
        let store = try SQLiteObjectStore.open(path: path)
        let expected = (1...60000).sorted { left, right in
            let (a, b) = ("name \(left * 7919 % 10007)", "name \(right * 7919 % 10007)")
            return a == b ? left < right : a.utf8.lexicographicallyPrecedes(b.utf8)
        }
        let progress = FetchProgress()
        let list = try store.fetch(
            FetchRequest(
                entityName: "Thing", sortDescriptors: [SortKey(.keyPath(try store.schema.keyPath("a", in: "Thing")))],
                sectionKeyPath: try store.schema.keyPath("b", in: "Thing")), progress: progress)
        var groups: [Int: [Int]] = [:]
        var order: [Int] = []
        for key in expected {
            if groups[key % 11] == nil { order.append(key % 11) }
            groups[key % 11, default: []].append(key)
        }
        #expect(list.sections.map(\.value) == order.map { .integer(Int64($0)) })
        #expect(list.keys.map(Int.init) == order.flatMap { groups[$0] ?? [] })
        #expect(progress.rowsDone == 60000 && progress.rowsExpected == 60000)
        #expect(try store.list("Thing", sort: ["a"], limit: 5).keys.map(Int.init) == Array(expected.prefix(5)))
    }

    @Test func cancelledFetchThrows() throws {
        let folder = try TemporaryFolder()
        let store = try store(folder, [(1, .integer(1), .null)])
        let progress = FetchProgress()
        progress.cancel()
        #expect(throws: StoreError(file: store.name, cause: .cancelled)) {
            try store.fetch(FetchRequest(entityName: "Thing"), progress: progress)
        }
    }
}

extension [String] {
    /// By folding, decomposition and code point.
    func sortedByFolding() -> [String] {
        enumerated().sorted { left, right in
            let (a, b) = (
                left.element.lowercased().decomposedStringWithCanonicalMapping,
                right.element.lowercased().decomposedStringWithCanonicalMapping
            )
            return a == b ? left.offset < right.offset : a.utf8.lexicographicallyPrecedes(b.utf8)
        }.map(\.element)
    }
}

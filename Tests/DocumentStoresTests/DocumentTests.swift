import DocumentStores
import Foundation
import Glibc
import ObjectStore
import SQLiteStores
import TestSupport
import Testing

@Suite struct DocumentTests {
    let folder: DocumentFolder
    init() throws { folder = try DocumentFolder() }

    @Test(arguments: [
        ("a.json", "[]", DocumentFormat.json), ("a", "{\"a\": 1}", .json), ("a", "{\"a\" = 1;}", .propertyList),
        ("a", "{a = 1;}", .propertyList),
        ("a", "( {a = 1;} )", .propertyList), ("a", "{\"a\":1}\n{\"a\":2}\n", .ndjson), ("a.csv", "x", .csv),
        ("a", "a,b\n1,2\n", .csv),
        ("a", "<?xml version=\"1.0\"?><plist></plist>", .propertyList), ("a", "<html></html>", nil), ("a.xml", "<a/>", nil),
        ("a", "SQLite format 3\0", nil), ("a.json", "SQLite format 3\0", nil), ("a", "", nil),
        ("a", "\u{1}\u{2}\u{3}\u{4}\u{5}", nil),
        ("a", "// c\n[1]", .json),
    ])
    func recognition(name: String, text: String, format: DocumentFormat?) throws {
        let file = try folder.write(name, text.utf8)
        #expect(DocumentStore.format(path: file) == format)
        #expect(DocumentStore.canRead(path: file) == (format != nil))
    }

    @Test func whatIsNoDocument() throws {
        #expect(throws: StoreError(file: folder.path + "/none", cause: .missing)) {
            try DocumentStore.open(path: folder.path + "/none")
        }
        #expect(throws: StoreError(file: folder.path, cause: .notAFile("a folder"))) {
            try DocumentStore.open(path: folder.path)
        }
        #expect(
            try folder.problem("text", "This is a letter.\nIt has lines, and more.\nNo columns at all.\n")?.contains("neither")
                == true)
        #expect(try folder.problem("b", "SQLite format 3\0")?.contains("neither") == true)
        let pipe = folder.path + "/fifo"
        #expect(mkfifo(pipe, 0o600) == 0)
        #expect(throws: StoreError(file: pipe, cause: .notAFile("a pipe"))) { try DocumentStore.open(path: pipe) }
    }

    @Test(arguments: [true, false]) func throughAPipe(isPrivate: Bool) throws {
        for (text, path) in [("[{\"a\": 1}, {\"a\": 2}]", "a"), ("a,b\n1,2\n2,3\n", "a"), ("{\"a\":1}\n{\"a\":2}", "a")] {
            var ends: [Int32] = [0, 0]
            #expect(pipe(&ends) == 0)
            let bytes = Array(text.utf8)
            #expect(write(ends[1], bytes, bytes.count) == bytes.count)
            close(ends[1])
            var options = DocumentOptions()
            options.store.isPrivate = isPrivate
            let store = try DocumentStore.open(descriptor: ends[0], options: options)
            close(ends[0])
            #expect(store.name == "-" && store.schema.entities.map(\.name) == ["Input"])
            #expect(try store.column(path, of: "Input") == [.integer(1), .integer(2)])
        }
    }

    @Test func nothingIsLeftBesideTheData() throws {
        let file = try folder.write("k.json", "[{\"a\": 1}]".utf8)
        var before = stat()
        #expect(stat(file, &before) == 0)
        _ = try DocumentStore.open(path: file).column("a", of: "k")
        var after = stat()
        #expect(stat(file, &after) == 0)
        #expect(before.st_mtim.tv_nsec == after.st_mtim.tv_nsec && before.st_size == after.st_size)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["k.json"])
    }

    @Test func readingCanBeCancelled() throws {
        let file = try folder.write(
            "k.json", ("[" + Array(repeating: "{\"a\": 1}", count: 5000).joined(separator: ",") + "]").utf8)
        let progress = FetchProgress()
        progress.cancel()
        #expect(throws: StoreError(file: file, cause: .cancelled)) { try DocumentStore.open(path: file, progress: progress) }
    }

    @Test func propertyListsOfAllFormats() throws {
        let old = "( { name = A; size = { h = 1; }; tags = (x, y); kids = ( {n = 1;}, {n = 2;} ); }, { name = B; } )"
        let list: [[String: Any]] = [
            [
                "name": "A", "size": ["h": 1], "tags": ["x", "y"], "kids": [["n": 1], ["n": 2]], "on": true,
                "d": Date(timeIntervalSinceReferenceDate: 5), "b": Data([1, 2]),
            ],
            ["name": "B", "on": false],
        ]
        for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
            let data = try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0)
            let store = try DocumentStore.open(path: folder.write("P.plist", data))
            #expect(try store.column("size.h", of: "P") == [.integer(1), .null])
            #expect(try store.column("on", of: "P") == [.boolean(true), .boolean(false)])
            #expect(
                try store.column("d", of: "P") == [.date(5), .null]
                    && store.column("b", of: "P") == [.data(Data([1, 2])), .null])
            #expect(try store.column("kids.n", of: "P") == [.list([.integer(1), .integer(2)]), .list([])])
        }
        let store = try folder.open("P.plist", old)
        #expect(try store.column("tags", of: "P") == [.list([.string("x"), .string("y")]), .null])
        #expect(try store.column("kids.n", of: "P")[0] == .list([.integer(1), .integer(2)]))
    }

    /// Records → JSON by Foundation → the store: the same values.
    @Test func roundTripsOfJSON() throws {
        var random = SeededGenerator(seed: 11)
        let texts = ["", "a", "é\n", "\"quoted\"", "\\", "😀", "\u{0}\u{1f}", "line\u{2028}", "tab\t"]
        for round in 0..<60 {
            var records: [[String: Any]] = []
            for number in 0..<Int.random(in: 1...20, using: &random) {
                var record: [String: Any] = ["i": number, "s": "t" + (texts.randomElement(using: &random) ?? "")]
                if Bool.random(using: &random) { record["f"] = Double.random(in: -1e6...1e6, using: &random) }
                record["kids"] = (0..<Int.random(in: 0...3, using: &random)).map { ["n": $0] }
                records.append(record)
            }
            let data = try JSONSerialization.data(withJSONObject: records, options: round % 2 == 0 ? [] : [.prettyPrinted])
            let store = try DocumentStore.open(
                path: folder.write("r.json", data), options: DocumentOptions(windowSize: [16, 100, 1 << 18][round % 3]))
            #expect(try store.column("i", of: "r") == records.map { .integer(Int64($0["i"] as? Int ?? -1)) })
            #expect(try store.column("s", of: "r") == records.map { .string($0["s"] as? String ?? "?") })
            if store.schema.entity(named: "r")?.attribute(named: "f") != nil {
                #expect(try store.column("f", of: "r") == records.map { ($0["f"] as? Double).map { .double($0) } ?? .null })
            }
            let counts = records.map { ($0["kids"] as? [Any])?.count ?? 0 }
            if counts.contains(where: { $0 > 0 }) {
                #expect(try store.column("kids.@count", of: "r") == counts.map { .integer(Int64($0)) })
            }
            #expect(store.schema.warnings.isEmpty)
        }
    }

    /// Damaged in any way it opens or says why; it never traps, and what opens can be read.
    @Test(arguments: ["json", "ndjson", "csv", "plist"]) func damage(suffix: String) throws {
        let seeds: [String: String] = [
            "json":
                #"{"a": [{"n": 1, "t": "x\u00e9\ud83d\ude00", "k": [{"q": 1.5e3}], "s": {"h": null}}, {"n": true}], "b": [1, [2], {"z": -3}]} // c"#,
            "ndjson": "{\"a\": 1, \"b\": [{\"c\": 2}]}\n{\"a\": \"x\", \"b\": []}\n{\"a\": null}\n[1, 2]\n",
            "csv": "name,n,\"q\"\n\"a \"\"b\"\"\",1,2010-01-01\r\nü,2,x\n,,\n\"multi\nline\",0.5,\n",
            "plist": "({name = A; kids = ({n = 1;}); data = <0a0b>;}, {name = \"\\U00e9\"; list = (1, 2);})",
        ]
        let seed = Array((seeds[suffix] ?? "").utf8)
        var random = SeededGenerator(seed: 77)
        var opened = 0
        for round in 0..<500 {
            var bytes = seed
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                guard !bytes.isEmpty else { break }
                let at = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<5, using: &random) {
                case 0: bytes.remove(at: at)
                case 1: bytes[at] = UInt8.random(in: 0...255, using: &random)
                case 2: bytes.insert(Array("\"{}[],:\\\n\r/-".utf8).randomElement(using: &random) ?? 0, at: at)
                case 3: bytes.removeLast(bytes.count - at)
                default: bytes.insert(contentsOf: bytes[..<at].suffix(20), at: at)
                }
            }
            let file = try folder.write("d." + suffix, bytes)
            do throws(StoreError) {
                let store = try DocumentStore.open(
                    path: file, options: DocumentOptions(windowSize: round % 2 == 0 ? 16 : 1 << 12))
                opened += 1
                for entity in store.schema.entities {
                    for attribute in entity.attributes {
                        let values = try? store.column(attribute.name, of: entity.name)
                        #expect(try values?.count == store.count(of: entity.name))
                    }
                }
            } catch {
                #expect(error.file == file && !error.problem.isEmpty)
            }
        }
        #expect(opened > 20)
    }

    @Test(.enabled(if: Samples.areThere)) func realDocuments() throws {
        let chinook = try DocumentStore.open(path: Samples.folder + "ChinookData.json")
        #expect(try chinook.count(of: "Track") == 3503 && chinook.count(of: "Genre") == 25)
        #expect(try chinook.column("Name", of: "Genre").first == .string("Rock"))
        #expect(chinook.schema.warnings.isEmpty)
        let cup = try DocumentStore.open(path: Samples.folder + "worldcup_seed.json")
        #expect(try cup.column("teamName", of: "worldcup_seed").first == .string("Algeria") && cup.schema.warnings.count == 1)
        let cities = try DocumentStore.open(path: Samples.folder + "cities.csv")
        #expect(
            try cities.count(of: "cities") == 128
                && cities.shape("cities").prefix(3) == ["LatD:Int64", "LatM:Int64", "LatS:Int64"])
        let quotes = try DocumentStore.open(path: Samples.folder + "bad_double_quote.csv")
        #expect(try quotes.column("column2", of: "bad_double_quote") == [.string("quote"), .string("Comma, comma")])
        #expect(quotes.schema.warnings.count == 3)
        let lines = try DocumentStore.open(path: Samples.folder + "multi_lines.csv")
        #expect(try lines.count(of: "multi_lines") == 3 && lines.schema.warnings.isEmpty)
        let history = try DocumentStore.open(path: Samples.folder + "InstallHistory.plist")
        #expect(history.shape("InstallHistory").contains("date:Date"))
        let downloads = try DocumentStore.open(path: Samples.folder + "Downloads.plist")
        #expect(downloads.schema.entities.map(\.name) == ["DownloadHistory"])
        // It has lost its end, and with it the places of its objects: what is left is found by walking.
        let truncated = try DocumentStore.open(path: Samples.folder + "truncated.plist")
        #expect(truncated.schema.isDamaged && truncated.schema.warnings.first?.contains("cut off") == true)
        #expect(try truncated.count(of: "children") == 72)
    }
}

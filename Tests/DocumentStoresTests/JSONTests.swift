import DocumentStores
import Foundation
import ObjectStore
import TestSupport
import Testing

@Suite struct JSONTests {
    let folder: DocumentFolder
    init() throws { folder = try DocumentFolder() }

    @Test func recordsListsAndNesting() throws {
        let store = try folder.open(
            "Peak.json",
            """
            [{"name": "A", "height": 10, "first": {"year": 1900, "date": "1900-02-01"}, "climbers": [{"name": "x"}, {"name": "y"}], "tags": ["a", 1, true]},
             {"name": "B", "height": 10.5, "climbers": [], "tags": [], "big": 123456789012345678901234567890},
             {"height": null, "name": "C", "climbers": [{"name": "z"}], "open": true, "mixed": "q"},
             {"name": "D", "open": false, "mixed": true}]
            """)
        #expect(store.schema.entities.map(\.name) == ["Peak", "first", "climbers"])
        #expect(
            store.shape("Peak") == [
                "name:String", "height:Double", "tags:String", "big:Decimal", "open:Boolean", "mixed:String", "first>first",
                "climbers>>climbers",
            ])
        #expect(store.shape("first") == ["year:Int64", "date:Date", "peak>Peak"])
        #expect(store.shape("climbers") == ["name:String", "peak>Peak"])
        #expect(try store.column("height", of: "Peak") == [.double(10), .double(10.5), .null, .null])
        #expect(
            try store.column("tags", of: "Peak") == [
                .list([.string("a"), .integer(1), .boolean(true)]), .list([]), .null, .null,
            ])
        #expect(try store.column("big", of: "Peak")[1] == .source("123456789012345678901234567890"))
        #expect(try store.column("open", of: "Peak") == [.null, .null, .boolean(true), .boolean(false)])
        #expect(try store.column("mixed", of: "Peak") == [.null, .null, .string("q"), .boolean(true)])
        #expect(try store.column("first.year", of: "Peak") == [.integer(1900), .null, .null, .null])
        #expect(try store.column("first.date", of: "Peak")[0] == .date(-3_184_617_600))
        #expect(try store.column("first.date", of: "Peak", as: .stored)[0] == .string("1900-02-01"))
        #expect(
            try store.column("climbers.name", of: "Peak") == [
                .list([.string("x"), .string("y")]), .list([]), .list([.string("z")]), .list([]),
            ])
        #expect(try store.column("climbers.@count", of: "Peak") == [2, 0, 1, 0].map { .integer($0) })
        #expect(try store.column("peak.name", of: "climbers") == ["A", "A", "C"].map { .string($0) })
        #expect(try store.column("peak.name", of: "first") == [.string("A")])
        #expect(try store.keys("Peak", sort: ["height"]) == [3, 4, 1, 2])
        let second = FetchRequest.Scope.related(to: ObjectID(entityName: "Peak", key: 1), through: "climbers")
        #expect(try store.keys("climbers", scope: second) == [1, 2])
        #expect(store.uri(of: ObjectID(entityName: "Peak", key: 3)) == "Peak/3")
        #expect(store.schema.warnings.isEmpty)
    }

    @Test func objectOfArraysIsAnEntityPerKey() throws {
        let store = try folder.open("all.json", #"{"Genre": [{"id": 1}, {"id": 2}], "Track": [{"id": 7, "genre": {"id": 1}}]}"#)
        #expect(store.schema.entities.map(\.name) == ["Genre", "Track", "TrackGenre"])
        #expect(store.shape("Genre") == ["id:Int64"])
        #expect(try store.column("genre.id", of: "Track") == [.integer(1)])
    }

    @Test func aroundTheRecordsStandsMore() throws {
        let store = try folder.open("page.json", #"{"count": 2, "next": null, "data": {"results": [{"a": 1}, {"a": 2}]}}"#)
        #expect(store.schema.entities.map(\.name).sorted() == ["data", "page", "results"])
        #expect(store.schema.entities.last?.name == "page")
        #expect(try store.column("data.results.a", of: "page") == [.list([.integer(1), .integer(2)])])
        let wrapped = try folder.open("w.json", #"{"data": {"results": [{"a": 1}, {"a": 2}]}}"#)
        #expect(wrapped.schema.entities.map(\.name) == ["results"] && wrapped.shape("results") == ["a:Int64"])
    }

    @Test func listsOfOneAreNoWrappersAndKeysComeBeforeTheFile() throws {
        let store = try folder.open("a.json", #"{"v": 1, "a": [{"b": [{"x": 1}]}]}"#)
        #expect(store.schema.entities.map(\.name) == ["a", "b", "a2"])
        #expect(try store.column("b.x", of: "a") == [.list([.integer(1)])])
        #expect(try store.column("v", of: "a2") == [.integer(1)])
    }

    @Test func treesAreOneEntity() throws {
        let store = try folder.open(
            "t.json", #"[{"n": 0, "children": [{"n": 1, "children": [{"n": 2}, {"n": 3}]}, {"n": 4}]}]"#)
        #expect(store.schema.entities.map(\.name) == ["t", "children"])
        #expect(try store.column("n", of: "children") == [1, 2, 3, 4].map { .integer($0) })
        #expect(try store.column("children.n", of: "children")[0] == .list([.integer(2), .integer(3)]))
        #expect(try store.column("parent.n", of: "children") == [.null, .integer(1), .integer(1), .null])
        #expect(try store.column("t.n", of: "children") == [.integer(0), .null, .null, .integer(0)])
    }

    @Test func namesFitKeyPathsAndEachOther() throws {
        let store = try folder.open(
            "n.json",
            #"[{"a.b": 1, "@x": 2, "": 3, "Name": 4, "name": 5, "o": {"n": 1}, "p": {"q": {"z": 1}}, "r": {"q": {"y": 2}}}, {"o": 6}]"#
        )
        #expect(
            store.shape("n") == [
                "a.b:Int64", "@x:Int64", "value:Int64", "Name:Int64", "name:Int64", "oValue:Int64", "o>o", "p>p", "r>r",
            ])
        #expect(try store.column("r.q.y", of: "n")[0] == .integer(2) && store.column("p.q.z", of: "n")[0] == .integer(1))
        #expect(store.schema.entities.map(\.name) == ["n", "o", "p", "q", "r", "rQ"])
        #expect(store.schema.warnings.count == 2)
        for entity in store.schema.entities {
            for relationship in entity.relationships {
                let inverse = store.schema.entity(named: relationship.destinationEntityName)?
                    .relationship(named: relationship.inverseName ?? "")
                #expect(inverse?.inverseName == relationship.name)
            }
        }
    }

    @Test(arguments: [
        ("[1]", Value.integer(1)), ("[-0]", .double(-0.0)), ("[1e3]", .double(1000)), ("[1E-2]", .double(0.01)),
        ("[9223372036854775807]", .integer(.max)), ("[-9223372036854775808]", .integer(.min)),
        ("[9223372036854775808]", .source("9223372036854775808")), ("[1e400]", .source("1e400")),
        ("[0.1]", .double(0.1)), ("[123456789.123456789e-5]", .source("123456789.123456789e-5")), ("[true]", .boolean(true)),
        (#"["\u00e9\n\"\/\\"]"#, .string("é\n\"/\\")), (#"["\ud83d\ude00"]"#, .string("😀")),
        (#"["\ud83d"]"#, .string("\u{FFFD}")),
        (#"["\ud83d\n"]"#, .string("\u{FFFD}\n")), (#"["\ud83d\ud83d\ude00"]"#, .string("\u{FFFD}😀")),
        (#"["\udc00"]"#, .string("\u{FFFD}")),
        (#"["a\u0000b"]"#, .string("a\0b")), ("[\"a\tb\"]", .string("a\tb")), ("[-Infinity]", .double(-.infinity)),
        ("[[1,[\"a\"]]]", .list([.integer(1), .source(#"["a"]"#)])),
        ("[\"2010-04-07T01:04:48Z\"]", .date(292_295_088)), ("[\"2010-13-07\"]", .string("2010-13-07")), ("5", .integer(5)),
        (#""x""#, .string("x")),
    ])
    func values(text: String, expected: Value) throws {
        for windowSize in [16, 17, 1 << 18] {
            let store = try folder.open("v.json", text, DocumentOptions(windowSize: windowSize))
            #expect(try store.column("value", of: "v") == [expected])
        }
    }

    @Test func whatJSONForbidsIsReadWithAWarning() throws {
        let store = try folder.open("c.json", "// head\n[{\"a\": 1, /* x\n */ \"a\": 2,},\n]\n")
        #expect(try store.column("a", of: "c") == [.integer(2)])
        #expect(
            store.schema.warnings == [
                "Line 1: Comments are not JSON; they are passed over. (1 more like this)",
                "Line 3: The key “a” stands twice in a record; the later value counts.",
                "Line 3: A comma stands after the last value; JSON does not allow that. (1 more like this)",
            ])
    }

    @Test(arguments: [
        (
            "[{\"a\":1},\n{\"a\":2},\n{\"a\":",
            "Line 3: The document ends where a value is expected (column 6); reading ends here, and what was whole before is kept.",
            2
        ),
        (
            "[{\"a\":1},{\"a\":2} {\"a\":3}]",
            "Line 1: “{” where “,” or “]” is expected (column 18); reading ends here, and what was whole before is kept.", 2
        ),
        (
            "[{\"a\":1},{\"a\":2,\"b\":\"x",
            "Line 1: A string that does not end (column 21); reading ends here, and what was whole before is kept.", 1
        ),
        (
            "{\"c\": [{\"a\":1},{\"a\":2},{\"a\":tru}]}",
            "Line 1: “tru” is no value that JSON knows (column 29); reading ends here, and what was whole before is kept.", 2
        ),
        (
            "[{\"a\":1, \"k\":[{\"b\":1}]},{\"a\":1, \"k\":[{\"b\":1},{\"b\"",
            "Line 1: The document ends where “:” is expected (column 50); reading ends here, and what was whole before is kept.",
            1
        ),
    ])
    func whatIsWholeIsKept(text: String, warning: String, count: Int) throws {
        let store = try folder.open("c.json", text)
        #expect(store.schema.warnings == [warning])
        #expect(try store.count(of: "c") == count)
        if store.schema.entity(named: "k") != nil { #expect(try store.count(of: "k") == 1) }
    }

    @Test(arguments: [
        ("[", "line 1, column 2: the document ends where a value is expected"), ("", "the file is empty"), ("  \n ", nil),
        ("{\"a\" 1}", "line 1, column 6: “1” where “:” is expected"),
        ("[\n  flase]", "line 2, column 3: “flase” is no value that JSON knows"),
        ("[01]", "line 1, column 2: “01” is no value that JSON knows"),
        ("[\"\\q\"]", "line 1, column 5: an escape sequence that JSON does not know"),
        ("{a: 1}", "line 1, column 2: “a” where a key in quotes is expected"),
        ("[/* ", "line 1, column 2: a comment that does not end"),
        (String(repeating: "[", count: 100_000), "line 1, column 201: nested more than 200 levels deep"),
        (String(repeating: "{\"a\":", count: 100_000), "line 1, column 1001: nested more than 200 levels deep"),
    ])
    func faultsHaveTheirPlace(text: String, problem: String?) throws {
        let found = try folder.problem("f.json", text)
        if let problem { #expect(found == problem) } else { #expect(found != nil) }
    }

    @Test func linesFailOneByOne() throws {
        let store = try folder.open("l.ndjson", "{\"a\":1}\n{\"a\":\n{\"a\":3, \"b\": [{\"c\": 1}]}\n\n{\"a\":4}}\n{\"a\":5}\n")
        #expect(try store.column("a", of: "l") == [1, 3, 5].map { .integer($0) })
        #expect(
            store.schema.warnings.contains { $0.hasPrefix("Line 2: ") }
                && store.schema.warnings.contains { $0.hasPrefix("Line 5: ") })
        #expect(try store.column("l.a", of: "b") == [.integer(3)])
        let plain = try folder.open("x", "{\"a\":1}\n{\"a\":2}\n")
        #expect(plain.schema.entities.map(\.name) == ["x"] && plain.schema.warnings.isEmpty)
        #expect(try plain.count(of: "x") == 2)
    }

    @Test func otherEncodings() throws {
        let text = "[{\"é\": \"😀東\"}]"
        for encoding in [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf16] {
            let file = try folder.write("u.json", text.data(using: encoding) ?? Data())
            #expect(try DocumentStore.open(path: file).column("é", of: "u") == [.string("😀東")])
        }
        let marked = try folder.write("u.json", [0xEF, 0xBB, 0xBF] + Array(text.utf8))
        #expect(try DocumentStore.open(path: marked).column("é", of: "u") == [.string("😀東")])
        let invalid = try folder.write("i.json", Array("[\"a".utf8) + [0xFF, 0xC3] + Array("\"]".utf8))
        let store = try DocumentStore.open(path: invalid)
        #expect(try store.column("value", of: "i") == [.string("a\u{FFFD}\u{FFFD}")])
        #expect(store.schema.warnings == ["Line 1: Text that is not UTF-8."])
    }

    @Test func manyKeysAndKindsAreBounded() throws {
        let keys = (0..<3000).map { "\"k\($0)\": \($0)" }.joined(separator: ", ")
        let wide = try folder.open("wide.json", "[{\(keys)}]")
        #expect(wide.schema.entities.first?.attributes.count == 1901 && wide.schema.warnings.count == 1)
        let kinds = (0..<1000).map { "\"k\($0)\": {\"a\($0)\": \($0)}" }.joined(separator: ", ")
        let many = try folder.open("many.json", "[{\(kinds)}]")
        #expect(many.schema.entities.count == 400 && many.schema.warnings.count == 1)
        #expect(try many.column("k999", of: "many") == [.string("{\"a999\":999}")])
    }
}

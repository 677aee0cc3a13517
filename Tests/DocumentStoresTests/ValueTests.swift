import DocumentStores
import Foundation
import ObjectStore
import Testing

/// What the values of documents are, and what can be asked of them.
@Suite struct ValueTests {
    let folder: DocumentFolder
    init() throws { folder = try DocumentFolder() }

    private func matches(_ predicate: String, _ store: any ObjectStore, _ entity: String) throws -> [ObjectKey] {
        let resolved = try PredicateFormat(predicate).resolve(in: store.schema, entityName: entity)
        return Array(
            try store.fetch(
                FetchRequest(entityName: entity, sortDescriptors: [], predicate: resolved), progress: FetchProgress()
            ).keys)
    }

    /// A boolean and a number stay what they are wherever other values come, before or behind.
    @Test func kindsStayApartInEveryOrder() throws {
        let values: [(json: String, value: Value)] = [
            ("true", .boolean(true)), ("1", .integer(1)), ("\"YES\"", .string("YES")), ("0", .integer(0)),
            ("false", .boolean(false)),
            ("[true]", .list([.boolean(true)])), ("18446744073709551616", .source("18446744073709551616")),
            ("0.12345678901234567890", .source("0.12345678901234567890")), ("null", .null),
        ]
        for shift in values.indices {
            for step in [1, 2, 4, 5] {
                let order = values.indices.map { values[(shift + $0 * step) % values.count] }
                let text = "[" + order.map { "{\"a\": \($0.json)}" }.joined(separator: ",") + "]"
                #expect(try folder.open("k.json", text).column("a", of: "k") == order.map(\.value), "\(text)")
            }
        }
    }

    @Test func mixedValuesAreComparedAsWhatTheyAre() throws {
        let store = try folder.open(
            "m.json", #"[{"a":9},{"a":10},{"a":true},{"a":"x"},{"a":18446744073709551615},{"a":-1e400},{"a":false}]"#)
        #expect(try matches("a == true", store, "m") == [3] && matches("a == NO", store, "m") == [7])
        #expect(try matches("a > 9", store, "m") == [2, 5] && matches("a < 9", store, "m") == [6])
        #expect(try store.keys("m", sort: ["a"]) == [6, 1, 2, 5, 7, 4, 3])
        let numbers = try folder.open("n.json", "[{\"a\":9},{\"a\":1.5},{\"a\":18446744073709551615},{\"a\":NaN}]")
        #expect(numbers.shape("n") == ["a:Decimal"])
        #expect(try matches("a >= 9", numbers, "n") == [1, 3] && matches("a == nil", numbers, "n") == [])
        #expect(try matches("a == 18446744073709551615", numbers, "n") == [3])
    }

    @Test func listsOfPlainValues() throws {
        let store = try folder.open(
            "t.json",
            #"""
            [{"t":["a","b\"]c",true,null],"n":[1,2.50]},{"t":[],"n":[[1,2],{"x":"]"}]},{"t":"a"},{"t":null,"k":[{"t":["a"]},{"t":["z"]}]},{"k":[{"t":["b","a"]}]}]
            """#)
        #expect(
            try store.column("t", of: "t") == [
                .list([.string("a"), .string("b\"]c"), .boolean(true), .null]), .list([]), .string("a"), .null, .null,
            ])
        #expect(try store.column("t", of: "t", as: .stored)[0] == .string(#"["a","b\"]c",true,null]"#))
        #expect(try store.column("t.@count", of: "t") == [4, 0, 1, 0, 0].map { .integer($0) })
        #expect(try store.column("k.t", of: "t")[3] == .list([.list([.string("a")]), .list([.string("z")])]))
        for predicate in ["\"a\" IN t", "ANY t == \"a\"", "t CONTAINS \"a\"", "t CONTAINS[c] \"A\"", "ANY t BEGINSWITH \"a\""] {
            #expect(try matches(predicate, store, "t") == [1, 3], "\(predicate)")
        }
        #expect(try matches("NONE t == \"a\"", store, "t") == [2, 4, 5])
        #expect(try matches("ANY t == true", store, "t") == [1] && matches("t.@count > 1", store, "t") == [1])
        #expect(try matches("ANY k.t == \"a\"", store, "t") == [4, 5] && matches("ALL k.t == \"z\"", store, "t") == [1, 2, 3])
        #expect(try matches("ANY nValue > 1", store, "t") == [1])
        #expect(try matches("t == \"a, b\\\"]c, YES, null\"", store, "t") == [1])
    }

    @Test func theOldFormatKnowsNumbersByTheirSpelling() throws {
        let store = try folder.open(
            "o.plist", "({a = 10; v = \"1.10\"; s = 1; z = 007;}, {a = 9; v = 2; s = x; z = 1;}, {a = 100; v = 1e400; z = 2;})")
        #expect(store.shape("o") == ["a:Int64", "v:Decimal", "s:String", "z:String"])
        #expect(try store.column("v", of: "o") == [.source("1.10"), .integer(2), .source("1e400")])
        #expect(try store.column("z", of: "o")[0] == .string("007"))
        #expect(try matches("a > 9", store, "o") == [1, 3] && store.keys("o", sort: ["v"]) == [1, 2, 3])
        let markup = "<plist><array><dict><key>a</key><string>9</string></dict></array></plist>"
        #expect(try folder.open("x.plist", markup).column("a", of: "x") == [.string("9")])
    }

    @Test func notANumberInPropertyLists() throws {
        let list: [[String: Any]] = [["r": Double.nan], ["r": 9.0], ["r": -Double.infinity], ["r": 10.5]]
        let data = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
        let store = try DocumentStore.open(path: folder.write("f.plist", data))
        #expect(store.shape("f") == ["r:Decimal"])
        let values = try store.column("r", of: "f")
        guard case .double(let first) = values[0] else { return #expect(Bool(false), "\(values[0])") }
        #expect(first.isNaN && Array(values[1...]) == [.double(9), .double(-.infinity), .double(10.5)])
        #expect(try store.keys("f", sort: ["r"]) == [1, 3, 2, 4])
    }

    @Test func keysKeepTheirNamesWhereTheyCan() throws {
        let store = try folder.open(
            "n.json",
            #"[{"a.b":1,"a_b":2,"o.x":3,"o_x":4,"o":{"x":5},"@count":6,"d.@year":7,"..":8,"":9,"value":10,"r.s":[{"q":1}],"r_s":11}]"#
        )
        #expect(
            store.schema.entity(named: "n")?.attributes.map(\.name) == [
                "a.b", "a_b", "o_x2", "o_x", "@count", "d_@year", "__", "value2", "value", "r_s",
            ])
        for (index, name) in ["a.b", "a_b", "o_x2", "o_x", "o.x", "@count", "d_@year", "__", "value2", "value", "r_s"]
            .enumerated()
        {
            #expect(
                try store.column(name, of: "n") == [.integer(Int64(index < 4 ? index + 1 : index == 4 ? 5 : index + 1))],
                "\(name)")
        }
        #expect(store.schema.warnings.filter { $0.contains("is called") }.count == 5)
        #expect(store.schema.warnings.contains("The key “o.x” of “n” is called “o_x2” in key paths."))
        #expect(try matches("#\"a.b\" == 1", store, "n") == [1])
    }

    /// Records in records are nothing to begin with; what stands beside them is.
    @Test(arguments: [
        (#"[{"a":1,"o":{"b":2},"k":[{"c":3}]}]"#, "f"), (#"{"x":[{"a":{"b":1}}]}"#, "x"),
        (#"{"x":[{"a":1}],"y":[{"a":1}]}"#, nil),
        (#"{"n":1,"o":{"p":2}}"#, "f"), (#"{"m":{"v":1},"x":[{"a":1}]}"#, nil), (#"{"n":1,"d":{"x":[{"a":1}]}}"#, nil),
        (#"[{"n":1,"k":[{"n":2,"k":[]}]}]"#, "f"),
    ])
    func whereToBegin(text: String, entity: String?) throws {
        let store = try folder.open("f.json", text)
        #expect(store.schema.onlyEntity?.name == entity)
    }
}

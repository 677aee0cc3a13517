import DocumentStores
import Foundation
import ObjectStore
import TestSupport
import Testing

/// Objects whose members are records: told by shape, read as an entity with the keys.
@Suite struct DictionaryTests {
    let folder: DocumentFolder
    init() throws { folder = try DocumentFolder() }

    private func entities(_ store: any ObjectStore) -> [String] { store.schema.entities.map(\.name) }

    @Test func theDocumentIsOne() throws {
        let members = (1...3000).map { "\"id\($0)\": {\"name\": \"n\($0)\", \"size\": \($0)}" }
        let store = try folder.open("people.json", "{" + members.joined(separator: ",\n") + "}")
        #expect(entities(store) == ["people"] && store.schema.warnings.isEmpty)
        #expect(store.shape("people") == ["key:String", "name:String", "size:Int64"])
        #expect(try store.column("key", of: "people") == (1...3000).map { .string("id\($0)") })
        #expect(try store.column("size", of: "people") == (1...3000).map { .integer($0) })
        #expect(store.uri(of: ObjectID(entityName: "people", key: 7)) == "people/id7")
    }

    @Test(arguments: [true, false]) func oneUnderAKeyAndOneInEachRecord(isList: Bool) throws {
        let posts = { (user: Int) in
            (0..<(user % 3)).map { "\"p\(user)-\($0)\": {\"title\": \"t\(user * 10 + $0)\", \"likes\": \($0)}" }.joined(
                separator: ",")
        }
        let users = (1...40).map { "\"u\($0)\": {\"name\": \"n\($0)\", \"posts\": {\(posts($0))}}" }.joined(separator: ",")
        let plist = users.replacingOccurrences(of: ": ", with: "= ").replacingOccurrences(of: ",", with: ";")
        let store =
            isList
            ? try folder.open("a.json", "{\"version\": 3, \"users\": {\(users)}}")
            : try folder.open(
                "a.plist",
                "{version = 3; users = {"
                    + plist.replacingOccurrences(of: "}", with: ";}").replacingOccurrences(of: "{;}", with: "{}") + ";};}")
        #expect(entities(store) == ["users", "posts", "a"])
        #expect(store.shape("users") == ["key:String", "name:String", "posts>>posts"])
        #expect(store.shape("posts") == ["key:String", "title:String", "likes:Int64", "users>users"])
        #expect(try store.keys("users").count == 40)
        let owners = (1...40).flatMap { user in (0..<(user % 3)).map { _ in Value.string("u\(user)") } }
        #expect(try store.column("users.key", of: "posts") == owners)
        #expect(store.uri(of: ObjectID(entityName: "users", key: 4)) == "users/u4")
        // Of one record's dictionary the keys may be those of another's.
        #expect(store.uri(of: ObjectID(entityName: "posts", key: 1)) == "posts/1,p1-0")
    }

    /// Few names that a program gives are no data.
    @Test(arguments: [
        (
            #"{"server": {"host": "a", "port": 1}, "client": {"host": "b", "port": 2}, "proxy": {"host": "c", "port": 3}, "log": {"host": "d"}}"#,
            4
        ),
        (#"{"a1": {"x": 1}, "a2": {"x": 2}, "a3": {"x": 3}}"#, 3),
        (#"{"a1": {"x": 1}, "a2": {"y": 2}, "a3": {"z": 3}, "a4": {"w": 3}}"#, 4),
        (#"{"a1": {"x": 1}, "a2": {"x": 2}, "a3": {"x": 3}, "a4": 5}"#, 4),
    ])
    func smallOnesStayRecords(text: String, kinds: Int) throws {
        let store = try folder.open("a.json", text)
        #expect(store.schema.entities.allSatisfy { !$0.attributes.contains { $0.name == "key" } })
        #expect(store.schema.entities.filter { $0.name != "a" }.count == kinds || kinds == 4)
    }

    @Test(arguments: [
        #"{"a1": {"x": 1}, "a2": {"x": 2}, "a3": {"x": 3}, "a4": {"x": 4}}"#,
        #"{"a@b.c": {"x": 1, "z": 1}, "b@b.c": {"x": 2, "y": 1}, "c@b.c": {"x": 3}, "d@b.c": {"x": 4}}"#,
        "{" + (0..<16).map { "\"\(Character(UnicodeScalar(97 + $0) ?? "a"))\": {\"x\": \($0 + 1)}" }.joined(separator: ",") + "}",
    ])
    func keysThatLookLikeDataOrMany(text: String) throws {
        let store = try folder.open("a.json", text)
        #expect(entities(store) == ["a"])
        #expect(try store.column("x", of: "a").prefix(4) == [.integer(1), .integer(2), .integer(3), .integer(4)])
    }

    @Test func aDictionaryOfDictionaries() throws {
        let years = (2001...2030).map { year in
            "\"\(year)\": {" + (1...4).map { "\"m\(year)\($0)\": {\"sum\": \($0)}" }.joined(separator: ",") + "}"
        }
        let store = try folder.open("sums.json", "{" + years.joined(separator: ",") + "}")
        #expect(entities(store) == ["sums", "value"])
        #expect(store.shape("sums") == ["key:String", "value>>value"])
        #expect(try store.keys("value").count == 120)
        #expect(try store.column("sums.key", of: "value")[4] == .string("2002"))
    }

    /// What does not fit what was looked at ahead, behind it or by itself.
    @Test func membersOfOtherKinds() throws {
        let members =
            (1...20000).map { "\"k\($0)\": {\"name\": \"n\($0)\", \"key\": \"own\"}" } + [
                "\"k1\": {\"name\": \"again\"}", "\"last\": 7",
            ]
        let store = try folder.open("a.json", "{" + members.joined(separator: ",") + "}")
        #expect(store.shape("a") == ["memberKey:String", "name:String", "key:String", "value:Int64"])
        #expect(store.schema.warnings.count == 1 && store.schema.warnings[0].contains("“k1” stands twice"))
        #expect(try store.column("value", of: "a").last == .integer(7))
        // One of two with one key is named by its position, as all others then.
        #expect(store.uri(of: ObjectID(entityName: "a", key: 1)) == "a/1")
    }

    /// What is whole before the place where a document is damaged is kept, member by member.
    @Test(arguments: ["", "\"list\": "]) func damaged(key: String) throws {
        let members = (1...100).map { "\"k\($0)\": {\"name\": \"n\($0)\"}" }.joined(separator: ",")
        let whole = "{" + (key.isEmpty ? "" : key + "{") + members
        for cut in [1, 5, 12] {
            let store = try folder.open("a.json", String(whole.dropLast(cut)))
            #expect(try store.keys(key.isEmpty ? "a" : "list").count == (cut == 0 ? 100 : 99))
            #expect(store.schema.isDamaged)
        }
    }

    /// Whatever the keys and the windows are, the values are those of a plain reading.
    @Test(arguments: [UInt64(1), 2, 3, 4]) func againstAPlainReading(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let count = Int.random(in: 16...400, using: &generator)
        var keys: [String] = []
        for place in 0..<count {
            keys.append(["é", "k ", "", "\"", "x.y"][Int.random(in: 0..<5, using: &generator)] + String(place))
        }
        let records: [[String: Int]] = keys.indices.map { place in
            var record = ["n": place]
            if Bool.random(using: &generator) { record["m"] = place * 2 }
            return record
        }
        let object = Dictionary(uniqueKeysWithValues: zip(keys, records))
        let bytes = try JSONSerialization.data(withJSONObject: ["items": object, "other": 1])
        let file = try folder.write("a.json", bytes)
        for windowSize in [16, 64, 1 << 18] {
            let store = try DocumentStore.open(path: file, options: DocumentOptions(windowSize: windowSize))
            let found = try zip(
                zip(store.column("key", of: "items"), store.column("n", of: "items")), store.column("m", of: "items"))
            #expect(try store.keys("items").count == count)
            for ((key, n), m) in found {
                guard case .string(let key) = key else {
                    Issue.record("\(key)")
                    continue
                }
                #expect(n == (object[key]?["n"]).map { .integer(Int64($0)) })
                #expect(m == object[key]?["m"].map { .integer(Int64($0)) } ?? .null)
            }
        }
    }

    /// A value that is no record has its place among records with few keys in common, too.
    @Test(arguments: [true, false]) func bareValuesAmongRecordsWithFewKeysInCommon(isJSON: Bool) throws {
        func records(_ places: Range<Int>) -> [String] { places.map { isJSON ? "{\"k\($0)\": 7}" : "{k\($0) = 7;}" } }
        let all = (records(0..<300) + ["5"] + records(300..<350)).joined(separator: ",\n")
        let store = try folder.open(isJSON ? "a.json" : "a.plist", isJSON ? "[\(all)]" : "(\(all))")
        let values = try store.column("value", of: "a")
        #expect(values.count == 351 && values.filter { $0 != .null }.count == 1)
        #expect(values[300] == .integer(5))
        #expect(store.schema.warnings.allSatisfy { $0.contains("otherKeys") })
    }

    /// In a dictionary of records that is so, too; what it is is told by its beginning.
    @Test func bareValuesInADictionary() throws {
        let members = (0..<20_000).map { number in
            "\"id\(number)\": " + (number < 19_000 ? "{\"n\": 1, \"m\": 2}" : number == 19_700 ? "5" : "{\"k\(number)\": 1}")
        }
        let store = try folder.open("a.json", "{" + members.joined(separator: ",\n") + "}")
        #expect(try store.column("key", of: "a").count == 20_000)
        let values = try store.column("value", of: "a")
        #expect(values[19_700] == .integer(5) && values.filter { $0 != .null }.count == 1)
    }

    /// Many keys, of which each record has few: what comes later is kept as one value, as each record takes room for each column.
    @Test(arguments: [true, false]) func fewKeysInCommon(isJSON: Bool) throws {
        let records = (0..<4000).map { isJSON ? "{\"k\($0)\": \($0), \"all\": 1}" : "{k\($0) = x\($0); all = 1;}" }
        let store = try folder.open(
            isJSON ? "a.json" : "a.plist",
            isJSON ? "[" + records.joined(separator: ",") + "]" : "(" + records.joined(separator: ",") + ")")
        let entity = try #require(store.schema.entities.first)
        #expect(entity.attributes.count == 129 && entity.attributes.last?.name == "otherKeys")
        #expect(store.schema.warnings.count == 1 && store.schema.warnings[0].contains("under “otherKeys”, as JSON"))
        let others = try store.column("otherKeys", of: "a")
        #expect(others.count == 4000 && others[0] == .null)
        #expect(others[3999] == .string(isJSON ? "{\"k3999\":3999}" : "{\"k3999\":\"x3999\"}"))
        #expect(try store.column("all", of: "a").last == .integer(1))
    }
}

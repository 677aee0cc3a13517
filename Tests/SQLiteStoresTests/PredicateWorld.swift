import Foundation
import ObjectStore

/// A small world of albums, artists and tags: as SQL, and as plain values for an evaluator that knows no SQL.
struct PredicateWorld {
    enum Plain: Equatable {
        case null
        case text(String)
        case number(Double)
        case date(Double)
        case object(Int)
    }

    enum Kind: Equatable {
        case text, number, boolean, date
    }

    struct Thing {
        var id: Int
        var values: [String: Plain] = [:]
        /// To-one, by name: entity and number.
        var one: [String: Int] = [:]
        var many: [String: [Int]] = [:]
    }

    struct Shape {
        var attributes: [(name: String, kind: Kind)]
        var one: [String: String]
        var many: [String: String]
    }

    static let shapes: [String: Shape] = [
        "Album": Shape(
            attributes: [
                ("title", .text), ("year", .number), ("rating", .number), ("active", .boolean), ("released", .date),
                ("seen", .date), ("made_at", .date),
            ], one: ["artist": "Artist"], many: ["tag": "Tag"]),
        "Artist": Shape(attributes: [("name", .text), ("born", .number)], one: [:], many: ["album": "Album"]),
        "Tag": Shape(attributes: [("label", .text), ("weight", .number)], one: [:], many: ["album": "Album"]),
    ]

    var things: [String: [Int: Thing]] = ["Album": [:], "Artist": [:], "Tag": [:]]
    private(set) var sql = ""

    /// Each letter with what becomes of it: whatever the case, whatever the diacritics, and its first letter.
    static let letters: [(text: String, cased: String, bare: String, both: String, first: String)] = [
        ("a", "a", "a", "a", "A"), ("A", "a", "A", "a", "A"), ("b", "b", "b", "b", "B"), ("B", "b", "B", "b", "B"),
        ("e", "e", "e", "e", "E"), ("E", "e", "E", "e", "E"), ("\u{E9}", "\u{E9}", "e", "e", "E"),
        ("\u{C9}", "\u{E9}", "E", "e", "E"), ("e\u{301}", "\u{E9}", "e", "e", "E"), ("ß", "ss", "ß", "ss", "ß"),
        ("s", "s", "s", "s", "S"), ("S", "s", "S", "s", "S"), (" ", " ", " ", " ", "#"), ("1", "1", "1", "1", "#"),
    ]

    static func text(_ generator: inout some RandomNumberGenerator, longest: Int = 4) -> String {
        (0..<Int.random(in: 0...longest, using: &generator)).map { _ in
            letters[Int.random(in: 0..<letters.count, using: &generator)].text
        }.joined()
    }

    init(_ generator: inout some RandomNumberGenerator) {
        sql = """
            CREATE TABLE Artist (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, born INTEGER);
            CREATE TABLE Album (id INTEGER PRIMARY KEY, title TEXT, year INTEGER, rating REAL, active BOOLEAN, released DATE,
                seen TIMESTAMP, made_at INTEGER, artistId INTEGER REFERENCES Artist(id));
            CREATE INDEX AlbumTitle ON Album(title);
            CREATE TABLE Tag (id INTEGER PRIMARY KEY, label TEXT, weight INTEGER);
            CREATE TABLE AlbumTag (albumId INTEGER REFERENCES Album(id), tagId INTEGER REFERENCES Tag(id),
                PRIMARY KEY (albumId, tagId));

            """
        func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &generator) < share }
        func quoted(_ value: String?) -> String { value.map { "'\($0)'" } ?? "NULL" }
        for id in 1...8 {
            var thing = Thing(id: id)
            let name = chance(0.2) ? nil : Self.text(&generator)
            let born = chance(0.2) ? nil : Int.random(in: 1...6, using: &generator)
            thing.values = ["name": name.map { .text($0) } ?? .null, "born": born.map { .number(Double($0)) } ?? .null]
            things["Artist"]?[id] = thing
            sql += "INSERT INTO Artist VALUES (\(id), \(quoted(name)), \(born.map(String.init) ?? "NULL"));\n"
        }
        for id in 1...6 {
            var thing = Thing(id: id)
            let label = chance(0.2) ? nil : Self.text(&generator, longest: 2)
            let weight = chance(0.2) ? nil : Int.random(in: 1...6, using: &generator)
            thing.values = ["label": label.map { .text($0) } ?? .null, "weight": weight.map { .number(Double($0)) } ?? .null]
            things["Tag"]?[id] = thing
            sql += "INSERT INTO Tag VALUES (\(id), \(quoted(label)), \(weight.map(String.init) ?? "NULL"));\n"
        }
        for id in 1...18 {
            var thing = Thing(id: id)
            let title = chance(0.2) ? nil : Self.text(&generator)
            let year = chance(0.2) ? nil : Int.random(in: 1...6, using: &generator)
            let rating = chance(0.2) ? nil : Double(Int.random(in: 2...12, using: &generator)) / 2
            let active = chance(0.2) ? nil : chance(0.5)
            let day = Int.random(in: 1...5, using: &generator)
            let released = chance(0.2) ? nil : day
            let seen = chance(0.2) ? nil : Double(day) * 86_400 + 300_000_000.5
            let made = chance(0.2) ? nil : 1_270_000_000 + day * 3600
            let artist = chance(0.2) ? nil : Int.random(in: 1...8, using: &generator)
            thing.values["title"] = title.map { .text($0) } ?? .null
            thing.values["year"] = year.map { .number(Double($0)) } ?? .null
            thing.values["rating"] = rating.map { .number($0) } ?? .null
            thing.values["active"] = active.map { .number($0 ? 1 : 0) } ?? .null
            // 2010-04-01 is day 3377 of the reference calendar.
            thing.values["released"] = released.map { .date(Double(3376 + $0) * 86_400) } ?? .null
            thing.values["seen"] = seen.map { .date($0) } ?? .null
            thing.values["made_at"] = made.map { .date(Double($0) - 978_307_200) } ?? .null
            if let artist {
                thing.one["artist"] = artist
                things["Artist"]?[artist]?.many["album", default: []].append(id)
            }
            var fields = [String(id), quoted(title), year.map(String.init) ?? "NULL", rating.map { String($0) } ?? "NULL"]
            fields += [active.map { $0 ? "1" : "0" } ?? "NULL", quoted(released.map { "2010-04-0\($0)" })]
            fields += [seen.map { String($0) } ?? "NULL", made.map(String.init) ?? "NULL", artist.map(String.init) ?? "NULL"]
            sql += "INSERT INTO Album VALUES (\(fields.joined(separator: ", ")));\n"
            for tag in 1...6 where chance(0.25) {
                thing.many["tag", default: []].append(tag)
                things["Tag"]?[tag]?.many["album", default: []].append(id)
                sql += "INSERT INTO AlbumTag VALUES (\(id), \(tag));\n"
            }
            things["Album"]?[id] = thing
        }
    }

    /// The values at the end of relationships and an attribute (nil: the objects), as a list.
    func values(_ keys: [String], attribute: String?, of thing: Thing?, in entity: String) -> [Plain] {
        guard let shape = Self.shapes[entity] else { return [] }
        guard let key = keys.first else {
            guard let attribute else { return [thing.map { .object($0.id) } ?? .null] }
            return [thing?.values[attribute] ?? .null]
        }
        let rest = Array(keys.dropFirst())
        if let next = shape.one[key] {
            return values(rest, attribute: attribute, of: thing?.one[key].flatMap { things[next]?[$0] }, in: next)
        }
        guard let next = shape.many[key] else { return [] }
        return (thing?.many[key] ?? []).flatMap {
            values(rest, attribute: attribute, of: things[next]?[$0], in: next)
        }
    }
}

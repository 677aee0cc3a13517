import DocumentStores
import Foundation
import ObjectStore
import TestSupport
import Testing

@Suite struct CSVTests {
    let folder: DocumentFolder
    init() throws { folder = try DocumentFolder() }

    @Test(arguments: [",", ";", "\t", "|"])
    func columnsAndTypes(delimiter: String) throws {
        let rows = [
            "name,n,size,zip,born,ok,note", "Alpha,1,0.5,01234,2010-04-07,true,\"a\"\"b\"",
            "\"Be,ta\",-2,3,99999,2011-01-02,FALSE,\"\"",
            ",,,,,,", "\"two\r\nlines\",3,1e2,00000,,yes,x",
        ]
        // Commas in quotes stay what they are.
        let text = rows.map {
            $0.replacing("Be,ta", with: "Be\u{1}ta").replacing(",", with: delimiter).replacing("\u{1}", with: ",")
        }
        .joined(separator: "\r\n")
        for windowSize in [16, 31, 1 << 18] {
            let store = try folder.open("Item.csv", "\u{FEFF}" + text, DocumentOptions(windowSize: windowSize))
            #expect(
                store.shape("Item") == [
                    "name:String", "n:Int64", "size:Double", "zip:String", "born:Date", "ok:Boolean", "note:String",
                ])
            #expect(
                try store.column("name", of: "Item") == [.string("Alpha"), .string("Be,ta"), .null, .string("two\r\nlines")])
            #expect(try store.column("n", of: "Item") == [.integer(1), .integer(-2), .null, .integer(3)])
            #expect(try store.column("size", of: "Item") == [.double(0.5), .double(3), .null, .double(100)])
            #expect(try store.column("zip", of: "Item") == [.string("01234"), .string("99999"), .null, .string("00000")])
            #expect(try store.column("born", of: "Item") == [.date(292_291_200), .date(315_619_200), .null, .null])
            #expect(try store.column("born", of: "Item", as: .stored)[0] == .string("2010-04-07"))
            #expect(try store.column("ok", of: "Item") == [.boolean(true), .boolean(false), .null, .boolean(true)])
            #expect(try store.column("note", of: "Item") == [.string("a\"b"), .string(""), .null, .string("x")])
            #expect(store.schema.warnings.isEmpty)
        }
    }

    @Test func faultyRowsAreKeptAndNamed() throws {
        let store = try folder.open(
            "r.csv", "a,b,c\n1,2\n1,2,3,4,5\n\"x\"y,2,3\n\"say \"hi\"\",2,3\n\"multi\nline\",2\n\"open,2,3\n9,9,9\n")
        #expect(
            try store.column("a", of: "r") == ["1", "1", "xy", "say \"hi\"", "multi\nline", "\"open", "9"].map { .string($0) })
        #expect(try store.column("c", of: "r") == [.null] + [3, 3, 3].map { .integer($0) } + [.null, .integer(3), .integer(9)])
        #expect(try store.column("extraCells", of: "r")[1] == .string("4,5"))
        #expect(
            store.schema.warnings == [
                "Line 2: 2 cells where 3 are expected.", "Line 3: 5 cells where 3 are expected; the rest is kept apart.",
                "Line 4: Text stands behind a closing quote.", "Line 5: Text stands behind a closing quote.",
                "Line 6: 2 cells where 3 are expected.", "Line 8: A quote is opened and not closed.",
            ])
    }

    @Test(arguments: [
        ("a,b\n1,2", ["a", "b"]), ("1,2\n3,4", ["column1", "column2"]), ("a,a\n1,2", ["a", "a2"]),
        ("a,a\nb,c", ["column1", "column2"]),
        ("id,name,id\n1,a,2", ["id", "name", "id2"]),
        ("x, y \n1,2", ["x", "y"]),
        (",b\n1,2", ["column1", "b"]), ("land,1990,1991\nA,1,2", ["land", "1990", "1991"]), ("a.b,@c\n1,2", ["a.b", "@c"]),
        ("a,b,\n1,2,\n3,4,", ["a", "b"]), ("only\n1\n2", ["only"]),
    ])
    func headers(text: String, names: [String]) throws {
        let store = try folder.open("h.csv", text)
        #expect(store.schema.entities.first?.attributes.map(\.name) == names)
    }

    @Test func headerCanBeSaid() throws {
        #expect(try folder.open("h.csv", "a,b\n1,2", DocumentOptions(hasHeader: false)).count(of: "h") == 2)
        #expect(try folder.open("h.csv", "1,2\n3,4", DocumentOptions(hasHeader: true)).count(of: "h") == 1)
    }

    @Test func westernTextIsRead() throws {
        let file = try folder.write("w.csv", Array("name\nM".utf8) + [0xFC] + Array("ller\n".utf8) + [0x80, 0x0A])
        let store = try DocumentStore.open(path: file)
        #expect(try store.column("name", of: "w") == [.string("Müller"), .string("€")])
        #expect(store.schema.warnings == ["Line 2: Text that is not UTF-8; the document is read as Windows-1252."])
    }

    /// Names of columns and cells beyond the last are read as the rest of the document is.
    @Test func otherEncodingsOfTheHeader() throws {
        let latin = try folder.write(
            "h.csv",
            Array("n".utf8) + [0xE4] + Array("me,b\nM".utf8) + [0xFC] + Array("ller,2,".utf8) + [0xE9]
                + Array("\nx,2\ny,2\n".utf8))
        let store = try DocumentStore.open(path: latin)
        #expect(try store.column("näme", of: "h") == [.string("Müller"), .string("x"), .string("y")])
        #expect(try store.column("extraCells", of: "h").first == .string("é"))
        let alone = try folder.write("a.csv", Array("n".utf8) + [0xE4] + Array("me,b\nx,2\n".utf8))
        #expect(try DocumentStore.open(path: alone).column("näme", of: "a") == [.string("x")])
        for isBigEndian in [false, true] {
            let units = Array("\u{FEFF}näme,b\nMüller,2\n".utf16)
            let bytes = units.flatMap { unit -> [UInt8] in
                let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
                return isBigEndian ? [high, low] : [low, high]
            }
            let wide = try folder.write("u\(isBigEndian).csv", bytes)
            #expect(try DocumentStore.open(path: wide).column("näme", of: "u\(isBigEndian)") == [.string("Müller")])
        }
    }

    @Test func moreRowsThanASpreadsheetHasAndOnToDisk() throws {
        var text = "n,t\n"
        for row in 0..<70_000 { text += "\(row),text \(row % 7)\n" }
        for options in [DocumentOptions(), DocumentOptions(memoryLimit: 100_000)] {
            let store = try folder.open("m.csv", text, options)
            #expect(try store.count(of: "m") == 70_000)
            #expect(try store.keys("m", sort: ["t", "n"]).prefix(3) == [1, 8, 15])
            #expect(try store.column("n", of: "m").last == .integer(69_999))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["m.csv"])
    }

    /// Whatever is written by the rules comes back, whatever the window.
    @Test func roundTrips() throws {
        var random = SeededGenerator(seed: 5)
        let pieces = ["a", "\"", ",", "\n", "\r\n", "é", " ", "1", ";", "", "😀", "\t", "x y"]
        for round in 0..<150 {
            let width = Int.random(in: 2...5, using: &random)
            var rows: [[String]] = []
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                rows.append(
                    (0..<width).map { _ in
                        "t"
                            + (0..<Int.random(in: 0...5, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
                            .joined()
                    })
            }
            let text = ([(0..<width).map { "c\($0)" }] + rows).map { row in
                row.map { cell in
                    let needs = cell.unicodeScalars.contains { ["\"", ",", "\n", "\r"].contains($0) }
                    return needs || Bool.random(using: &random) ? "\"" + cell.replacing("\"", with: "\"\"") + "\"" : cell
                }.joined(separator: ",")
            }.joined(separator: "\n")
            let options = DocumentOptions(format: .csv, hasHeader: true, windowSize: [16, 64, 1 << 18][round % 3])
            let store = try folder.open("s.csv", text, options)
            guard store.schema.entity(named: "s")?.attributes.count == width else {
                // Another delimiter falls as evenly.
                continue
            }
            for column in 0..<width {
                #expect(try store.column("c\(column)", of: "s") == rows.map { .string($0[column]) }, "round \(round)")
            }
            #expect(store.schema.warnings.isEmpty)
        }
    }
}

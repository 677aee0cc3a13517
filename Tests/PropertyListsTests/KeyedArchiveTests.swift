import Foundation
import TestSupport
import Testing

@testable import PropertyLists

@Suite struct KeyedArchiveTests {
    private func outline(_ node: OutlineNode, depth: Int = 6) -> [String] {
        let own = (node.label.isEmpty ? "" : node.label + ": ") + node.summary
        guard depth > 0 else { return [own] }
        return [own] + node.children().flatMap { outline($0, depth: depth - 1).map { "  " + $0 } }
    }

    /// Each class of Foundation's that stands for a plain value, in every form that archivers have written.
    @Test func readsFoundationsClasses() throws {
        var writer = KeyedArchiveWriter()
        let a = writer.string("a")
        let number = writer.plain(.integer(5))
        let uuid: [UInt8] = Array(0..<16)
        let base = writer.object("NSURL", [("NS.base", .object(0)), ("NS.relative", .string("https://example.com/x/"))])
        let values: [(String, Int)] = [
            ("01 array", writer.array([a, number, 0])),
            ("02 set", writer.array([a], className: "NSMutableSet")),
            ("03 dictionary", writer.dictionary([("k", number)])),
            ("04 old array", writer.object("NSArray", [("NS.object.1", .object(number)), ("NS.object.0", .object(a))])),
            ("05 old dictionary", writer.object("NSDictionary", [("NS.key.0", .object(a)), ("NS.object.0", .object(number))])),
            ("06 ordered set", writer.object("NSOrderedSet", [("NS.object.0", .object(a))])),
            ("07 empty", writer.object("NSArray", [])),
            ("08 string", writer.object("NSMutableString", [("NS.string", .string("text"))])),
            ("09 bytes", writer.object("NSString", [("NS.bytes", .data(Array("é".utf8)))])),
            ("10 date", writer.object("NSDate", [("NS.time", .real(0))])),
            ("11 data", writer.object("NSMutableData", [("NS.data", .data([1, 2, 3]))])),
            ("12 uuid", writer.object("NSUUID", [("NS.uuidbytes", .data(uuid))])),
            ("13 url", writer.object("NSURL", [("NS.base", .object(base)), ("NS.relative", .string("y"))])),
            ("14 null", writer.object("NSNull", [])),
            ("15 number", writer.object("NSNumber", [("NS.dblval", .real(2.5))])),
            ("16 flag", writer.plain(.boolean(true))),
            (
                "17 decimal",
                writer.object(
                    "NSDecimalNumber",
                    [
                        ("NS.mantissa", .data([0x39, 0x30] + Array(repeating: 0, count: 14))), ("NS.mantissa.bo", .integer(1)),
                        ("NS.exponent", .integer(-2)), ("NS.length", .integer(1)), ("NS.negative", .boolean(true)),
                    ])
            ),
            ("18 other", writer.object("XYPoint", [("x", .integer(1)), ("y", .object(a))])),
            ("19 attributed", writer.object("NSAttributedString", [("NSString", .object(a))])),
        ]
        let root = writer.dictionary(values)
        writer.top = [("root", root)]
        let expected = [
            "NSMutableDictionary, 19 keys", "  01 array: NSArray, 3 items", "    0: a", "    1: 5", "    2: null",
            "  02 set: NSMutableSet, 1 item", "    0: a", "  03 dictionary: NSMutableDictionary, 1 key", "    k: 5",
            "  04 old array: NSArray, 2 items", "    0: a", "    1: 5", "  05 old dictionary: NSDictionary, 1 key", "    a: 5",
            "  06 ordered set: NSOrderedSet, 1 item", "    0: a", "  07 empty: NSArray, 0 items", "  08 string: text",
            "  09 bytes: é",
            "  10 date: 2001-01-01T00:00:00Z", "  11 data: 3 bytes", "  12 uuid: 00010203-0405-0607-0809-0A0B0C0D0E0F",
            "  13 url: https://example.com/x/y", "  14 null: null", "  15 number: 2.5", "  16 flag: true",
            "  17 decimal: -123.45",
            "  18 other: XYPoint", "    x: 1", "    y: a", "  19 attributed: NSAttributedString: a", "    NSString: a",
        ]
        for referenceSize in [1, 2, 4] {
            #expect(outline(try OutlineNode.root(bytes: writer.bytes(referenceSize: referenceSize))) == expected)
        }
        let node = try OutlineNode.root(bytes: writer.bytes())
        #expect(node.child(at: 10)?.value == .data(Data([1, 2, 3])))
        #expect(node.child(at: 9)?.value == .date(Date(timeIntervalSinceReferenceDate: 0)))
        #expect(node.child(at: 19) == nil)
        #expect(node.kind == .dictionary && node.value == nil)
    }

    @Test func walksCyclesOnRequest() throws {
        var writer = KeyedArchiveWriter()
        let parent = writer.reserve()
        let child = writer.object("Node", [("parent", .object(parent)), ("name", .string("child"))])
        let children = writer.array([child])
        writer.define(parent, "Node", [("children", .object(children)), ("self", .object(parent))])
        writer.top = [("root", parent)]
        var node = try OutlineNode.root(bytes: writer.bytes())
        let identity = node.identity
        for _ in 0..<1000 {
            let next = node.child(at: 0)?.child(at: 0)?.child(at: 0)
            node = try #require(next)
            #expect(node.identity == identity && node.summary == "Node" && node.childCount == 2)
        }
        #expect(node.child(at: 1)?.identity == identity)
    }

    @Test func readsWhatIsLeftOfDamage() throws {
        var writer = KeyedArchiveWriter()
        let a = writer.string("a")
        writer.top = [("root", writer.array([a, 999]))]
        let node = try OutlineNode.root(bytes: writer.bytes())
        #expect(outline(node) == ["NSArray, 2 items", "  0: a", "  1: refers to object 999, which is not in the archive"])
        #expect(node.child(at: 1)?.kind == .unreadable)
    }

    /// Objects that claim to be their own class, keys or base are only themselves.
    @Test func survivesSelfReference() throws {
        var writer = KeyedArchiveWriter()
        let strange = writer.reserve()
        writer.define(
            strange, "NSKnownKeysDictionary1",
            [
                ("searchMapping", .object(strange)), ("keys", .object(strange)), ("values", .object(strange)),
                ("NS.base", .object(strange)), ("NS.relative", .string("x")), ("NS.string", .object(strange)),
                ("$classname", .object(strange)),
            ])
        writer.top = [("root", strange), ("other", strange)]
        let lines = outline(try OutlineNode.root(bytes: writer.bytes()))
        #expect(lines.count == 3 && lines[0] == "2 keys")
        var plain = BinaryPropertyListWriter()
        let classKey = plain.add(.string("$class"))
        let uid = plain.add(.uid(0))
        let object = plain.add(.dictionary([(classKey, uid)]))
        let objects = plain.add(.array([object]))
        let root = plain.add(.string("root"))
        let top = plain.add(.dictionary([(root, uid)]))
        let topKey = plain.add(.string("$top"))
        let objectsKey = plain.add(.string("$objects"))
        plain.top = plain.add(.dictionary([(topKey, top), (objectsKey, objects)]))
        #expect(outline(try OutlineNode.root(bytes: plain.bytes())) == ["object of an unknown class"])
    }

    @Test func opensPropertyListsInsideOfData() throws {
        let inner = try PropertyListSerialization.data(fromPropertyList: ["x": 1], format: .binary, options: 0)
        let outer = try PropertyListSerialization.data(fromPropertyList: ["blob": inner], format: .binary, options: 0)
        for bytes in [
            [UInt8](outer),
            [UInt8](try PropertyListSerialization.data(fromPropertyList: ["blob": inner], format: .xml, options: 0)),
        ] {
            let lines = outline(try OutlineNode.root(bytes: bytes))
            #expect(lines == ["1 key", "  blob: \(inner.count) bytes: a property list", "    1 key", "      x: 1"])
        }
    }

    @Test func showsControlCharactersAsSymbols() throws {
        let node = try OutlineNode.root(bytes: Array("{ \"a\\033\" = \"b\\nc\\U202e\"; }".utf8))
        #expect(outline(node) == ["1 key", "  a␛: b␊c\u{FFFD}"])
    }

    /// Every beginning of an archive and of a list: what is whole in it is read as in the whole.
    @Test func salvagesBeginnings() throws {
        var value: [String: Any] = [:]
        for index in 0..<300 { value["key \(index)"] = ["text \(index)", index] }
        let whole = [UInt8](try PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0))
        let root = try OutlineNode.root(bytes: whole)
        let expected = Dictionary(uniqueKeysWithValues: root.children().map { ($0.label, outline($0)) })
        var mostReadable = 0
        for length in stride(from: 8, to: whole.count - 32, by: 101) {
            let beginning = Array(whole[..<length])
            #expect(throws: PropertyListError.self) { try OutlineNode.root(bytes: beginning) }
            guard let salvaged = OutlineNode.salvaged(bytes: beginning) else { continue }
            var readable = 0
            for node in salvaged.root.children() {
                let lines = outline(node)
                guard let known = expected[node.label], !lines.contains(where: { $0.contains("is lost") }) else { continue }
                let agrees = lines == known
                #expect(agrees, "cut off at \(length)")
                readable += 1
            }
            mostReadable = max(mostReadable, readable)
        }
        #expect(mostReadable > 250)

        var writer = KeyedArchiveWriter()
        let items = (0..<50).map { writer.string("item \($0)") }
        writer.top = [("root", writer.array(items))]
        let archive = writer.bytes()
        #expect(OutlineNode.salvaged(bytes: Array(archive[..<8])) == nil)
        #expect(OutlineNode.salvaged(bytes: Array(archive[..<200]))?.problem.hasPrefix("cut off or damaged at byte") == true)
    }

    @Test func refusesWhatIsNoArchive() throws {
        let plain = try PropertyListSerialization.data(
            fromPropertyList: ["$top": 1, "$objects": ["x"]], format: .binary, options: 0)
        #expect(throws: PropertyListError.self) { try KeyedArchive(bytes: [UInt8](plain)) }
        #expect(outline(try OutlineNode.root(bytes: [UInt8](plain))).count == 4)
    }

    @Test func survivesMutations() throws {
        var writer = KeyedArchiveWriter()
        let items = (0..<6).map { writer.string("item \($0)") }
        let array = writer.array(items)
        let dictionary = writer.dictionary([("k", array), ("l", array)])
        let date = writer.object("NSDate", [("NS.time", .real(1e300))])
        writer.top = [("root", writer.array([dictionary, date, 0]))]
        let source = writer.bytes(referenceSize: 1)
        var readable = 0
        for seed in 0..<1500 {
            var generator = SeededGenerator(seed: UInt64(seed))
            var bytes = source
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            guard let root = try? OutlineNode.root(bytes: bytes) else { continue }
            readable += 1
            var nodes = [root]
            var index = 0
            while index < nodes.count, nodes.count < 100 {
                nodes += nodes[index].children(in: 0..<10)
                _ = nodes[index].value
                index += 1
            }
            #expect(nodes.count >= 1)
        }
        #expect(readable > 400)
    }
}

import Foundation
import ObjectStore
import PropertyLists
import TestSupport
import Testing

@testable import Presentation

/// What the viewer makes of bytes and texts.
struct ViewedContentTests {
    /// `label: summary` of a node and, indented, of those below it.
    private static func lines(_ node: OutlineNode, depth: Int = 0) -> [String] {
        let own = String(repeating: " ", count: depth) + node.label + ": " + node.summary
        return [own] + (depth < 8 ? node.children().flatMap { lines($0, depth: depth + 1) } : [])
    }

    @Test func bytesThatMayBeTextAreShownAsText() throws {
        let bytes = Data("Caf\u{E9} noir\nau lait".unicodeScalars.map { UInt8($0.value) })
        let content = ViewedContent(bytes: bytes)
        guard case .text(let text) = content.form else { throw NoOutline() }
        #expect(String(decoding: text.utf8, as: UTF8.self) == "Café noir\nau lait")
        #expect(content.layers == ["17 bytes, perhaps text in Latin-1"])
        #expect(content.stored == bytes)
    }

    private static func outline(_ content: ViewedContent) throws -> OutlineNode {
        guard case .outline(let root) = content.form else { throw NoOutline() }
        return root
    }

    private struct NoOutline: Error {}

    // MARK: JSON

    @Test func jsonKeepsOrderAndNull() throws {
        let text = #"{"z": 1, "a": [null, true, "1", 1.50], "é\n": {"x": "\ud83d\ude00"}, "z": -0e1}"#
        let content = ViewedContent(text: text)
        #expect(content.problem == nil && content.text?.utf8 == Data(text.utf8))
        #expect(
            try Self.lines(Self.outline(content)) == [
                ": 4 keys", " z: 1", " a: 4 items", "  0: null", "  1: true", "  2: 1", "  3: 1.50", " é␊: 1 key", "  x: 😀",
                " z: -0e1",
            ])
    }

    @Test(arguments: [
        "", "[", "[1", "[1,", "[1,]", "{", "{}x", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,}", "{a:1}", "01", "1.", "-", "1e",
        "nul", "\"", "\"\\", "\"\\u12\"", "\"\\x\"", "\"\u{1}\"", "[1 2]", "]",
    ]) func noJSON(text: String) { #expect(throws: JSONParser.Failure.self) { try JSONParser.parse(Array(text.utf8)) } }

    @Test func jsonAgreesWithFoundation() throws {
        var random = SeededGenerator(seed: 6)
        let parts = ["[", "]", "{", "}", ",", ":", "\"a\"", "1", "-2.5", "null", "true", " ", "\"\\u0041\"", "\"b\":"]
        var accepted = 0
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 1...7, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
            let ours = (try? JSONParser.parse(Array(text.utf8))) != nil
            let theirs = (try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)) != nil
            #expect(ours == theirs, "\(text)")
            if ours { accepted += 1 }
        }
        #expect(accepted > 500)
    }

    @Test func deepJSONIsABoundedMessage() {
        let content = ViewedContent(text: String(repeating: "[", count: 1_000_000))
        guard case .text = content.form else {
            Issue.record("not shown as text")
            return
        }
        #expect(content.problem == "no JSON: nested more than 512 levels deep at byte 513")
    }

    // MARK: Layers

    /// `{"a":1}` by gzip.
    private static let gzip: [UInt8] = [
        0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1, 7, 0, 0xf8, 0xff, 0x7b, 0x22, 0x61, 0x22, 0x3a, 0x31, 0x7d, 0x4f, 0xf2, 0x2a, 0x3f,
        7, 0,
        0, 0,
    ]

    @Test func looksIntoCompressedBytes() throws {
        // The check sum is found out by the test itself: a stored block, whose sum zlib verifies.
        var bytes = Self.gzip
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in Array(#"{"a":1}"#.utf8) {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        sum = ~sum
        for place in 0..<4 { bytes[bytes.count - 8 + place] = UInt8(truncatingIfNeeded: sum >> (UInt32(place) * 8)) }
        let content = ViewedContent(bytes: Data(bytes))
        #expect(content.layers == ["gzip, 30 bytes", "JSON, 7 bytes"] && content.problem == nil)
        #expect(content.stored == Data(bytes) && content.opened == Data(#"{"a":1}"#.utf8))
        #expect(try Self.lines(Self.outline(content)) == [": 1 key", " a: 1"])
        // Two members, one after the other.
        let twice = ViewedContent(bytes: Data(bytes + bytes))
        #expect(twice.opened == Data(#"{"a":1}{"a":1}"#.utf8))
        // Cut off: what can be read, and a word.
        let cut = ViewedContent(bytes: Data(bytes.prefix(20)))
        #expect(cut.problem?.hasPrefix("damaged or cut off") == true && cut.opened == Data(#"{"a":"#.utf8))
    }

    // MARK: Property lists

    @Test func archivesWithCyclesAndUnknownClasses() throws {
        var writer = KeyedArchiveWriter()
        let node = writer.reserve()
        writer.define(node, "XYNode", [("name", .string("loop")), ("next", .object(node))])
        writer.top = [("root", node)]
        let bytes = writer.bytes()
        let root = try Self.outline(ViewedContent(bytes: Data(bytes)))
        #expect(root.summary == "XYNode" && root.children().map(\.label) == ["name", "next"])
        #expect(root.child(at: 1)?.identity == root.identity)
        // What is left of the file when its end is missing is shown, or said to be unreadable; nothing traps.
        for length in 0..<bytes.count {
            let cut = ViewedContent(bytes: Data(bytes.prefix(length)))
            if case .outline(let root) = cut.form, cut.layers.last?.contains("archive") == true {
                #expect(cut.problem != nil && root.childCount >= 0)
            }
        }
    }

    @Test func oldStyleListsByTheirDictionaryAlone() throws {
        #expect(try Self.lines(Self.outline(ViewedContent(text: "{ a = b; }"))) == [": 1 key", " a: b"])
        for text in ["(see below)", "(a)", "{x", "{}", "plain"] {
            if case .text = ViewedContent(text: text).form { continue }
            if text != "{}" { Issue.record("\(text)") }
        }
    }

    // MARK: Protobuf

    @Test func protobufIsAGuess() throws {
        let bytes: [UInt8] = [0x08, 0x96, 0x01, 0x12, 7] + Array("testing".utf8) + [0x1a, 2, 0x08, 1, 0x25, 0, 0, 0x80, 0x3f]
        let content = ViewedContent(bytes: Data(bytes))
        #expect(content.layers == ["21 bytes, perhaps protobuf"])
        #expect(
            try Self.lines(Self.outline(content)) == [
                ": perhaps protobuf: 4 fields", " 1: 150", " 2: testing", " 3: perhaps protobuf: 1 field", "  1: 1",
                " 4: 1065353216 or 1.0",
            ])
        for length in [1, 2, 4, 7, 14, 20] { #expect(ProtobufMessage(Array(bytes.prefix(length))) == nil, "\(length)") }
    }

    @Test func randomBytesNeverTrap() {
        var random = SeededGenerator(seed: 61)
        let starts: [[UInt8]] = [
            [], Array("bplist00".utf8), [0x1F, 0x8B, 8], [0x78, 0x9C], Array("{\"".utf8), Array("<?xml".utf8), [0xFF, 0xFE],
            [0x0A],
        ]
        for _ in 0..<5_000 {
            let rest = (0..<Int.random(in: 0...80, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
            let content = ViewedContent(bytes: Data((starts.randomElement(using: &random) ?? []) + rest))
            if case .outline(let root) = content.form { _ = Self.lines(root, depth: 4) }
            #expect(!content.layers.isEmpty)
        }
    }

    // MARK: Texts

    private static func pieces(_ text: TextContent) -> [TextContent.Piece] {
        var pieces: [TextContent.Piece] = []
        var start = 0
        repeat {
            let piece = text.piece(at: start)
            pieces.append(piece)
            start = piece.next
        } while start < text.count
        return pieces
    }

    @Test func piecesAreLines() {
        let text = TextContent(utf8: Data("one\r\ntwo\n\nthree\n".utf8))
        #expect(Self.pieces(text).map(\.text) == ["one", "two", "", "three"])
        #expect(text.start(ofLine: 0) == 0 && text.start(ofLine: 3) == 10 && text.start(ofLine: 99) == 10)
        #expect(text.lineFeeds(before: 10) == 3)
    }

    /// Long lines, short ones, no spaces, wide characters: whatever the way there, a byte is in one piece.
    @Test func piecesAreTheSameFromBothSides() {
        var random = SeededGenerator(seed: 62)
        let parts = ["\n", " ", "word", "é", "東京", "\r\n", "x", "🇩🇪"]
        for round in 0..<40 {
            var bytes: [UInt8] = []
            while bytes.count < 14_000 {
                let part = round % 4 == 0 ? "東" : round % 4 == 1 ? "x" : parts.randomElement(using: &random) ?? ""
                let count = Int.random(in: 1...(round % 4 == 3 ? 3_000 : 40), using: &random)
                bytes += Array(String(repeating: part == "\n" ? "\n" : part, count: count).utf8)
            }
            let text = TextContent(utf8: Data(bytes))
            let pieces = Self.pieces(text)
            // Nothing is lost, nothing is cut inside of a character.
            var end = 0
            for piece in pieces {
                #expect(piece.range.lowerBound == end)
                #expect(piece.text.utf8.count == piece.range.count)
                #expect(piece.range.count <= TextContent.longestPiece + 256)
                end = piece.next
            }
            #expect(end == bytes.count)
            for (place, piece) in pieces.enumerated() where place > 0 {
                #expect(text.start(ofPieceHolding: piece.range.lowerBound - 1) == pieces[place - 1].range.lowerBound)
            }
            for _ in 0..<200 {
                let byte = Int.random(in: 0..<bytes.count, using: &random)
                let piece = pieces.last { $0.range.lowerBound <= byte }
                #expect(text.start(ofPieceHolding: byte) == piece?.range.lowerBound)
            }
        }
    }

    @Test func encodings() {
        for (bytes, expected) in [
            ([0xFF, 0xFE, 0x41, 0, 0xE9, 0], "Aé"), ([0xFE, 0xFF, 0, 0x41, 0, 0xE9], "Aé"),
            ([0xEF, 0xBB, 0xBF, 0x41, 0x42], "AB"),
        ] as [([UInt8], String)] {
            guard case .text(let text) = ViewedContent(bytes: Data(bytes)).form else {
                Issue.record("no text: \(expected)")
                continue
            }
            #expect(String(decoding: text.utf8, as: UTF8.self) == expected)
        }
        // A text stays one, whatever characters it has.
        guard case .text = ViewedContent(text: "\u{1}\u{2}abc").form else {
            Issue.record("a text with control characters")
            return
        }
    }

    /// Each object that ends costs what it holds, not what was read before it.
    @Test func manySmallObjectsInOneArray() {
        let text = "[" + (0..<100_000).map { "{\"k\":\($0)}" }.joined(separator: ",") + "]"
        guard case .outline(let root) = ViewedContent(text: text).form else {
            Issue.record("no outline")
            return
        }
        #expect(root.childCount == 100_000)
        #expect(root.child(at: 99_999)?.child(at: 0)?.summary == "99999")
        // At a first look it is a text, whose outline is still to come.
        let first = ViewedContent(text: text, isFirstLook: true)
        #expect(first.awaitsOutline)
        guard case .text = first.form else {
            Issue.record("no text")
            return
        }
        #expect(!ViewedContent(text: "[1]", isFirstLook: true).awaitsOutline)
    }

    /// An odd number of bytes is no UTF-16: none of them is dropped.
    @Test func oddLengthIsNoUTF16() {
        let bytes = Data([0xFF, 0xFE, 0xFD, 0x20, 0x61, 0x62, 0x63])
        let content = ViewedContent(bytes: bytes)
        guard case .bytes = content.form else {
            Issue.record("\(content.form)")
            return
        }
        #expect(content.opened == bytes && RecognizedContent(bytes).title == "7 bytes")
        let long = Data([0xFF, 0xFE] + Array(repeating: [0x41, 0], count: 4000).joined())
        guard case .text(let text) = ViewedContent(bytes: long).form else {
            Issue.record("no text")
            return
        }
        #expect(text.count == 4000)
        #expect(RecognizedContent(long + [0x41]).kind == .unknown)
    }
}

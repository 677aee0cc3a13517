import Foundation
import IndexPathModel
import ObjectStore
import TestSupport
import Testing

@testable import Fetching

/// The search over chunks of folded texts beside a plain loop over strings.
struct SearchTextsTests {
    private static let schema = Schema(
        entities: [
            Entity(
                name: "Word", tableName: "WORD",
                attributes: [
                    Attribute(name: "name", type: .string, columnName: "NAME"),
                    Attribute(name: "note", type: .string, columnName: "NOTE"),
                ])
        ], origin: .inferred)

    private static func texts(
        _ rows: [(String?, String?)], keys: (Int) -> ObjectKey, listed: [Int], limit: Int = SearchTexts.usualLimit
    ) throws -> (SearchTexts, ListContents.Model) {
        let store = MemoryObjectStore(
            schema: schema,
            objects: rows.enumerated().map { place, row in
                .init(
                    "Word", keys(place), ["name": row.0.map { .string($0) } ?? .null, "note": row.1.map { .string($0) } ?? .null])
            })
        let half = listed.count / 2
        let model = ListContents.Model(
            identifiers: ContiguousArray(listed.map { keys($0) }),
            sections: [
                (name: .init("a"), indexTitle: nil, count: half), (name: .init("b"), indexTitle: nil, count: listed.count - half),
            ])
        let texts = try SearchTexts(
            store: store, request: FetchRequest(entityName: "Word"),
            keyPaths: [schema.keyPath("name", in: "Word"), schema.keyPath("note", in: "Word")], model: model,
            progress: FetchProgress(), limit: limit)
        return (texts, model)
    }

    /// Rows and queries from few letters, so that there are many hits; keys dense and sparse; some objects not in the list.
    @Test func agreesWithAPlainLoop() throws {
        var random = SeededGenerator(seed: 11)
        let letters = Array("aAbäÄßSé e\u{301}東\u{0}\u{1}Ωω")
        func text(_ most: Int) -> String {
            String((0..<Int.random(in: 0...most, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a" })
        }
        for round in 0..<40 {
            let rows: [(String?, String?)] = (0..<Int.random(in: 0...300, using: &random)).map { place in
                (place % 7 == 0 ? nil : text(place % 50 == 0 ? 200 : 12), Bool.random(using: &random) ? nil : text(8))
            }
            let listed = rows.indices.filter { _ in Int.random(in: 0..<5, using: &random) > 0 }.shuffled(using: &random)
            let (texts, model) = try Self.texts(
                rows, keys: { round % 2 == 0 ? ObjectKey($0 + 1) : ObjectKey($0) * 1_000_003 - 5_000 }, listed: listed,
                // Too little to keep anything: then each search is a pass over the store.
                limit: round % 3 == 0 ? 10 : SearchTexts.usualLimit)
            for _ in 0..<20 {
                let query = SearchQuery(text(5))
                guard !query.isEmpty else { continue }
                let found = try texts.matches(query, alphabetical: nil, progress: FetchProgress())
                let wanted = listed.indices.filter { place in
                    let row = rows[listed[place]]
                    return query.words.allSatisfy { word in
                        [row.0, row.1].contains { text in
                            text.map { Data(SearchFolding.plainFold($0).utf8.map { max($0, 2) }).range(of: Data(word)) != nil }
                                ?? false
                        }
                    }
                }
                #expect(found.positions.map { Int($0) } == wanted, "\(query.text)")
                #expect(found.contents.model.items.elementsEqual(wanted.map { model.items[$0] }))
                let sections = (0..<found.contents.model.numberOfSections).map {
                    found.contents.model.numberOfRows(inSection: $0) ?? 0
                }
                let split = wanted.count { $0 < listed.count / 2 }
                #expect(sections.filter { $0 > 0 } == [split, wanted.count - split].filter { $0 > 0 })
                for place in listed.indices { #expect(found.number(ofHitAt: place) == wanted.firstIndex(of: place)) }
            }
        }
    }

    /// More than one chunk, both threads, and texts about as long as a chunk's row may be.
    @Test func agreesOverChunks() throws {
        var random = SeededGenerator(seed: 12)
        let rows: [(String?, String?)] = (0..<30_000).map { place in
            let length = place % 1_000 == 0 ? 70_000 : Int.random(in: 20...80, using: &random)
            return (String((0..<length).map { _ in "abcdefgh".randomElement(using: &random) ?? "a" }), nil)
        }
        let (texts, _) = try Self.texts(rows, keys: { ObjectKey($0) }, listed: Array(rows.indices))
        let (unkept, _) = try Self.texts(rows, keys: { ObjectKey($0) }, listed: Array(rows.indices), limit: 1_500_000)
        for query in ["abcd", "hgfed", "abcdefg", "ac bd", "h", "aaaaaaaaaaaaaaaaaaaaaaaa"] {
            let found = try texts.matches(SearchQuery(query), alphabetical: nil, progress: FetchProgress())
            let words = query.split(separator: " ").map { Array($0.utf8) }
            let wanted = rows.indices.filter { place in
                // So much of a text is searched.
                let text = Array((rows[place].0 ?? "").utf8.prefix(1 << 16))
                return words.allSatisfy { SearchFolding.find($0, in: text, from: 0) != nil }
            }
            #expect(found.positions.map { Int($0) } == wanted, "\(query)")
            let again = try unkept.matches(SearchQuery(query), alphabetical: nil, progress: FetchProgress())
            #expect(again.positions == found.positions, "\(query)")
        }
    }

    /// What a scan remembers of scalars is what Foundation makes of whole texts.
    @Test func folderAgreesWithFoundation() {
        var random = SeededGenerator(seed: 13)
        let folder = SearchFolder()
        let ranges: [Range<UInt32>] = [
            0..<0x250, 0x250..<0x600, 0x370..<0x530, 0x900..<0xA00, 0x1100..<0x1200, 0x1E00..<0x2000, 0x2E80..<0x3100,
            0x3040..<0x3130, 0xAC00..<0xB000, 0xF900..<0x1_0000, 0xFF00..<0xFFF0, 0..<0x1_1000,
        ]
        for range in ranges {
            for _ in 0..<4_000 {
                var text = String.UnicodeScalarView()
                for _ in 0..<Int.random(in: 1...6, using: &random) {
                    if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) { text.append(scalar) }
                }
                var string = String(text)
                string.withUTF8 { folder.fold(UnsafeRawBufferPointer($0)) }
                let isSame = folder.result == SearchFolding.plainFold(String(text)).utf8.map { max($0, 2) }
                #expect(isSame, "\(text.map { String($0.value, radix: 16) })")
            }
        }
    }

    @Test func bytesThatAreNoTextAreRepairedAsByFoundation() {
        let folder = SearchFolder()
        for bytes: [UInt8] in [
            [0xC3], [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xFF, 0x41], [0x41, 0xE4, 0xB8], [0xF0, 0x9F],
        ] {
            bytes.withUnsafeBytes { folder.fold($0) }
            let wanted = SearchFolding.plainFold(String(decoding: bytes, as: UTF8.self)).utf8.map { max($0, 2) }
            #expect(folder.result == wanted, "\(bytes)")
        }
    }
}

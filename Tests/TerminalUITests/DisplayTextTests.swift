import TestSupport
import Testing

@testable import TerminalUI

/// Texts of all that gives trouble, by chance.
struct TroubleTexts {
    private static let parts: [String] =
        [
            "a", "B", " ", "  ", "9", "-", "\n", "\r\n", "\r", "\t", "\u{1B}[31m", "\u{7F}", "\u{85}", "\u{9B}", "é", "e\u{301}",
            "\u{301}",
        ]
        + ["世", "界", "　", "한", "\u{1112}\u{1161}\u{11AB}", "\u{1161}", "नि", "क्ष", "กำ", "👍🏽", "👨‍👩‍👧", "🇩🇪", "🇩", "1️⃣", "❤️"]
        + [
            "\u{202E}", "\u{2066}", "\u{200B}", "\u{200D}", "\u{200C}", "\u{FEFF}", "\u{2028}", "\u{E0041}",
            "🏴\u{E0067}\u{E007F}",
        ]
        + [
            "\u{FE0F}", "\u{FE0F}\u{FE0F}", "\u{FFFD}", "\u{FFFF}", "\u{0600}", "\u{0600}1", "\u{3164}", "\u{AD}",
            "z\u{301}\u{302}\u{303}\u{304}\u{305}",
        ]

    var generator: SeededGenerator

    mutating func next(parts limit: Int) -> String {
        (0..<Int.random(in: 0...limit, using: &generator)).map { _ in Self.parts.randomElement(using: &generator) ?? "" }.joined()
    }
}

@Suite struct DisplayTextTests {
    /// Written apart from the code's rule: nothing of this may reach a terminal.
    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .unassigned: true
        case .format: scalar.properties.isDefaultIgnorableCodePoint || (0xFFF9...0xFFFB).contains(scalar.value)
        default: scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    private static var allScalars: some Sequence<Unicode.Scalar> { (UInt32(0)...0x10FFFF).lazy.compactMap { Unicode.Scalar($0) } }

    @Test func noScalarThatATerminalObeysOrHidesComesThrough() {
        var failures: [Unicode.Scalar] = []
        for scalar in Self.allScalars {
            switch DisplayText.kind(of: scalar) {
            case .standIn(let standIn): if Self.isHarmful(standIn) { failures.append(scalar) }
            case .spacing, .mark: if Self.isHarmful(scalar) { failures.append(scalar) }
            case .joiner, .variationSelector, .tag: break
            }
            // Beyond, strings add nothing to the kinds but time.
            guard scalar.value < 0x3200 || (0xE0000..<0xE0200).contains(scalar.value) else { continue }
            let shown = DisplayText.printable(String(scalar))
            if shown.isEmpty || shown.unicodeScalars.contains(where: Self.isHarmful) { failures.append(scalar) }
            let cluster = DisplayText.cluster(Character(scalar))
            if cluster.width < 1 || cluster.text.unicodeScalars.contains(where: Self.isHarmful) { failures.append(scalar) }
        }
        #expect(failures == [])
    }

    @Test func shortCutsGiveTheFullRule() {
        var failures: [Unicode.Scalar] = []
        for value in Array(UInt32(0xA0)..<0x3200) + Array(0x4D00..<0xD800) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            if DisplayText.kind(of: scalar) != DisplayText.fullKind(of: scalar) { failures.append(scalar) }
        }
        #expect(failures == [])
    }

    @Test(arguments: [
        ("a\u{1B}[31m", "a␛[31m"), ("\t", "␉"), ("a\nb", "a␊b"), ("a\r\nb", "a␍␊b"), ("\0\u{7F}", "␀␡"),
        ("\u{9B}31m", "\u{FFFD}31m"),
        ("x\u{202E}y\u{2066}\u{2069}", "x␦y␦␦"), ("a\u{200D}b", "a␦b"), ("\u{FEFF}a", "␦a"), ("a\u{2028}b", "a␦b"),
        ("\u{FFFD}", "\u{FFFD}"),
        ("\u{301}a", "◌\u{301}a"), ("می\u{200C}خواهم", "می\u{200C}خواهم"), ("👨‍👩‍👧🇩🇪❤️", "👨‍👩‍👧🇩🇪❤️"), ("❤\u{FE0F}\u{FE0F}", "❤\u{FE0F}␦"),
        ("a\u{E0041}", "a␦"), ("🏴\u{E0067}\u{E0062}\u{E007F}", "🏴\u{E0067}\u{E0062}\u{E007F}"), ("soft\u{AD}", "soft␦"), ("", ""),
    ])
    func standIns(text: String, shown: String) { #expect(DisplayText.printable(text) == shown) }

    @Test func lineFeedsStayWhereAsked() {
        #expect(DisplayText.printable("a\r\nb\nc\rd\u{1B}", keepsLineFeeds: true) == "a\nb\nc␍d␛")
    }

    @Test(arguments: [
        ("", 0), ("abc", 3), ("世界", 4), ("e\u{301}", 1), ("👨‍👩‍👧", 2), ("🇩🇪", 1), ("👍🏽", 2), ("नि", 2), ("क्ष", 2), ("한", 2),
        ("\u{0600}👨", 3), ("👨\u{200C}\u{200D}👩", 5),
        ("\u{1112}\u{1161}\u{11AB}", 2), ("\u{1B}", 1), ("\r\n", 2), ("ﷺ", 1), ("❤️", 1),
    ])
    func widths(text: String, width: Int) { #expect(DisplayText.width(of: text) == width) }

    @Test func clustersThatCursesCannotHold() {
        #expect(DisplayText.cluster("👨‍👩‍👧") == DisplayCluster("👨‍👩‍👧", pieces: [.init(text: "👨", width: 2)]))
        #expect(DisplayText.cluster("🇩🇪") == DisplayCluster("🇩🇪", pieces: [.init(text: "🇩\u{200C}", width: 1)]))
        // What is left of flags is no flag, whatever stands beside it.
        for text in ["🇩🇪🇪🇸", "🇩🇪🇪", "🇬🇧🇧🇷🇩🇪", "🇩"] {
            let cells = text.map { DisplayText.cluster($0).first.text }.joined()
            #expect(cells.count == text.count && cells.allSatisfy { $0.unicodeScalars.count == 2 })
        }
        #expect(DisplayText.cluster("का").text == "का")
        #expect(DisplayText.cluster("का").rest == [.init(text: "ा", width: 1)])
        let marks = DisplayText.cluster(Character("a" + String(repeating: "\u{301}", count: 20)))
        #expect(marks.text.unicodeScalars.count == 1 + DisplayText.maximumMarks)
        // Many letters in one cluster are bounded too.
        let letters = DisplayText.cluster(Character("क" + String(repeating: "ा", count: 30)))
        #expect(letters.rest.count < DisplayText.maximumPieces)
    }

    /// The plain algorithm: Swift's own characters one by one.
    private func plainClusters(_ text: String) -> [String] { text.map { DisplayText.cluster($0).text } }

    @Test func walkingFindsSwiftsOwnClusters() {
        var texts = TroubleTexts(generator: SeededGenerator(seed: 1))
        for _ in 0..<600 {
            let text = texts.next(parts: 12)
            var clusters: [String] = []
            var end = 0
            DisplayText.forEachCluster(in: text) { cluster, range in
                #expect(range.lowerBound == end)
                end = range.upperBound
                clusters.append(cluster.text)
                return true
            }
            #expect(end == text.utf8.count)
            #expect(clusters == plainClusters(text), "\(text.unicodeScalars.map { $0.value })")
        }
    }

    @Test func longRunsAreWalkedWhole() {
        // Longer than one run of the walker, with the runs' ends at every place of a cluster.
        for offset in 0..<12 {
            let text = String(repeating: "é", count: offset) + String(repeating: "क्ष👨‍👩‍👧世e\u{301}", count: 60)
            var clusters: [String] = []
            DisplayText.forEachCluster(in: text) { cluster, _ in
                clusters.append(cluster.text)
                return true
            }
            #expect(clusters == plainClusters(text))
        }
    }

    @Test func aClusterOfAMillionMarksIsNotWalkedWhole() {
        let text = "a" + String(repeating: "\u{301}", count: 1_000_000) + "b"
        var steps = 0
        var bytes = 0
        DisplayText.forEachCluster(in: text) { _, range in
            steps += 1
            bytes = range.upperBound
            return steps < 10
        }
        #expect(bytes <= 10 * DisplayText.maximumClusterBytes)
        #expect(DisplayText.width(of: DisplayText.truncate(text, to: 10)) == 10)
    }

    @Test func printableIsDone() {
        var texts = TroubleTexts(generator: SeededGenerator(seed: 2))
        for _ in 0..<500 {
            let text = texts.next(parts: 10)
            let shown = DisplayText.printable(text)
            #expect(DisplayText.printable(shown) == shown, "\(text.unicodeScalars.map { $0.value })")
            let lines = DisplayText.printable(text, keepsLineFeeds: true)
            #expect(DisplayText.printable(lines, keepsLineFeeds: true) == lines)
        }
    }

    @Test func truncatingAgainstThePlainRule() {
        var texts = TroubleTexts(generator: SeededGenerator(seed: 3))
        for _ in 0..<200 {
            let text = texts.next(parts: 10)
            let clusters = text.map { DisplayText.cluster($0) }
            let whole = clusters.reduce(0) { $0 + $1.width }
            #expect(DisplayText.width(of: text) == whole)
            for columns in 0..<12 {
                let cut = DisplayText.truncate(text, to: columns)
                let start = DisplayText.truncateStart(text, to: columns)
                let first = DisplayText.firstCells(of: text, columns: columns)
                guard whole > columns else {
                    #expect(cut == plainClusters(text).joined())
                    #expect(start == cut)
                    #expect(first.text == cut && first.width == whole)
                    continue
                }
                guard columns > 0 else {
                    #expect(cut == "" && start == "" && first.text == "")
                    continue
                }
                #expect(cut == prefix(clusters, columns - 1) + "…")
                #expect(start == "…" + suffix(clusters, columns - 1))
                #expect(first.text == prefix(clusters, columns))
            }
        }
    }

    private func prefix(_ clusters: [DisplayCluster], _ columns: Int) -> String {
        var width = 0
        return clusters.prefix {
            width += $0.width
            return width <= columns
        }.map(\.text).joined()
    }

    private func suffix(_ clusters: [DisplayCluster], _ columns: Int) -> String {
        var width = 0
        return clusters.reversed().prefix {
            width += $0.width
            return width <= columns
        }.reversed().map(\.text).joined()
    }

    @Test func aHitIsFoundInCells() throws {
        let text = "世界 und e\u{301}t\u{1B}c"
        let und = try #require(text.firstRange(of: "und"))
        #expect(DisplayText.cells(of: und, in: text) == 5..<8)
        let et = try #require(text.firstRange(of: "e\u{301}t"))
        #expect(DisplayText.cells(of: et, in: text) == 9..<11)
        #expect(DisplayText.cells(of: text.startIndex..<text.index(after: text.startIndex), in: text) == 0..<2)
        #expect(DisplayText.cells(of: text.endIndex..<text.endIndex, in: text).isEmpty)
    }
}

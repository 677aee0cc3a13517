import Foundation
import ObjectStore
import Presentation
import PropertyLists
import TerminalUI
import TestSupport
import Testing

@testable import Screens

/// The viewer: outlines, texts, bytes.
struct ViewerScreenTests {
    private static let json = #"""
        {"name": "Ada", "tags": ["x", 1, null, true], "far": {"deeper": {"word": "needle"}}, "none": {}}
        """#

    private static func screen(_ content: ViewedContent, _ size: Size = Size(60, 12)) -> ViewerScreen {
        var screen = ViewerScreen(content, breadcrumb: ["People", "Ada", "body"])
        screen.resize(to: size)
        return screen
    }

    /// Types into the prompt.
    private static func type(_ text: String, into screen: inout ViewerScreen) -> [Effect] {
        KeyScript.keys(text).flatMap { screen.handle($0) }
    }

    private static func cursorRow(_ screen: ViewerScreen, _ size: Size = Size(60, 12)) -> String {
        let frame = screen.frame(size)
        let row = (0..<size.rows).first { frame[$0, 0]?.style.isCursor == true }
        return row.map { frame.text(row: $0).trimmingCharacters(in: .whitespaces) } ?? "none"
    }

    // MARK: Looks

    @Test func outline() {
        let size = Size(60, 14)
        #expect(
            Self.screen(ViewedContent(text: Self.json), size).frame(size).snapshot() == """
                 People › Ada › body                         JSON, 96 bytes
                 ▾ 4 keys
                     name  "Ada"
                   ▾ tags  4 items
                       0  "x"
                       1  1
                       2  null
                       3  true
                   ▾ far  1 key
                     ▾ deeper  1 key
                         word  "needle"
                     none  0 keys

                                                                     ? help
                """)
    }

    @Test func bytesAtEveryWidth() {
        let content = ViewedContent(bytes: Data((0..<40).map { UInt8($0 * 6 % 256) } + [0xFF, 0xFE]))
        let expected = [
            20: " 00000000  00  .", 40: " 00000000  00 06 0c 12  ....",
            80: " 00000000  00 06 0c 12 18 1e 24 2a  30 36 3c 42 48 4e 54 5a  ......$*06<BHNTZ",
            200: " 00000000  00 06 0c 12 18 1e 24 2a  30 36 3c 42 48 4e 54 5a  60 66 6c 72 78 7e 84 8a  90 96 9c a2 a8 ae b4 ba"
                + "  ......$*06<BHNTZ`flrx~..........",
        ]
        for (columns, line) in expected {
            let size = Size(columns, 6)
            let shown = Self.screen(content, size).frame(size).snapshot().split(separator: "\n")[1]
            #expect(shown.hasPrefix(line), "\(columns): \(shown)")
        }
    }

    @Test func problemStandsAboveWhatCouldBeRead() {
        let size = Size(50, 5)
        let frame = Self.screen(ViewedContent(text: "[1,"), size).frame(size)
        #expect(frame.text(row: 1).hasPrefix(" no JSON: no value at byte 3"))
        #expect(frame[1, 1]?.style.role == .failure)
        #expect(frame.text(row: 2).hasPrefix(" [1,"))
    }

    // MARK: Folds

    @Test func foldsAndParents() {
        var screen = Self.screen(ViewedContent(text: Self.json))
        for _ in 0..<4 { _ = screen.perform(.moveDown) }
        #expect(Self.cursorRow(screen) == "1  1")
        #expect(screen.perform(.moveLeft) == [])
        #expect(Self.cursorRow(screen) == "▾ tags  4 items")
        _ = screen.perform(.moveLeft)
        #expect(Self.cursorRow(screen) == "▸ tags  4 items")
        _ = screen.perform(.moveRight)
        #expect(Self.cursorRow(screen) == "▾ tags  4 items")
        _ = screen.perform(.toggleSection)
        _ = screen.perform(.nextSection)
        #expect(Self.cursorRow(screen) == "▾ far  1 key")
        _ = screen.perform(.collapseAll)
        #expect(Self.cursorRow(screen) == "▸ far  1 key")
        _ = screen.perform(.open)
        #expect(screen.frame(Size(60, 12)).snapshot().contains("▸ deeper"))
        _ = screen.perform(.expandAll)
        #expect(screen.frame(Size(60, 12)).snapshot().contains("needle"))
        _ = screen.perform(.moveToStart)
        #expect(screen.perform(.moveLeft) == [.back])
        #expect(screen.perform(.back) == [.back])
    }

    @Test func manyChildrenComeInParts() {
        let items = (0..<2_500).map(String.init).joined(separator: ",")
        var screen = Self.screen(ViewedContent(text: "[\(items)]"))
        #expect(
            screen.frame(Size(60, 12)).snapshot().split(separator: "\n")[1...4].map(String.init) == [
                " ▾ 2500 items", "   ▸ 0 … 999", "   ▸ 1000 … 1999", "   ▸ 2000 … 2499",
            ])
        _ = screen.perform(.moveToEnd)
        _ = screen.perform(.moveRight)
        _ = screen.perform(.moveToEnd)
        #expect(Self.cursorRow(screen) == "2499  2499")
        // A hit in a part that is folded.
        _ = screen.perform(.find)
        _ = Self.type("1234<Enter>", into: &screen)
        #expect(Self.cursorRow(screen) == "1234  1234")
    }

    @Test func cyclesUnfoldStepByStepAndNotAtOnce() {
        var writer = KeyedArchiveWriter()
        let node = writer.reserve()
        writer.define(node, "XYNode", [("name", .string("loop")), ("next", .object(node))])
        writer.top = [("root", node)]
        var screen = Self.screen(ViewedContent(bytes: Data(writer.bytes())))
        _ = screen.perform(.expandAll)
        _ = screen.perform(.moveToEnd)
        #expect(Self.cursorRow(screen).hasPrefix("▸ next  XYNode"))
        #expect(Self.cursorRow(screen).contains("stands above already"))
        for _ in 0..<300 {
            _ = screen.perform(.moveRight)
            _ = screen.perform(.moveToEnd)
        }
        #expect(Self.cursorRow(screen).contains("next"))
        _ = screen.perform(.find)
        #expect(Self.type("nowhere<Enter>", into: &screen).last == .message("no match for “nowhere”"))
    }

    @Test func randomFoldingKeepsRowsRight() {
        var random = SeededGenerator(seed: 63)
        var model = OutlineModel(JSONOutline.nested(depth: 5, width: 3))
        for _ in 0..<500 {
            let row = Int.random(in: 0..<model.rowCount, using: &random)
            guard let entry = model.entry(atRow: row) else { continue }
            if Bool.random(using: &random) { model.unfold(entry) } else { model.fold(entry) }
            // The rows again, by walking down from the root.
            var expected: [OutlineEntry] = []
            func walk(_ entry: OutlineEntry) {
                expected.append(entry)
                if model.isUnfolded(entry) { for child in entry.children { walk(child) } }
            }
            walk(model.root)
            #expect(
                (0..<model.rowCount).map { model.entry(atRow: $0).map(ObjectIdentifier.init) }
                    == expected.map { ObjectIdentifier($0) })
            #expect((0..<model.rowCount).map { model.level(atRow: $0) } == expected.map(\.level))
        }
    }

    /// A long text is there at once, and its outline when it is made.
    @Test(arguments: [false, true]) func longTextsBecomeOutlines(isTouched: Bool) {
        let text = "[" + (0..<60_000).map { "\"\($0)\"" }.joined(separator: ",") + "]"
        let size = Size(60, 6)
        var screen = ViewerScreen(breadcrumb: ["body"])
        screen.resize(to: size)
        #expect(screen.takeRequests().map(\.kind) == [.value])
        _ = screen.receive(DataReply(.value(ViewedContent(text: text, isFirstLook: true)), generation: 0))
        #expect(screen.frame(size).text(row: 1).hasPrefix(#" ["0","1","2","#))
        #expect(screen.frame(size).text(row: 5).contains("reading its outline…"))
        #expect(screen.takeRequests().map(\.kind) == [.outline])
        #expect(screen.takeRequests().isEmpty)
        if isTouched { _ = screen.perform(.moveDown) }
        let effects = screen.receive(DataReply(.value(ViewedContent(text: text)), generation: 0))
        #expect(!screen.frame(size).text(row: 5).contains("reading"))
        if isTouched {
            // The reader stays where the reader is.
            #expect(effects == [.message("v shows it as an outline, too")])
            #expect(screen.frame(size)[2, 0]?.style.isCursor == true)
            _ = screen.perform(.toggleRawValues)
            _ = screen.perform(.toggleRawValues)
        }
        #expect(screen.frame(size).text(row: 1).hasPrefix(" ▾ 60000 items"))
    }

    @Test func walksBackwardsAsForwards() {
        let root = OutlineEntry(root: JSONOutline.nested(depth: 4, width: 3))
        var walk = OutlineWalk(root)
        var paths = [walk.current.path]
        while walk.moveForward() { paths.append(walk.current.path) }
        #expect(Set(paths).count == paths.count && paths.count > 100)
        #expect(OutlineWalk.end(of: root).current.path == paths.last)
        for path in paths.reversed() {
            #expect(walk.current.path == path)
            #expect(OutlineWalk(root, at: path).current.path == path)
            #expect(walk.moveBackward() == !path.isEmpty)
        }
    }

    /// More nodes than one search looks at: it says so, and goes on where it was.
    @Test func searchOfManyNodesGoesOnWhereItWas() {
        let node = OutlineNode(label: "", kind: .array, summary: "many", childCount: 1_200) { positions in
            positions.map { OutlineNode(label: String($0), kind: .string, summary: $0 == 1_100 ? "needle" : "hay") }
        }
        var pane = OutlinePane(node)
        pane.resize(rows: 10, columns: 60)
        pane.searched = 500
        pane.searchedWhileTyping = 100
        /// What searching until there is nothing more to look at comes to.
        func search(_ text: String) -> [FindOutcome] {
            var outcomes = [pane.find(text, forward: true, includesCursor: true)]
            while case .unfinished? = outcomes.last, outcomes.count < 10 {
                outcomes.append(pane.find(text, forward: true, includesCursor: false))
            }
            return outcomes
        }
        #expect(
            search("needle") == [.unfinished(lookedAt: 100), .unfinished(lookedAt: 500), .unfinished(lookedAt: 500), .found])
        #expect(pane.lineText == "1100  needle")
        let absent = search("absent")
        #expect(absent.last == FindOutcome.none && absent.count == 4)
        // Backwards from there the way is short.
        #expect(pane.find("1099", forward: false, includesCursor: false) == .found)
    }

    private enum JSONOutline {
        static func nested(depth: Int, width: Int) -> OutlineNode {
            OutlineNode(label: "n", kind: .array, summary: "", childCount: depth > 0 ? width : 0) { range in
                range.map { _ in nested(depth: depth - 1, width: width) }
            }
        }
    }

    // MARK: Finding, copying, writing

    @Test func findsInFoldedBranchesAndGoesRound() {
        var screen = Self.screen(ViewedContent(text: Self.json))
        _ = screen.perform(.collapseAll)
        _ = screen.perform(.find)
        _ = Self.type("need", into: &screen)
        #expect(Self.cursorRow(screen) == "/need" || screen.frame(Size(60, 12)).snapshot().contains("\"needle\""))
        _ = Self.type("<Enter>", into: &screen)
        #expect(Self.cursorRow(screen) == "word  \"needle\"")
        #expect(screen.perform(.nextHit) == [.message("no further hit")])
        #expect(Self.cursorRow(screen) == "word  \"needle\"")
        // Esc while typing brings everything back.
        _ = screen.perform(.moveToStart)
        _ = screen.perform(.find)
        _ = Self.type("true<Esc>", into: &screen)
        #expect(Self.cursorRow(screen).hasSuffix("4 keys"))
    }

    @Test func copiesTheWholeValueAndWritesWhatIsStored() {
        let long = String(repeating: "long ", count: 100)
        var screen = Self.screen(ViewedContent(text: "[\"\(long)\"]"))
        _ = screen.perform(.moveDown)
        #expect(screen.perform(.copy) == [.copy(long, label: "line")])
        guard case .viewPart(.string(long), title: "0", let place)? = screen.perform(.open).first else {
            Issue.record("no part")
            return
        }
        #expect(place.steps.map(\.label) == ["0"])
        #expect(screen.perform(.writeBytes) == [] && screen.takesKeys)
        #expect(Self.type("a.bin<Enter>", into: &screen) == [.write(Data("[\"\(long)\"]".utf8), toFile: "a.bin")])
        #expect(!screen.takesKeys)
    }

    @Test func rawValuesGoRound() {
        var screen = Self.screen(ViewedContent(text: Self.json))
        #expect(screen.perform(.toggleRawValues) == [.message("as text")])
        #expect(screen.frame(Size(60, 12)).text(row: 1).hasPrefix(" {\"name\": \"Ada\""))
        #expect(screen.perform(.toggleRawValues) == [.message("the bytes as stored")])
        #expect(screen.frame(Size(60, 12)).text(row: 1).hasPrefix(" 00000000  7b 22 6e 61"))
        #expect(screen.perform(.toggleRawValues) == [.message("as an outline")])
        #expect(Self.cursorRow(screen).hasSuffix("4 keys"))
    }

    @Test func findsBytes() {
        var bytes = Data(repeating: 0, count: 10_000_000)
        bytes.replaceSubrange(9_000_000..<9_000_004, with: [0xDE, 0xAD, 0xBE, 0xEF])
        bytes.replaceSubrange(5_000_000..<5_000_006, with: Array("needle".utf8))
        var screen = Self.screen(ViewedContent(bytes: bytes))
        _ = screen.perform(.find)
        _ = Self.type("0xdeadbeef<Enter>", into: &screen)
        #expect(Self.cursorRow(screen).hasPrefix("00895440  de ad be ef"))
        _ = screen.perform(.find)
        _ = Self.type("needle<Enter>", into: &screen)
        #expect(Self.cursorRow(screen).hasPrefix("004c4b40  6e 65 65 64 6c 65"))
        _ = screen.perform(.goToRow)
        _ = Self.type("0x10<Enter>", into: &screen)
        #expect(Self.cursorRow(screen).hasPrefix("00000010"))
        _ = screen.perform(.moveToEnd)
        #expect(Self.cursorRow(screen).hasPrefix("00989678"))
    }

    // MARK: Texts

    /// Every row of a text is reached in order, downwards and upwards, as wrapping the whole text has them.
    @Test(arguments: [7, 20, 33]) func textRowsAreThoseOfWrapping(columns: Int) {
        let text = (0..<60).map { String(repeating: "word\($0) ", count: $0 % 7) }.joined(separator: "\n")
        let size = Size(columns, 8)
        var screen = Self.screen(ViewedContent(text: text), size)
        let expected = DisplayText.wrap(text, columns: columns > 10 ? columns - 2 : columns)
        var down: [String] = []
        for _ in expected {
            down.append(Self.cursorRow(screen, size))
            _ = screen.perform(.moveDown)
        }
        #expect(down == expected.map { $0.trimmingCharacters(in: .whitespaces) })
        var up: [String] = []
        for _ in expected {
            up.append(Self.cursorRow(screen, size))
            _ = screen.perform(.moveUp)
        }
        #expect(up == down.reversed())
    }

    @Test func textFindsAndMarks() {
        let text = (1...500).map { "line \($0)" }.joined(separator: "\n")
        var screen = Self.screen(ViewedContent(text: text))
        _ = screen.perform(.find)
        _ = Self.type("line 49<Enter>", into: &screen)
        #expect(Self.cursorRow(screen) == "line 49")
        _ = screen.perform(.nextHit)
        #expect(Self.cursorRow(screen) == "line 149")
        _ = screen.perform(.previousHit)
        _ = screen.perform(.previousHit)
        #expect(Self.cursorRow(screen) == "line 499")
        _ = screen.perform(.goToRow)
        _ = Self.type("250<Enter>", into: &screen)
        #expect(Self.cursorRow(screen) == "line 250")
        #expect(screen.frame(Size(60, 12)).text(row: 11).hasPrefix(" line 250 of 500"))
    }

    // MARK: Any size, any command

    @Test func cursorIsAlwaysInSight() {
        var random = SeededGenerator(seed: 64)
        let contents = [
            ViewedContent(text: Self.json), ViewedContent(text: ""), ViewedContent(bytes: Data()),
            ViewedContent(text: "a\n\nb\n"),
            ViewedContent(bytes: Data((0..<999).map { UInt8($0 % 251) } + [0])),
            ViewedContent(text: String(repeating: "some words 東京 ", count: 2_000)),
            ViewedContent(text: "[\((0..<3_000).map(String.init).joined(separator: ","))]"),
        ]
        let commands = Command.allCases.filter { ![.find, .goToRow, .writeBytes].contains($0) }
        for content in contents {
            var size = Size(50, 5)
            var screen = Self.screen(content, size)
            for _ in 0..<400 {
                if Int.random(in: 0..<6, using: &random) == 0 {
                    size = Size(rows: Int.random(in: 1...9, using: &random), columns: Int.random(in: 1...90, using: &random))
                    screen.resize(to: size)
                } else {
                    _ = screen.perform(commands.randomElement(using: &random) ?? .moveDown)
                }
                let frame = screen.frame(size)
                #expect((0..<size.rows).filter { frame[$0, 0]?.style.isCursor == true }.count == 1, "\(size)")
            }
        }
    }

    @Test func asksOnceAndFollowsTheStore() {
        var screen = ViewerScreen(breadcrumb: ["A"])
        screen.resize(to: Size(60, 12))
        let requests = screen.takeRequests()
        #expect(requests.map(\.kind) == [.value] && screen.takeRequests().isEmpty)
        #expect(screen.frame(Size(60, 12)).snapshot().contains("loading"))
        _ = screen.receive(DataReply(.value(ViewedContent(text: Self.json)), generation: requests[0].generation))
        for _ in 0..<3 { _ = screen.perform(.moveDown) }
        let before = screen.frame(Size(60, 12))
        screen.follow()
        let again = screen.takeRequests()
        _ = screen.receive(DataReply(.value(ViewedContent(text: "old")), generation: requests[0].generation))
        _ = screen.receive(DataReply(.value(ViewedContent(text: Self.json)), generation: again[0].generation))
        #expect(screen.frame(Size(60, 12)) == before)
    }
}

import Fetching
import Foundation
import Presentation
import TerminalUI
import TestSupport
import Testing

@testable import Screens

/// The viewer on archives and bytes made here.
struct ViewerScreenTests {
    /// A dictionary with an array and with itself.
    private static let archive: Data = {
        var writer = KeyedArchiveWriter()
        let root = writer.reserve()
        let names = writer.array([writer.string("Ada"), writer.string("Grace"), writer.string("Émile")])
        writer.define(
            root, "Person", [("name", .object(writer.string("Root"))), ("friends", .object(names)), ("self", .object(root))])
        writer.top = [("root", root)]
        return Data(writer.bytes())
    }()

    private static func screen(_ bytes: Data, _ size: Size = Size(40, 10)) -> ViewerScreen {
        var screen = ViewerScreen(breadcrumb: ["People", "photo"])
        screen.resize(to: size)
        let request = screen.takeRequests().first
        _ = screen.receive(DataReply(.value(ViewedContent(bytes: bytes)), generation: request?.generation ?? 0))
        return screen
    }

    private static func type(_ script: String, _ screen: inout ViewerScreen) -> [Effect] {
        var effects: [Effect] = []
        for key in KeyScript.keys(script) { effects = screen.handle(key) }
        return effects
    }

    private static func rows(_ screen: ViewerScreen) -> [String] {
        (0..<screen.rowCount).map { screen.text(ofRow: $0) ?? "…" }
    }

    @Test(arguments: [20, 40, 80, 200]) func outlineAtAnyWidth(columns: Int) {
        let size = Size(columns, 10)
        let lines = Self.screen(Self.archive, size).frame(size).snapshot().components(separatedBy: "\n")
        #expect(lines.count == 10)
        #expect(lines[1].hasPrefix(" ▾ Person"))
        #expect(lines[2].hasPrefix("     name  Root"))
        #expect(lines[3].hasPrefix("   ▸ friends  NS"))
        #expect(lines[4].hasPrefix("   ▸ self  ↺ "))
    }

    @Test(arguments: [(20, 4), (39, 4), (40, 8), (72, 8), (73, 16), (80, 16), (200, 16)])
    func dumpFitsItsWidth(columns: Int, count: Int) {
        for length in [40, 70_000] {
            let bytes = Data((0..<length).map { UInt8(truncatingIfNeeded: $0 &* 167 | 0x80) })
            let screen = Self.screen(bytes, Size(columns, 10))
            let needed = 1 + (length > 0xFFFF ? 8 : 4) + 2 + screen.bytesPerRow * 4 + 1
            #expect(screen.bytesPerRow == 4 || needed <= columns)
            if length == 40 { #expect(screen.bytesPerRow == count, "\(columns)") }
        }
    }

    @Test func foldingKeys() {
        var screen = Self.screen(Self.archive)
        let folded = Self.rows(screen)
        #expect(folded.count == 4)
        #expect(screen.perform(.expandAll) == [])
        #expect(Self.rows(screen).contains("2  Émile"))
        // A cycle is not unfolded with the rest, but by hand as often as one likes.
        #expect(Self.rows(screen).count == 7)
        _ = screen.perform(.moveToEnd)
        for depth in 1...20 {
            _ = screen.perform(.open)
            _ = screen.perform(.moveToEnd)
            #expect(screen.rowCount == 7 + 3 * depth)
        }
        _ = screen.perform(.collapseAll)
        #expect(Self.rows(screen) == folded && screen.cursor == 0)
        _ = screen.perform(.moveDown)
        #expect(screen.perform(.moveLeft) == [] && screen.cursor == 0)
        #expect(screen.perform(.moveLeft) == [] && screen.rowCount == 1)
        #expect(screen.perform(.moveLeft) == [.back])
    }

    @Test func findLooksIntoWhatIsFolded() {
        var screen = Self.screen(Self.archive)
        let before = screen.frame(Size(40, 10))
        _ = screen.perform(.find)
        #expect(screen.takesKeys)
        _ = Self.type("emile", &screen)
        #expect(screen.text(ofRow: screen.cursor) == "2  Émile")
        _ = Self.type("<Esc>", &screen)
        #expect(!screen.takesKeys && screen.frame(Size(40, 10)) == before)
        _ = screen.perform(.find)
        _ = Self.type("a<Enter>", &screen)
        // Forward through all that has the letter, and back the same way.
        var forward = [screen.cursor]
        for _ in 0..<6 {
            #expect(screen.perform(.nextHit) == [])
            forward.append(screen.cursor)
        }
        for place in forward.dropLast().reversed() {
            #expect(screen.perform(.previousHit) == [])
            #expect(screen.cursor == place)
        }
        #expect(screen.undo() && !screen.undo())
        #expect(screen.perform(.nextHit) == [.message("nothing was searched for yet (/)")])
        _ = screen.perform(.find)
        #expect(Self.type("zzz<Enter>", &screen) == [.message("no match for “zzz”")])
    }

    @Test func findInBytesGoesBothWays() {
        var bytes = Data(repeating: 0x81, count: 1_000)
        for place in [100, 500, 900] { bytes.replaceSubrange(place..<(place + 3), with: Data("cat".utf8)) }
        var screen = Self.screen(bytes, Size(80, 10))
        _ = screen.perform(.find)
        _ = Self.type("cat<Enter>", &screen)
        var seen = [screen.cursor]
        for command in [Command.nextHit, .nextHit, .nextHit, .previousHit, .previousHit, .previousHit] {
            _ = screen.perform(command)
            seen.append(screen.cursor)
        }
        #expect(seen == [100, 500, 900, 100, 900, 500, 100].map { $0 / 16 })
    }

    @Test func writesWhatIsStored() {
        var screen = Self.screen(Self.archive)
        _ = screen.perform(.writeBytes)
        #expect(Self.type("out<Enter>", &screen) == [.write(Self.archive, toFile: "out")])
        _ = screen.perform(.writeBytes)
        #expect(Self.type("<Enter>", &screen) == [])
    }

    @Test func newWidthKeepsThePlaceInAText() {
        let words = (0..<2_000).map { "word\($0)" }
        var screen = Self.screen(Data(words.joined(separator: " ").utf8), Size(80, 10))
        for _ in 0..<100 { _ = screen.perform(.moveDown) }
        let word = screen.text(ofRow: screen.cursor)?.split(separator: " ").first.flatMap { Int($0.dropFirst(4)) } ?? -1
        screen.resize(to: Size(30, 10))
        let now = screen.text(ofRow: screen.cursor)?.split(separator: " ").first.flatMap { Int($0.dropFirst(4)) } ?? -1
        #expect(abs(now - word) < 40, "\(word) \(now)")
    }

    /// Any keys at any size: the cursor is in sight, nothing traps.
    @Test func randomKeys() {
        var random = SeededGenerator(seed: 21)
        let texts = Data(String(repeating: "Ein Text, der umbricht.\n", count: 50).utf8)
        for bytes in [Self.archive, texts, Data((0..<999).map { UInt8(truncatingIfNeeded: $0 &* 73 | 0x80) }), Data()] {
            var size = Size(40, 10)
            var screen = Self.screen(bytes, size)
            for _ in 0..<800 {
                switch Int.random(in: 0..<8, using: &random) {
                case 0:
                    size = Size(Int.random(in: 1...90, using: &random), Int.random(in: 1...12, using: &random))
                    screen.resize(to: size)
                case 1 where screen.takesKeys:
                    _ = screen.handle(KeyScript.keys("ae<Enter><Esc>").randomElement(using: &random) ?? Key(.enter))
                default:
                    let command = Command.allCases.randomElement(using: &random) ?? .moveDown
                    // Unfolding all again and again would grow for ever along the cycle.
                    if screen.rowCount < 3_000 || command == .collapseAll { _ = screen.perform(command) }
                }
                let frame = screen.frame(size)
                // In the lowest windows a prompt stands on the only row.
                guard screen.rowCount > 0, !screen.takesKeys || size.rows > 2 else { continue }
                #expect((0..<size.rows).filter { frame[$0, 0]?.style.isCursor == true }.count == 1, "\(size)")
            }
        }
    }

    // MARK: Hostile values

    @Test func deepArchiveUnfoldsToABound() {
        var writer = KeyedArchiveWriter()
        var inner = writer.string("end")
        for _ in 0..<5_000 { inner = writer.array([inner]) }
        writer.top = [("root", inner)]
        var screen = Self.screen(Data(writer.bytes()))
        #expect(screen.perform(.expandAll) == [.message("unfolded as far as is sensible")])
        #expect(screen.rowCount < 100)
        _ = screen.perform(.find)
        #expect(Self.type("end<Enter>", &screen) == [.message("no match for “end”")])
    }

    @Test func hugeArchiveUnfoldsToABound() {
        var writer = KeyedArchiveWriter()
        let leaves = writer.array((0..<300).map { writer.string("s\($0)") })
        let middle = writer.array(Array(repeating: leaves, count: 300))
        writer.top = [("root", writer.array(Array(repeating: middle, count: 300)))]
        var screen = Self.screen(Data(writer.bytes()))
        #expect(screen.perform(.expandAll) == [.message("unfolded as far as is sensible")])
        #expect(screen.rowCount < 25_000)
    }

    @Test func cutArchiveShowsWhereItBreaks() {
        for length in stride(from: 8, to: Self.archive.count, by: 7) {
            let screen = Self.screen(Self.archive.prefix(length), Size(80, 10))
            let frame = screen.frame(Size(80, 10)).snapshot()
            #expect(screen.content?.problem?.isEmpty == false, "\(length)")
            #expect(!frame.contains("loading"))
        }
    }
}

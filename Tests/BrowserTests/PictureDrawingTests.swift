import Foundation
import Presentation
import Screens
import TerminalUI
import TestSupport
import Testing

@testable import Browser

/// Pictures by the program that draws them, and what is made of one that is not what it should be.
struct PictureDrawingTests {
    private static let room = Size(rows: 10, columns: 20)
    private static let trueColor = TerminalGraphics(.cells(colors: 1 << 24))

    private static func draw(
        _ format: RecognizedContent.ImageFormat, _ bytes: Data, _ graphics: TerminalGraphics = trueColor, size: Size = room,
        by command: [String] = [BuiltProgram.besideTests("tlpicture")]
    ) -> DrawnPicture {
        PictureDrawing(command: command).draw(
            PictureOrder(format: format, bytes: bytes, size: size), for: graphics, isCancelled: { false })
    }

    /// The colours that a cell shows in its upper and lower half.
    private static func halves(_ cell: Cell) -> [CellColor?] {
        let colors = cell.style.colors
        switch cell.text {
        case "▀": return [colors?.foreground, colors?.background]
        case "▄": return [colors?.background, colors?.foreground]
        case "█": return [colors?.foreground, colors?.foreground]
        default: return [colors?.background, colors?.background]
        }
    }

    private static func isNear(_ color: CellColor?, _ wanted: UInt32) -> Bool {
        guard let rgb = color?.rgbValue else { return false }
        return [16, 8, 0].allSatisfy { shift in
            abs(Int(rgb >> shift & 0xFF) - Int(wanted >> shift & 0xFF)) < 100
        }
    }

    // MARK: What the terminal can show

    private static let pictures: [(RecognizedContent.ImageFormat, Data)] = [
        (.png, TestPictures.png()), (.bmp, TestPictures.bmp()), (.gif, TestPictures.gif()), (.jpeg, TestPictures.jpeg),
    ]

    @Test(arguments: 0..<4) func cellsOfEachFormat(place: Int) throws {
        let (format, bytes) = Self.pictures[place]
        #expect(RecognizedContent(bytes).title == "\(format.rawValue) 8×8")
        guard case .cells(let cells) = Self.draw(format, bytes) else {
            Issue.record("\(Self.draw(format, bytes))")
            return
        }
        // A pixel is as wide as a cell, which is twice as high.
        #expect(cells.size == Size(rows: 4, columns: 8))
        for row in 0..<4 {
            for column in 0..<8 {
                let cell = try #require(cells[row, column])
                for color in Self.halves(cell) { #expect(Self.isNear(color, row < 2 ? 0xFF0000 : 0x0000FF), "\(row) \(column)") }
            }
        }
    }

    @Test(arguments: [8, 16, 256]) func fewerColoursAreNumbers(colors: Int) throws {
        guard case .cells(let cells) = Self.draw(.png, TestPictures.png(), TerminalGraphics(.cells(colors: colors))) else {
            Issue.record("no cells")
            return
        }
        for color in cells.cells.flatMap({ Self.halves($0) }) { #expect(Int(try #require(color?.paletteNumber)) < colors) }
    }

    @Test func pixelsAndSixelCoverNoMoreThanThereIs() throws {
        let wide = TestPictures.png(width: 640, height: 32)
        guard case .graphic(let graphic) = Self.draw(.png, wide, TerminalGraphics(.kitty)),
            case .pixels(let width, let height, let pixels) = graphic.content
        else {
            Issue.record("no pixels")
            return
        }
        #expect(width == 160 && height == 8 && pixels.count == 160 * 8 * 4)
        #expect(graphic.size == Size(rows: 1, columns: 20))
        #expect(Array(pixels[0..<4]) == [255, 0, 0, 255] && Array(pixels.suffix(4)) == [0, 0, 255, 255])
        guard case .graphic(let sixel) = Self.draw(.png, TestPictures.png(), TerminalGraphics(.sixel)),
            case .sixel(let data) = sixel.content
        else {
            Issue.record("no sixel")
            return
        }
        #expect(sixel.size == Size(rows: 1, columns: 1))
        #expect(data.starts(with: Array("\u{1B}P".utf8)) && data.suffix(2) == Array("\u{1B}\\".utf8))
    }

    // MARK: What cannot be drawn

    private static func reason(_ picture: DrawnPicture) -> String {
        if case .unavailable(let reason) = picture { reason } else { "drawn" }
    }

    @Test func saysWhyThereIsNone() {
        let png = TestPictures.png()
        #expect(Self.reason(Self.draw(.png, png, TerminalGraphics(.none))).contains("no colours"))
        #expect(Self.reason(Self.draw(.png, png, TerminalGraphics(.noBlocks))).contains("character set"))
        #expect(Self.reason(Self.draw(.png, png, by: [])).contains("tlpicture"))
        #expect(Self.reason(Self.draw(.png, TestPictures.pngClaiming(width: 100_000, height: 100_000))).contains("more pixels"))
        // A decoder for one format looks at no other.
        #expect(Self.reason(Self.draw(.png, TestPictures.gif())).hasPrefix("It cannot be drawn"))
        #expect(Self.reason(Self.draw(.jpeg, Data([0xFF, 0xD8, 0xFF]))).hasPrefix("It cannot be drawn"))
        #expect(Self.reason(Self.draw(.png, Data())).hasPrefix("It cannot be drawn"))
    }

    @Test func oneThatIsCutOffEndsWell() {
        for (format, bytes) in Self.pictures {
            for length in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 12)) {
                switch Self.draw(format, bytes.prefix(length)) {
                case .incomplete(.cells(let cells), let why):
                    #expect(cells.size.rows <= 10 && cells.size.columns <= 20)
                    #expect(why.hasPrefix("truncated") || why.hasPrefix("damaged"))
                case .cells: Issue.record("\(format): \(length) of \(bytes.count) bytes are passed off as a whole picture")
                case .graphic, .incomplete: Issue.record("a graphic where cells were wanted")
                case .unavailable(let reason): #expect(!reason.isEmpty)
                }
            }
        }
    }

    /// The program's own word on a size, whatever the caller has looked at.
    @Test func theProgramRefusesASizeByItself() {
        let claiming = TestPictures.pngClaiming(width: 60_000, height: 60_000)
        let outcome = PictureProcess.run(
            BuiltProgram.besideTests("tlpicture"), arguments: ["png", "cells", "256", "20", "10", "8", "16"], input: claiming,
            mostOutput: 1 << 20, milliseconds: 60_000, isCancelled: { false })
        guard case .output(let bytes) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(String(decoding: bytes, as: UTF8.self) == "fault claims 60000×60000 pixels: too many to draw\n")
    }

    // MARK: A program that was taken over

    /// Draws by a shell script.
    private static func draw(byScript script: String, _ graphics: TerminalGraphics = trueColor) -> DrawnPicture {
        draw(.png, TestPictures.png(), graphics, by: ["/bin/sh", "-c", script, "drawing"])
    }

    @Test(arguments: [
        "", "exit 3", "kill -KILL $$", "echo nonsense", "echo cells 2 1", "echo cells -1 4", "printf 'cells 99 99\\n'",
        "printf 'cells 1 1\\n1234567890'", "yes", "printf 'pixels 1 1\\nabcd'; exit 1", "head -c 300000000 /dev/zero",
    ])
    func whatMakesNoSenseDrawsNothing(script: String) {
        let reason = Self.reason(Self.draw(byScript: script))
        #expect(reason == "What came of drawing it makes no sense." || reason.hasPrefix("Drawing it broke off"), "\(reason)")
    }

    @Test func cellsHoldNothingButBlocks() {
        // ESC, then U+2588, in colours that are none of a palette.
        let script = #"printf 'cells 2 1\n\033\0\0\0\1\2\3\0\1\2\3\0\210%b\0\0\1\2\3\0\377\377\377\377' '\045'"#
        guard case .cells(let cells) = Self.draw(byScript: script) else {
            Issue.record("no cells")
            return
        }
        #expect(cells.cells.map(\.text) == [" ", "█"])
        #expect(cells[0, 1]?.style.colors == CellColors(foreground: .rgb(0x030201), background: .standard))
    }

    @Test(arguments: [
        #"printf 'sixel 8 8\n\033Pq#0\033[2J\033\\'"#, #"printf 'sixel 8 8\n\033]0;title\033\\'"#, #"printf 'sixel 8 8\nq#0'"#,
        #"printf 'sixel 800 8\n\033Pq#0~\033\\'"#, #"printf 'sixel 8 8\n\033Pq\2330c\033\\'"#,
    ])
    func sixelHoldsNoOtherCommands(script: String) {
        #expect(Self.reason(Self.draw(byScript: script, TerminalGraphics(.sixel))).contains("no sense"))
    }

    @Test func oneThatIsNotWantedAnyMoreIsEnded() {
        let outcome = PictureProcess.run(
            "/bin/sh", arguments: ["-c", "while :; do :; done"], input: Data(), mostOutput: 100, milliseconds: 60_000,
            isCancelled: { true })
        #expect(outcome == .tookTooLong)
        #expect(
            PictureProcess.run(
                "/nonexistent", arguments: [], input: Data(), mostOutput: 100, milliseconds: 60_000, isCancelled: { false })
                == .failed)
    }

    // MARK: In the viewer

    private static func keys(_ script: String) -> [TerminalEvent] { KeyScript.keys(script).map { .key($0) } }

    @Test func drawnAgainInEachSizeAndKind() throws {
        let small = Size(rows: 5, columns: 20)
        let terminal = ScriptedTerminal(
            size: Size(rows: 12, columns: 50),
            [
                .idle([.resize(small)]), .idle(Self.keys("v")), .idle(Self.keys("v")), .idle([.graphicsChanged]),
                .idle(Self.keys("v")), .idle(Self.keys("?")), .idle(Self.keys("q")),
            ])
        terminal.shows = Self.trueColor
        terminal.whenShown = { [unowned terminal] number in
            if number == 3 { terminal.shows = TerminalGraphics(.kitty) }
        }
        let store = PeopleStore.store()
        let navigator = ObjectNavigator(store: store, root: nil, rootDetail: nil, presentation: PeopleStore.presentation)
        let viewer = ViewerScreen(ViewedContent(bytes: TestPictures.png(width: 8, height: 8)), breadcrumb: ["photo"])
        let browser = try #require(
            Browser(
                terminal: terminal, navigator: navigator, root: [StackEntry(screen: viewer, source: nil)],
                pictures: PictureDrawing(command: [BuiltProgram.besideTests("tlpicture")])))
        _ = browser.run()
        func coloured(_ frame: CellBuffer) -> Int { frame.cells.count { $0.style.colors != nil } }
        let frames = terminal.shownFrames
        #expect(coloured(frames[0]) == 32)
        // Three rows are left, and so six columns.
        #expect(frames[1].size == small && coloured(frames[1]) == 18)
        #expect(coloured(frames[2]) == 0 && frames[2].snapshot().contains("00000000"))
        #expect(coloured(frames[3]) == 18)
        #expect(coloured(frames[4]) == 0 && frames[4].graphics.map(\.position) == [Position(row: 1, column: 1)])
        #expect(frames[5].graphics.isEmpty)
    }

    @Test func bytesAfterTheEndDoNoHarm() {
        for (format, bytes) in [Self.pictures[0], Self.pictures[3]] {
            guard case .cells = Self.draw(format, bytes + [1, 2, 3]) else {
                Issue.record("\(format)")
                continue
            }
        }
    }
}

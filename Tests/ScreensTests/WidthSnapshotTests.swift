import Foundation
import Presentation
import TerminalUI
import TestSupport
import Testing

@testable import Screens

/// Every screen whole, with its styles, at the widths 20, 40, 80 and 200: compared with the files in `Snapshots`.
///
/// `TLBROWSE_WRITE_SNAPSHOTS=1 swift test --filter WidthSnapshotTests` writes them anew; what changed is for a reader to judge.
struct WidthSnapshotTests {
    enum Kind: String, CaseIterable {
        case list, detail, outline, text, hex, picture, pictureInWords
    }

    private static let json = #"""
        {"name": "Ada Lovelace", "born": -4876588800, "tags": ["analyst", 1, null, true], "engine": {"maker": {"name": "Babbage",
        "note": "A line that is longer than most windows are wide, so that it has to be cut off with an ellipsis at the edge of each"}}}
        """#
    private static let prose = """
        The Analytical Engine has no pretensions whatever to originate anything. It can do whatever we know how to order it to perform.

        \tIndented; then 世界, e\u{301} and a control \u{7} character.
        """

    private static func viewer(_ content: ViewedContent, _ size: Size) -> ViewerScreen {
        var screen = ViewerScreen(content, breadcrumb: ["People", "Ada", "body"])
        screen.resize(to: size)
        return screen
    }

    private static func frame(_ kind: Kind, _ size: Size) -> CellBuffer {
        switch kind {
        case .list:
            var screen = ListSnapshotTests.events.screen(size)
            _ = screen.perform(.moveDown)
            return screen.frame(size)
        case .detail: return DetailFixture.person.screen(size).frame(size)
        case .outline:
            var screen = viewer(ViewedContent(text: json), size)
            _ = screen.perform(.find)
            _ = KeyScript.keys("babbage<Enter>").flatMap { screen.handle($0) }
            return screen.frame(size)
        case .text:
            var screen = viewer(ViewedContent(text: prose), size)
            _ = screen.perform(.find)
            _ = KeyScript.keys("engine<Enter>").flatMap { screen.handle($0) }
            return screen.frame(size)
        case .hex:
            let bytes = Data((0..<600).map { UInt8(truncatingIfNeeded: $0 * 7) })
            var screen = viewer(ViewedContent(bytes: bytes), size)
            _ = screen.perform(.find)
            _ = KeyScript.keys("0x15 1c<Enter>").flatMap { screen.handle($0) }
            return screen.frame(size)
        case .picture, .pictureInWords:
            var screen = viewer(ViewedContent(bytes: TestPictures.png(width: 30, height: 10)), size)
            for request in screen.takeRequests() {
                guard case .picture(let order) = request.kind else { continue }
                var drawn = DrawnPicture.unavailable("This terminal has no colours to show a picture with.")
                if kind == .picture {
                    var cells = CellBuffer(size: Size(rows: min(3, order.size.rows), columns: min(30, order.size.columns)))
                    for row in 0..<cells.size.rows {
                        let colors = CellColors(foreground: .palette(196), background: .palette(21))
                        for column in 0..<cells.size.columns {
                            cells.write("▀", row: row, column: column, columns: 1, style: Style(.text, colors: colors))
                        }
                    }
                    drawn = .cells(cells)
                }
                _ = screen.receive(DataReply(.picture(drawn, for: order.size), generation: request.generation))
            }
            return screen.frame(size)
        }
    }

    private static var folder: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Snapshots")
    }

    @Test(arguments: Kind.allCases, [20, 40, 80, 200]) func whole(kind: Kind, columns: Int) throws {
        let size = Size(rows: 14, columns: columns)
        let frame = Self.frame(kind, size)
        #expect(frame.size == size)
        let snapshot = frame.styledSnapshot() + "\n"
        let file = Self.folder.appendingPathComponent("\(kind.rawValue)-\(columns).txt")
        if ProcessInfo.processInfo.environment["TLBROWSE_WRITE_SNAPSHOTS"] != nil {
            try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
            try Data(snapshot.utf8).write(to: file)
        }
        let expected = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        #expect(snapshot == expected, "\(kind.rawValue) at \(columns):\n\(snapshot)")
    }
}

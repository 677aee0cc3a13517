import TerminalUI
import TestSupport
import Testing

@testable import Screens

/// Every screen at every small size: nothing traps, the frame has the size, the first and the last line are bars where there is room.
struct AnySizeTests {
    private static let screens: [any Screen] = {
        var list = ListSnapshotTests.events.screen(Size(80, 24))
        _ = list.perform(.moveToEnd)
        var prompting = list
        _ = prompting.perform(.goToRow)
        var empty = ListFixture([]).screen(Size(80, 24))
        _ = empty.perform(.moveDown)
        return [
            list, prompting, empty, ListFixture(rows: 30).screen(Size(80, 24)), DetailFixture.person.screen(Size(80, 24)),
            TextScreen(title: "Help", lines: TextScreenTests.lines), TextScreen(title: "Empty", lines: []),
        ]
    }()

    @Test(arguments: 0..<7) func everySmallSize(place: Int) {
        for rows in 0...8 {
            for columns in 0...12 {
                var screen = Self.screens[place]
                let size = Size(rows: rows, columns: columns)
                screen.resize(to: size)
                for command in Command.allCases where command != .goToRow && command != .find {
                    if screen.takesKeys { _ = screen.handle(Key(.right)) } else { _ = screen.perform(command) }
                    let buffer = screen.frame(size)
                    #expect(buffer.size == size)
                    if let typing = screen.typingPosition, rows > 0, columns > 0 { #expect(Rect(size).contains(typing)) }
                }
                guard columns > 0, !screen.takesKeys else { continue }
                let buffer = screen.frame(size)
                let bars = (0..<rows).filter { row in
                    (0..<columns).allSatisfy { [.titleBar, .statusBar].contains(buffer[row, $0]?.style.role) }
                }
                #expect(bars == (rows >= 3 ? [0, rows - 1] : rows == 2 ? [0] : []), "\(size)")
            }
        }
    }
}

import Foundation
import TestSupport
import Testing

/// Every key and every action of the mouse, at three sizes: the program answers each and stays what it is.
@Suite(.needsTmux, .needsBrowser)
struct TourTests {
    /// Keys by tmux's names that lead from the list and back to it.
    private static let list = [
        "Down", "j", "Up", "k", "PageDown", "C-f", "PageUp", "C-b", "C-d", "C-u", "End", "G", "Home", "g", "]", "[", "Space",
        "Space",
        "Right", "Left", "l", "Left", "h", "C", "E", "v", "v", "y", "Y", "C-y", "r", "C-l", "n", "N", "L", "x", "F5", "M-x",
    ]

    private static let detail = [
        "Down", "Up", "PageDown", "PageUp", "C-d", "C-u", "End", "Home", "]", "[", "Space", "J", "K", "v", "v", "y", "r", "C-l",
        "n",
    ]

    /// A mouse report as terminals send it (SGR): the button, the place from 1, pressed or released.
    private func mouse(_ button: Int, row: Int, column: Int, isPress: Bool = true) -> [UInt8] {
        Array("\u{1b}[<\(button);\(column);\(row)\(isPress ? "M" : "m")".utf8)
    }

    @Test(arguments: [(24, 80), (5, 20), (60, 200)]) func everyKeyAndTheMouse(rows: Int, columns: Int) throws {
        let screen = try Screens.elementsByName(rows: rows, columns: columns)
        func expectAlive(_ after: String) throws {
            #expect(screen.exitStatus == nil, "\(after)")
            #expect(try screen.lines.count <= rows, "\(after)")
            #expect(try screen.highlightedRows.count >= 1, "\(after)")
        }
        for key in Self.list {
            try screen.send(key)
            try expectAlive(key)
        }
        // Prompts, each left by Esc: find, a predicate, a row's number, files.
        for (key, text) in [("/", "ox"), ("&", "period == 2"), (":", "7"), ("T", "x"), ("P", "y")] {
            try screen.send(key)
            try screen.type(text)
            try screen.send("Escape")
            try expectAlive(key)
        }
        // Menus, the index bar, the help.
        try screen.send(
            "s", "Down", "Space", "Escape", "S", "Down", "Escape", "Tab", "M", "Down", "Up", "Tab", "?", "PageDown", "q")
        try expectAlive("menus")
        // Click, double click, wheel, a drag along the bar, and places where nothing is.
        for row in [1, 2, rows / 2 + 1, rows] {
            for column in [1, columns / 2, columns - 1, columns] {
                for button in [0, 64, 65] { try screen.send(bytes: mouse(button, row: row, column: column)) }
                try screen.send(bytes: mouse(32, row: row, column: column))
                try screen.send(bytes: mouse(0, row: row, column: column, isPress: false))
                try expectAlive("mouse \(row) \(column)")
            }
        }
        // What a click may have opened or folded is left again.
        try screen.send("Escape", "Escape", "E", "Home", "Down", "Enter")
        for key in Self.detail {
            try screen.send(key)
            try expectAlive("detail \(key)")
        }
        try screen.send("Escape", "Escape", "q")
        #expect(try screen.waitForExit() == 0)
    }
}

import Foundation
import TestSupport
import Testing

private enum Samples {
    static let widgets = "/work/shared/samples/cdl/CoreDataSampleFor436"
}

/// CDL's own sample, which was made by others and stands beside the project where it stands at all: its widgets read as they did.
@Suite(.needsTmux, .needsBrowser, .enabled(if: FileManager.default.fileExists(atPath: Samples.widgets)))
struct WidgetsTests {
    private static func screen() throws -> TerminalSession {
        try TerminalSession(arguments: ["--no-state", Samples.widgets + "/WidgetListView.plist"])
    }

    /// Puts the cursor on the line that begins with a text, and opens it.
    private static func open(_ text: String, in screen: TerminalSession) throws {
        try screen.send("Home")
        for _ in 0..<20 where try !screen.cursorText.hasPrefix(text) { try screen.send("Down") }
        try #require(try screen.cursorText.hasPrefix(text), "no line “\(text)”")
        try screen.send("Enter")
    }

    private static func processes(_ screen: TerminalSession) throws -> [String] {
        try screen.lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter { $0.hasPrefix("Process ") }
            .map { $0.split(separator: " ").dropFirst().first.map(String.init) ?? "" }
    }

    @Test func anOldWidget() throws {
        let screen = try Self.screen()
        try Self.open("a new test", in: screen)
        let text = try screen.text
        #expect(text.contains(" Widgets › a new test ") && text.contains("Current Product?"))
        #expect(try screen.lines.contains { $0.hasPrefix(" Type ") && $0.hasSuffix("—") })
        #expect(try Self.processes(screen) == ["Awesome", "Great", "Super"])
    }

    @Test func aNewWidget() throws {
        let screen = try Self.screen()
        try Self.open("B New test", in: screen)
        #expect(try screen.lines.contains { $0.hasPrefix(" Current Product?") && $0.hasSuffix("on ━━●") })
        // The long style of dates has the name of the month.
        #expect(try screen.text.contains(/Release  \d+ [A-Z][a-z]+ \d{4}/))
        #expect(try screen.lines.contains { $0.hasPrefix(" Type ") && $0.hasSuffix("Type 1 ›") })
        #expect(try Self.processes(screen) == ["Super", "Great", "Awesome"])
        // Following the type, laid out by WidgetTypeDetailView, to its widgets and back to this one: A → B → A.
        try Self.open("Type ", in: screen)
        #expect(try screen.text.contains(" Widgets › B New test › Type 1 "))
        try Self.open("B New test", in: screen)
        #expect(try screen.text.contains(" › Type 1 › B New test "))
        #expect(try Self.processes(screen) == ["Super", "Great", "Awesome"])
        try screen.send("q")
        #expect(try screen.cursorText.hasPrefix("B New test"))
        // Back on the very line.
        try screen.send("q")
        #expect(try screen.cursorText.hasPrefix("Type "))
    }

    @Test func wrappedDetailAndType2() throws {
        let screen = try Self.screen()
        try Self.open("C new test", in: screen)
        #expect(try screen.lines.contains { $0.hasPrefix(" Type ") && $0.hasSuffix("Type 2 ›") })
        #expect(try Self.processes(screen) == ["Awesome", "Great", "Super"])
        let lines = try screen.lines
        let start = try #require(lines.firstIndex { $0.hasPrefix(" Detail  ") })
        #expect(lines[start + 1].hasPrefix("         dfdsfsdfdsfdsf"), "not wrapped under itself")
    }

    @Test func neighboursAndListsOfTheirOwn() throws {
        let screen = try Self.screen()
        try Self.open("a new test", in: screen)
        try screen.send("J")
        #expect(try screen.text.contains(" Widgets › B New test "))
        try screen.send("J", "J")
        #expect(try screen.text.contains("the last object of the list"))
        try screen.send("K", "K", "K")
        #expect(try screen.text.contains("the first object of the list"))
        #expect(try screen.text.contains(" Widgets › a new test "))
        // On a line of the processes: the relationship as a list, which narrows as any.
        try screen.send("End", "L")
        #expect(try screen.text.contains(" Widgets › a new test › manufacturingProcesses "))
        #expect(try screen.text.contains("3 objects"))
        try screen.send("q")
        #expect(try screen.cursorText.hasPrefix("Process Super"))
        try screen.send("q")
        #expect(try screen.cursorText.hasPrefix("a new test"))
    }

    /// The pictures of Northwind are known by their bytes, and drawn.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/work/shared/samples/sqlite/northwind.db"))) func pictures() throws
    {
        let screen = try TerminalSession(
            arguments: ["--no-state", "--entity", "Categories", "/work/shared/samples/sqlite/northwind.db"])
        try screen.send("Home", "Down", "Enter")
        try Self.open("Picture  JPEG", in: screen)
        try screen.wait { $0.contains(/[▀▄▌▐]{4}/) }
        #expect(try screen.text.contains("JPEG 175×110"))
        #expect(try screen.styledText.contains("48;5;"))
        try screen.send("v")
        #expect(try screen.text.contains("00000000  ff d8 ff e0"))
        try screen.send("v")
        try screen.wait { $0.contains(/[▀▄▌▐]{4}/) }
        try screen.send("q")
        #expect(try screen.cursorText.hasPrefix("Picture"))
    }
}

import Foundation
import TestSupport
import Testing

/// Finding, narrowing, sorting, grouping, printing, saving and copying in the real program, at the usual size and at a small one.
///
/// `TLBROWSE_TOUR_ROWS=1000000` makes the own store as large as the tool is meant for.
@Suite(.needsTmux, .needsBrowser, .enabled(if: FileManager.default.isExecutableFile(atPath: TourStore.sqlite)))
struct WorkshopTourTests {
    private static let rows = ProcessInfo.processInfo.environment["TLBROWSE_TOUR_ROWS"].flatMap { Int($0) } ?? 20_000
    static let sizes = [(24, 80), (10, 40)]

    @Test(arguments: sizes) func ownRows(rows: Int, columns: Int) throws {
        let store = try TourStore.people(rows: Self.rows)
        defer { store.folder.remove() }
        try tour(store, rows, columns)
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: TourStore.chinook)), arguments: sizes)
    func chinook(rows: Int, columns: Int) throws {
        let store = try TourStore.invoices()
        defer { store.folder.remove() }
        try tour(store, rows, columns)
    }

    private func tour(_ store: TourStore, _ rows: Int, _ columns: Int) throws {
        let all = try store.printed()
        let screen = try TerminalSession(arguments: ["--no-state", store.plist], rows: rows, columns: columns)
        #expect(try screen.lines[0].contains("\(all.count.grouped) objects"), "\(screen.shown)")
        try find(store, screen, all)
        try filter(store, screen, all)
        try arrange(store, screen)
        try copy(store, screen, all)
        try screen.send("q")
        #expect(try screen.waitForExit() == 0)
    }

    /// `/`, Esc, Enter, `n` and `N`.
    private func find(_ store: TourStore, _ screen: TerminalSession, _ all: [String]) throws {
        let hits = try store.printed("--search", store.search)
        #expect(hits.count > 1 && hits.count < all.count)
        // Somewhere in the list, with a section folded: so it has to be afterwards.
        try screen.send("Space", "]", "Down", "Down")
        let before = try screen.text
        let cursor = try screen.cursorRow
        try screen.send("/")
        try screen.type(store.search)
        let matches = "\(hits.count.grouped) of \(all.count.grouped) match"
        #expect(try screen.lines[0].contains(matches), "\(screen.shown)")
        #expect(try screen.lines.dropFirst().contains { $0.wholeMatch(of: /.*▾.* \d+ of [\d,]+.*/) != nil }, "\(screen.shown)")
        // Hits are bold and underlined.
        #expect(try screen.styledText.contains(/\u{1b}\[[0-9;]*4[;m]/))
        try screen.send("Escape")
        #expect(try screen.text == before)
        #expect(try screen.cursorRow == cursor)

        try screen.send("/")
        try screen.type(store.search)
        try screen.send("Enter")
        #expect(try screen.lines[0].contains(matches))
        #expect(try screen.lines.last?.contains("/" + store.search) == true)
        let first = try screen.cursorRow ?? 0
        try screen.send("n")
        #expect(try screen.cursorRow ?? 0 > first)
        try screen.send("N")
        #expect(try screen.cursorRow == first)
        try screen.send("Escape")
        #expect(try screen.text == before)
        #expect(try screen.cursorRow == cursor)
        // In the whole list n goes from hit to hit, unfolding what it has to.
        try screen.send("n")
        #expect(try screen.lines[0].contains("objects"))
        let hit = try screen.cursorText
        #expect(hits.contains { hit.contains($0.split(separator: "\t")[2].prefix(10)) }, "\(hit)")
        try screen.send("Home")
    }

    /// `&`: a fault with the cursor on it, the predicate in force, `P` prints what is shown.
    private func filter(_ store: TourStore, _ screen: TerminalSession, _ all: [String]) throws {
        try screen.send("&")
        try screen.type(store.fault.text)
        try screen.send("Enter")
        #expect(try screen.text.contains(store.fault.message), "\(screen.shown)")
        #expect(try screen.format("cursor_x") == String(1 + store.fault.offset))
        try screen.send("Escape", "&")
        try screen.type(store.predicate)
        try screen.send("Enter")
        let kept = try store.printed("--filter", store.predicate)
        #expect(!kept.isEmpty && kept.count < all.count)
        #expect(try screen.lines[0].contains("\(kept.count.grouped) of \(all.count.grouped) match"), "\(screen.shown)")
        try expectPrinted(kept, "filtered.tsv", store, screen)
        try screen.send("Escape")
        #expect(try screen.lines[0].contains("\(all.count.grouped) objects"))
    }

    /// `P` and what it writes.
    private func expectPrinted(_ wanted: [String], _ name: String, _ store: TourStore, _ screen: TerminalSession) throws {
        try screen.send("P")
        try screen.type("\(store.folder.path)/\(name)")
        try screen.send("Enter")
        #expect(try screen.text.contains("printed \(wanted.count)"), "\(screen.shown)")
        let written = try String(contentsOfFile: "\(store.folder.path)/\(name)", encoding: .utf8)
        let isSame = written.split(separator: "\n").dropFirst().map(String.init) == wanted
        #expect(isSame, "\(name)")
    }

    /// The text of the cursor's row, without what the secondary text and the index bar put behind it.
    private func object(_ screen: TerminalSession) throws -> String {
        let text = try screen.cursorText
        return text.range(of: "  ").map { String(text[..<$0.lowerBound]) } ?? text
    }

    /// To a line of a menu; false where there is none such.
    private func moveTo(_ choice: String, _ screen: TerminalSession) throws -> Bool {
        try screen.send("Home")
        var last = ""
        while true {
            let text = try screen.cursorText
            if text == choice || text.hasSuffix(" " + choice) { return true }
            if text == last { return false }
            last = text
            try screen.send("Down")
        }
    }

    /// `s`, `S`, and `T`: what it saves passes the check and is the same list.
    private func arrange(_ store: TourStore, _ screen: TerminalSession) throws {
        try screen.send("Home", "Down", "Down")
        let object = try object(screen)
        try screen.send("s")
        #expect(try moveTo(store.sortKey, screen))
        try screen.send("Enter")
        #expect(try screen.lines.last?.contains("\(store.sortKey) ↑") == true)
        // The cursor stays on its object, wherever that went.
        #expect(try self.object(screen) == object)
        try screen.send("S")
        #expect(try !moveTo(store.unfitGroupKey, screen))
        #expect(try moveTo(store.groupKey, screen))
        try screen.send("Enter")
        #expect(try screen.lines.contains { $0.wholeMatch(of: /.*▾ \d{4} .*/) != nil }, "\(screen.shown)")
        #expect(try self.object(screen) == object)

        try screen.send("&")
        try screen.type(store.predicate)
        try screen.send("Enter", "T")
        try screen.type(store.folder.path + "/Saved")
        try screen.send("Enter")
        let saved = store.folder.path + "/Saved.plist"
        let check = try BuiltProgram.run(["--check", saved])
        #expect(check.exitStatus == 0, "\(check.standardOutput)")
        let printed = try BuiltProgram.run(["--print=tsv", saved])
        #expect(printed.exitStatus == 0, "\(printed.standardError)")
        try expectPrinted(
            printed.standardOutput.split(separator: "\n").dropFirst().map(String.init), "arranged.tsv", store, screen)
        try screen.send("Escape")
    }

    /// `y`, `Y` and `^Y`, by what the terminal's clipboard holds then.
    private func copy(_ store: TourStore, _ screen: TerminalSession, _ all: [String]) throws {
        try screen.send("Home", "Down")
        try screen.send("Y")
        let row = try screen.clipboard.trimmingCharacters(in: .newlines)
        let fields = row.split(separator: "\t", omittingEmptySubsequences: false)
        let listed = all.map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
            .first { $0.first == fields.first }
        #expect(fields.count == 4 && listed?[2...] == fields[2...], "\(row)")
        try screen.send("C-y")
        let object = try JSONSerialization.jsonObject(with: Data(screen.clipboard.utf8)) as? [String: Any]
        #expect(object?["textLabel"] as? String == fields.dropFirst(2).first.map(String.init))
        #expect((object?["details"] as? [String: Any])?.count == 1)
        try screen.send("y")
        #expect(try screen.clipboard == fields.dropFirst(2).first.map(String.init))
    }

    /// What `--scaffold` makes of the store passes the check, and can be gone on from.
    @Test func scaffoldAndCheck() throws {
        let store = try TourStore.people(rows: 50)
        defer { store.folder.remove() }
        let place = store.folder.path + "/new"
        #expect(try BuiltProgram.run(["--scaffold", place, store.store]).exitStatus == 0)
        let check = try BuiltProgram.run(["--check", place + "/PersonListView.plist"])
        #expect(check.exitStatus == 0 && check.standardOutput.split(separator: "\n").allSatisfy { $0.hasSuffix("no faults") })
        let screen = try TerminalSession(arguments: ["--no-state", place + "/PersonListView.plist"])
        #expect(try screen.lines[0].contains("50 objects"))
        try screen.send("q")
        #expect(try screen.waitForExit() == 0)
    }

    /// The search goes on over a list that was begun with it.
    @Test func searchOption() throws {
        let store = try TourStore.people(rows: 500)
        defer { store.folder.remove() }
        let hits = try store.printed("--search", store.search)
        let screen = try TerminalSession(arguments: ["--no-state", "--search", store.search, store.plist])
        #expect(try screen.lines[0].contains("\(hits.count) of 500 match"), "\(screen.shown)")
        try screen.send("Escape")
        #expect(try screen.lines[0].contains("500 objects"))
    }

    /// `--entity` goes with data alone: a list plist says its own.
    @Test func entityBesideAListPlistIsSaid() throws {
        let store = try TourStore.people(rows: 5)
        defer { store.folder.remove() }
        let result = try BuiltProgram.run(["--print", "--entity", "Person", store.plist])
        #expect(result.exitStatus == 2 && result.standardOutput.isEmpty)
        #expect(result.standardError.hasPrefix("tlbrowse: --entity goes with data alone"))
    }
}

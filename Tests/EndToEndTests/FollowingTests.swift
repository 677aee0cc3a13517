import Foundation
import TestSupport
import Testing

/// While another process writes, the screen follows: SPEC section 6.
@Suite(.needsTmux, .needsBrowser, .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")))
struct FollowingTests {
    private func sqlite(_ file: String, _ sql: String) throws {
        let result = try CommandResult(["/usr/bin/sqlite3", file, sql])
        #expect(result.exitStatus == 0, "\(result.standardError)")
    }

    /// A copy of the elements that may be written to, as a list with its plists beside it.
    private func copy(into folder: TemporaryFolder) throws -> String {
        for name in ["Configs", "Data"] {
            try FileManager.default.copyItem(atPath: BuiltProgram.projectFile(name), toPath: folder.path + "/" + name)
        }
        return folder.path + "/Data/Elements.sqlite"
    }

    @Test(arguments: ["DELETE", "WAL"]) func changesShowAndTheReaderStays(journalMode: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let store = try copy(into: folder)
        try sqlite(store, "PRAGMA journal_mode=\(journalMode)")
        let screen = try TerminalSession(arguments: [folder.path + "/Configs/ElementsByName.plist"])
        // The cursor on Argon; what comes after it does not move it.
        try screen.send("Home", "Down")
        for _ in 0..<12 where try !screen.cursorText.hasPrefix("Argon") { try screen.send("Down") }
        try #require(try screen.cursorText.hasPrefix("Argon"))
        let row = try screen.cursorRow
        try sqlite(store, "UPDATE ZELEMENT SET ZNAME = 'Argzium' WHERE ZNAME = 'Zirconium'")
        try screen.wait { $0.contains("Argzium") }
        #expect(try screen.cursorText.hasPrefix("Argon"))
        #expect(try screen.cursorRow == row)
        // Its object goes: the next one of the section takes its place.
        try sqlite(store, "DELETE FROM ZELEMENT WHERE ZNAME = 'Argon'")
        try screen.wait { $0.contains("117 objects") && !$0.contains("Argon") }
        // It may still be marked as changed.
        #expect(try screen.cursorText.drop { $0 == "•" }.hasPrefix("Argzium"))
        try screen.send("q")
        #expect(try screen.waitForExit() == 0)
    }

    @Test func aDocumentIsReadAnew() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = folder.path + "/people.json"
        func write(_ text: String) throws { try Data(text.utf8).write(to: URL(fileURLWithPath: file), options: .atomic) }
        try write(#"[{"name": "Ada", "born": 1815}, {"name": "Bob", "born": 1900}]"#)
        let screen = try TerminalSession(arguments: [file])
        try screen.wait { $0.contains("2 objects") && $0.contains("Bob") }
        try write(#"[{"name": "Ada", "born": 1815}, {"name": "Bert", "born": 1900}, {"name": "Cleo", "born": 1950}]"#)
        try screen.wait { $0.contains("3 objects") && $0.contains("Bert") && $0.contains("1 new, 1 changed") }
        // Another property is no reason to lose the list; without a plist it shows what there is then.
        try write(#"[{"name": "Ada", "born": 1815, "died": 1852}]"#)
        try screen.wait { $0.contains("1 object ") || $0.contains("1 object\n") }
        try write(#"[{"title": "Zoe"}]"#)
        try screen.wait { $0.contains("the schema has changed") && $0.contains("Zoe") }
        #expect(try !screen.text.contains("Ada") && !screen.text.contains("(gone)"))
        try screen.send("q")
        #expect(try screen.waitForExit() == 0)
    }

    @Test func withoutFollowingRReadsAnew() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = folder.path + "/people.json"
        try Data(#"[{"name": "Ada"}]"#.utf8).write(to: URL(fileURLWithPath: file))
        let screen = try TerminalSession(arguments: ["--no-watch", file])
        try Data(#"[{"name": "Ada"}, {"name": "Bob"}]"#.utf8).write(to: URL(fileURLWithPath: file))
        try screen.send("j")
        #expect(!(try screen.text.contains("Bob")))
        try screen.send("r")
        try screen.wait { $0.contains("Bob") && $0.contains("2 objects") }
        try screen.send("q")
        #expect(try screen.waitForExit() == 0)
    }

    @Test func aTableThatGoesIsSaidToBeGone() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let store = folder.path + "/s.sqlite"
        try sqlite(
            store, "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO t VALUES (1, 'one'), (2, 'two')")
        let screen = try TerminalSession(arguments: ["--entity", "t", store])
        try screen.wait { $0.contains("one") && $0.contains("2 objects") }
        try sqlite(store, "ALTER TABLE t ADD COLUMN more TEXT")
        try screen.wait { $0.contains("the schema has changed") }
        try sqlite(store, "DROP TABLE t")
        try screen.wait { $0.contains("the schema has changed: ") }
        #expect(try screen.text.contains("one") && !screen.text.contains("(gone)"))
        try sqlite(store, "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO t VALUES (1, 'other')")
        try screen.wait { $0.contains("other") && $0.contains("1 object") && !$0.contains("two") }
        try screen.send("q")
        #expect(try screen.waitForExit() == 0)
    }

    /// A store that could not be read for a while and is then what it was is no news but for that.
    @Test func whatIsReadableAgainIsSaidNoMore() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let store = try copy(into: folder)
        let bytes = try #require(FileManager.default.contents(atPath: store))
        let screen = try TerminalSession(arguments: [folder.path + "/Configs/ElementsByName.plist"])
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: store))
        try handle.truncate(atOffset: 0)
        try screen.wait { $0.contains("cannot be read as it is now") }
        try screen.send("j", "j")
        #expect(try screen.lines.last?.contains("cannot be read as it is now") == true)
        try handle.write(contentsOf: bytes)
        try handle.close()
        try screen.wait { !$0.contains("cannot be read as it is now") && $0.contains("? help") }
        try screen.send("q")
        #expect(try screen.waitForExit() == 0)
    }

    @Test func aStoreThatGoesIsWaitedFor() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let store = try copy(into: folder)
        let screen = try TerminalSession(arguments: [folder.path + "/Configs/ElementsByName.plist"])
        try FileManager.default.moveItem(atPath: store, toPath: store + ".away")
        try screen.wait { $0.contains("not there any more") }
        // It is said for as long as it is true, whatever key is pressed.
        try screen.send("j", "k")
        #expect(try screen.lines.last?.contains("not there any more") == true)
        try sqlite(store + ".away", "UPDATE ZELEMENT SET ZNAME = 'Aardvarkium' WHERE ZNAME = 'Zirconium'")
        try FileManager.default.moveItem(atPath: store + ".away", toPath: store)
        try screen.wait { $0.contains("Aardvarkium") }
        try screen.send("q")
        #expect(try screen.waitForExit() == 0)
    }
}

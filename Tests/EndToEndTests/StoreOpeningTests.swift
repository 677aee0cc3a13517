import Foundation
import TestSupport
import Testing

/// What the program opens, and what it leaves: SPEC section 6.
@Suite(.needsBrowser, .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")))
struct StoreOpeningTests {
    private func shell(_ command: String) throws -> CommandResult { try CommandResult(["/bin/sh", "-c", command]) }

    private func run(_ arguments: [String], _ environment: [String: String] = [:]) throws -> BuiltProgram.Result {
        try BuiltProgram.run(["--no-state"] + arguments, environment: environment)
    }

    /// Private copies never have a name, so that kill -9 at any moment leaves nothing: all that appears in the folders they lie in
    /// is seen, and nothing does.
    @Test(arguments: ["wal", "journal"]) func privateCopiesNeverHaveAName(kind: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let store = folder.path + "/store.sqlite"
        // A writer that is killed in the middle leaves its log or its journal.
        let mode =
            kind == "wal"
            ? "PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0; CREATE TABLE t (x); INSERT INTO t VALUES (1);"
            : "CREATE TABLE t (x); INSERT INTO t VALUES (1); PRAGMA cache_size=1; PRAGMA cache_spill=1; BEGIN;"
        let rows =
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000) INSERT INTO t SELECT hex(randomblob(40)) FROM n;"
        _ = try shell("{ echo '\(mode) \(rows)'; echo '.shell kill -9 $PPID'; } | /usr/bin/sqlite3 \(store); rm -f \(store)-shm")
        #expect(FileManager.default.fileExists(atPath: "\(store)-\(kind)"))
        let memory = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : "/tmp"
        let places = [memory + "/tlbrowse-places-\(getpid())-\(kind)", folder.path + "/temporary"]
        for place in places { try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true) }
        defer { try? FileManager.default.removeItem(atPath: places[0]) }
        let before = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        let watch = try #require(FolderWatch(places + [folder.path]))
        let result = try run(["--schema", store], ["XDG_RUNTIME_DIR": places[0], "TMPDIR": places[1]])
        #expect(result.exitStatus == 0 && result.standardOutput.contains(kind == "wal" ? "4001 objects" : "1 object"))
        #expect(!watch.hasSeenName)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == before)
    }

    /// File names are bytes; those that are no UTF-8 are opened, and shown escaped.
    @Test func namesThatAreNoUTF8() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let program = BuiltProgram.path
        let result = try shell(
            """
            cd \(folder.path) && mkdir "$(printf 'd\\377')" && cd "$(printf 'd\\377')"
            name=$(printf 'b\\377.sqlite')
            /usr/bin/sqlite3 a.sqlite 'CREATE TABLE one (x); INSERT INTO one VALUES (7); CREATE TABLE two (y)' && mv a.sqlite "$name"
            \(program) --no-state --print "$name" && \(program) --no-state --print=csv --entity one "$PWD/$name"
            printf '[{"k": 5}]' > "$(printf 'j\\376.json')" && \(program) --no-state --print=ndjson "$(printf 'j\\376.json')"
            \(program) --no-state --print "$(printf 'gone\\377')"
            """)
        #expect(result.standardOutput.contains("b\\xFF.sqlite") && result.standardOutput.contains("2 entities"))
        #expect(result.standardOutput.contains("one/1,,7,"))
        #expect(result.standardOutput.contains("\"textLabel\": \"5\"") || result.standardOutput.contains("\"textLabel\":\"5\""))
        #expect(result.exitStatus == 1 && result.standardError == "tlbrowse: gone\\xFF: no such file (check the path)\n")
    }

    /// What is damaged ends no list: the others are printed, the place is named, and the exit status says it.
    @Test func damagedTablesDoNotEndTheList() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let store = folder.path + "/store.sqlite"
        let rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)"
        _ = try CommandResult([
            "/usr/bin/sqlite3", store,
            "PRAGMA page_size=512; CREATE TABLE a (id INTEGER PRIMARY KEY, v TEXT); CREATE TABLE b (id INTEGER PRIMARY KEY, v TEXT);"
                + "\(rows) INSERT INTO a SELECT i, 'row ' || i FROM n; \(rows) INSERT INTO b SELECT i, 'line ' || i FROM n;",
        ])
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: store)))
        // A leaf of the first table.
        for offset in 0..<512 { bytes[8 * 512 + offset] = 0xFF }
        try Data(bytes).write(to: URL(fileURLWithPath: store))
        let list = try run(["--print", store])
        #expect(list.exitStatus == 1)
        #expect(
            list.standardOutput.contains("(damaged)")
                && list.standardOutput.split(separator: "\n").last?.hasSuffix(" 400") == true)
        #expect(
            list.standardError
                == "tlbrowse: \(store): a: the store is corrupt: database disk image is malformed (what can be read is printed)\n"
        )
        let rowsOfA = try run(["--print=tsv", "--entity", "a", store])
        #expect(
            rowsOfA.exitStatus == 1 && rowsOfA.standardOutput.contains("row 400") && rowsOfA.standardOutput.contains("row 1\t"))
        #expect(rowsOfA.standardError.split(separator: "\n").count == 1)
        #expect(try run(["--print=tsv", "--entity", "b", store]).exitStatus == 0)
        #expect(try run(["--schema=json", store]).exitStatus == 1)
    }

    /// Of a document that breaks off the whole records are printed, with the line and the reason, and exit status 1.
    @Test func documentsThatBreakOff() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let json = "[\n" + (1...5).map { "{\"k\": \($0)}" }.joined(separator: ",\n") + "\n]"
        let openStep = "(\n" + (1...5).map { "{ k = \($0); }" }.joined(separator: ",\n") + "\n)"
        let xml =
            "<plist>\n<array>\n" + (1...5).map { "<dict><key>k</key><integer>\($0)</integer></dict>" }.joined(separator: "\n")
            + "\n</array></plist>"
        for (name, text) in [("a.json", json), ("b.plist", openStep), ("c.plist", xml)] {
            let path = folder.path + "/" + name
            let end = try #require(text.range(of: "4", options: .backwards)).lowerBound
            try Data(text[..<end].utf8).write(to: URL(fileURLWithPath: path))
            let result = try run(["--print=csv", path])
            #expect(result.exitStatus == 1, "\(name)")
            #expect(result.standardOutput.split(separator: "\n").count == 4, "\(name): \(result.standardOutput)")
            #expect(result.standardError.contains("warning: Line \(name == "c.plist" ? 6 : 5): "), "\(result.standardError)")
        }
    }

    /// What is no file is called what it is; the option that is wrong is blamed, not the plist.
    @Test func faultsAreCalledWhatTheyAre() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        #expect(
            try run(["--print", folder.path]).standardError == "tlbrowse: \(folder.path): a folder, not a file (name a file)\n")
        #expect(try run(["--print", "/dev/null"]).standardError == "tlbrowse: /dev/null: a device, not a file (name a file)\n")
        let sorted = try run(["--print", "--sort", "nonsense", Screens.elements])
        #expect(
            sorted.exitStatus == 1 && sorted.standardError.hasPrefix("tlbrowse: --sort: “Element” has no property “nonsense”"))
        // Two plists, four faults, one run.
        try Data("{ entityName = t; sortKeyPaths = (nmae); detailViewPropertyListFile = d; dataFile = \"x.csv\"; }".utf8).write(
            to: URL(fileURLWithPath: folder.path + "/l.plist"))
        try Data("({ rowInformation = ({ rowType = Nope; attributeKeyPath = nam; }); })".utf8).write(
            to: URL(fileURLWithPath: folder.path + "/d.plist"))
        try Data("name,size\na,1\nb,2\n".utf8).write(to: URL(fileURLWithPath: folder.path + "/x.csv"))
        try Data("{ entityName = x; sortKeyPaths = (nmae); detailViewPropertyListFile = d; dataFile = \"x.csv\"; }".utf8).write(
            to: URL(fileURLWithPath: folder.path + "/l.plist"))
        let list = folder.path + "/l.plist"
        let keys = [
            "cellTextLabelKeyPath", "sortKeyPaths[0]", "[0].rowInformation[0].rowType", "[0].rowInformation[0].attributeKeyPath",
        ]
        for result in [try run(["--print", list]).standardError, try run(["--check", list]).standardOutput] {
            for key in keys { #expect(result.contains(": \(key): "), "\(key): \(result)") }
        }
    }
}

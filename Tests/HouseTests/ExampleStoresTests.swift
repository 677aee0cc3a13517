import Foundation
import TestSupport
import Testing

/// The stores that are committed are what the generator makes of the tables beside them.
struct ExampleStoresTests {
    /// Row for row and table for table: the bytes of the file depend on SQLite's version.
    func dump(_ path: String) throws -> String {
        let result = try CommandResult(["sqlite3", "-readonly", path, ".dump"])
        #expect(result.exitStatus == 0, "\(result.standardError)")
        return result.standardOutput
    }

    func query(_ store: String, _ sql: String) throws -> [String] {
        let result = try CommandResult(["sqlite3", "-readonly", BuiltProgram.projectFile("Data/\(store).sqlite"), sql])
        #expect(result.exitStatus == 0, "\(result.standardError)")
        return result.standardOutput.split(separator: "\n").map(String.init)
    }

    @Test func committedStoresAreMadeFromTheTables() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let made = try CommandResult([
            BuiltProgram.besideTests("ExampleStores"), BuiltProgram.projectFile("Data/source"), folder.path,
        ])
        #expect(made.exitStatus == 0, "\(made.standardError)")
        for name in ["Elements", "Scales"] {
            let committed = try dump(BuiltProgram.projectFile("Data/\(name).sqlite"))
            #expect(committed.count > 10_000)
            #expect(try committed == dump("\(folder.path)/\(name).sqlite"), "\(name): script/make-examples brings it up to date")
            let model = "/\(name).xcdatamodeld/\(name).xcdatamodel/contents"
            #expect(
                try String(contentsOfFile: BuiltProgram.projectFile("Data") + model, encoding: .utf8)
                    == String(contentsOfFile: folder.path + model, encoding: .utf8))
        }
    }

    @Test func tablesWithFaultsAreNamedByLine() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        for name in ["elements", "categories", "discoverers", "scales"] {
            var table = try String(contentsOfFile: BuiltProgram.projectFile("Data/source/\(name).tsv"), encoding: .utf8)
            if name == "elements" { table = table.replacingOccurrences(of: "\t6.94\t", with: "\tsix\t") }
            try Data(table.utf8).write(to: URL(fileURLWithPath: "\(folder.path)/\(name).tsv"))
        }
        let result = try CommandResult([BuiltProgram.besideTests("ExampleStores"), folder.path, folder.path])
        #expect(result.exitStatus == 1)
        #expect(result.standardError.contains("elements.tsv:4: six in atomicMass is no number"))
    }

    @Test func elementsAreCompleteAndInOrder() throws {
        #expect(try query("Elements", "SELECT count(*), min(ZATOMICNUMBER), max(ZATOMICNUMBER) FROM ZELEMENT") == ["118|1|118"])
        // Where the periods end: the noble gases, and the one that may not be one.
        #expect(
            try query("Elements", "SELECT max(ZATOMICNUMBER) FROM ZELEMENT GROUP BY ZPERIOD ORDER BY ZPERIOD")
                == ["2", "10", "18", "36", "54", "86", "118"])
        #expect(
            try query("Elements", "SELECT ZATOMICNUMBER FROM ZELEMENT WHERE ZPHASE = 'liquid' ORDER BY 1") == ["35", "80"])
        #expect(
            try query("Elements", "SELECT count(DISTINCT ZSYMBOL), count(DISTINCT ZNAME) FROM ZELEMENT") == ["118|118"])
        // Mass rises with number but for these well-known pairs (and among the heaviest, where a mass number stands for it).
        #expect(
            try query(
                "Elements",
                """
                SELECT a.ZSYMBOL || ' ' || b.ZSYMBOL FROM ZELEMENT a JOIN ZELEMENT b ON b.ZATOMICNUMBER = a.ZATOMICNUMBER + 1
                WHERE b.ZATOMICMASS < a.ZATOMICMASS AND a.ZATOMICNUMBER < 90 ORDER BY a.ZATOMICNUMBER
                """) == ["Ar K", "Co Ni", "Te I"])
        // Every group from 1 to 18 has as many members as rows of the table reach it.
        #expect(
            try query(
                "Elements",
                "SELECT group_concat(n, ' ') FROM (SELECT count(*) AS n FROM ZELEMENT WHERE ZGROUP > 0 GROUP BY ZGROUP)")
                == ["7 6 2 4 4 4 4 4 4 4 4 4 6 6 6 6 6 7"])
    }

    @Test func storesHaveCoreDatasBooks() throws {
        for store in ["Elements", "Scales"] {
            for row in try query(store, "SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT") {
                let fields = row.split(separator: "|").map(String.init)
                let table = "Z" + fields[1].uppercased()
                #expect(
                    try query(store, "SELECT count(*), max(Z_PK), min(Z_ENT), max(Z_ENT), min(Z_OPT) FROM \(table)")
                        == ["\(fields[3])|\(fields[3])|\(fields[0])|\(fields[0])|1"])
            }
            #expect(try query(store, "PRAGMA journal_mode") == ["delete"])
            #expect(try query(store, "PRAGMA integrity_check") == ["ok"])
        }
    }

    @Test func scalesAreOrderedThroughDegrees() throws {
        let notes = """
            SELECT group_concat(name, ' ') FROM (SELECT n.ZNAME AS name FROM ZDEGREE d JOIN ZNOTE n ON n.Z_PK = d.ZNOTE
            JOIN ZSCALE s ON s.Z_PK = d.ZSCALE WHERE s.ZNAME = '%' ORDER BY d.ZORDER)
            """
        for (scale, expected) in [
            ("Ionian", "C D E F G A B"), ("Aeolian", "C D E♭ F G A♭ B♭"), ("Hungarian minor", "C D E♭ F♯ G A♭ B"),
            ("Enigmatic", "C D♭ E F♯ G♯ A♯ B"),
        ] {
            #expect(try query("Scales", notes.replacingOccurrences(of: "%", with: scale)) == [expected])
        }
        // The triads of the major scale, as every book has them.
        #expect(
            try query(
                "Scales",
                """
                SELECT c.ZNAME FROM ZCHORD c JOIN Z_1SCALES j ON j.Z_1CHORDS = c.Z_PK JOIN ZSCALE s ON s.Z_PK = j.Z_4SCALES
                WHERE s.ZNAME = 'Ionian' ORDER BY c.ZROOTPITCH
                """) == ["C", "Dm", "Em", "F", "G", "Am", "Bdim"])
        #expect(
            try query("Scales", "SELECT count(*), sum(ZISSYMMETRIC) FROM ZSCALE") == ["32|5"])
    }
}

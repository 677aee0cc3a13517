import Foundation
import TestSupport

/// A store for the tour of finding, narrowing, sorting, printing and saving, with what is looked for in it.
struct TourStore: Sendable {
    let folder: TemporaryFolder
    var plist: String { folder.path + "/TourListView.plist" }
    let store: String
    let entity: String
    /// Typed after `/`; some rows hold its words, in more than one section.
    let search: String
    /// A predicate, and one with a fault: where it is, in characters, and what is said.
    let predicate: String
    let fault: (text: String, offset: Int, message: String)
    let sortKey: String
    let groupKey: String
    /// What the group menu does not offer, since it does not fit.
    let unfitGroupKey: String

    /// Own rows, as many as asked for.
    static func people(rows: Int) throws -> TourStore {
        let folder = try TemporaryFolder()
        let store = folder.path + "/people.sqlite"
        let first = "Ana,Bernd,Carla,David,Éva,Frank,Gül,Hans,Ida,Jürgen,Karla,Lars,Mara,Nils,Olga,Peter,Rosa,Sven,Tina,Ute"
        let last = "Auer,Braun,Çelik,Dorn,Engel,Fuchs,Graf,Haas,Jahn,Kraus,Lang,Möller,Neumann,Otto,Pohl,Roth,Schütz,Thal,Vogt"
        func pick(_ list: String, _ number: String) -> String {
            let names = list.split(separator: ",")
            return "CASE \(number) % \(names.count) "
                + names.enumerated().map { "WHEN \($0.offset) THEN '\($0.element)'" }.joined(separator: " ") + " END"
        }
        let sql = """
            CREATE TABLE Person (PersonId INTEGER PRIMARY KEY, name TEXT, city TEXT, born DATETIME, points INTEGER);
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
            INSERT INTO Person SELECT i, \(pick(first, "(i * 7)")) || ' ' || \(pick(last, "(i / 3)")) || ' ' || i,
                \(pick("Ulm,Köln,Wien,Bern,Graz", "(i / 7)")), date('1950-01-01', (i % 20000) || ' days'), i % 97 FROM n;
            """
        try make(store, sql)
        let tour = TourStore(
            folder: folder, store: store, entity: "Person", search: "schutz ana", predicate: "city == 'Ulm' AND points < 5",
            fault: ("cty == 'Ulm'", 0, "“Person” has no"), sortKey: "points", groupKey: "born.@year",
            unfitGroupKey: "name.@year")
        try tour.write(title: "People", section: "name.@firstLetter", sort: "name", text: "name", secondary: "city")
        return tour
    }

    static let chinook = "/work/shared/samples/sqlite/Chinook_Sqlite.sqlite"

    /// The invoices of the Chinook sample.
    static func invoices() throws -> TourStore {
        let tour = TourStore(
            folder: try TemporaryFolder(), store: chinook, entity: "Invoice", search: "rue paris",
            predicate: "Total > 10 AND BillingCountry BEGINSWITH 'U'", fault: ("Total >> 3", 7, "expected"), sortKey: "Total",
            groupKey: "InvoiceDate.@year", unfitGroupKey: "BillingCity.@year")
        try tour.write(
            title: "Invoices", section: "BillingCountry", sort: "BillingCountry, BillingCity", text: "BillingCity",
            secondary: "BillingAddress")
        return tour
    }

    static let sqlite = "/usr/bin/sqlite3"

    private static func make(_ store: String, _ sql: String) throws {
        let result = try CommandResult([sqlite, store, sql])
        guard result.exitStatus == 0 else { throw TerminalFailureInTour(what: result.standardError) }
    }

    private func write(title: String, section: String, sort: String, text: String, secondary: String) throws {
        let keys = sort.split(separator: ",").map { "\"\($0.trimmingCharacters(in: .whitespaces))\"" }.joined(separator: ", ")
        try """
        {
            entityName = \(entity); controllerTitle = \(title); sortKeyPaths = (\(keys)); sectionKeyPath = "\(section)";
            cellTextLabelKeyPath = \(text); cellDetailTextLabelKeyPath = \(secondary); sectionIndexTitlesEnabled = YES;
            detailViewPropertyListFile = TourDetailView; dataFile = "\(store)";
        }
        """.write(toFile: plist, atomically: true, encoding: .utf8)
        let row = "rowType = CDLTableRowTypeSingleLineValueSmallLabel; rowLabel = Text; attributeKeyPath = \(text);"
        try "( { rowInformation = ( { \(row) } ); } )".write(
            toFile: folder.path + "/TourDetailView.plist", atomically: true, encoding: .utf8)
    }

    /// The rows of `--print=tsv`, without the header.
    func printed(_ options: String...) throws -> [String] {
        let result = try BuiltProgram.run(options + ["--print=tsv", plist])
        guard result.exitStatus == 0 else { throw TerminalFailureInTour(what: result.standardError) }
        return result.standardOutput.split(separator: "\n").dropFirst().map(String.init)
    }
}

extension TerminalSession {
    /// The screen, for what a test says when it fails.
    var shown: String { (try? text) ?? "(cannot be read)" }
}

struct TerminalFailureInTour: Error { let what: String }

extension Int {
    /// As the first line shows it: in groups of three from five digits on.
    var grouped: String {
        guard self > 9_999 else { return String(self) }
        var text = ""
        for (place, digit) in String(self).reversed().enumerated() {
            if place > 0, place % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return String(text.reversed())
    }
}

import Foundation
import ObjectStore
import PlistConfig
import Reports
import TestSupport
import Testing

@Suite final class CheckReportTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }
    deinit { folder.remove() }

    func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder.path)/\(name).plist"))
    }

    func writeList(_ name: String = "List", detail: String = "Detail", more: String = "") throws {
        try write(
            name,
            "{ entityName = Event; sortKeyPaths = (name); cellTextLabelKeyPath = name; detailViewPropertyListFile = \(detail); \(more) }"
        )
    }

    func row(_ type: String, _ keyPath: String, _ more: String = "") -> String {
        "{ rowInformation = ({ rowType = CDLTableRowType\(type); rowLabel = L; attributeKeyPath = \"\(keyPath)\"; \(more) }); }"
    }

    func lines(_ report: CheckReport) -> [String] { report.lines.map { $0.replacing("tlbrowse: \(folder.path)/", with: "") } }

    func check(_ name: String = "List", _ data: CheckReport.Data? = nil) -> CheckReport {
        let schema = MemoryStore().schema
        return CheckReport.list(file: "\(folder.path)/\(name).plist", customRows: ["Known"]) { _ in
            data ?? .schema(Schema(entities: schema.entities, origin: .inferred), file: "x.db")
        }
    }

    @Test func allIsWell() throws {
        try writeList()
        try write("Detail", "(\(row("SingleLineValueNoLabel", "name")))")
        let report = check()
        #expect(lines(report) == ["List.plist: no faults", "Detail.plist: no faults"])
        #expect(report.exitStatus == 0)
    }

    @Test func faultsOfAllPlistsInOneRun() throws {
        try writeList(more: "cellDetailTextLabelKeyPath = nmae;")
        try write(
            "Detail",
            """
            (\(row("Relationship", "host.nam", "detailViewPropertyListFile = Guest;")), \(row("Custom", "", "rowCustomControllerClass = Other;")),
             \(row("ToManyRelationship", "guests.name", "showAddNewObject = YES; addNewObjectPropertyListFile = Gone; detailViewPropertyListFile = Guest;")))
            """)
        // Back to the first one: each is checked once.
        try write(
            "Guest",
            "(\(row("Relationship", "event.name", "detailViewPropertyListFile = Detail;")), \(row("SingleLineValueNoLabel", "x")))"
        )
        let report = check()
        #expect(
            lines(report) == [
                "List.plist: cellDetailTextLabelKeyPath: “Event” has no property “nmae” (did you mean “name”?)",
                "Detail.plist: [2].rowInformation[0].showAddNewObject: note: accepted, but not in effect yet",
                "Detail.plist: [2].rowInformation[0].addNewObjectPropertyListFile: note: accepted, but not in effect yet",
                "Detail.plist: [0].rowInformation[0].attributeKeyPath: “Guest” has no property “nam” (did you mean “name”?)",
                "Detail.plist: [1].rowInformation[0].rowCustomControllerClass: warning: no custom row “Other” (the row is shown as unavailable)",
                "Detail.plist: [2].rowInformation[0].addNewObjectPropertyListFile: no such file: \(folder.path)/Gone.plist",
                "Guest.plist: [1].rowInformation[0].attributeKeyPath: “Guest” has no property “x” (--schema lists what there is)",
            ])
        #expect(report.exitStatus == 1)
    }

    @Test func withoutDataItSaysWhatItCouldNotCheck() throws {
        try writeList(more: "cellDetailTextLabelKeyPath = nmae;")
        try write("Detail", "(\(row("SingleLineValueNoLabel", "x")))")
        let report = check("List", .none(Fault(file: "\(folder.path)/List.plist", problem: "no data found")))
        #expect(
            lines(report) == [
                "List.plist: note: no data found",
                "List.plist: note: entity and key paths were not checked (there is no data to check them against)",
                "List.plist: no faults", "Detail.plist: no faults",
            ])
        #expect(report.exitStatus == 0)
        let failed = check("List", .failed(Fault(file: "x.db", problem: "not a SQLite database")))
        #expect(failed.lines.first == "tlbrowse: x.db: not a SQLite database")
        #expect(failed.exitStatus == 1)
    }

    /// What is wrong with one entry moves no other, and hides none.
    @Test func whatIsAtFaultLeavesTheOthersTheirPlaces() throws {
        try write(
            "List",
            """
            { entityName = Event; cellTextLabelKeyPath = name; detailViewPropertyListFile = Detail; modelFile = "gone.mom";
              sortKeyPaths = ({ keyPath = name; selector = "x:"; }, "", {}, "-", nmae);
              cellDetailTextLabelKeyPath = ("", (name), seat); filterPredicate = "nmae = 1 AND (seats > 3 OR NOT fere = YES)"; }
            """)
        // The length, the type and the company of these rows are wrong, and their names, too.
        try write(
            "Detail",
            """
            ({ rowInformation = ({ rowType = Foo; attributeKeyPath = whne; },
                { rowType = CDLTableRowTypeRelationship; attributeKeyPath = "hsot.name.x"; },
                { rowType = CDLTableRowTypeToManyRelationship; attributeKeyPath = "geusts.name"; }); })
            """)
        let model = Fault(file: "\(folder.path)/List.plist", key: "modelFile", problem: "no such file: gone.mom")
        let schema = Schema(entities: MemoryStore().schema.entities, origin: .inferred)
        let found = lines(check("List", .schema(schema, file: "x.db", faults: [model])))
        for expected in [
            "List.plist: sortKeyPaths[0].selector: no selector “x:”", "List.plist: sortKeyPaths[1]: empty",
            "List.plist: sortKeyPaths[2].keyPath: missing", "List.plist: sortKeyPaths[3]: empty",
            "List.plist: sortKeyPaths[4]: “Event” has no property “nmae”", "List.plist: cellDetailTextLabelKeyPath[0]: empty",
            "List.plist: cellDetailTextLabelKeyPath[1]: an array, not a string",
            "List.plist: cellDetailTextLabelKeyPath[2]: “Event” has no property “seat”",
            "List.plist: filterPredicate: character 1: “Event” has no property “nmae”, at ▸ in “▸nmae = 1 AND",
            "List.plist: filterPredicate: character 32: “Event” has no property “fere”",
            "List.plist: modelFile: no such file: gone.mom",
            "Detail.plist: [0].rowInformation[0].rowType: no row type “Foo”",
            "Detail.plist: [0].rowInformation[0].attributeKeyPath: “Event” has no property “whne”",
            "Detail.plist: [0].rowInformation[1].attributeKeyPath: “hsot.name.x” is not of the form relationship.attribute",
            "Detail.plist: [0].rowInformation[1].attributeKeyPath: “Event” has no property “hsot”",
            "Detail.plist: [0].rowInformation[2].rowLabel: missing",
            "Detail.plist: [0].rowInformation[2].rowType: a to-many row stands alone in its section",
            "Detail.plist: [0].rowInformation[2].attributeKeyPath: “Event” has no property “geusts”",
        ] {
            #expect(found.count { $0.hasPrefix(expected) } == 1, "\(expected)")
        }
        #expect(found.count == 18)
    }

    @Test func warningsOfTheDataAreShown() throws {
        try writeList()
        try write("Detail", "(\(row("SingleLineValueNoLabel", "name")))")
        let report = check("List", .schema(MemoryStore().schema, file: "x.db"))
        #expect(report.lines == ["tlbrowse: x.db: warning: the model is a guess"])
        #expect(report.exitStatus == 0)
    }

    @Test func missingDetailAndBrokenList() throws {
        try writeList(detail: "Detial")
        try write("Detail", "()")
        #expect(
            lines(check()) == [
                "List.plist: detailViewPropertyListFile: no such file: \(folder.path)/Detial.plist (did you mean “Detail”?)"
            ])
        try write("Broken", "{ entityName = Event; }")
        let report = check("Broken")
        #expect(report.exitStatus == 1)
        #expect(lines(report).count == 3)
        #expect(lines(report).allSatisfy { $0.contains(": missing (") })
    }

    @Test func aDetailAloneIsCheckedAgainstTheListThatLeadsToIt() throws {
        try write("Detail", "(\(row("SingleLineValueNoLabel", "nmae")))")
        let file = "\(folder.path)/Detail.plist"
        let schema = MemoryStore().schema
        let alone = CheckReport.detail(file: file) { _ in .schema(schema, file: "x.db") }
        #expect(
            lines(alone) == [
                "Detail.plist: note: key paths were not checked (no list plist beside it leads to this detail)",
                "Detail.plist: no faults",
            ])
        try writeList()
        let led = CheckReport.detail(file: file) { _ in
            .schema(Schema(entities: schema.entities, origin: .inferred), file: "x.db")
        }
        #expect(
            lines(led) == [
                "Detail.plist: [0].rowInformation[0].attributeKeyPath: “Event” has no property “nmae” (did you mean “name”?)"
            ])
    }

    /// Two spellings of one key that say different things: a fault, and what each of them says is looked at.
    @Test func bothSpellingsOfTheSectionKeyPathAreChecked() throws {
        try write("Detail", "(\(row("SingleLineValueNoLabel", "name")))")
        for (first, second) in [("nmae", "name"), ("name", "nmae"), ("nmae", "gone")] {
            try writeList(more: "sectionKeyPath = \(first); sectionNameKeyPath = \(second);")
            let report = check()
            #expect(report.exitStatus == 1)
            let found = lines(report)
            #expect(
                found.contains(
                    "List.plist: sectionKeyPath: says “\(first)”, but sectionNameKeyPath says “\(second)” (keep one of them)"))
            for (key, path) in [("sectionKeyPath", first), ("sectionNameKeyPath", second)] {
                #expect(
                    found.contains { $0.hasPrefix("List.plist: \(key): “Event” has no property “\(path)”") } == (path != "name"))
            }
        }
    }
}

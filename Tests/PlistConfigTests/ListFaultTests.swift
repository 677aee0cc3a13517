import ObjectStore
import PlistConfig
import PropertyLists
import Testing

/// A list plist with what it has to have, and more keys.
func listPlist(_ more: String) -> String {
    "{ entityName = Widget; sortKeyPaths = (name); cellTextLabelKeyPath = name; detailViewPropertyListFile = D; \(more) }"
}

func loadList(_ text: String) throws -> (description: ListDescription?, faults: [Fault]) {
    ListDescription.decode(try PropertyListReader.read(bytes: Array(text.utf8)), file: "L.plist")
}

func lines(_ faults: [Fault]) -> [String] { faults.map { String($0.printedLine.dropFirst("tlbrowse: L.plist: ".count)) } }

@Suite struct ListFaultTests {
    @Test func everyFaultIsReportedInOneRun() throws {
        let text = """
            { entityName = ""; sortKeyPaths = ( "", name, (x), { ascending = YES; selector = "compareIt:"; foo = 1; } );
              controllerTitle = (a); sectionKeyPath = a; sectionNameKeyPath = b; fetchLimit = "-3";
              cellDetailTextLabelKeyPath = ( a, "", {} ); createTabBarItem = YES; dateFormatterStyle = NSDateFormatterLong; }
            """
        let (description, faults) = try loadList(text)
        #expect(description == nil)
        #expect(
            lines(faults) == [
                "entityName: empty (name the entity to list)",
                "sortKeyPaths[0]: empty (name a key path)",
                "sortKeyPaths[2]: an array, not a key path or a dictionary { keyPath; ascending; selector }",
                "sortKeyPaths[3].keyPath: missing (name a key path)",
                "sortKeyPaths[3].selector: no selector “compareIt:” (did you mean “compare:”?)",
                "sortKeyPaths[3].foo: warning: unknown key",
                "cellTextLabelKeyPath: missing (name the key path of the row text)",
                "detailViewPropertyListFile: missing (name the detail plist, without .plist)",
                "controllerTitle: an array, not a string",
                "sectionKeyPath: says “a”, but sectionNameKeyPath says “b” (keep one of them)",
                "cellDetailTextLabelKeyPath[1]: empty (name a key path)",
                "cellDetailTextLabelKeyPath[2]: a dictionary, not a string",
                "fetchLimit: “-3”, not a whole number, 0 or more",
                "dateFormatterStyle: no formatter style “NSDateFormatterLong” (did you mean “NSDateFormatterLongStyle”?)",
                "createTabBarItem: warning: unknown key",
            ])
    }

    @Test(arguments: [
        ("", []),
        ("sectionNameKeyPath = a;", []),
        ("sectionKeyPath = a; sectionNameKeyPath = a;", []),
        ("sectionKeyPath = \"\"; sectionNameKeyPath = a;", []),
        ("sectionKeyPath = a; sectionNameKeyPath = \"\";", []),
        ("controlerTitle = x;", ["controlerTitle: warning: unknown key (did you mean “controllerTitle”?)"]),
        ("filterPredicate = \"a = 1\";", []),
        ("filterPredicate = \"\";", []),
        ("sectionIndexTitlesEnabled = YES;", ["sectionIndexTitlesEnabled: warning: has no effect (it needs sectionKeyPath)"]),
        ("sectionIndexTitlesEnabled = NO;", []),
        (
            "sectionKeyPath = a; sectionIndexTitlesAlphabetical = YES; sectionIndexTitlesEnabled = asdfdsf;",
            [
                "sectionIndexTitlesEnabled: warning: “asdfdsf” counts as NO (write YES or NO)",
                "sectionIndexTitlesAlphabetical: warning: has no effect (it needs sectionIndexTitlesEnabled = YES)",
            ]
        ),
        ("sectionsInitiallyCollapsed = (YES);", ["sectionsInitiallyCollapsed: an array, not YES or NO"]),
        (
            "sectionIndexMinimumDisplayRowCount = many;",
            ["sectionIndexMinimumDisplayRowCount: “many”, not a whole number, 0 or more"]
        ),
        ("fetchLimit = 99999999999999999999;", ["fetchLimit: “99999999999999999999”, not a whole number, 0 or more"]),
        (
            "cellDetailTextLabelKeyPath = {};",
            ["cellDetailTextLabelKeyPath: a dictionary, not a key path or an array of key paths"]
        ),
        ("sortKeyPaths = ();", ["sortKeyPaths: empty (name at least one key path to sort by)"]),
        ("sortKeyPaths = name;", ["sortKeyPaths: a string, not an array (write ( … ))"]),
        ("sortKeyPaths = (\"-\");", ["sortKeyPaths[0]: empty (name a key path)"]),
        ("entityName = <00ff>;", ["entityName: data, not a string"]),
    ])
    func faultTable(keys: String, expected: [String]) throws {
        let (description, faults) = try loadList(listPlist(keys))
        #expect(lines(faults) == expected)
        #expect((description == nil) == faults.hasFault)
    }

    @Test(arguments: [
        ("( a )", "tlbrowse: L.plist: an array, not a dictionary (a list plist) (write { … })"),
        ("hello", "tlbrowse: L.plist: a string, not a dictionary (a list plist) (write { … })"),
    ])
    func whatIsNoDictionary(text: String, line: String) throws {
        let (description, faults) = try loadList(text)
        #expect(description == nil)
        #expect(faults.map(\.printedLine) == [line])
    }

    @Test func hostileNamesAndCountsAreBounded() throws {
        let long = String(repeating: "x", count: 100_000)
        let many = (0..<1000).map { "k\($0) = 1;" }.joined(separator: " ")
        let faults = try loadList(listPlist("sortKeyPaths = ( { keyPath = a; selector = \(long); } ); \(long) = 1; \(many)"))
            .faults
        #expect(faults.count == 22)
        #expect(faults.allSatisfy { $0.printedLine.utf8.count < 2000 })
        #expect(lines(faults).last == "warning: 981 more unknown keys")
    }

    @Test func filesThatCannotBeRead() {
        let missing = ListDescription.load(file: "/nowhere/L.plist")
        #expect(missing.faults.map(\.printedLine) == ["tlbrowse: /nowhere/L.plist: no such file (check the path)"])
        let folder = DetailDescription.load(file: "/")
        #expect(folder.description == nil)
        #expect(folder.faults.map(\.printedLine) == ["tlbrowse: /: a folder, not a file (name a file)"])
    }

    @Test func everythingThatAListSays() throws {
        let (description, faults) = try loadList(
            """
            { entityName = Widget; sortKeyPaths = ( "-price", { keyPath = name; ascending = NO; selector = "compare:"; },
                { keyPath = detail; selector = "localizedStandardCompare:"; } );
              cellTextLabelKeyPath = name; detailViewPropertyListFile = D; controllerTitle = Widgets; sectionNameKeyPath = nameFirstLetter;
              sectionIndexTitlesEnabled = YES; sectionIndexTitlesAlphabetical = true; cellDetailTextLabelKeyPath = ( detail, price );
              dataFile = "../x.db"; modelFile = m.mom; fetchLimit = 5; sectionsInitiallyCollapsed = 1; singleExpandedSection = Yes;
              sectionIndexMinimumDisplayRowCount = 0; dateFormatterStyle = NSDateFormatterShortStyle; timeFormatterStyle = NSDateFormatterNoStyle; }
            """)
        #expect(faults == [])
        var expected = ListDescription(
            entityName: "Widget",
            sortKeyPaths: [
                .init(keyPath: "price", ascending: false), .init(keyPath: "name", ascending: false, selector: .compare),
                .init(keyPath: "detail", selector: .localizedStandardCompare),
            ], cellTextLabelKeyPath: "name")
        expected.file = "L.plist"
        expected.detailViewPropertyListFile = "D"
        expected.controllerTitle = "Widgets"
        expected.sectionKeyPath = "nameFirstLetter"
        expected.sectionKey = "sectionNameKeyPath"
        expected.sectionIndexTitlesEnabled = true
        expected.sectionIndexTitlesAlphabetical = true
        expected.cellDetailTextLabelKeyPaths = ["detail", "price"]
        expected.showsDetailColumns = true
        expected.dataFile = "../x.db"
        expected.modelFile = "m.mom"
        expected.fetchLimit = 5
        expected.sectionsInitiallyCollapsed = true
        expected.singleExpandedSection = true
        expected.sectionIndexMinimumDisplayRowCount = 0
        expected.dateFormatterStyle = .short
        expected.timeFormatterStyle = DateStyle.none
        #expect(description == expected)
    }

    @Test(arguments: [
        (PropertyList.boolean(true), true), (.boolean(false), false), (.integer(1), true), (.integer(0), false),
        (.integer(-7), true),
        (.real(0.5), true), (.real(0), false), (.string("YES"), true), (.string("Yes"), true), (.string("y"), true),
        (.string("yawn"), true), (.string("true"), true), (.string("T"), true), (.string("1"), true), (.string("9 lives"), true),
        (.string("0"), false), (.string("00"), false), (.string("007"), true), (.string("-1"), true), (.string("+0"), false),
        (.string(" YES"), true), (.string("NO"), false), (.string("false"), false), (.string("asdfdsf"), false),
        (.string("on"), false),
        (.string("Ýes"), false), (.string("--1"), false), (.string(""), false),
    ])
    func booleanRule(value: PropertyList, flag: Bool) {
        let plist = PropertyList.dictionary([
            .init(key: "entityName", value: .string("E")), .init(key: "sortKeyPaths", value: .array([.string("a")])),
            .init(key: "cellTextLabelKeyPath", value: .string("a")),
            .init(key: "detailViewPropertyListFile", value: .string("D")),
            .init(key: "sectionKeyPath", value: .string("a")), .init(key: "singleExpandedSection", value: value),
        ])
        let (description, faults) = ListDescription.decode(plist, file: "L.plist")
        #expect(description?.singleExpandedSection == flag)
        #expect(!faults.hasFault)
    }
}

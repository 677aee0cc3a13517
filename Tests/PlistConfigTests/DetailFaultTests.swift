import ObjectStore
import PlistConfig
import PropertyLists
import Testing

func loadDetail(_ text: String) throws -> (description: DetailDescription?, faults: [Fault]) {
    DetailDescription.decode(try PropertyListReader.read(bytes: Array(text.utf8)), file: "L.plist")
}

/// A detail with one section of rows; each row without the braces.
func detailPlist(_ rows: String...) -> String {
    "( { rowInformation = ( " + rows.map { "{ \($0) }" }.joined(separator: ", ") + " ); } )"
}

@Suite struct DetailFaultTests {
    static let small = "rowType = CDLTableRowTypeSingleLineValueSmallLabel;"

    @Test(arguments: [
        ("()", ["empty (write at least one section)"]),
        ("{ a = b; }", ["a dictionary, not an array of sections (a detail plist) (write ( { rowInformation = ( … ); } ))"]),
        ("( x )", ["[0]: a string, not a dictionary (write { … })"]),
        (
            "( { sectionTitle = (a); rowInfo = 1; } )",
            [
                "[0].sectionTitle: an array, not a string", "[0].rowInfo: warning: unknown key (did you mean “rowInformation”?)",
                "[0].rowInformation: missing (write at least one row)",
            ]
        ),
        (
            "( { rowInformation = (); }, { rowInformation = x; } )",
            [
                "[0].rowInformation: empty (write at least one row)", "[1].rowInformation: a string, not an array (write ( … ))",
            ]
        ),
        (
            "( { rowInformation = ( {}, x ); } )",
            [
                "[0].rowInformation[0]: empty (write rowType and attributeKeyPath)",
                "[0].rowInformation[1]: a string, not a dictionary (write { … })",
            ]
        ),
        (
            detailPlist("attributeKeyPath = a;"),
            [
                "[0].rowInformation[0].rowType: missing (such as CDLTableRowTypeSingleLineValueSmallLabel)"
            ]
        ),
        (
            detailPlist("rowType = CDLTableRowTypeBoolSwitch; attributeKeyPath = a;"),
            [
                "[0].rowInformation[0].rowType: no row type “CDLTableRowTypeBoolSwitch” (did you mean “CDLTableRowTypeBooleanSwitch”?)"
            ]
        ),
        (detailPlist(small), ["[0].rowInformation[0].attributeKeyPath: missing (name the attribute)"]),
        (
            detailPlist(small + "attributeKeyPath = \"a..b\";"),
            ["[0].rowInformation[0].attributeKeyPath: the key path has an empty part"]
        ),
        (
            detailPlist(small + "attributeKeyPath = a; rowLable = x; dateFormatterStyle = optional;"),
            [
                "[0].rowInformation[0].rowLable: warning: unknown key (did you mean “rowLabel”?)",
                "[0].rowInformation[0].dateFormatterStyle: no formatter style “optional” (known: NSDateFormatterNoStyle, NSDateFormatterShortStyle, NSDateFormatterMediumStyle, NSDateFormatterLongStyle, NSDateFormatterFullStyle)",
            ]
        ),
        (
            detailPlist("rowType = CDLTableRowTypeRelationship; attributeKeyPath = a.b.c;"),
            [
                "[0].rowInformation[0].attributeKeyPath: “a.b.c” is not of the form relationship.attribute"
            ]
        ),
        (
            detailPlist("rowType = CDLTableRowTypeToManyOrderedRelationship; rowLabel = x; attributeKeyPath = a.b.c.d;"),
            [
                "[0].rowInformation[0].attributeKeyPath: “a.b.c.d” is not of the form toIntermediate.toObject.attribute"
            ]
        ),
        (
            detailPlist("rowType = CDLTableRowTypeToManyRelationship; attributeKeyPath = a.b;", small + "attributeKeyPath = a;"),
            [
                "[0].rowInformation[0].rowLabel: missing (a to-many row needs a label)",
                "[0].rowInformation[0].rowType: a to-many row stands alone in its section (give it a section of its own)",
            ]
        ),
        (
            detailPlist(
                "rowType = CDLTableRowTypeToManyRelationship; rowLabel = x; attributeKeyPath = a.b; showAddNewObject = YES;"),
            [
                "[0].rowInformation[0].addNewObjectPropertyListFile: missing (showAddNewObject needs the detail plist of a new object, without .plist)",
                "[0].rowInformation[0].showAddNewObject: note: accepted, but not in effect yet",
            ]
        ),
        (
            detailPlist(
                "rowType = CDLTableRowTypeToManyRelationship; rowLabel = x; attributeKeyPath = a.b; showAddNewObject = NO; addNewObjectPropertyListFile = \"\";"
            ), []
        ),
        (
            detailPlist("rowType = CDLTableRowTypeCustom;"),
            ["[0].rowInformation[0].rowCustomControllerClass: missing (name the custom row)"]
        ),
        (detailPlist("rowType = CDLTableRowTypeCustom; rowCustomControllerClass = X; anything = goes;"), []),
    ])
    func faultTable(text: String, expected: [String]) throws {
        #expect(lines(try loadDetail(text).faults) == expected)
    }

    @Test func aBadRowLeavesTheOthers() throws {
        let text = detailPlist(
            "rowType = nonsense; attributeKeyPath = a;", Self.small + "attributeKeyPath = name; rowLabel = Name;", "")
        let detail = try #require(try loadDetail(text).description)
        #expect(detail.sections.map(\.rows.count) == [3])
        #expect(detail.sections[0].rows.map(\.problem) == ["no row type “nonsense”", nil, "empty"])
        let (resolved, faults) = detail.resolve(in: widgetSchema(), entityName: "Widget")
        // Another thing that is wrong with it belongs to the same run; what loading said is not said again.
        #expect(faults.map(\.key) == ["[0].rowInformation[0].attributeKeyPath"])
        #expect(resolved.sections[0].rows[0].content == .unavailable("no row type “nonsense”"))
        #expect(resolved.sections[0].rows[1].content == .value(try widgetSchema().keyPath("name", in: "Widget")))
    }

    @Test func everyKeyOfARow() throws {
        let text = detailPlist(
            """
            rowType = CDLTableRowTypeToManyRelationship; rowLabel = L; attributeKeyPath = a.b; dateFormatterStyle = NSDateFormatterFullStyle;
            timeFormatterStyle = NSDateFormatterNoStyle; showAddNewObject = YES; addNewObjectPropertyListFile = New; showAddExistingObjects = NO;
            detailViewPropertyListFile = Other;
            """)
        let row = try #require(try loadDetail(text).description?.sections.first?.rows.first)
        #expect(row.type == .toManyRelationship && row.label == "L" && row.attributeKeyPath == "a.b" && row.problem == nil)
        #expect(row.dateFormatterStyle == .full && row.timeFormatterStyle == DateStyle.none)
        #expect(row.showAddNewObject && row.addNewObjectPropertyListFile == "New" && row.showAddExistingObjects == false)
        #expect(row.detailViewPropertyListFile == "Other")
        #expect(row.dictionary?["rowLabel"] == .string("L"))
    }
}

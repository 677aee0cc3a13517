import Foundation
import ObjectStore
import PlistConfig
import TestSupport
import Testing

@testable import Reports

/// The plists that `--scaffold` writes can be read, and fit the schema that they were made from.
@Suite final class ScaffoldTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }
    deinit { folder.remove() }

    func write(_ scaffold: Scaffold) throws {
        for file in scaffold.files { try Data(file.text.utf8).write(to: URL(fileURLWithPath: "\(folder.path)/\(file.name)")) }
    }

    /// What a check of every list finds against the schema.
    func problems(_ scaffold: Scaffold, _ schema: Schema) throws -> [String] {
        try write(scaffold)
        return scaffold.files.map(\.name).filter { $0.hasSuffix("ListView.plist") }.flatMap { name in
            CheckReport.list(file: "\(folder.path)/\(name)") { _ in
                .schema(Schema(entities: schema.entities, origin: .inferred), file: "data")
            }.faults.map(\.printedLine)
        }
    }

    @Test func twoPlistsForEachEntityThatASchemaLists() throws {
        let schema = MemoryStore().schema
        let scaffold = Scaffold(schema: schema, dataFile: "../My data.sqlite")
        #expect(
            scaffold.files.map(\.name) == [
                "EventListView.plist", "EventDetailView.plist", "GuestListView.plist", "GuestDetailView.plist",
            ])
        // The abstract entity has nothing, and the history is the system's.
        #expect(scaffold.entitiesWithoutFiles == ["Person"])
        #expect(try problems(scaffold, schema) == [])
        let list = try #require(ListDescription.load(file: "\(folder.path)/EventListView.plist").description)
        let made = ListDescription.fromSchema(schema.entities[0], in: schema)
        #expect(list.entityName == "Event" && list.dataFile == "../My data.sqlite")
        #expect(list.sortKeyPaths == made.sortKeyPaths && list.cellTextLabelKeyPath == made.cellTextLabelKeyPath)
        #expect(list.sectionKeyPath == made.sectionKeyPath && list.sectionIndexTitlesAlphabetical)
        #expect(list.cellDetailTextLabelKeyPaths == made.cellDetailTextLabelKeyPaths && list.showsDetailColumns)
        #expect(list.detailViewPropertyListFile == "EventDetailView")
        let detail = try #require(DetailDescription.load(file: "\(folder.path)/EventDetailView.plist").description)
        let madeDetail = DetailDescription.fromSchema(schema.entities[0], in: schema)
        #expect(detail.sections.map(\.title) == madeDetail.sections.map(\.title))
        #expect(
            detail.sections.map { $0.rows.map(\.attributeKeyPath) } == madeDetail.sections.map { $0.rows.map(\.attributeKeyPath) }
        )
        #expect(detail.sections.map { $0.rows.map(\.type) } == madeDetail.sections.map { $0.rows.map(\.type) })
    }

    @Test func oneEntityAlone() {
        let scaffold = Scaffold(schema: MemoryStore().schema, entityName: "guest", dataFile: nil, modelFile: "m.momd")
        #expect(scaffold.files.map(\.name) == ["GuestListView.plist", "GuestDetailView.plist"])
        #expect(scaffold.files[0].text.contains("\tmodelFile = \"m.momd\";\n"))
        #expect(!scaffold.files[0].text.contains("dataFile ="))
    }

    /// Names that only a table can have: each alone, as an entity and as a column.
    @Test(arguments: [
        "Order Details", "a.b", "a..b", ".", "-x", "@count", "x.@year", "*/", "/* ", "\"", "\\", "a\nb", "\t", "Müller",
        "東京", "\u{202E}abc", "\u{1B}[31m", "e\u{301}", "👩‍👩‍👧", "name;", "{", "nameFirstLetter", " ", "NULL", "../../x", "CON",
        "list\0",
    ]) func anyName(name: String) throws {
        let entity = Entity(
            name: name, tableName: name,
            attributes: [
                Attribute(name: name, type: .string, columnName: name), Attribute(name: "n", type: .int64, columnName: "n"),
                Attribute(name: "d" + name, type: .date, columnName: "d"),
            ],
            relationships: [
                Relationship(name: "r" + name, destinationEntityName: name, isToMany: false),
                Relationship(name: "s" + name, destinationEntityName: name, isToMany: true),
            ])
        let schema = Schema(entities: [entity], origin: .inferred)
        let scaffold = Scaffold(schema: schema, dataFile: nil)
        #expect(scaffold.files.count == 2)
        for file in scaffold.files {
            #expect(!file.name.contains("/") && !file.name.hasPrefix("."))
            #expect(file.name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202E })
            #expect(file.text.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" || $0 == "\t" })
        }
        #expect(try problems(scaffold, schema) == [])
        let list = try #require(ListDescription.load(file: "\(folder.path)/\(scaffold.files[0].name)").description)
        #expect(list.entityName == name && list.controllerTitle == name)
    }

    @Test func entitiesWhoseNamesDifferLittleHaveFilesOfTheirOwn() throws {
        let attribute = Attribute(name: "n", type: .string, columnName: "n")
        let names = ["Ab", "aB", "A b", "A_b", "", "AbListView"]
        let schema = Schema(
            entities: names.map { Entity(name: $0, tableName: $0, attributes: [attribute]) }, origin: .inferred)
        let files = Scaffold(schema: schema, dataFile: nil).files.map { $0.name.lowercased() }
        #expect(files.count == 12 && Set(files).count == 12)
    }

    @Test func entitiesWithLittleToShow() throws {
        let bytes = Entity(
            name: "Bytes", tableName: "B", attributes: [Attribute(name: "blob", type: .binary, columnName: "b")])
        let links = Entity(
            name: "Links", tableName: "L",
            relationships: [Relationship(name: "parts", destinationEntityName: "Bytes", isToMany: true)])
        let lone = Entity(
            name: "Lone", tableName: "O", attributes: [Attribute(name: "gone", type: .string, columnName: nil)])
        let schema = Schema(entities: [bytes, links, lone], origin: .inferred)
        let scaffold = Scaffold(schema: schema, dataFile: nil)
        #expect(scaffold.entitiesWithoutFiles == ["Lone"])
        #expect(try problems(scaffold, schema) == [])
        let list = try #require(ListDescription.load(file: "\(folder.path)/LinksListView.plist").description)
        #expect(list.cellTextLabelKeyPath == "parts.@count")
    }

    /// Whatever a string holds, the text brings it back.
    @Test func stringsComeBack() throws {
        var generator = SeededGenerator(seed: 77)
        let alphabet: [Unicode.Scalar] = [
            "a", "Z", "0", "_", "-", ".", " ", "\"", "\\", "'", ";", "=", "\n", "\r", "\t", "\u{0}", "\u{7F}", "\u{85}", "é",
            "\u{301}", "\u{200F}", "\u{2028}", "😀", "\u{E000}", "/", "*", "(", "<", "@",
        ]
        let labels = (0..<400).map { _ in
            String(
                String.UnicodeScalarView(
                    (0..<Int.random(in: 1...8, using: &generator)).map { _ in
                        alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
                    }))
        }
        let rows = labels.map { DetailDescription.Row(type: .singleLineValueSmallLabel, label: $0, attributeKeyPath: "name") }
        let text = PlistText.detail(DetailDescription(sections: [DetailDescription.Section(rows: rows)]))
        let file = folder.path + "/Strings.plist"
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        let read = try #require(DetailDescription.load(file: file).description)
        #expect(
            read.sections.first?.rows.map { $0.label.map { Array($0.unicodeScalars) } } == labels.map { Array($0.unicodeScalars) }
        )
    }

    @Test func everyKeyOfAListComesBack() throws {
        var list = ListDescription(
            entityName: "E",
            sortKeyPaths: [
                .init(keyPath: "a"), .init(keyPath: "b", ascending: false), .init(keyPath: "-c"),
                .init(keyPath: "d", ascending: false, selector: .localizedStandardCompare),
                .init(keyPath: "e", selector: .compare),
            ], cellTextLabelKeyPath: "t.u")
        list.controllerTitle = "A title"
        list.sectionKeyPath = "s.@year"
        list.sectionIndexTitlesEnabled = true
        list.sectionIndexTitlesAlphabetical = true
        list.cellDetailTextLabelKeyPaths = ["x", "y.z"]
        list.showsDetailColumns = true
        list.detailViewPropertyListFile = "../other/D"
        list.dataFile = "../d.sqlite"
        list.modelFile = "m.mom"
        list.filterPredicate = "a == \"b\" AND c > 3"
        list.fetchLimit = 12
        list.sectionsInitiallyCollapsed = true
        list.singleExpandedSection = true
        list.sectionIndexMinimumDisplayRowCount = 3
        list.dateFormatterStyle = .long
        list.timeFormatterStyle = DateStyle.none
        list.file = folder.path + "/All.plist"
        let text = PlistText.list(list, heading: ["*/ first", "second"], notes: ["dataFile": ["the data"]], ending: ["the end"])
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path + "/All.plist"))
        #expect(ListDescription.load(file: folder.path + "/All.plist").description == list)
        #expect(text.hasPrefix("/* * / first\n   second */\n{\n"))
        #expect(text.contains("\n\t/* the data */\n\tdataFile = \"../d.sqlite\";\n") && text.hasSuffix("\t/* the end */\n}\n"))
    }
}

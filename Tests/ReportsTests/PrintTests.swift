import Fetching
import Foundation
import Glibc
import IndexPathModel
import ObjectStore
import PlistConfig
import Presentation
import Reports
import Testing

@Suite struct PrintTests {
    static let uuid = UUID(uuid: (0xDE, 0xAD, 0xBE, 0xEF, 0, 0x11, 0x42, 0x22, 0x83, 0x33, 4, 5, 6, 7, 8, 9))
    static let measure = TextMeasure(
        printable: { $0.replacing("\u{1B}", with: "␛").replacing("\n", with: "␊").replacing("\t", with: "␉") },
        width: { $0.count })

    static let store: MemoryStore = {
        var store = MemoryStore()
        store.events = [
            1: [
                "name": .string("Alpha"), "when": .date(292_295_092), "free": .boolean(true), "price": .double(9.5),
                "seats": .integer(40),
                "logo": .data(Data([1, 2, 3])), "token": .uuid(uuid), "host.name": .string("Ann"),
                "host": .object(ObjectID(entityName: "Guest", key: 3)),
            ],
            2: ["name": .string("A, \"b\"\tc\\\nd\u{1B}"), "price": .double(.nan), "when": .date(1e300), "logo": .data(Data())],
            4: ["name": .string("")], 5: [:],
        ]
        store.guests = [3: ["name": .string("Zoe")], 7: ["name": .string("Bob")]]
        store.guestsOfEvent = [1: [3, 7]]
        return store
    }()

    static let fetched = FetchedObjects(
        keys: [1, 2, 3, 4, 5],
        sections: [.init(value: .string("A"), count: 3), .init(value: .string(""), count: 1), .init(value: .null, count: 1)])

    /// What was fetched as the list has it: a section for each value.
    static func contents(_ fetched: FetchedObjects, isSectioned: Bool = true) -> ListContents {
        let sections = fetched.sections.map { section in
            let title: String? =
                switch section.value {
                case .null: nil
                case .string(let text): text
                default: "\(section.value)"
                }
            return (name: isSectioned ? SectionName(title) : SectionName.unnamed, indexTitle: String?.none, count: section.count)
        }
        return ListContents(model: ListContents.Model(identifiers: fetched.keys, sections: sections), index: nil)
    }

    static func description(_ columns: [String] = ["when"], section: String? = "name") -> ListDescription {
        var description = ListDescription(
            entityName: "Event", sortKeyPaths: [.init(keyPath: "name")], cellTextLabelKeyPath: "name")
        description.file = "L.plist"
        description.controllerTitle = "Events"
        description.sectionKeyPath = section
        description.cellDetailTextLabelKeyPaths = columns
        description.showsDetailColumns = columns.count > 1
        return description
    }

    static func detail() -> ResolvedDetail {
        var detail = DetailDescription.fromSchema(store.schema.entities[0], in: store.schema)
        detail.sections[0].rows.append(.init(type: .singleLineValueNoLabel, attributeKeyPath: "mood"))
        detail.sections[0].rows.append(.init(type: .singleLineValueNoLabel, attributeKeyPath: "nonsense"))
        detail.sections[0].rows.append(.init(type: .singleLineValueNoLabel, attributeKeyPath: "name"))
        return detail.resolve(in: store.schema, entityName: "Event").detail
    }

    func printed(
        _ format: PrintFormat, details: Bool = false, terminal: Bool = false,
        description: ListDescription = PrintTests.description(),
        fetched: FetchedObjects = PrintTests.fetched, columns: Int = 60
    ) throws -> String {
        let store = PrintTests.store
        let list = try #require(description.resolve(in: store.schema).list)
        let presentation = ValuePresentation(localization: Localization(environment: ["LANG": "C", "TZ": "UTC"]))
        let source = ListPrintSource(
            store: store, list: list, contents: PrintTests.contents(fetched, isSectioned: description.sectionKeyPath != nil),
            presentation: presentation, detail: details && format != .text ? PrintTests.detail() : nil,
            shown: details && format == .text
                ? DetailFetcher(store: store, detail: PrintTests.detail(), titleKeyPath: nil, presentation: presentation) : nil)
        let output = ReportOutput()
        let options = PrintOptions(
            format: format, withDetails: details, toTerminal: terminal, columns: columns, measure: PrintTests.measure)
        try ListPrinter(options: options, output: output).print(source)
        return output.text
    }

    @Test func textIsWhatTheScreenShows() throws {
        #expect(
            try printed(.text) == """
                 Events                                           5 objects
                 ▾ A                                                      3
                   Alpha                             7 Apr 2010 at 01:04:52
                   A, "b"␉c\\␊d␛                                      1e+300
                 ▾ ""                                                     1
                   ""                                                     —
                 ▾ (none)                                                 1
                   —                                                      —

                """)
    }

    @Test func textWithoutSectionsAndWithColumns() throws {
        let flat = FetchedObjects(keys: [1], sections: [.init(value: .null, count: 1)])
        #expect(
            try printed(.text, description: PrintTests.description(section: nil), fetched: flat) == """
                 Events                                            1 object
                 Alpha                               7 Apr 2010 at 01:04:52

                """)
        #expect(
            try printed(.text, description: PrintTests.description(["seats", "price"], section: nil), fetched: flat) == """
                 Events                                            1 object
                                             seats          price
                 Alpha                       40             9.5

                """)
        let details = try printed(.text, details: true, description: PrintTests.description(section: nil), fetched: flat)
        #expect(
            details.split(separator: "\n").dropFirst(2) == [
                "     name   Alpha", "     when   7 Apr 2010 at 01:04:52", "     free   on", "     price  9.5", "     seats  40",
                "     logo   3 bytes", "     token  DEADBEEF-0011-4222-8333-040506070809", "     host   Ann", "     —",
                "     (unavailable: “Event” has no property “nonsense”)", "     Alpha", "     guests", "       Zoe", "       Bob",
            ])
        let empty = try printed(.text, fetched: FetchedObjects(keys: [], sections: []))
        #expect(empty == " Events                                           0 objects\n")
    }

    /// Headings stand over their columns, however wide either is.
    @Test func columnsStandUnderTheirHeadings() throws {
        let lines = try printed(.text, description: PrintTests.description(["when", "guests.@count", "name", "price"])).split(
            separator: "\n")
        let heading = Array(lines[1])
        let starts = heading.indices.filter { $0 > 0 && heading[$0] != " " && heading[$0 - 1] == " " }
        #expect(starts.count == 4)
        for line in lines.dropFirst(2) where !line.contains("▾") {
            for start in starts { #expect(Array(line)[start - 1] == " " && Array(line)[start] != " ") }
        }
    }

    /// What is left out is counted, and why nothing is there is said, as on the screen.
    @Test func narrowedLists() throws {
        let store = PrintTests.store
        let list = try #require(PrintTests.description(section: nil).resolve(in: store.schema).list)
        let presentation = ValuePresentation(localization: Localization(environment: ["LANG": "C", "TZ": "UTC"]))
        func text(_ keys: ContiguousArray<ObjectKey>) throws -> String {
            let model = ListContents.Model(
                identifiers: keys, sections: keys.isEmpty ? [] : [(name: .unnamed, indexTitle: nil, count: keys.count)])
            var source = ListPrintSource(
                store: store, list: list, contents: ListContents(model: model, index: nil, total: 12_345),
                presentation: presentation)
            source.emptyReason = "no match for “x”"
            let output = ReportOutput()
            try ListPrinter(options: PrintOptions(columns: 40, measure: PrintTests.measure), output: output).print(source)
            return output.text
        }
        #expect(try text([1]).hasPrefix(" Events               1 of 12,345 match\n"))
        #expect(try text([]) == " Events               0 of 12,345 match\n no match for “x”\n")
    }

    /// Two moments of one day are one section, as on the screen.
    @Test func sectionsAreThoseOfTheScreen() throws {
        var description = PrintTests.description([], section: "when")
        description.dateFormatterStyle = .short
        let list = try #require(description.resolve(in: PrintTests.store.schema).list)
        let presentation = ValuePresentation(localization: Localization(environment: ["LANG": "C", "TZ": "UTC"]))
        var store = PrintTests.store
        store.fetched = FetchedObjects(
            keys: [1, 2, 4],
            sections: [.init(value: .date(0), count: 1), .init(value: .null, count: 1), .init(value: .date(3600), count: 1)])
        let contents = try ListFetcher(store: store, list: list, presentation: presentation).contents(progress: FetchProgress())
        let output = ReportOutput()
        try ListPrinter(options: PrintOptions(format: .tsv, measure: PrintTests.measure), output: output)
            .print(ListPrintSource(store: store, list: list, contents: contents, presentation: presentation))
        let rows = output.text.split(separator: "\n").dropFirst().map {
            $0.split(separator: "\t", omittingEmptySubsequences: false)[..<2]
        }
        #expect(
            rows.map { $0.joined(separator: " ") } == [
                "x-coredata://U/Event/p1 01/01/2001", "x-coredata://U/Event/p4 01/01/2001", "x-coredata://U/Event/p2 ",
            ])
    }

    @Test func longTextsAreNotCut() throws {
        let lines = try printed(.text, columns: 20).split(separator: "\n")
        #expect(lines[2] == "   Alpha  7 Apr 2010 at 01:04:52")
    }

    @Test func csv() throws {
        #expect(
            try printed(.csv) == """
                objectID,section,textLabel,detailTextLabel
                x-coredata://U/Event/p1,A,Alpha,7 Apr 2010 at 01:04:52
                x-coredata://U/Event/p2,A,"A, ""b""\tc\\\nd\u{1B}",1e+300
                x-coredata://U/Event/p4,,,
                x-coredata://U/Event/p5,,,

                """)
        #expect(try printed(.csv, terminal: true).contains("\"A, \"\"b\"\"␉c\\␊d␛\""))
    }

    @Test func csvWithDetails() throws {
        let lines = try printed(.csv, details: true).split(separator: "\n")
        #expect(
            lines[0]
                == "objectID,section,textLabel,detailTextLabel,name,when,free,price,seats,logo,token,host.name,mood,guests.name")
        #expect(
            lines[1] == """
                x-coredata://U/Event/p1,A,Alpha,7 Apr 2010 at 01:04:52,Alpha,2010-04-07T01:04:52Z,true,9.5,40,AQID,\
                DEADBEEF-0011-4222-8333-040506070809,Ann,,"[""Zoe"",""Bob""]"
                """)
        #expect(lines.last == "x-coredata://U/Event/p5,,,,,,,,,,,,,[]")
    }

    @Test func tsv() throws {
        #expect(
            try printed(.tsv) == """
                objectID\tsection\ttextLabel\tdetailTextLabel
                x-coredata://U/Event/p1\tA\tAlpha\t7 Apr 2010 at 01:04:52
                x-coredata://U/Event/p2\tA\tA, "b"\\tc\\\\\\nd\u{1B}\t1e+300
                x-coredata://U/Event/p4\t\t\t
                x-coredata://U/Event/p5\t\t\t

                """)
        #expect(try printed(.tsv, terminal: true).contains("A, \"b\"\\tc\\\\\\nd␛\t"))
    }

    @Test func json() throws {
        #expect(
            try printed(.json) == """
                [
                {"objectID":"x-coredata://U/Event/p1","section":"A","textLabel":"Alpha","detailTextLabel":"7 Apr 2010 at 01:04:52"},
                {"objectID":"x-coredata://U/Event/p2","section":"A","textLabel":"A, \\"b\\"\\tc\\\\\\nd\\u001b","detailTextLabel":"1e+300"},
                {"objectID":"x-coredata://U/Event/p4","section":"","textLabel":"","detailTextLabel":null},
                {"objectID":"x-coredata://U/Event/p5","section":null,"textLabel":null,"detailTextLabel":null}
                ]

                """)
        #expect(try printed(.json, fetched: FetchedObjects(keys: [], sections: [])) == "[]\n")
        let columns = try printed(.ndjson, description: PrintTests.description(["seats", "price"]))
        #expect(
            columns.hasPrefix(
                "{\"objectID\":\"x-coredata://U/Event/p1\",\"section\":\"A\",\"textLabel\":\"Alpha\",\"detailTextLabel\":[\"40\",\"9.5\"]}\n"
            ))
    }

    /// What is missing leaves its place, so that each column stays where it is.
    @Test func columnsWithoutValuesKeepTheirPlaces() throws {
        let columns = PrintTests.description(["seats", "price", "name"])
        let lines = try printed(.csv, description: columns).split(separator: "\n")
        #expect(lines[1].hasSuffix(",\"40, 9.5, Alpha\""))
        #expect(lines.last == #"x-coredata://U/Event/p5,,,", , ""#)
        let rows = try printed(.ndjson, description: columns).split(separator: "\n")
        #expect(rows[0].hasSuffix(#""detailTextLabel":["40","9.5","Alpha"]}"#))
        #expect(rows[2].hasSuffix(#""detailTextLabel":[null,null,""]}"#))
        #expect(rows[3].hasSuffix(#""detailTextLabel":[null,null,null]}"#))
    }

    @Test func ndjsonWithDetails() throws {
        let lines = try printed(.ndjson, details: true).split(separator: "\n")
        #expect(lines.count == 4)
        #expect(
            lines[0].hasSuffix(
                """
                "details":{"name":"Alpha","when":"2010-04-07T01:04:52Z","free":true,"price":9.5,"seats":40,"logo":"AQID",\
                "token":"DEADBEEF-0011-4222-8333-040506070809","host.name":"Ann","mood":null,"guests.name":["Zoe","Bob"]}}
                """))
        #expect(lines[1].contains("\"when\":1e+300,\"free\":null,\"price\":\"NaN\""))
        for line in lines { #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) } }
    }

    @Test(arguments: [
        (Value.null, "null", ""), (.boolean(false), "false", "false"),
        (.integer(.max), "9223372036854775807", "9223372036854775807"),
        (.double(.infinity), "\"Infinity\"", "Infinity"), (.double(-.infinity), "\"-Infinity\"", "-Infinity"),
        (.double(3), "3", "3"),
        (.double(1e25), "1e+25", "1e+25"), (.date(0.5), "\"2001-01-01T00:00:00.500Z\"", "2001-01-01T00:00:00.500Z"),
        (.date(.nan), "\"NaN\"", "NaN"),
        (.string("\u{202E}\u{1F600}\u{7F}/é"), "\"\\u202e\u{1F600}\\u007f/é\"", "\u{202E}\u{1F600}\u{7F}/é"),
        (.string("\u{E0041}"), "\"\\udb40\\udc41\"", "\u{E0041}"),
        (.list([.null, .list([]), .integer(1)]), "[null,[],1]", "[null,[],1]"),
        (.object(ObjectID(entityName: "E", key: 2)), "\"E/2\"", "E/2"), (.data(Data()), "\"\"", ""),
    ])
    func values(value: Value, json: String, field: String) {
        #expect(PrintedValue.json(value) == json)
        #expect(PrintedValue.field(value) == field)
    }

    /// Batches meet at their ends: every row once, in order.
    @Test(arguments: [511, 512, 513, 1025])
    func batches(count: Int) throws {
        var store = MemoryStore()
        for key in 0..<count { store.events[Int64(key)] = ["name": .integer(Int64(key))] }
        let fetched = FetchedObjects(
            keys: ContiguousArray((0..<count).map(Int64.init)),
            sections: [.init(value: .integer(1), count: 500), .init(value: .null, count: count - 500)])
        let list = try #require(PrintTests.description([]).resolve(in: store.schema).list)
        let presentation = ValuePresentation(localization: Localization(environment: [:]))
        let contents = PrintTests.contents(fetched)
        let output = ReportOutput()
        try ListPrinter(options: PrintOptions(format: .tsv, measure: PrintTests.measure), output: output)
            .print(ListPrintSource(store: store, list: list, contents: contents, presentation: presentation))
        let labels = output.text.split(separator: "\n").dropFirst().map {
            $0.split(separator: "\t", omittingEmptySubsequences: false)[2]
        }
        #expect(labels == (0..<count).map { Substring(String($0)) })

        store.brokenFrom = 512
        let broken = ListPrintSource(store: store, list: list, contents: contents, presentation: presentation)
        let printer = ListPrinter(options: PrintOptions(format: .tsv, measure: PrintTests.measure), output: ReportOutput())
        if count > 512 {
            #expect(throws: ListPrinter.Failure.store(StoreError(file: "memory", cause: .busy))) { try printer.print(broken) }
        } else {
            #expect(throws: Never.self) { try printer.print(broken) }
        }
    }

    @Test func entities() throws {
        let store = PrintTests.store
        let output = ReportOutput()
        let source = EntityPrintSource(title: "memory", store: store)
        try ListPrinter(options: PrintOptions(columns: 40, measure: PrintTests.measure), output: output).print(source)
        #expect(
            output.text == """
                 memory                      3 entities
                 Event                            12345
                 Guest                                1
                 Person                               1

                """)
    }

    @Test func aClosedPipeEndsItQuietlyAndAFullDiskDoesNot() throws {
        signal(SIGPIPE, SIG_IGN)
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        close(ends[0])
        let store = PrintTests.store
        let source = EntityPrintSource(title: "memory", store: store)
        let options = PrintOptions(measure: PrintTests.measure)
        #expect(throws: Never.self) { try ListPrinter(options: options, output: ReportOutput(descriptor: ends[1])).print(source) }
        close(ends[1])

        let full = open("/dev/full", O_WRONLY)
        let failure = #expect(throws: ListPrinter.Failure.self) {
            try ListPrinter(options: options, output: ReportOutput(descriptor: full)).print(source)
        }
        close(full)
        #expect(failure == .output(.failed(String(cString: strerror(ENOSPC)))))
    }
}

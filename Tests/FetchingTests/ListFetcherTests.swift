import Fetching
import IndexPathModel
import ObjectStore
import PlistConfig
import Presentation
import TestSupport
import Testing

struct ListFetcherTests {
    static func description(
        section: String? = "group", details: [String] = [], limit: Int? = nil
    ) -> ListDescription {
        var list = ListDescription(
            entityName: "Person", sortKeyPaths: [ListDescription.SortEntry(keyPath: "name")], cellTextLabelKeyPath: "name")
        list.sectionKeyPath = section
        list.cellDetailTextLabelKeyPaths = details
        list.showsDetailColumns = details.count > 1
        list.fetchLimit = limit
        list.sectionIndexTitlesEnabled = true
        return list
    }

    static func fetcher(_ store: MemoryObjectStore, _ description: ListDescription) throws -> ListFetcher {
        let list = try #require(description.resolve(in: store.schema).list)
        return ListFetcher(store: store, list: list, presentation: PeopleStore.presentation)
    }

    private struct Section: Equatable {
        var name: SectionName
        var keys: [ObjectKey]
    }

    private static func sections(of contents: ListContents) -> [Section] {
        (0..<contents.model.numberOfSections).map { section in
            Section(
                name: contents.model.sectionName(at: section) ?? "?", keys: Array(contents.model.items(inSection: section) ?? []))
        }
    }

    /// Sections stand where the sorted rows first meet them, rows of one title together and in order: by one plain loop.
    private static func reference(_ objects: [MemoryObjectStore.Object], title: (Value) -> String?) -> [Section] {
        func text(_ value: Value?) -> String? { if case .string(let text)? = value { text.lowercased() } else { nil } }
        let sorted = objects.sorted {
            let (left, right) = (text($0.values["name"]), text($1.values["name"]))
            if left != right { return (left ?? "") < (right ?? "") }
            return $0.id.key < $1.id.key
        }
        var sections: [Section] = []
        for object in sorted {
            let name = SectionName(title(object.values["group"] ?? .null))
            if let place = sections.firstIndex(where: { $0.name == name }) {
                sections[place].keys.append(object.id.key)
            } else {
                sections.append(Section(name: name, keys: [object.id.key]))
            }
        }
        return sections
    }

    @Test func sectionsAgainstThePlainLoop() throws {
        var random = SeededGenerator(seed: 41)
        let groups: [Value] = [.null, .string(""), .string("A"), .string("b"), .string("É"), .string("(none)"), .string("2")]
        for _ in 0..<300 {
            let objects = (0..<Int64.random(in: 0...25, using: &random)).map { key in
                MemoryObjectStore.Object(
                    "Person", key + 1,
                    [
                        "name": .string(String(UnicodeScalar(UInt8.random(in: 97...105, using: &random)))),
                        "group": groups.randomElement(using: &random) ?? .null,
                    ])
            }
            let contents = try Self.fetcher(PeopleStore.store(objects), Self.description()).contents(progress: FetchProgress())
            let expected = Self.reference(objects) { if case .string(let text) = $0 { text } else { nil } }
            let found = objects.isEmpty ? [] : Self.sections(of: contents)
            #expect(found == expected)
            #expect(contents.model.numberOfItems == objects.count)
            #expect(contents.index?.entries.isEmpty == objects.isEmpty)
        }
    }

    /// Values of different types can have one title: the number 2 and the text "2", two moments of a day.
    @Test func sectionsWithEqualTitlesMerge() throws {
        var random = SeededGenerator(seed: 42)
        let day = 86_400.0
        let groups: [Value] = [
            .integer(2), .string("2"), .double(2), .date(10), .date(20), .date(day + 5), .date(day * 1.5), .null, .boolean(true),
            .string("YES"),
        ]
        var description = Self.description()
        description.dateFormatterStyle = .short
        for _ in 0..<300 {
            let objects = (0..<Int64.random(in: 1...30, using: &random)).map { key in
                MemoryObjectStore.Object(
                    "Person", key + 1,
                    [
                        "name": .string(String(UnicodeScalar(UInt8.random(in: 97...105, using: &random)))),
                        "group": groups.randomElement(using: &random) ?? .null,
                    ])
            }
            let contents = try Self.fetcher(PeopleStore.store(objects), description).contents(progress: FetchProgress())
            let expected = Self.reference(objects) { value in
                switch value {
                case .integer, .double: "2"
                case .string(let text): text
                case .date(let seconds): seconds < day ? "01/01/2001" : "02/01/2001"
                case .boolean: "YES"
                default: nil
                }
            }
            #expect(Self.sections(of: contents) == expected)
        }
    }

    /// Few sections are looked through and many are looked up: around where that changes, and far from it.
    @Test(arguments: [1, 2, 15, 16, 17, 31, 32, 33, 34, 100]) func fewAndManySectionsMergeAlike(_ count: Int64) throws {
        var random = SeededGenerator(seed: 43)
        for _ in 0..<20 {
            let objects = (0..<4 * count).map { key in
                let number = Int64.random(in: 0..<count, using: &random)
                return MemoryObjectStore.Object(
                    "Person", key + 1,
                    [
                        "name": .string(String(UnicodeScalar(UInt8.random(in: 97...105, using: &random)))),
                        "group": Bool.random(using: &random) ? .integer(number) : .string(String(number)),
                    ])
            }
            let contents = try Self.fetcher(PeopleStore.store(objects), Self.description()).contents(progress: FetchProgress())
            let expected = Self.reference(objects) { value in
                switch value {
                case .integer(let number): String(number)
                case .string(let text): text
                default: nil
                }
            }
            #expect(Self.sections(of: contents) == expected)
        }
    }

    @Test func withoutSections() throws {
        let objects = (1...5).map { MemoryObjectStore.Object("Person", $0, ["name": .string("p\(6 - $0)")]) }
        let fetcher = try Self.fetcher(PeopleStore.store(objects), Self.description(section: nil, limit: 3))
        let contents = try fetcher.contents(progress: FetchProgress())
        #expect(Self.sections(of: contents) == [Section(name: .unnamed, keys: [5, 4, 3])])
        #expect(contents.index == nil)
    }

    @Test func indexOnlyWhereThePlistWantsIt() throws {
        let store = PeopleStore.store([.init("Person", 1, ["name": .string("x"), "group": .string("G")])])
        var description = Self.description()
        #expect(try Self.fetcher(store, description).contents(progress: FetchProgress()).index?.entries.map(\.title) == ["G"])
        description.sectionIndexTitlesAlphabetical = true
        #expect(try Self.fetcher(store, description).contents(progress: FetchProgress()).index?.entries.count == 27)
        description.sectionIndexTitlesEnabled = false
        #expect(try Self.fetcher(store, description).contents(progress: FetchProgress()).index == nil)
    }

    @Test func rowsAreFetchedInOneRead() throws {
        let store = PeopleStore.store([
            .init("Person", 1, ["name": .string("Ann"), "isTall": .boolean(true), "town": PeopleStore.id("Town", 7)]),
            .init("Person", 2, ["name": .null, "isTall": .null]), .init("Town", 7, ["name": .string("Ulm")]),
        ])
        let fetcher = try Self.fetcher(store, Self.description(details: ["isTall", "mood", "town.name"]))
        let rows = try fetcher.rows([2, 9, 1], as: .typed)
        #expect(store.reads == 1)
        #expect(
            rows[1]
                == ListRow(
                    text: PresentedText("Ann"), details: [PresentedText("YES"), .null, PresentedText("Ulm")]))
        #expect(rows[2] == ListRow(text: .null, details: [.null, .null, .null]))
        #expect(rows[9] == .some(.none))
        let stored = try fetcher.rows([1], as: .stored)
        #expect(stored[1]??.details.map(\.text) == ["1", "—", "Ulm"])
    }

    @Test func aCancelledFetchThrows() throws {
        let fetcher = try Self.fetcher(PeopleStore.store([]), Self.description())
        let progress = FetchProgress()
        progress.cancel()
        #expect(throws: StoreError(file: "memory", cause: .cancelled)) { try fetcher.contents(progress: progress) }
    }
}

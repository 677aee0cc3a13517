import Fetching
import IndexPathModel
import ObjectStore
import Presentation
import TerminalUI
import TestSupport
import Testing

@testable import Screens

/// `&`: only the objects that a predicate is true for; a table of predicates stands in for the store.
struct ListFilterTests {
    private static let size = Size(76, 12)
    private static let words = ["Alpha", "Anton", "Berta", "Delta", "Echo", "Foxtrot", "Golf", "Gamma", "Hotel", "Theta"]
    private static let schema = Schema(
        entities: [
            Entity(
                name: "Event", tableName: "ZEVENT",
                attributes: [
                    Attribute(name: "name", type: .string, columnName: "ZNAME"),
                    Attribute(name: "n", type: .int32, columnName: "ZN"),
                ])
        ], origin: .inferred)
    private static let meanings: [String: @Sendable (ObjectKey) -> Bool] = [
        "n > 7": { $0 > 7 }, "n < 4": { $0 < 4 }, "n > 99": { _ in false }, "n = 2": { $0 == 2 },
    ]

    private static func fixture() -> ListFixture {
        var fixture = ListFixture([("A", 2), ("B", 1), ("D", 1), ("E", 1), ("F", 1), ("G", 2), ("H", 1), ("T", 1)])
        fixture.row = { ListRow(text: .init(words[Int($0) - 1])) }
        return fixture
    }

    private static func screen(total: Int? = nil) -> ListScreen {
        fixture().screen(size) { $0.schema = schema }
    }

    private static func contents(_ predicate: ResolvedPredicate?) -> ListContents {
        guard let predicate, let isListed = meanings[predicate.text] else { return fixture().contents }
        var key: ObjectKey = 0
        var keys: ContiguousArray<ObjectKey> = []
        var sections: [(name: SectionName, indexTitle: String?, count: Int)] = []
        for section in fixture().sections {
            let found = (0..<section.count).compactMap { _ -> ObjectKey? in
                key += 1
                return isListed(key) ? key : nil
            }
            keys += found
            if !found.isEmpty { sections.append((SectionName(section.title), nil, found.count)) }
        }
        return ListContents(
            model: ListContents.Model(identifiers: keys, sections: sections),
            index: SectionIndex(titles: sections.map(\.name.title), alphabetical: true))
    }

    private static func answer(_ screen: inout ListScreen) {
        var requests = screen.takeRequests()
        while !requests.isEmpty {
            for request in requests {
                switch request.kind {
                case .list: _ = screen.receive(DataReply(.list(contents(request.predicate)), generation: request.generation))
                case .rows(let keys):
                    let rows = Dictionary(uniqueKeysWithValues: keys.map { ($0, fixture().row($0)) })
                    _ = screen.receive(DataReply(.rows(rows), generation: request.generation))
                default: break
                }
            }
            requests = screen.takeRequests()
        }
    }

    @discardableResult
    private static func type(_ script: String, _ screen: inout ListScreen) -> [Effect] {
        var effects: [Effect] = []
        for key in KeyScript.keys(script) {
            if screen.takesKeys {
                effects = screen.handle(key)
            } else {
                switch key {
                case .character("&"): effects = screen.perform(.filter)
                case .character("r"): effects = screen.perform(.reload)
                case Key(.escape): effects = screen.undo() ? [] : [.back]
                default: effects = screen.perform(.moveDown)
                }
            }
            answer(&screen)
        }
        return effects
    }

    private static func shown(_ screen: ListScreen) -> [String] {
        (0..<screen.list.rowCount).compactMap { screen.key(at: screen.list.row(at: $0)) }.map { words[Int($0) - 1] }
    }

    /// Esc brings folds, cursor and scroll position back; after it there is nothing to undo.
    @Test func narrowsAndComesBack() {
        var screen = Self.screen()
        screen.setExpanded(5, false)
        _ = screen.perform(.moveToEnd)
        Self.answer(&screen)
        let before = screen.frame(Self.size)
        Self.type("&n > 7<Enter>", &screen)
        // A folded section with matches is open while the filter is on; the cursor stays on its object.
        #expect(Self.shown(screen) == ["Gamma", "Hotel", "Theta"])
        #expect(screen.cursorKey == 10)
        let frame = screen.frame(Self.size)
        #expect(frame.text(row: 0).contains("3 of 10 match"))
        #expect(frame.text(row: 1).contains("1 of 2"))
        #expect(frame.text(row: 11).hasPrefix(" &n > 7  (Esc shows all)   name ↑"))
        #expect(Self.type("<Esc>", &screen) == [])
        #expect(screen.frame(Self.size) == before)
        #expect(Self.type("<Esc>", &screen) == [.back])
    }

    @Test func anotherPredicateTakesItsPlaceAndNoneDropsIt() {
        var screen = Self.screen()
        Self.type("&n > 7<Enter>&", &screen)
        // The prompt begins with what is in force.
        #expect(screen.prompt?.text == "n > 7")
        Self.type("^Un < 4<Enter>", &screen)
        #expect(Self.shown(screen) == ["Alpha", "Anton", "Berta"])
        Self.type("&^Un > 99<Enter>", &screen)
        #expect(screen.frame(Self.size).text(row: 1).contains("no object matches n > 99"))
        #expect(screen.frame(Self.size).text(row: 0).contains("0 of 10 match"))
        Self.type("&<Esc>", &screen)
        #expect(screen.filter?.predicate.text == "n > 99")
        Self.type("&^U<Enter>", &screen)
        #expect(screen.filter == nil || screen.filter?.whole == nil)
        #expect(Self.shown(screen).count == 10)
    }

    @Test(arguments: [
        ("n >> 3", 3, "character 4: expected a key path or a value, found “>”"),
        ("nam = 3", 0, "character 1: “Event” has no property “nam” (did you mean “name”?)"),
        ("name = 'x", 7, "character 8: the text that begins here has no end (end it with the same quote)"),
    ])
    func aFaultKeepsThePrompt(text: String, cursor: Int, fault: String) throws {
        var screen = Self.screen()
        let typed = text.replacing("<", with: "<lt>")
        Self.type("&\(typed)<Enter>", &screen)
        #expect(screen.prompt?.fault == fault)
        #expect(screen.prompt?.cursor == cursor)
        #expect(screen.typingPosition == Position(row: 11, column: cursor + 1))
        let frame = screen.frame(Self.size)
        #expect(frame.text(row: 11).hasPrefix("&\(text)"))
        // All of it, over as many lines as it takes.
        let shown = (9...11).map { frame.text(row: $0) }.joined(separator: " ").split(separator: " ").joined(separator: " ")
        #expect(shown.contains(fault))
        #expect(Self.shown(screen).count == 10)
        // The next key is typed where the fault is.
        Self.type("<Del>", &screen)
        #expect(screen.prompt?.fault == nil)
        Self.type("^U^Kn = 2<Enter>", &screen)
        #expect(screen.prompt == nil && Self.shown(screen) == ["Anton"])
    }

    /// What was reloaded while a filter was on is read anew when it goes.
    @Test func aReloadKeepsTheFilterAndTheWholeListIsReadAnew() {
        var screen = Self.screen()
        Self.type("&n > 7<Enter>r", &screen)
        #expect(Self.shown(screen) == ["Gamma", "Hotel", "Theta"])
        _ = screen.undo()
        #expect(screen.takeRequests().contains { $0.kind == .list && $0.predicate == nil })
    }

    /// A list sorted in another way while narrowed is fetched whole when the filter goes.
    @Test func arrangedWhileNarrowed() {
        var screen = Self.screen()
        Self.type("&n > 7<Enter>", &screen)
        var configuration = screen.configuration
        configuration.hasSections = false
        screen.arrange(configuration)
        Self.answer(&screen)
        #expect(Self.shown(screen) == ["Gamma", "Hotel", "Theta"])
        #expect(screen.list.rowCount == 3)
        _ = screen.undo()
        Self.answer(&screen)
        #expect(Self.shown(screen).count == 10)
        #expect(screen.list.rowCount == 10)
    }

    /// The folds of the whole list outlive an arrangement that comes while it is narrowed.
    @Test func foldsOfAListArrangedWhileNarrowed() {
        var screen = Self.screen()
        _ = screen.perform(.collapseAll)
        Self.type("&n > 7<Enter>", &screen)
        screen.arrange(screen.configuration)
        Self.answer(&screen)
        #expect(Self.shown(screen) == ["Gamma", "Hotel", "Theta"])
        #expect(screen.placeToKeep?.exceptions.count == 8)
        _ = screen.undo()
        Self.answer(&screen)
        #expect(screen.list.rowCount == 8)
    }

    /// Cancelled or failed: the list that was shown still is, under its own name.
    @Test func aFilterThatFails() throws {
        var screen = Self.screen()
        for key in KeyScript.keys("n > 7<Enter>") {
            if screen.prompt == nil { _ = screen.perform(.filter) }
            _ = screen.handle(key)
        }
        let request = try #require(screen.takeRequests().first { $0.kind == .list })
        let error = StoreError(file: "x", cause: .engine("it takes too long"))
        let effects = screen.receive(DataReply(.failure(.list, error), generation: request.generation))
        #expect(effects == [.message("it takes too long")])
        Self.answer(&screen)
        #expect(screen.filter == nil && Self.shown(screen).count == 10)

        Self.type("&n > 7<Enter>", &screen)
        for key in KeyScript.keys("^Un <lt> 4<Enter>") {
            if screen.prompt == nil { _ = screen.perform(.filter) }
            _ = screen.handle(key)
        }
        let second = try #require(screen.takeRequests().first { $0.kind == .list })
        _ = screen.receive(DataReply(.failure(.list, error), generation: second.generation))
        Self.answer(&screen)
        #expect(screen.filter?.predicate.text == "n > 7")
        #expect(Self.shown(screen) == ["Gamma", "Hotel", "Theta"])
    }

    /// Faults and prompts at any size stay within the window.
    @Test func anySize() {
        for rows in 1...6 {
            for columns in 1...30 {
                var screen = Self.screen()
                let size = Size(columns, rows)
                screen.resize(to: size)
                Self.type("&n > >7<Enter>", &screen)
                #expect(screen.frame(size).size == size)
                #expect(screen.prompt?.fault != nil)
            }
        }
    }

    // MARK: Begun with a filter

    private static func begun(with text: String, place: ListPlace? = nil) throws -> ListScreen {
        var configuration = fixture().configuration
        configuration.schema = schema
        var screen = ListScreen(configuration, place: place)
        screen.begin(with: try PredicateFormat(text).resolve(in: schema, entityName: "Event"))
        screen.resize(to: size)
        answer(&screen)
        return screen
    }

    /// `--filter` is what `&` edits and replaces, and Esc drops it.
    @Test func aListThatBeginsWithAFilter() throws {
        var screen = try Self.begun(with: "n > 7")
        #expect(Self.shown(screen) == ["Gamma", "Hotel", "Theta"])
        #expect(screen.frame(Self.size).text(row: 11).hasPrefix(" &n > 7  (Esc shows all)"))
        Self.type("&", &screen)
        #expect(screen.prompt?.text == "n > 7")
        Self.type("^Un < 4<Enter>", &screen)
        #expect(Self.shown(screen) == ["Alpha", "Anton", "Berta"])
        #expect(Self.type("<Esc>", &screen) == [])
        #expect(Self.shown(screen).count == 10 && screen.cursorKey == 1)
        #expect(screen.frame(Self.size).text(row: 0).contains("10 objects"))
        #expect(Self.type("<Esc>", &screen) == [.back])
        screen = try Self.begun(with: "n > 7")
        Self.type("&^U<Enter>", &screen)
        #expect(Self.shown(screen).count == 10)
    }

    /// What was kept of folds is kept on, and holds where the filter is dropped.
    @Test func aFilterToBeginWithLeavesFoldsAlone() throws {
        let place = ListPlace(key: 8, sectionTitle: "G", rowInSection: 1, offset: 2, exceptions: ["A", nil])
        var screen = try Self.begun(with: "n > 7", place: place)
        #expect(screen.cursorKey == 8)
        #expect(screen.placeToKeep?.exceptions == ["A", nil])
        Self.type("<Esc>", &screen)
        #expect(screen.cursorKey == 8 && screen.list.isSectionCollapsed(0) && !screen.list.isSectionCollapsed(1))
    }

    @Test func thePlistsFilterIsNamedWhereNothingMatches() throws {
        var screen = Self.fixture().screen(Self.size) {
            $0.schema = Self.schema
            $0.filterLabel = "n < 50"
        }
        Self.type("&n > 99<Enter>", &screen)
        #expect(screen.frame(Self.size).text(row: 1).contains("no object matches n > 99 among those that match n < 50"))
    }

    // MARK: Folds of the command line

    /// With `--collapsed`, what was kept stays unless the reader changes folds; then they are kept as exceptions from the plist's rule.
    @Test func foldsKeptStay() {
        func screen() -> ListScreen {
            var screen = Self.fixture().screen(Self.size) { $0.startsOpen = false }
            screen.keep(KeptFolds(exceptions: ["B"], startsOpen: true, firstSectionStartsOpen: false))
            return screen
        }
        var screen = screen()
        _ = screen.perform(.moveDown)
        #expect(screen.placeToKeep?.exceptions == ["B"])
        screen.setExpanded(0, true)
        #expect(screen.placeToKeep?.exceptions == ["B", "D", "E", "F", "G", "H", "T"])
        screen.setExpanded(0, false)
        #expect(screen.placeToKeep?.exceptions == ["B"])
    }
}

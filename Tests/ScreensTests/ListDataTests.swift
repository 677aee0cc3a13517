import Fetching
import IndexPathModel
import ObjectStore
import Presentation
import TerminalUI
import TestSupport
import Testing

@testable import Screens

/// What a list asks for, and what it makes of the answers.
struct ListDataTests {
    private static let size = Size(30, 12)

    /// Sections of given keys, answered as the list.
    private func contents(_ sections: [(String?, [ObjectKey])]) -> ListContents {
        ListContents(
            model: ListContents.Model(
                identifiers: ContiguousArray(sections.flatMap(\.1)),
                sections: sections.map { (name: SectionName($0.0), indexTitle: nil, count: $0.1.count) }),
            index: SectionIndex(titles: sections.map(\.0), alphabetical: true))
    }

    private func screen(_ sections: [(String?, [ObjectKey])], startsOpen: Bool = true, place: ListPlace? = nil) -> ListScreen {
        var configuration = ListFixture.letters.configuration
        configuration.startsOpen = startsOpen
        var screen = ListScreen(configuration, place: place)
        screen.resize(to: Self.size)
        reply(&screen, sections)
        return screen
    }

    private func reply(_ screen: inout ListScreen, _ sections: [(String?, [ObjectKey])]) {
        #expect(screen.receive(DataReply(.list(contents(sections)), generation: screen.generation)).isEmpty)
    }

    @Test func asksForTheListOnceAndForRowsInSight() {
        var screen = ListScreen(ListFixture.letters.configuration)
        screen.resize(to: Self.size)
        #expect(screen.takeRequests() == [DataRequest(kind: .list, generation: 0, form: .typed, previewLimit: 100)])
        #expect(screen.takeRequests().isEmpty)
        reply(&screen, [("A", Array(1...1_000))])
        guard case .rows(let keys)? = screen.takeRequests().first?.kind else {
            Issue.record("no rows are asked for")
            return
        }
        // The window and half a window below it.
        #expect(keys == Array(1...14))
        #expect(screen.takeRequests().isEmpty)
        _ = screen.perform(.moveToEnd)
        guard case .rows(let last)? = screen.takeRequests().first?.kind else { return }
        #expect(last.last == 1_000 && last.count <= 20)
    }

    /// The reader moves on while a reload is on its way: the new list comes to where the reader is now.
    @Test func reloadKeepsWhereTheReaderIsNow() {
        let keys = Array(ObjectKey(1)...30)
        var screen = screen([("A", keys)])
        _ = screen.perform(.moveDown)
        #expect(screen.cursorKey == 1)
        #expect(screen.perform(.reload) == [.reload])
        _ = screen.perform(.pageDown)
        _ = screen.perform(.moveDown)
        let offset = screen.cursor - screen.top
        // What was asked for before the reload is dropped.
        #expect(screen.receive(DataReply(.list(contents([])), generation: 0)).isEmpty)
        #expect(screen.objectCount == 30)
        reply(&screen, [("0", [99]), ("A", keys)])
        #expect(screen.cursorKey == 10)
        #expect(screen.cursor - screen.top == offset)
    }

    @Test func objectThatIsGone() {
        let sections: [(String?, [ObjectKey])] = [("A", [1, 2, 3]), (nil, [4, 5])]
        func cursor(on key: ObjectKey, then new: [(String?, [ObjectKey])]) -> ScreenRow? {
            var screen = screen(sections)
            if let path = screen.list.backingModel.indexPath(forIdentifier: key) { screen.moveCursor(toObjectAt: path) }
            #expect(screen.cursorKey == key)
            _ = screen.perform(.reload)
            reply(&screen, new)
            return screen.cursorRow
        }
        // The next of its section, else its header, else it stays near; an object that has moved is followed.
        #expect(cursor(on: 2, then: [("A", [1, 3]), (nil, [4, 5])]) == .item(IndexPath(section: 0, row: 1)))
        #expect(cursor(on: 3, then: [("A", [1, 2]), (nil, [4, 5])]) == .header(0))
        #expect(cursor(on: 5, then: [("A", [1, 5, 2, 3]), (nil, [4])]) == .item(IndexPath(section: 0, row: 1)))
        #expect(cursor(on: 4, then: [(nil, [5]), ("A", [1, 2, 3])]) == .item(IndexPath(section: 0, row: 0)))
        #expect(cursor(on: 1, then: []) == nil)
    }

    /// SPEC section 3: expanded = (old expanded ∩ new names) ∪ (names that the old model did not have, if the list starts open).
    @Test func foldsOverReloads() {
        var random = SeededGenerator(seed: 31)
        let names: [String?] = ["A", "B", "C", "D", nil, ""]
        for _ in 0..<300 {
            let startsOpen = Bool.random(using: &random)
            func sections() -> [(String?, [ObjectKey])] {
                var next: ObjectKey = 0
                return names.filter { _ in Bool.random(using: &random) }.shuffled(using: &random).map { name in
                    next += 2
                    return (name, [next, next + 1])
                }
            }
            let old = sections()
            var screen = screen(old, startsOpen: startsOpen)
            var expanded = Set<String?>(startsOpen ? old.map(\.0) : [])
            for _ in 0..<4 where !old.isEmpty {
                let section = Int.random(in: 0..<old.count, using: &random)
                screen.setExpanded(section, !expanded.contains(old[section].0))
                expanded.formSymmetricDifference([old[section].0])
            }
            // The place holds the folds for the next run.
            var again = self.screen(old, startsOpen: startsOpen, place: screen.place)
            #expect(again.list.expandedSectionNames == screen.list.expandedSectionNames)
            #expect(again.cursorRow == screen.cursorRow)
            again = screen
            let new = sections()
            reply(&again, new)
            let added = new.map(\.0).filter { name in startsOpen && !old.contains { $0.0 == name } }
            let expected = expanded.intersection(new.map(\.0)).union(added)
            #expect(Set(again.list.expandedSectionNames.map(\.title)) == expected)
        }
    }

    @Test func rowsThatCannotBeRead() {
        var screen = screen([("A", [1, 2])])
        _ = screen.takeRequests()
        let error = StoreError(file: "x", cause: .busy)
        #expect(screen.receive(DataReply(.failure(.rows([1, 2]), error), generation: 0)) == [.message(error.problem)])
        #expect(screen.frame(Self.size).text(row: 2).hasPrefix("   (gone)"))
        // They are not asked for again and again.
        #expect(screen.takeRequests().isEmpty)
        _ = screen.perform(.moveDown)
        #expect(screen.perform(.copy).isEmpty)
    }

    @Test func rawValues() {
        var screen = ListFixture.letters.screen(Self.size)
        #expect(screen.perform(.toggleRawValues) == [.message("values as stored")])
        #expect(screen.takeRequests().map(\.form) == [.stored])
        #expect(screen.frame(Self.size).text(row: 11).contains("(values as stored)"))
        #expect(screen.perform(.toggleRawValues) == [.message("values as shown")])
        #expect(screen.takeRequests().map(\.form) == [.typed])
    }

    /// From a detail to its neighbours: in the order of the list, through sections that are folded.
    @Test func neighbours() {
        var screen = screen([("A", [1, 2]), ("B", [3]), ("C", [4, 5])])
        _ = screen.perform(.collapseAll)
        #expect(screen.moveToNeighbour(of: 2, by: 1) == 3)
        #expect(screen.cursorKey == 3)
        #expect(!screen.list.isSectionCollapsed(1) && screen.list.isSectionCollapsed(0))
        #expect(screen.moveToNeighbour(of: 3, by: 2) == 5 && screen.moveToNeighbour(of: 3, by: -2) == 1)
        #expect(screen.moveToNeighbour(of: 1, by: -1) == nil && screen.moveToNeighbour(of: 5, by: 1) == nil)
        #expect(screen.moveToNeighbour(of: 1, by: .max) == nil)
        // What is gone was where the cursor is.
        #expect(screen.moveToNeighbour(of: 99, by: -1) == nil && screen.moveToNeighbour(of: 99, by: 1) == 1)
        #expect(screen.cursorKey == 1)
    }

    @Test func copying() {
        var fixture = ListFixture([(nil, 1), ("B", 1)])
        fixture.row = { ListRow(text: $0 == 1 ? .emptyString : PresentedText("text")) }
        var screen = fixture.screen(Self.size)
        #expect(screen.perform(.copy) == [.copy("", label: "section title")])
        _ = screen.perform(.moveDown)
        #expect(screen.perform(.copy) == [.copy("", label: "row text")])
        _ = screen.perform(.moveDown)
        #expect(screen.perform(.copy) == [.copy("B", label: "section title")])
        var empty = ListFixture([]).screen(Self.size)
        #expect(empty.perform(.copy) == [.message("nothing to copy")])
        #expect(empty.perform(.open).isEmpty && empty.perform(.toggleSection).isEmpty)
    }

    @Test func opening() {
        var screen = ListFixture.letters.screen(Self.size)
        #expect(screen.perform(.open).isEmpty)
        #expect(screen.list.isSectionCollapsed(0))
        #expect(screen.perform(.moveRight).isEmpty)
        #expect(!screen.list.isSectionCollapsed(0))
        _ = screen.perform(.moveDown)
        let opened = [Effect.open(ObjectID(entityName: "Event", key: 1))]
        #expect(screen.perform(.open) == opened && screen.perform(.moveRight) == opened)
    }
}

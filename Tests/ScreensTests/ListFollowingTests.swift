import Fetching
import IndexPathModel
import ObjectStore
import Presentation
import TerminalUI
import TestSupport
import Testing

@testable import Screens

/// A list that follows its store: cursor, top line, folds, marks, and what is said.
struct ListFollowingTests {
    private func contents(_ sections: [(String?, [ObjectKey])], changes: RowChanges? = nil) -> ListContents {
        var contents = ListContents(
            model: ListContents.Model(
                identifiers: ContiguousArray(sections.flatMap(\.1)),
                sections: sections.map { (name: SectionName($0.0), indexTitle: nil, count: $0.1.count) }), index: nil)
        contents.changes = changes
        return contents
    }

    private func screen(_ sections: [(String?, [ObjectKey])], rows: Int = 20) -> ListScreen {
        var configuration = ListFixture.letters.configuration
        configuration.startsOpen = true
        var screen = ListScreen(configuration)
        screen.resize(to: Size(rows, 40))
        _ = screen.takeRequests()
        _ = screen.receive(DataReply(.list(contents(sections)), generation: screen.generation))
        return screen
    }

    /// The marked ones of the first objects.
    private func marked(_ screen: ListScreen) -> [ObjectKey] { (0..<20).filter { screen.marks.contains($0) } }

    private func follow(_ screen: inout ListScreen, _ contents: ListContents) -> [Effect] {
        screen.follow()
        _ = screen.takeRequests()
        return screen.receive(DataReply(.list(contents), generation: screen.generation))
    }

    @Test func countsAreSaidAndRowsAreMarkedForAMoment() {
        var screen = screen([("A", [1, 2, 3]), ("B", [4, 5])])
        let said = follow(
            &screen,
            contents(
                [("A", [1, 3, 6]), ("B", [4, 5])], changes: RowChanges(inserted: [6], changed: [4, 5], deleted: [2])))
        #expect(said == [.message("1 new, 2 changed, 1 gone")])
        #expect(marked(screen) == [4, 5, 6])
        // One period more, then they go; those that came meanwhile stay.
        let remain = screen.clearMarks()
        #expect(remain && marked(screen) == [4, 5, 6])
        _ = follow(&screen, contents([("A", [1, 3, 6]), ("B", [4, 5])], changes: RowChanges(changed: [1])))
        let renewed = screen.clearMarks()
        #expect(renewed && marked(screen) == [1])
        let last = screen.clearMarks()
        #expect(last && marked(screen).isEmpty)
        let none = screen.clearMarks()
        #expect(!none)
    }

    /// A store that cannot tell versions apart: what came and went is told all the same, and nothing is said of nothing.
    @Test func keysAloneTellWhatCameAndWent() {
        var screen = screen([("A", [1, 2, 3])])
        #expect(follow(&screen, contents([("A", [1, 2, 3])])).isEmpty)
        #expect(follow(&screen, contents([("A", [2, 9]), ("C", [8])])) == [.message("2 new, 2 gone")])
        #expect(marked(screen) == [8, 9])
    }

    /// Random lists and folds: the cursor stays on its object in its line, else goes to the next one left of the section, else to the
    /// header; folds are kept, and what is new is open.
    @Test func theReaderStays() {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<500 {
            let old = Self.sections(&random)
            var screen = screen(old, rows: 8)
            for name in ["A", "B", "C", "D"] where Bool.random(using: &random) {
                if let section = screen.list.backingModel.section(named: SectionName(name)) { screen.setExpanded(section, false) }
            }
            screen.moveCursor(to: Int.random(in: 0..<max(1, screen.list.rowCount), using: &random))
            let collapsed = screen.list.collapsedSectionNames
            let key = screen.cursorKey
            let title = screen.cursorSection.flatMap { screen.list.backingModel.sectionName(at: $0) }
            let new = Self.sections(&random)
            let (before, after) = (Set(old.flatMap(\.1)), Set(new.flatMap(\.1)))
            let changes = RowChanges(
                inserted: ContiguousArray(after.subtracting(before).sorted()),
                deleted: ContiguousArray(before.subtracting(after).sorted()))
            _ = follow(&screen, contents(new, changes: Bool.random(using: &random) ? changes : nil))
            let present = Set(new.map { SectionName($0.0) })
            #expect(screen.list.collapsedSectionNames == collapsed.intersection(present))
            guard let title else { continue }
            let section = screen.cursorSection.flatMap { screen.list.backingModel.sectionName(at: $0) }
            guard let key else {
                if present.contains(title) {
                    #expect(section == title && screen.cursorKey == nil)
                } else {
                    Self.expectNeighbour(of: title, old, new, screen)
                }
                continue
            }
            let neighbours = old.first { SectionName($0.0) == title }?.1 ?? []
            let followers = [key] + neighbours.drop { $0 != key }.dropFirst()
            guard let wanted = followers.first(where: after.contains) else {
                if present.contains(title) {
                    #expect(section == title && screen.cursorKey == nil)
                } else {
                    Self.expectNeighbour(of: title, old, new, screen)
                }
                continue
            }
            let home = new.first { $0.1.contains(wanted) }.map { SectionName($0.0) }
            #expect(section == home)
            if let home, !screen.list.collapsedSectionNames.contains(home) { #expect(screen.cursorKey == wanted) }
            #expect(screen.cursor >= screen.top && screen.cursor < screen.top + screen.window.rows)
        }
    }

    /// Where a section has gone, the cursor is on the next one's header, or on the last row where there is none.
    private static func expectNeighbour(
        of title: SectionName, _ old: [(String?, [ObjectKey])], _ new: [(String?, [ObjectKey])], _ screen: ListScreen
    ) {
        let present = Set(new.map { SectionName($0.0) })
        let later = old.map { SectionName($0.0) }.drop { $0 != title }
        guard let next = later.first(where: { present.contains($0) }) else {
            #expect(screen.cursor == max(0, screen.list.rowCount - 1))
            return
        }
        let section = screen.cursorSection.flatMap { screen.list.backingModel.sectionName(at: $0) }
        #expect(section == next && screen.cursorKey == nil)
    }

    private static func sections(_ random: inout SeededGenerator) -> [(String?, [ObjectKey])] {
        var sections = ["A", "B", "C", "D"].map { (name: String?($0), keys: [ObjectKey]()) }
        for key in (ObjectKey(1)...14).shuffled(using: &random) where Int.random(in: 0..<4, using: &random) > 0 {
            sections[Int(key) % 4 == 0 ? Int.random(in: 0..<4, using: &random) : Int(key) % 4].keys.append(key)
        }
        return sections.filter { !$0.keys.isEmpty }.map { ($0.name, $0.keys) }
    }

    /// Rows that are asked for beside the list may be gone before the list says so: they stay what they were for that moment.
    @Test func rowsDoNotGoBeforeTheirList() throws {
        var screen = screen([("A", [1, 2, 3])])
        func answerRows(_ gone: Set<ObjectKey>) {
            for request in screen.takeRequests() {
                guard case .rows(let keys) = request.kind else { continue }
                let rows = keys.map { ($0, gone.contains($0) ? nil : ListRow(text: PresentedText("Row \($0)"))) }
                _ = screen.receive(DataReply(.rows(Dictionary(uniqueKeysWithValues: rows)), generation: request.generation))
            }
        }
        func lines() -> [String] { (1...4).map { screen.frame(Size(40, 20)).text(row: $0) } }
        answerRows([])
        screen.follow()
        answerRows([2])
        #expect(lines()[2].contains("Row 2") && !lines().contains { $0.contains("(gone)") })
        _ = screen.receive(DataReply(.list(contents([("A", [1, 3])])), generation: screen.generation))
        #expect(!lines().contains { $0.contains("Row 2") || $0.contains("(gone)") })
    }

    /// A store that is read while it is written anew may lose most of its objects for a moment: then the reader is back where the
    /// reader was, folds and all, unless a key was pressed meanwhile.
    @Test(arguments: [false, true]) func whatComesBackIsFoundAgain(isPressed: Bool) {
        let all: [(String?, [ObjectKey])] = [("A", [1, 2, 3]), ("B", [4, 5]), ("C", [6, 7, 8])]
        for less in [[], [("A", [1])], [("B", [4])], [("D", [9])]] as [[(String?, [ObjectKey])]] {
            var screen = screen(all)
            screen.setExpanded(0, false)
            screen.goTo(objectNumber: 7)
            let before = screen.place
            _ = follow(&screen, contents(less))
            #expect(screen.cursorKey != 7)
            if isPressed { _ = screen.perform(.moveUp) }
            _ = follow(&screen, contents(all))
            guard !isPressed else {
                #expect(screen.cursorKey != 7)
                continue
            }
            #expect(screen.cursorKey == 7)
            if less.isEmpty { #expect(screen.place == before) }
        }
        // One of many that comes again is news: the reader is at another by now.
        var screen = screen(all)
        screen.goTo(objectNumber: 7)
        _ = follow(&screen, contents([("A", [1, 2, 3]), ("B", [4, 5]), ("C", [6, 8])]))
        _ = follow(&screen, contents(all))
        #expect(screen.cursorKey == 8)
    }

    /// A long list takes the short road, and ends up at the same place.
    @Test func aLongListFollowsToo() {
        let count = ListScreen.mostByController + 10
        let keys = Array(ObjectKey(1)...ObjectKey(count))
        var screen = screen([("A", Array(keys[..<100])), ("B", Array(keys[100...]))])
        screen.setExpanded(0, false)
        screen.goTo(objectNumber: 5000)
        let row = screen.cursor - screen.top
        #expect(screen.cursorKey == 5000)
        let said = follow(&screen, contents([("A", Array(keys[..<100])), ("B", Array(keys[200...]))]))
        #expect(said == [.message("100 gone")])
        #expect(screen.cursorKey == 5000 && screen.cursor - screen.top == row && screen.list.isSectionCollapsed(0))
    }

    /// From the detail of an object that is gone, `J` and `K` lead to what stands on either side of where it was.
    @Test func neighboursOfWhatIsGone() {
        let before: [(String?, [ObjectKey])] = [("A", [1, 2, 3]), ("B", [4, 5])]
        for (gone, after) in [
            (1, [("A", [2, 3]), ("B", [4, 5])]), (2, [("A", [1, 3]), ("B", [4, 5])]), (3, [("A", [1, 2]), ("B", [4, 5])]),
            (4, [("A", [1, 2, 3]), ("B", [5])]), (5, [("A", [1, 2, 3]), ("B", [4])]),
            // With all of its section.
            (3, [("B", [4, 5])]), (1, [("B", [4, 5])]), (4, [("A", [1, 2, 3])]), (5, [("A", [1, 2, 3])]),
        ] as [(ObjectKey, [(String?, [ObjectKey])])] {
            for distance in [1, -1] {
                var screen = screen(before)
                guard let place = screen.list.backingModel.indexPath(ofObject: gone) else { continue }
                screen.moveCursor(toObjectAt: place)
                _ = follow(&screen, contents(after))
                let found = screen.moveToNeighbour(of: gone, by: distance)
                let left = after.flatMap(\.1)
                let wanted = distance > 0 ? left.first { $0 > gone } : left.last { $0 < gone }
                #expect(found == wanted, "\(gone) \(distance)")
            }
        }
    }
}

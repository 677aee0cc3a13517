import Fetching
import IndexPathModel
import ObjectStore
import TerminalUI
import TestSupport
import Testing

@testable import Screens

/// A list that is sorted or grouped in another way keeps its folds by section name, as a reload does.
struct ListArrangingTests {
    private static let size = Size(60, 30)
    private static let titles: [String?] = ["#", "A", "B", "C", "D", "E", nil, ""]

    private static func fixture(_ titles: [String?], _ random: inout SeededGenerator) -> ListFixture {
        ListFixture(titles.map { (title: $0, count: Int.random(in: 1...3, using: &random)) })
    }

    private static func expandedNames(_ screen: ListScreen) -> Set<SectionName> {
        let model = screen.list.backingModel
        return Set(
            (0..<model.numberOfSections).filter { !screen.list.isSectionCollapsed($0) }.compactMap { model.sectionName(at: $0) })
    }

    @Test(arguments: [false, true]) func sortingKeepsWhatIsOpen(startsOpen: Bool) {
        let fixture = ListFixture.letters
        var screen = fixture.screen(Self.size) { $0.startsOpen = startsOpen }
        _ = screen.perform(startsOpen ? .collapseAll : .expandAll)
        let former = Self.expandedNames(screen)
        let cursor = screen.cursorSection
        var reversed = fixture
        reversed.sections.reverse()
        screen.arrange(screen.configuration)
        reversed.answer(&screen)
        #expect(Self.expandedNames(screen) == former)
        // The cursor stays on its header.
        #expect(screen.cursorSection == cursor.map { fixture.sections.count - 1 - $0 })
    }

    /// Any arrangements one after another, some before the list of the one before has come, against SPEC section 3's rule in sets.
    @Test(arguments: 0..<60) func foldsFollowTheRule(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let startsOpen = Bool.random(using: &random)
        func titles() -> [String?] { Array(Self.titles.shuffled(using: &random).prefix(Int.random(in: 1...8, using: &random))) }
        var names = titles()
        var screen = Self.fixture(names, &random).screen(Self.size) { $0.startsOpen = startsOpen }
        var expanded = startsOpen ? Set(names.map { SectionName($0) }) : []
        for _ in 0..<8 {
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                let section = Int.random(in: 0..<names.count, using: &random)
                let name = SectionName(names[section])
                screen.setExpanded(section, !expanded.contains(name))
                expanded.formSymmetricDifference([name])
            }
            let new = titles()
            for _ in 0..<Int.random(in: 1...2, using: &random) { screen.arrange(screen.configuration) }
            Self.fixture(new, &random).answer(&screen)
            let (old, next) = (Set(names.map { SectionName($0) }), Set(new.map { SectionName($0) }))
            expanded = expanded.intersection(next).union(startsOpen ? next.subtracting(old) : [])
            names = new
            #expect(Self.expandedNames(screen) == expanded)
        }
    }

    /// Folds that were kept for a list stay its folds when it is arranged before it has come.
    @Test func arrangedBeforeItIsThere() {
        let fixture = ListFixture.letters
        var screen = ListScreen(
            fixture.configuration,
            place: ListPlace(key: 2, sectionTitle: "A", rowInSection: 0, offset: 0, exceptions: ["D", "K"]))
        screen.resize(to: Self.size)
        screen.arrange(screen.configuration)
        fixture.answer(&screen)
        #expect(screen.list.collapsedSectionNames == [SectionName("D"), SectionName("K")])
    }

    /// Where one section only may be open, another grouping begins with its first.
    @Test func oneOpenSection() {
        var screen = ListFixture([("A", 2), ("B", 2)]).screen(Self.size) {
            $0.startsOpen = false
            $0.firstSectionStartsOpen = true
            $0.singleExpandedSection = true
        }
        #expect(Self.expandedNames(screen) == [SectionName("A")])
        screen.arrange(screen.configuration)
        ListFixture([("B", 2), ("A", 2)]).answer(&screen)
        #expect(Self.expandedNames(screen) == [SectionName("A")])
        screen.arrange(screen.configuration)
        ListFixture([("2019", 2), ("2020", 2)]).answer(&screen)
        #expect(Self.expandedNames(screen) == [SectionName("2019")])
    }
}

import PlistConfig
import TerminalUI
import TestSupport
import Testing

@testable import Screens

struct MenuScreenTests {
    private static let choices = ["name", "born", "town.name"]

    private static func sort(_ keys: [(String, Bool)]) -> ListArrangement {
        ListArrangement(sort: keys.map { ListArrangement.SortKey(keyPath: $0.0, ascending: $0.1) })
    }

    private static func menu(_ keys: [(String, Bool)]) -> MenuScreen {
        MenuScreen(.sort(sort(keys).sort ?? []), choices: choices)
    }

    @Test func enterSortsByTheCursorsKey() {
        var menu = Self.menu([("name", true)])
        #expect(menu.perform(.open) == [.arrange(Self.sort([("name", false)]))])
        menu = Self.menu([("name", false)])
        #expect(menu.perform(.open) == [.arrange(Self.sort([("name", true)]))])
        _ = menu.perform(.moveDown)
        #expect(menu.perform(.open) == [.arrange(Self.sort([("born", true)]))])
        #expect(menu.perform(.back) == [.back])
    }

    @Test func spaceAddsTurnsAndTakesOut() {
        var menu = Self.menu([("name", true)])
        _ = menu.perform(.moveDown)
        _ = menu.perform(.mark)
        #expect(menu.perform(.open) == [.arrange(Self.sort([("name", true), ("born", true)]))])
        _ = menu.perform(.mark)
        #expect(menu.perform(.open) == [.arrange(Self.sort([("name", true), ("born", false)]))])
        _ = menu.perform(.mark)
        #expect(menu.perform(.open) == [.arrange(Self.sort([("name", true)]))])
    }

    @Test func groupingHasNone() {
        var menu = MenuScreen(.group("born"), choices: Self.choices)
        #expect(menu.perform(.open) == [.arrange(ListArrangement(grouping: .keyPath("born")))])
        _ = menu.perform(.moveToStart)
        #expect(menu.perform(.open) == [.arrange(ListArrangement(grouping: ListArrangement.Grouping.none))])
        // What the list is grouped by now stands in the menu, usual or not.
        menu = MenuScreen(.group("odd.@firstLetter"), choices: Self.choices)
        #expect(menu.perform(.open) == [.arrange(ListArrangement(grouping: .keyPath("odd.@firstLetter")))])
    }

    @Test func anySize() {
        var random = SeededGenerator(seed: 3)
        var menu = Self.menu([("town.name", false), ("other", true)])
        var size = Size(40, 10)
        for _ in 0..<1_000 {
            if Int.random(in: 0..<5, using: &random) == 0 {
                size = Size(Int.random(in: 1...60, using: &random), Int.random(in: 1...8, using: &random))
            }
            menu.resize(to: size)
            _ = menu.perform(Command.allCases.randomElement(using: &random) ?? .moveDown)
            let frame = menu.frame(size)
            #expect((0..<size.rows).filter { frame[$0, 0]?.style.isCursor == true }.count == 1, "\(size)")
        }
    }
}

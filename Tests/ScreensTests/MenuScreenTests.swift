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

    /// Of several keys the cursor's is turned over and the others stay; the last line says what Enter does.
    @Test func enterSaysWhatItDoes() {
        var menu = Self.menu([("name", true), ("born", false)])
        menu.resize(to: Size(80, 10))
        #expect(menu.frame(Size(80, 10)).text(row: 9).contains("turns this order over"))
        #expect(menu.perform(.open) == [.arrange(Self.sort([("name", false), ("born", false)]))])
        _ = menu.perform(.mark)
        #expect(menu.frame(Size(80, 10)).text(row: 9).contains("sorts by these"))
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
            // A prompt would cover the only row of the lowest window.
            let commands = Command.allCases.filter { $0 != .find && $0 != .goToRow }
            _ = menu.perform(commands.randomElement(using: &random) ?? .moveDown)
            let frame = menu.frame(size)
            #expect((0..<size.rows).filter { frame[$0, 0]?.style.isCursor == true }.count == 1, "\(size)")
        }
    }

    @Test func findAndNumberLeadToARow() {
        var menu = MenuScreen(.group(nil), choices: Self.choices)
        menu.resize(to: Size(40, 10))
        /// What a command and the keys after it come to, and what Enter chooses then.
        func effects(_ command: Command, _ script: String) -> [Effect] {
            _ = menu.perform(command)
            return KeyScript.keys(script).flatMap { menu.takesKeys ? menu.handle($0) : [] } + menu.perform(.open)
        }
        func grouping(_ keyPath: String) -> Effect { .arrange(ListArrangement(grouping: .keyPath(keyPath))) }
        var found = effects(.find, "TOWN<Enter>")
        #expect(found == [grouping("town.name")])
        // Letters of a search that finds nothing are no commands.
        found = effects(.find, "q<Esc>")
        #expect(found == [.message("no match for “q”"), grouping("town.name")])
        found = effects(.goToRow, "2<Enter>")
        #expect(found == [grouping("name")])
        found = effects(.goToRow, "99<Enter>")
        #expect(found == [grouping("town.name")])
        found = effects(.find, "born<Enter>")
        #expect(found == [grouping("born")])
        let undone = (menu.undo(), menu.undo())
        #expect(undone == (true, false))
    }
}

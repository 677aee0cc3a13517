import Screens
import TerminalUI
import TestSupport
import Testing

@testable import Browser

struct KeymapTests {
    private static let everywhere: [(String, Command)] = [
        ("<Up>", .moveUp), ("k", .moveUp), ("<Down>", .moveDown), ("j", .moveDown), ("<PgUp>", .pageUp), ("^b", .pageUp),
        ("<PgDn>", .pageDown), ("^f", .pageDown), ("^u", .halfPageUp), ("^d", .halfPageDown), ("<Home>", .moveToStart),
        ("g", .moveToStart), ("<End>", .moveToEnd), ("G", .moveToEnd), ("[", .previousSection), ("]", .nextSection), ("y", .copy),
        ("?", .help), ("<Esc>", .cancel), ("q", .back), ("^l", .redraw), ("^z", .suspend), ("^c", .interrupt),
    ]

    private static let list: [(String, Command)] = [
        ("<Space>", .toggleSection), ("<Enter>", .open), ("<Right>", .moveRight), ("l", .moveRight), ("<Left>", .moveLeft),
        ("h", .moveLeft), ("E", .expandAll), ("C", .collapseAll), ("<Tab>", .focusIndexBar), (":", .goToRow), ("/", .find),
        ("n", .nextHit), ("N", .previousHit), ("v", .toggleRawValues), ("r", .reload),
    ]

    private static let detail: [(String, Command)] = [
        ("<Space>", .toggleSection), ("<Enter>", .open), ("<Right>", .open), ("l", .open), ("<Left>", .back), ("h", .back),
        ("J", .nextObject), ("K", .previousObject), ("L", .openAsList), ("v", .toggleRawValues), ("r", .reload),
    ]

    /// SPEC section 3, as far as the list and the detail go.
    @Test func keysOfTheSpecification() throws {
        let keymap = Keymap()
        func check(_ bindings: [(String, Command)], _ contexts: [KeyContext]) throws {
            for (script, command) in bindings {
                let key = try #require(KeyScript.keys(script).first)
                for context in contexts { #expect(keymap.command(for: key, in: context) == command, "\(script) in \(context)") }
            }
        }
        try check(Self.everywhere, KeyContext.allCases)
        try check(Self.list, [.list])
        try check(Self.detail, [.detail])
    }

    @Test func noKeyTwiceInOneContext() {
        for context in KeyContext.allCases {
            let keys = Keymap.standard.filter { $0.contexts.contains(context) }.flatMap(\.keys)
            #expect(Set(keys).count == keys.count, "\(context)")
        }
        let twice = [
            KeyBinding([.character("x")], .copy, in: [.list], "first"),
            KeyBinding([.character("x")], .help, in: [.list], "second"),
        ]
        #expect(Keymap(bindings: twice).command(for: .character("x"), in: .list) == .copy)
    }

    @Test func helpHasEveryBindingOnce() {
        let keymap = Keymap()
        for context in KeyContext.allCases {
            let lines = keymap.helpLines(for: context)
            let bindings = keymap.bindings.filter { $0.contexts.contains(context) }
            let shown = lines.filter { !$0.isHeading && !$0.text.isEmpty }
            #expect(shown.count == bindings.count)
            for binding in bindings {
                let label = binding.keys.map(\.name).joined(separator: " ")
                #expect(shown.filter { $0.label == label && $0.text == binding.description }.count == 1, "\(label)")
            }
            #expect(lines.filter(\.isHeading).map(\.text) == [context.title, "On every screen"])
        }
    }

    @Test func keyNames() {
        let keys = KeyScript.keys(
            "<Space>a^b<Up><Down><Left><Right><PgUp><PgDn><Home><End><Ins><Del><Enter><Tab><BackTab><Esc><Backspace><F5><M-x>")
        #expect(
            keys.map(\.name) == [
                "Space", "a", "^B", "↑", "↓", "←", "→", "PgUp", "PgDn", "Home", "End", "Ins", "Del", "Enter", "Tab", "Shift-Tab",
                "Esc",
                "Backspace", "F5", "Alt-x",
            ])
    }
}

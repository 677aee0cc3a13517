import TerminalUI
import TestSupport
import Testing

@testable import Screens

struct PromptTests {
    private func edited(_ script: String, from text: String = "") -> (Prompt, Prompt.Outcome) {
        var prompt = Prompt(.goToRow, text: text)
        var outcome = Prompt.Outcome.editing
        for key in KeyScript.keys(script) { outcome = prompt.handle(key) }
        return (prompt, outcome)
    }

    @Test(arguments: [
        ("abc", "abc", 3), ("abc<Left><Left>x", "axbc", 2), ("abc<Home>x", "xabc", 1), ("abc^ax^ey", "xabcy", 5),
        ("abc<Left><Backspace>", "ac", 1), ("abc<Home><Backspace>", "abc", 0), ("abc<Home><Del>", "bc", 0),
        ("abc<Del>", "abc", 3),
        ("abc<Left>^u", "c", 0), ("abc<Left>^k", "ab", 2), ("one two  ^w", "one ", 4), ("one two<Left><Left>^w", "one wo", 4),
        ("^w", "", 0), ("abc<Right><End><Left><Left><Left><Left>x", "xabc", 1), ("e<M-x>^x<Up><F2>", "e", 1),
        ("日本<Left>語", "日語本", 2),
    ]) func editing(script: String, text: String, cursor: Int) {
        let (prompt, outcome) = edited(script)
        #expect(prompt.text == text && prompt.cursor == cursor && outcome == .editing)
    }

    @Test func outcomes() {
        #expect(edited("12<Enter>").1 == .accepted)
        for script in ["12<Esc>", "12^c", "12^g", "1<Backspace><Backspace>", "<Backspace>"] {
            #expect(edited(script).1 == .cancelled, "\(script)")
        }
        #expect(edited("1<Backspace>").1 == .editing)
    }

    @Test func pasting() {
        var prompt = Prompt(.goToRow, text: "ad")
        _ = prompt.handle(Key(.left))
        prompt.insert("b\r\nc")
        #expect(prompt.text == "ab cd" && prompt.cursor == 4)
        prompt.insert(String(repeating: "x", count: 5_000))
        #expect(prompt.text.count == 1_000)
        prompt.insert("y")
        #expect(prompt.text.count == 1_000)
        // A mark joins the letter before it.
        var marked = Prompt(.goToRow, text: "ae")
        _ = marked.handle(Key(.left))
        marked.insert("\u{301}b")
        #expect(marked.text == "a\u{301}be" && marked.cursor == 2)
    }

    /// Letters that join and part as they are typed and rubbed out: the cursor is always a place in the text, and always in the window.
    @Test func cursorIsAPlaceInTheText() {
        var random = SeededGenerator(seed: 5)
        let letters: [Character] = ["a", " ", "\u{301}", "東", "🇩", "🇪", "\u{200D}", "👩", "\u{1B}", "ก"]
        let keys: [Key] =
            [Key(.left), Key(.right), Key(.backspace), Key(.delete), Key(.home), Key(.end)]
            + ["u", "k", "w"].map { Key.control($0) }
        var prompt = Prompt(.goToRow, text: "start")
        for _ in 0..<20_000 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<6: _ = prompt.handle(.character(letters.randomElement(using: &random) ?? "a"))
            case 6: prompt.insert(String((0..<4).map { _ in letters.randomElement(using: &random) ?? "a" }))
            default: _ = prompt.handle(keys.randomElement(using: &random) ?? Key(.left))
            }
            guard prompt.cursor >= 0, prompt.cursor <= prompt.text.count else {
                Issue.record("cursor \(prompt.cursor) in \(prompt.text.debugDescription)")
                return
            }
            let size = Size(rows: 1, columns: Int.random(in: 1...30, using: &random))
            if let position = Chrome.typingPosition(of: prompt, in: size) { #expect(Rect(size).contains(position)) }
        }
    }

    @Test func longTextScrolls() {
        let size = Size(10, 2)
        var prompt = Prompt(.goToRow, text: "abcdefghijklmnop")
        func line() -> String {
            var buffer = CellBuffer(size: size)
            Chrome.drawPrompt(prompt, into: &buffer)
            return buffer.text(row: 1)
        }
        #expect(line() == ":ijklmnop ")
        #expect(Chrome.typingPosition(of: prompt, in: size) == Position(row: 1, column: 9))
        _ = prompt.handle(Key(.home))
        #expect(line() == ":abcdefgh…")
        #expect(Chrome.typingPosition(of: prompt, in: size) == Position(row: 1, column: 1))
    }

    @Test(arguments: [
        ("7", "Row 7"), ("1", "Row 1"), ("0", "Row 1"), ("14", "Row 14"), ("99999999999999999999999", "Row 14"), (" 3 ", "Row 3"),
    ]) func goesToRow(typed: String, row: String) {
        let size = Size(30, 6)
        var screen = ListFixture.letters.screen(size)
        _ = screen.perform(.collapseAll)
        _ = screen.perform(.goToRow)
        #expect(screen.takesKeys)
        for character in typed { #expect(screen.handle(.character(character)).isEmpty) }
        // A number that no object has leads to the nearest, and the range is said.
        let isOutside = typed == "0" || typed.count > 3
        let said: [Effect] = isOutside ? [.message("the objects are numbered from 1 to 14")] : []
        #expect(screen.handle(Key(.enter)) == said)
        #expect(!screen.takesKeys)
        ListFixture.letters.answer(&screen)
        #expect(screen.perform(.copy) == [.copy(row, label: "row text")])
    }

    @Test func isNoRowNumber() {
        var screen = ListFixture.letters.screen(Size(30, 6))
        for (typed, effects) in [
            ("x", [Effect.message("“x” is not a row number")]), ("", []), ("-1", [.message("“-1” is not a row number")]),
        ] {
            _ = screen.perform(.goToRow)
            _ = screen.handle(paste: typed)
            #expect(screen.handle(Key(.enter)) == effects)
        }
    }

    /// A text of before gives way to what is typed or pasted; keys that edit it keep it.
    @Test(arguments: [
        ("x", "x"), ("xy", "xy"), ("<Backspace>", "orp"), ("<Left>x", "orpxh"), ("<End>x", "orphx"), ("", "orph"), ("^w", ""),
    ]) func aTextOfBeforeIsSelected(script: String, text: String) {
        var prompt = Prompt(.find, text: "orph", isSelected: true)
        for key in KeyScript.keys(script) { _ = prompt.handle(key) }
        #expect(prompt.text == text)
        #expect(prompt.isSelected == script.isEmpty)
        var pasted = Prompt(.find, text: "orph", isSelected: true)
        pasted.insert("new")
        #expect(pasted.text == "new" && pasted.cursor == 3)
        let outcome = prompt.handle(Key(.enter))
        #expect(outcome == .accepted)
    }
}

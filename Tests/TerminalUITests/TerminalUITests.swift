import Testing

@testable import TerminalUI

@Suite struct FirstLook {
    @Test func writes() {
        #expect(DisplayText.printable("a\u{1B}[31m\u{202E}é") == "a␛[31m␦é")
        #expect(DisplayText.width(of: "世界a👨‍👩‍👧🇩🇪") == 8)
        #expect(DisplayText.truncate("Hello world", to: 6) == "Hello…")
        #expect(DisplayText.truncate("世界世", to: 4) == "世…")
        #expect(DisplayText.wrap("the quick  brown fox\njumps", columns: 10) == ["the quick", "brown fox", "jumps"])
        var buffer = CellBuffer(size: Size(rows: 2, columns: 10))
        #expect(buffer.write("世界 नमस्ते xyz", row: 0, column: 1, columns: 99, style: Style(.accent)) == 9)
        buffer.markCursorRow(1)
        print(buffer.styledSnapshot())
        var big = CellBuffer(size: Size(rows: 60, columns: 200))
        for text in [String(repeating: "The quick brown ", count: 1000), String(repeating: "世界の", count: 1000), String(repeating: "José é", count: 1000), "e" + String(repeating: "\u{301}", count: 1_000_000) + "b"] {
            let clock = ContinuousClock()
            print(clock.measure { for row in 0..<60 { big.write(text, row: row, column: 0, columns: 200) } }, big.text(row: 3).prefix(20).unicodeScalars.count)
        }
    }
}

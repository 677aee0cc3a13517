import TestSupport
import Testing

@testable import TerminalUI

@Suite struct WrapTests {
    @Test(arguments: [
        ("", 5, [""]), ("abc", 5, ["abc"]), ("the quick  brown fox", 10, ["the quick", "brown fox"]),
        ("a\nb\n\nc\n", 5, ["a", "b", "", "c"]),
        ("a\r\nb", 5, ["a", "b"]), ("\n", 5, [""]), ("\n\n", 5, ["", ""]), ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
        ("ab cdefghij", 4, ["ab", "cdef", "ghij"]), ("  indented text here", 10, ["  indented", "text here"]),
        ("      abcdef", 8, ["abcdef"]),
        ("世界世界世", 4, ["世界", "世界", "世"]), ("ab世界", 5, ["ab世", "界"]), ("世", 1, ["…"]), ("abc  \ndef", 5, ["abc", "def"]),
        ("a\tb", 5, ["a␉b"]), ("abcd efgh", 4, ["abcd", "efgh"]), ("aaa bbb", 0, ["a", "a", "a", "b", "b", "b"]),
        ("   ", 2, [""]),
    ])
    func examples(text: String, columns: Int, lines: [String]) { #expect(DisplayText.wrap(text, columns: columns) == lines) }

    @Test func noMoreLinesThanAsked() {
        let text = String(repeating: "word ", count: 1000)
        #expect(DisplayText.wrap(text, columns: 9, maximumLines: 3) == ["word word", "word word", "word word"])
        #expect(DisplayText.wrap("a b", columns: 9, maximumLines: 3) == ["a b"])
        #expect(DisplayText.wrap("a", columns: 9, maximumLines: 0) == [])
    }

    @Test func linesFitAndKeepEverythingButSpaces() {
        var texts = TroubleTexts(generator: SeededGenerator(seed: 4))
        for _ in 0..<300 {
            let text = texts.next(parts: 20)
            for columns in [2, 3, 7, 20] {
                let lines = DisplayText.wrap(text, columns: columns)
                // Clusters of several pieces may be wider than two cells.
                guard text.allSatisfy({ DisplayText.cluster($0).width <= columns }) else { continue }
                for line in lines {
                    #expect(
                        DisplayText.width(of: line) <= columns,
                        "\(columns) \(text.unicodeScalars.map { $0.value }) \(line.unicodeScalars.map { $0.value })")
                }
                let clusters = Array(text).filter { !" \n\r\n".contains($0) }.map { DisplayText.cluster($0).text }
                #expect(
                    withoutSpaces(lines.joined()) == withoutSpaces(clusters.joined()), "\(text.unicodeScalars.map { $0.value })")
            }
        }
    }

    private func withoutSpaces(_ text: String) -> [Unicode.Scalar] {
        text.unicodeScalars.filter { $0 != " " && $0 != "\u{3000}" }
    }
}

import Screens
import TerminalUI
import Testing

@Suite struct LoadingScreenTests {
    @Test func lines() {
        func line(_ done: Int, _ all: Int?, rows: Int = 0, _ milliseconds: Int = 0) -> String {
            LoadingScreen(name: "x", bytesDone: done, bytesExpected: all, rows: rows, milliseconds: milliseconds).line
        }
        #expect(line(0, nil) == "opening…")
        #expect(line(0, 1_000_000) == "0.0 of 1.0 MB, 0%")
        #expect(
            line(412_000_000, 1_060_000_000, rows: 1_234_567, 8_000) == "412 of 1060 MB, 38%, 1,234,567 rows, 52 MB/s, 13 s left")
        #expect(line(5_500_000, nil, rows: 1, 1_000) == "5.5 MB, 1 row, 5.5 MB/s")
        // A file that has grown meanwhile.
        #expect(line(3_000_000, 2_000_000, 100) == "3.0 of 2.0 MB, 100%")
        #expect(line(.max, .max, 1_000).contains("100%"))
        #expect(line(1, .max, .max).contains("0%"))
    }

    /// It fits every size, and says the most important first.
    @Test func everySize() {
        let screen = LoadingScreen(
            name: "big.json", bytesDone: 500_000, bytesExpected: 2_000_000, rows: 3, milliseconds: 1000)
        for rows in 0...12 {
            for columns in 0...60 {
                var buffer = CellBuffer(size: Size(rows: rows, columns: columns))
                screen.render(into: &buffer)
                if rows >= 1, columns >= 24 { #expect(buffer.snapshot().contains("0.5 of 2.0 MB, 25%")) }
            }
        }
        var buffer = CellBuffer(size: Size(rows: 8, columns: 44))
        screen.render(into: &buffer)
        #expect(
            buffer.snapshot().split(separator: "\n", omittingEmptySubsequences: false).map {
                $0.trimmingSuffix(while: { $0 == " " })
            }
                == [
                    " big.json", "", "", "  0.5 of 2.0 MB, 25%", "  ━━━━━━━━━━──────────────────────────────",
                    "  3 rows, 0.5 MB/s, 3 s left", "",
                    " opening…                   q or ^C cancels",
                ])
    }
}

extension StringProtocol {
    fileprivate func trimmingSuffix(while isDropped: (Character) -> Bool) -> String {
        var text = String(self)
        while let last = text.last, isDropped(last) { text.removeLast() }
        return text
    }
}

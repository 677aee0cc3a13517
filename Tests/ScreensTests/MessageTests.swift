import TerminalUI
import Testing

@testable import Screens

/// What the last line says where the window has little room for it.
@Suite struct MessageTests {
    private static let text = "Mine.plist cannot be written: no space left on device"

    private func lines(_ status: Status, rows: Int, columns: Int) -> [String] {
        var buffer = CellBuffer(size: Size(rows: rows, columns: columns))
        for row in 0..<rows {
            buffer.write(String(repeating: "·", count: columns), row: row, column: 0, columns: columns, style: .text)
        }
        Chrome.drawStatus(status, quiet: "", hint: "", into: &buffer)
        return (0..<rows).map { row in
            (0..<columns).compactMap { buffer[row, $0]?.text }.joined().trimmingSpaces
        }
    }

    @Test func whatDoesNotFitBeginsAboveTheLastLine() {
        let row = String(repeating: "·", count: 20)
        #expect(
            lines(.message(Self.text), rows: 5, columns: 20) == [
                row, "Mine.plist cannot", "be written: no", "space left on", "device",
            ])
        // No more than there are lines below the title; the last says that there is more.
        let cut = lines(.message(Self.text), rows: 3, columns: 20)
        #expect(cut[0] == row && cut[1] == "Mine.plist cannot" && cut[2] == "be written: no spa…")
        // In a large window half of it stays.
        let long = lines(.message(String(repeating: Self.text + " ", count: 20)), rows: 20, columns: 20)
        #expect(long.prefix(10).allSatisfy { $0 == row } && long[10].hasPrefix("Mine") && long[19].hasSuffix("…"))
    }

    /// The cursor's row is never covered: the message has the lines below it, and is cut.
    @Test func theCursorsRowStaysInSight() {
        for rows in 3...12 {
            for cursor in 1..<(rows - 1) {
                var buffer = CellBuffer(size: Size(rows: rows, columns: 20))
                buffer.write("cursor", row: cursor, column: 0, columns: 20, style: .text)
                buffer.markCursorRow(cursor)
                Chrome.drawStatus(.message(Self.text), quiet: "", hint: "", into: &buffer)
                #expect(buffer.text(row: cursor).hasPrefix("cursor"))
                #expect(buffer.text(row: rows - 1).contains("…") == (rows - 1 - cursor < 4 || rows / 2 < 4 && rows > 8))
            }
        }
    }

    @Test func whatFitsOrStaysHasOneLine() {
        for status in [Status.message("short"), .standing(Self.text), .progress(Self.text)] {
            let shown = lines(status, rows: 5, columns: 20)
            #expect(shown.dropLast().allSatisfy { $0.allSatisfy { $0 == "·" } })
        }
    }

    /// Every size, so that nothing is written outside.
    @Test func anySize() {
        for rows in 1...8 {
            for columns in 1...24 { #expect(lines(.message(Self.text), rows: rows, columns: columns).count == rows) }
        }
    }
}

extension String {
    fileprivate var trimmingSpaces: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}

package import TerminalUI

/// What is shown while a store is opened that takes longer than a moment: how far it is, how fast, and how long it will take.
package struct LoadingScreen: Sendable, Equatable {
    /// What is opened, as the user named it.
    package var name: String
    package var bytesDone: Int
    /// Nil while it is not known, as for what comes through a pipe.
    package var bytesExpected: Int?
    package var rows: Int
    package var milliseconds: Int

    package init(name: String, bytesDone: Int = 0, bytesExpected: Int? = nil, rows: Int = 0, milliseconds: Int = 0) {
        self.name = name
        self.bytesDone = bytesDone
        self.bytesExpected = bytesExpected
        self.rows = rows
        self.milliseconds = milliseconds
    }

    /// One line that says it all, without the name: `412 of 1,060 MB, 39%, 1,234,567 rows, 52 MB/s, 12 s left`.
    package var line: String { parts.isEmpty ? "opening…" : parts.joined(separator: ", ") }

    private var parts: [String] {
        var parts: [String] = []
        if let bytesExpected, bytesExpected > 0 {
            parts.append("\(LoadingScreen.megabytes(bytesDone)) of \(LoadingScreen.megabytes(bytesExpected)) MB")
            parts.append("\(percent)%")
        } else if bytesDone > 0 {
            parts.append("\(LoadingScreen.megabytes(bytesDone)) MB")
        }
        if rows > 0 { parts.append(Chrome.count(rows, (one: "row", many: "rows"))) }
        // A rate over less than this says more about the start than about the rest.
        guard milliseconds >= 300, bytesDone > 0 else { return parts }
        parts.append(
            "\(LoadingScreen.megabytes(Int(exactly: (Double(bytesDone) * 1000 / Double(milliseconds)).rounded()) ?? 0)) MB/s")
        if let left = secondsLeft { parts.append("\(left) s left") }
        return parts
    }

    /// 0 to 100.
    private var percent: Int {
        guard let bytesExpected, bytesExpected > 0 else { return 0 }
        return min(100, Int(Double(bytesDone) / Double(bytesExpected) * 100))
    }

    private var secondsLeft: Int? {
        guard let bytesExpected, bytesDone > 0, bytesExpected > bytesDone else { return nil }
        let left = Double(bytesExpected - bytesDone) / Double(bytesDone) * Double(milliseconds) / 1000
        return left < 1e6 ? Int(left.rounded(.up)) : nil
    }

    /// With one decimal below ten.
    static func megabytes(_ bytes: Int) -> String {
        let tenths = max(0, bytes) / 100_000 + (bytes % 100_000 >= 50_000 ? 1 : 0)
        return tenths < 100
            ? "\(tenths / 10).\(tenths % 10)" : Chrome.grouped(max(0, bytes) / 1_000_000 + (bytes % 1_000_000 >= 500_000 ? 1 : 0))
    }

    package func render(into buffer: inout CellBuffer) {
        let body = Chrome.body(of: buffer.size)
        Chrome.drawTitle(name, trailing: "", into: &buffer)
        let middle = body.row + max(0, body.rows / 2 - 1)
        // The size, a bar, and the rest of it: of a few rows the first says most.
        let texts = [
            parts.prefix(2).joined(separator: ", "), bar(columns: body.columns - 4), parts.dropFirst(2).joined(separator: ", "),
        ]
        for (offset, text) in texts.enumerated() where !text.isEmpty && middle + offset < body.row + body.rows {
            buffer.write(
                text, row: middle + offset, column: min(2, max(0, body.columns - 1)), columns: max(0, body.columns - 2),
                style: .text)
        }
        Chrome.drawStatus(.quiet, quiet: "opening…", hint: "q or ^C cancels", into: &buffer)
    }

    private func bar(columns: Int) -> String {
        guard bytesExpected != nil, columns >= 10 else { return "" }
        let filled = columns * percent / 100
        return String(repeating: "━", count: filled) + String(repeating: "─", count: columns - filled)
    }
}

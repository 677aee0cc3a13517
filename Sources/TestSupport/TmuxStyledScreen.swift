/// Reads the backgrounds from a screen captured with its SGR sequences.
struct StyledScreen {
    /// One per column, by row: the background as SGR has it (`48;5;24`), `7` for reverse video, empty for the default.
    let backgrounds: [[String]]

    init(lines: [String], columns: Int) {
        var state = State()
        backgrounds = lines.map { line in
            var row: [String] = []
            var rest = Substring(line)
            while let character = rest.first {
                if character == "\u{1b}", let end = rest.firstIndex(where: \.isLetter) {
                    // Parameters stand between "ESC [" and the letter m.
                    if rest[end] == "m" { state.apply(rest[rest.startIndex..<end].drop { $0 == "\u{1b}" || $0 == "[" }) }
                    rest = rest[rest.index(after: end)...]
                } else if character == "\u{0e}" || character == "\u{0f}" {
                    rest.removeFirst()  // tmux marks line-drawing characters with these
                } else {
                    row.append(state.background)
                    if Self.isWide(character) { row.append(state.background) }
                    rest.removeFirst()
                }
            }
            // What tmux leaves out at the end of a line is blank.
            if row.count < columns { row += Array(repeating: "", count: columns - row.count) }
            return row
        }
    }

    /// Rows most of whose cells do not have the background that is most frequent on the screen.
    var highlightedRows: [Int] {
        var counts: [String: Int] = [:]
        for background in backgrounds.joined() { counts[background, default: 0] += 1 }
        guard let usual = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })?.key else { return [] }
        return backgrounds.indices.filter { row in
            backgrounds[row].count { $0 == usual } * 2 < backgrounds[row].count
        }
    }

    /// Enough for tests' texts: East Asian wide blocks and emoji.
    private static func isWide(_ character: Character) -> Bool {
        guard let first = character.unicodeScalars.first else { return false }
        return (0x1100...0x115f).contains(first.value) || (0x2e80...0xa4cf).contains(first.value)
            || (0xac00...0xd7a3).contains(first.value) || (0xf900...0xfaff).contains(first.value)
            || (0xfe30...0xfe6f).contains(first.value) || (0xff00...0xff60).contains(first.value)
            || first.properties.isEmojiPresentation
    }

    private struct State {
        var color = ""
        var isReversed = false

        var background: String { isReversed ? "7" : color }

        mutating func apply(_ parameters: Substring) {
            var numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }[...]
            while let number = numbers.popFirst() {
                switch number {
                case 0: self = State()
                case 7: isReversed = true
                case 27: isReversed = false
                case 38, 48:
                    let count = numbers.first == 5 ? 2 : numbers.first == 2 ? 4 : 0
                    if number == 48 { color = "48;" + numbers.prefix(count).map(String.init).joined(separator: ";") }
                    numbers = numbers.dropFirst(count)
                case 40...47, 100...107: color = String(number)
                case 49: color = ""
                default: break
                }
            }
        }
    }
}

extension DisplayText {
    /// The lines of a text in a column of this width: broken at line feeds and between words, words that are too long where
    /// the line is full, East Asian text between any two characters.
    ///
    /// Spaces at a break are dropped, a line's own indentation stays. A last line feed opens no further line; an empty text has
    /// one empty line.
    ///
    /// - Parameters:
    ///   - columns: cells, at least 1; a wide character in a column of 1 appears as `…`.
    ///   - maximumLines: reads no further once there are so many.
    /// - Complexity: O(n) in the bytes looked at.
    package static func wrap(_ text: String, columns: Int, maximumLines: Int = .max) -> [String] {
        guard maximumLines > 0 else { return [] }
        var wrapping = Wrapping(columns: max(1, columns))
        forEachUnit(in: text) { unit, _ in
            switch unit {
            case .lineEnd, .ascii(0x0A): wrapping.endLine()
            case .ascii(0x20): wrapping.take(DisplayCluster(" ", width: 1), isSpace: true)
            case .ascii(let byte): wrapping.take(DisplayCluster(String(shown(ascii: byte)), width: 1), isSpace: false)
            case .character(let character):
                wrapping.take(cluster(character), isSpace: character == " " || character == "\u{3000}")
            }
            return wrapping.lines.count < maximumLines
        }
        if wrapping.lines.count >= maximumLines { return wrapping.lines }
        return wrapping.finished()
    }
}

/// The line being filled, the spaces after it, and the word that may still have to move to the next line.
///
/// The three together never exceed the columns while there is a word.
private struct Wrapping {
    let columns: Int
    private(set) var lines: [String] = []
    private var line = ""
    private var lineWidth = 0
    private var spaces = ""
    private var spacesWidth = 0
    private var word = ""
    private var wordWidth = 0
    /// Whether something came after the last line feed.
    private var isOpen = false

    init(columns: Int) { self.columns = columns }

    mutating func take(_ cluster: DisplayCluster, isSpace: Bool) {
        isOpen = true
        if isSpace {
            endWord()
            // No line can use more of them.
            guard spacesWidth < columns else { return }
            spaces += cluster.text
            spacesWidth += cluster.width
            return
        }
        let fits = cluster.width <= columns
        let text = fits ? cluster.text : DisplayText.ellipsis
        let width = fits ? cluster.width : 1
        if width > 1 { endWord() }
        if lineWidth + spacesWidth + wordWidth + width > columns {
            if wordWidth + width > columns {
                // A word longer than a line is cut.
                endWord()
                breakLine()
            } else if lineWidth > 0 {
                breakLine()
            } else {
                // Indentation that leaves no room is dropped.
                spaces = ""
                spacesWidth = 0
            }
        }
        word += text
        wordWidth += width
        if width > 1 { endWord() }
    }

    /// Puts the word on the line.
    private mutating func endWord() {
        guard wordWidth > 0 else { return }
        line += spaces + word
        lineWidth += spacesWidth + wordWidth
        spaces = ""
        spacesWidth = 0
        word = ""
        wordWidth = 0
    }

    /// Ends the line before the word; the spaces at the break are dropped.
    private mutating func breakLine() {
        lines.append(line)
        line = ""
        lineWidth = 0
        spaces = ""
        spacesWidth = 0
    }

    mutating func endLine() {
        endWord()
        breakLine()
        isOpen = false
    }

    mutating func finished() -> [String] {
        if isOpen || lines.isEmpty { endLine() }
        return lines
    }
}

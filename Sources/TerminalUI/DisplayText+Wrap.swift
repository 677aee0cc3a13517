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
        var wrapping = Wrapping(columns: max(1, columns), maximumLines: maximumLines)
        forEachUnit(in: text) { unit, _ in
            switch unit {
            case .lineEnd, .ascii(0x0A): wrapping.endLine()
            case .ascii(0x20): wrapping.take(DisplayCluster(" ", width: 1), isSpace: true)
            case .ascii(let byte): wrapping.take(DisplayCluster(String(shown(ascii: byte)), width: 1), isSpace: false)
            case .character("\n"), .character("\r\n"): wrapping.endLine()
            case .character(let character):
                wrapping.take(cluster(character), isSpace: character == " " || character == "\u{3000}")
            }
            return wrapping.lines.count < maximumLines
        }
        return wrapping.finished()
    }
}

/// The line being filled, and the word that may still have to move to the next.
private struct Wrapping {
    let columns: Int
    let maximumLines: Int
    private(set) var lines: [String] = []
    private var line = ""
    private var lineWidth = 0
    private var spaces = ""
    private var spacesWidth = 0
    private var word = ""
    private var wordWidth = 0
    /// Whether something came after the last line feed.
    private var isOpen = false
    /// Whether the line follows a line feed or is the first, so that its spaces are indentation.
    private var startsParagraph = true

    init(columns: Int, maximumLines: Int) {
        self.columns = columns
        self.maximumLines = maximumLines
    }

    mutating func take(_ cluster: DisplayCluster, isSpace: Bool) {
        isOpen = true
        if isSpace {
            endWord()
            spaces += cluster.text
            spacesWidth += cluster.width
            return
        }
        var cluster = cluster
        if cluster.width > columns { cluster = DisplayCluster(DisplayText.ellipsis, width: 1) }
        if cluster.width > 1 { endWord() }
        if lineWidth + spacesWidth + wordWidth + cluster.width > columns {
            if lineWidth > 0 || (!startsParagraph && spacesWidth > 0) {
                breakLine()
            } else if spacesWidth > 0 {
                // Indentation that leaves no room for the word.
                if spacesWidth >= columns || wordWidth + cluster.width > columns {
                    breakLine()
                } else {
                    line = DisplayText.firstCells(of: spaces, columns: columns).text
                    lineWidth = spacesWidth
                    breakLine()
                }
            }
            if wordWidth + cluster.width > columns {
                endWord()
                breakLine()
            }
        }
        word += cluster.text
        wordWidth += cluster.width
        if cluster.width > 1 { endWord() }
    }

    /// Puts the word, which fits, on the line.
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
        if lineWidth > 0 || startsParagraph { lines.append(line) }
        line = ""
        lineWidth = 0
        spaces = ""
        spacesWidth = 0
        startsParagraph = false
    }

    mutating func endLine() {
        endWord()
        lines.append(line)
        line = ""
        lineWidth = 0
        spaces = ""
        spacesWidth = 0
        isOpen = false
        startsParagraph = true
    }

    mutating func finished() -> [String] {
        if isOpen || lines.isEmpty { endLine() }
        return lines.count > maximumLines ? Array(lines.prefix(maximumLines)) : lines
    }
}

/// A colour as people name it; a palette says which number of the terminal comes nearest.
package enum TerminalColor: Sendable, Hashable {
    /// One of the 256: 0–15 in the terminal's own shades, then a cube of 216 and 24 greys.
    case index(UInt8)
    case rgb(red: UInt8, green: UInt8, blue: UInt8)

    /// The names of the first sixteen.
    package static let names = [
        "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white", "brightBlack", "brightRed", "brightGreen",
        "brightYellow", "brightBlue", "brightMagenta", "brightCyan", "brightWhite",
    ]

    /// A name, a number from 0 to 255, or `#rrggbb`; nil for anything else. Case of names does not matter.
    package init?(_ text: String) {
        if let place = Self.names.firstIndex(where: { $0.lowercased() == text.lowercased() }) {
            self = .index(UInt8(place))
        } else if text.hasPrefix("#"), text.utf8.count == 7, text.dropFirst().allSatisfy(\.isHexDigit),
            let value = UInt32(text.dropFirst(), radix: 16)
        {
            self = .rgb(
                red: UInt8(truncatingIfNeeded: value >> 16), green: UInt8(truncatingIfNeeded: value >> 8),
                blue: UInt8(truncatingIfNeeded: value))
        } else if let index = UInt8(text), text.allSatisfy(\.isNumber) {
            self = .index(index)
        } else {
            return nil
        }
    }

    /// The colour's number on a terminal; nil where there are no colours.
    func number(in palette: Theme.Palette) -> Int32? {
        switch palette {
        case .monochrome: return nil
        case .eight:
            // The bright ones are the eight with another shade.
            if case .index(let index) = self, index < 16 { return Int32(index % 8) }
            return nearest(among: 0..<8)
        case .full:
            if case .index(let index) = self { return Int32(index) }
            // The first sixteen look different on each terminal.
            return nearest(among: 16..<256)
        case .direct:
            // The first eight numbers are those colours, all others are red, green and blue in one.
            if case .index(let index) = self, index < 8 { return Int32(index) }
            let (red, green, blue) = components
            let value = Int32(red) << 16 | Int32(green) << 8 | Int32(blue)
            return value < 8 ? 0 : value
        }
    }

    /// Red, green and blue, 0–255 each; for the first sixteen as xterm has them.
    var components: (red: Int, green: Int, blue: Int) {
        switch self {
        case .rgb(let red, let green, let blue): return (Int(red), Int(green), Int(blue))
        case .index(let index) where index < 16:
            let index = Int(index)
            let bright = index >= 8 ? 255 : 205
            if index == 7 { return (229, 229, 229) }
            if index == 8 { return (127, 127, 127) }
            return (index & 1 == 0 ? 0 : bright, index & 2 == 0 ? 0 : bright, index & 4 == 0 ? 0 : bright)
        case .index(let index) where index < 232:
            let place = Int(index) - 16
            func level(_ step: Int) -> Int { step == 0 ? 0 : 55 + 40 * step }
            return (level(place / 36), level(place / 6 % 6), level(place % 6))
        case .index(let index):
            let grey = 8 + 10 * (Int(index) - 232)
            return (grey, grey, grey)
        }
    }

    private func nearest(among range: Range<Int>) -> Int32 {
        let (red, green, blue) = components
        func distance(_ index: Int) -> Int {
            let other = TerminalColor.index(UInt8(truncatingIfNeeded: index)).components
            let (dr, dg, db) = (red - other.red, green - other.green, blue - other.blue)
            // The eye sees differences of green best and of blue least.
            return 3 * dr * dr + 4 * dg * dg + 2 * db * db
        }
        return Int32(range.min { distance($0) < distance($1) } ?? range.lowerBound)
    }
}

/// How the reader wants a role to look; what is nil stays as it is.
package struct Look: Sendable, Hashable {
    package enum Attribute: String, Sendable, Hashable, CaseIterable {
        /// None of the others.
        case plain
        case bold, dim, underline, reverse
    }

    package var foreground: TerminalColor?
    /// For the cursor's row, the first and the last line only.
    package var background: TerminalColor?
    package var attributes: Set<Attribute>?

    package init(foreground: TerminalColor? = nil, background: TerminalColor? = nil, attributes: Set<Attribute>? = nil) {
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
    }
}

/// What a reader can give a look of his own: the roles, and the cursor's row.
package enum Lookable: Sendable, Hashable {
    case role(Style.Role)
    case cursor

    package static let all = [Lookable.cursor] + Style.Role.allCases.map { .role($0) }

    package var name: String {
        switch self {
        case .cursor: "cursor"
        case .role(let role): role.rawValue
        }
    }

    /// Whether it is a whole line, which alone may have a background or be reverse (SPEC section 3).
    package var isWholeLine: Bool { self == .cursor || self == .role(.titleBar) || self == .role(.statusBar) }

    package var meaning: String {
        switch self {
        case .cursor: "the row of the cursor"
        case .role(let role):
            switch role {
            case .text: "text of rows"
            case .titleBar: "the first line"
            case .statusBar: "the last line"
            case .sectionHeader: "headers of sections"
            case .secondary: "secondary text of rows"
            case .accent: "labels and links"
            case .dimmed: "stand-ins for NULL and empty values, marks"
            case .indexBar: "the index bar"
            case .indexBarCurrent: "the letter of the cursor's section in it"
            case .warning: "warnings"
            case .failure: "faults"
            case .hit: "what a search found"
            case .changed: "marks of rows that have just changed"
            }
        }
    }
}

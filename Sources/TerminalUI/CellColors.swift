/// A colour of a picture's cell.
package struct CellColor: Sendable, Hashable {
    /// Below 0 the terminal's own, below 256 a number of its palette, else 1 << 24 and red, green, blue.
    private let code: Int32

    private init(code: Int32) { self.code = code }

    /// The terminal's own.
    package static let standard = CellColor(code: -1)

    /// One of the 256 that a terminal has numbers for, of which the first 8 or 16 are its user's.
    package static func palette(_ number: UInt8) -> CellColor { CellColor(code: Int32(number)) }

    /// - Parameter rgb: red << 16 | green << 8 | blue; higher bits are ignored.
    package static func rgb(_ rgb: UInt32) -> CellColor { CellColor(code: 1 << 24 | Int32(rgb & 0xFF_FFFF)) }

    /// Its number in the palette, where it has one.
    package var paletteNumber: UInt8? { UInt8(exactly: code) }

    /// Red << 16 | green << 8 | blue, where it is given so.
    package var rgbValue: UInt32? { code >= 1 << 24 ? UInt32(code & 0xFF_FFFF) : nil }

    /// Nil for the terminal's own.
    var color: TerminalColor? {
        if let paletteNumber { return .index(paletteNumber) }
        return rgbValue.map {
            .rgb(
                red: UInt8(truncatingIfNeeded: $0 >> 16), green: UInt8(truncatingIfNeeded: $0 >> 8),
                blue: UInt8(truncatingIfNeeded: $0))
        }
    }
}

/// The two colours of a picture's cell.
package struct CellColors: Sendable, Hashable {
    package var foreground: CellColor
    package var background: CellColor

    package init(foreground: CellColor, background: CellColor) {
        self.foreground = foreground
        self.background = background
    }

    /// Whether one of them is given as red, green and blue.
    package var hasRGB: Bool { foreground.rgbValue != nil || background.rgbValue != nil }
}

/// How cells look on a terminal.
package struct TerminalAttributes: Sendable, Hashable {
    /// Number of a colour, 0–255; nil is the terminal's own.
    package var foreground: UInt8?
    package var background: UInt8?
    package var isBold: Bool
    package var isDim: Bool
    package var isUnderlined: Bool
    package var isReverse: Bool

    package init(
        foreground: UInt8? = nil, background: UInt8? = nil, bold: Bool = false, dim: Bool = false, underlined: Bool = false,
        reverse: Bool = false
    ) {
        self.foreground = foreground
        self.background = background
        isBold = bold
        isDim = dim
        isUnderlined = underlined
        isReverse = reverse
    }
}

/// What the styles look like.
///
/// The cursor's row is reverse, in the terminal's own colours so that it is one bar; besides it only the first and the last
/// line of a screen have reverse or a background (SPEC section 3).
package struct Theme: Sendable, Hashable {
    /// Colours a theme may use.
    package enum Palette: Sendable, Hashable, CaseIterable {
        /// None: bold, dim and underlining only.
        case monochrome
        /// The eight that the user's terminal has its own shades for.
        case eight
        /// Out of 256, those that can be read on black and on white.
        case full
    }

    package var palette: Palette

    package init(palette: Palette) { self.palette = palette }

    /// The theme for a terminal of so many colours; `NO_COLOR`, if it is set and not empty, asks for none.
    package init(colors: Int, environment: [String: String]) {
        if environment["NO_COLOR"].map({ !$0.isEmpty }) ?? false || colors < 8 {
            palette = .monochrome
        } else {
            palette = colors < 256 ? .eight : .full
        }
    }

    package func attributes(for style: Style) -> TerminalAttributes {
        if style.isCursor {
            // What tells roles apart must not make the bar patchy: no colours, not dim.
            return TerminalAttributes(
                bold: style.role == .sectionHeader || style.role == .hit, underlined: style.role == .hit, reverse: true)
        }
        if let colors = style.colors {
            return TerminalAttributes(
                foreground: colors.foreground.paletteNumber, background: colors.background.paletteNumber)
        }
        switch style.role {
        case .text: return TerminalAttributes()
        case .titleBar: return TerminalAttributes(bold: true, reverse: true)
        case .statusBar: return TerminalAttributes(reverse: true)
        case .sectionHeader: return TerminalAttributes(bold: true)
        case .secondary: return TerminalAttributes(foreground: color(eight: nil, full: 244))
        case .accent: return TerminalAttributes(foreground: color(eight: 6, full: 33), bold: palette == .monochrome)
        case .dimmed: return TerminalAttributes(foreground: color(eight: nil, full: 244), dim: palette != .full)
        case .indexBar: return TerminalAttributes(foreground: color(eight: 6, full: 33))
        case .indexBarCurrent: return TerminalAttributes(foreground: color(eight: 6, full: 33), bold: true, underlined: true)
        case .warning: return TerminalAttributes(foreground: color(eight: 3, full: 172), bold: palette == .monochrome)
        case .failure: return TerminalAttributes(foreground: color(eight: 1, full: 160), bold: true)
        case .hit: return TerminalAttributes(bold: true, underlined: true)
        case .changed: return TerminalAttributes(foreground: color(eight: 2, full: 34), bold: true)
        }
    }

    private func color(eight: UInt8?, full: UInt8) -> UInt8? {
        switch palette {
        case .monochrome: nil
        case .eight: eight
        case .full: full
        }
    }
}

/// How cells look on a terminal.
package struct TerminalAttributes: Sendable, Hashable {
    /// Number of a colour as the terminal counts them; nil is its own.
    package var foreground: Int32?
    package var background: Int32?
    package var isBold: Bool
    package var isDim: Bool
    package var isUnderlined: Bool
    package var isReverse: Bool

    package init(
        foreground: Int32? = nil, background: Int32? = nil, bold: Bool = false, dim: Bool = false, underlined: Bool = false,
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
        /// The same, on a terminal whose colour numbers are red, green and blue in one.
        case direct
    }

    package var palette: Palette
    /// What the reader wants to look otherwise.
    package var looks: [Lookable: Look]

    package init(palette: Palette, looks: [Lookable: Look] = [:]) {
        self.palette = palette
        self.looks = looks
    }

    /// The theme for a terminal of so many colours; `NO_COLOR`, if it is set and not empty, asks for none.
    package init(colors: Int, environment: [String: String], looks: [Lookable: Look] = [:]) {
        self.looks = looks
        if environment["NO_COLOR"].map({ !$0.isEmpty }) ?? false || colors < 8 {
            palette = .monochrome
        } else {
            palette = colors < 256 ? .eight : colors < 1 << 15 ? .full : .direct
        }
    }

    package func attributes(for style: Style) -> TerminalAttributes {
        if style.isCursor {
            // What tells roles apart must not make the bar patchy: no colours, not dim.
            let isMarked = style.role == .hit || style.role == .indexBarCurrent
            let bar = TerminalAttributes(bold: style.role == .sectionHeader || isMarked, underlined: isMarked, reverse: true)
            guard let look = looks[.cursor] else { return bar }
            var own = applying(look, to: bar, isBar: true)
            // A hit and the index bar's letter are to be seen there, too.
            own.isUnderlined = own.isUnderlined || isMarked
            return own
        }
        if let colors = style.colors {
            return TerminalAttributes(
                foreground: colors.foreground.color?.number(in: palette), background: colors.background.color?.number(in: palette)
            )
        }
        let standard = standardAttributes(for: style.role)
        guard let look = looks[.role(style.role)] else { return standard }
        return applying(look, to: standard, isBar: Lookable.role(style.role).isWholeLine)
    }

    private func applying(_ look: Look, to standard: TerminalAttributes, isBar: Bool) -> TerminalAttributes {
        var result = standard
        if let wanted = look.attributes {
            result.isBold = wanted.contains(.bold)
            result.isDim = wanted.contains(.dim)
            result.isUnderlined = wanted.contains(.underline)
        }
        if let foreground = look.foreground { result.foreground = foreground.number(in: palette) }
        guard isBar else { return result }
        if let background = look.background { result.background = background.number(in: palette) }
        // A line that nothing sets apart would not be one.
        result.isReverse = result.background == nil || look.attributes?.contains(.reverse) ?? false
        return result
    }

    private func standardAttributes(for role: Style.Role) -> TerminalAttributes {
        switch role {
        case .text: return TerminalAttributes()
        case .titleBar: return TerminalAttributes(bold: true, reverse: true)
        case .statusBar: return TerminalAttributes(reverse: true)
        case .sectionHeader: return TerminalAttributes(bold: true)
        case .secondary: return TerminalAttributes(foreground: color(eight: nil, full: 244))
        case .accent: return TerminalAttributes(foreground: color(eight: 6, full: 33), bold: palette == .monochrome)
        case .dimmed:
            return TerminalAttributes(
                foreground: color(eight: nil, full: 244), dim: palette == .monochrome || palette == .eight)
        case .indexBar: return TerminalAttributes(foreground: color(eight: 6, full: 33))
        case .indexBarCurrent: return TerminalAttributes(foreground: color(eight: 6, full: 33), bold: true, underlined: true)
        case .warning: return TerminalAttributes(foreground: color(eight: 3, full: 172), bold: palette == .monochrome)
        case .failure: return TerminalAttributes(foreground: color(eight: 1, full: 160), bold: true)
        case .hit: return TerminalAttributes(bold: true, underlined: true)
        case .changed: return TerminalAttributes(foreground: color(eight: 2, full: 34), bold: true)
        }
    }

    private func color(eight: UInt8?, full: UInt8) -> Int32? {
        switch palette {
        case .monochrome: nil
        case .eight: eight.map { Int32($0) }
        case .full, .direct: TerminalColor.index(full).number(in: palette)
        }
    }
}

import Testing

@testable import TerminalUI

@Suite struct ThemeTests {
    @Test(arguments: Theme.Palette.allCases)
    func onlyTheBarsAndTheCursorAreReverse(palette: Theme.Palette) {
        let theme = Theme(palette: palette)
        for role in Style.Role.allCases {
            let plain = theme.attributes(for: Style(role))
            #expect(plain.isReverse == (role == .titleBar || role == .statusBar))
            #expect(plain.background == nil)
            let cursor = theme.attributes(for: Style(role, isCursor: true))
            #expect(cursor.isReverse && cursor.foreground == nil && cursor.background == nil && !cursor.isDim)
        }
    }

    @Test(arguments: Theme.Palette.allCases)
    func rolesThatMatterAreToldApart(palette: Theme.Palette) {
        let theme = Theme(palette: palette)
        let roles: [Style.Role] = [.text, .sectionHeader, .dimmed, .hit, .failure]
        for role in roles.dropFirst() { #expect(theme.attributes(for: Style(role)) != theme.attributes(for: .text)) }
        #expect(theme.attributes(for: Style(.indexBar)) != theme.attributes(for: Style(.indexBarCurrent)))
        // Where the cursor's row crosses the index bar, too, whatever the reader has made of that row.
        for theme in [
            theme, Theme(palette: palette, looks: [.cursor: Look(foreground: nil, background: nil, attributes: [.bold])]),
        ] {
            let bar = theme.attributes(for: Style(.indexBar, isCursor: true))
            #expect(theme.attributes(for: Style(.indexBarCurrent, isCursor: true)) != bar)
        }
    }

    @Test func coloursByTerminalAndEnvironment() {
        #expect(Theme(colors: 256, environment: [:]).palette == .full)
        #expect(Theme(colors: 8, environment: ["NO_COLOR": ""]).palette == .eight)
        #expect(Theme(colors: -1, environment: [:]).palette == .monochrome)
        #expect(Theme(colors: 256, environment: ["NO_COLOR": "1"]).palette == .monochrome)
        for role in Style.Role.allCases {
            #expect(Theme(palette: .monochrome).attributes(for: Style(role)).foreground == nil)
            #expect(Theme(palette: .eight).attributes(for: Style(role)).foreground ?? 0 < 8)
        }
    }
}

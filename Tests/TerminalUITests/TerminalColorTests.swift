import Testing

@testable import TerminalUI

@Suite struct TerminalColorTests {
    @Test func readsNamesNumbersAndHexadecimals() {
        #expect(
            TerminalColor("red") == .index(1) && TerminalColor("BrightWhite") == .index(15) && TerminalColor("200") == .index(200)
        )
        #expect(TerminalColor("#0a0B0c") == .rgb(red: 10, green: 11, blue: 12))
        for text in ["", "256", "-1", "+5", "#12345", "#1234567", "#gggggg", "#+12345", "rot", "٣"] {
            #expect(TerminalColor(text) == nil, "\(text)")
        }
    }

    /// Each of the 240 that look alike everywhere is nearest to itself.
    @Test func nearestOfTheCubeAndTheGreys() {
        for index in 16..<256 {
            let (red, green, blue) = TerminalColor.index(UInt8(index)).components
            let color = TerminalColor.rgb(red: UInt8(red), green: UInt8(green), blue: UInt8(blue))
            let found = color.number(in: .full).flatMap { UInt8(exactly: $0) }.map { TerminalColor.index($0).components }
            #expect(found?.red == red && found?.green == green && found?.blue == blue, "\(index)")
            #expect(color.number(in: .direct).map { $0 < 8 || $0 == Int32(red) << 16 | Int32(green) << 8 | Int32(blue) } == true)
            #expect(color.number(in: .eight).map { (0..<8).contains($0) } == true && color.number(in: .monochrome) == nil)
        }
    }

    @Test func lookChangesOnlyWhatItNames() {
        for palette in Theme.Palette.allCases {
            let plain = Theme(palette: palette)
            let theme = Theme(palette: palette, looks: [.role(.hit): Look(foreground: .index(3), background: .index(4))])
            for role in Style.Role.allCases where role != .hit {
                #expect(theme.attributes(for: Style(role)) == plain.attributes(for: Style(role)))
            }
            let hit = theme.attributes(for: Style(.hit))
            #expect(hit.background == nil && hit.isBold && hit.isUnderlined)
            #expect(hit.foreground == (palette == .monochrome ? nil : 3))
            // Bars stay bars: by their colour or in reverse.
            let bar = Theme(palette: palette, looks: [.role(.titleBar): Look(attributes: [.plain])])
            #expect(bar.attributes(for: Style(.titleBar)).isReverse)
        }
    }
}

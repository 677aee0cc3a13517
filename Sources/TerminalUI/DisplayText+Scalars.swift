internal import CWideCharacters
internal import Glibc

extension DisplayText {
    /// What a terminal makes of a scalar.
    enum Kind: Hashable {
        /// Takes this many cells, 1 or 2.
        case spacing(Int)
        /// Stands on the scalar before it.
        case mark
        /// U+200C and U+200D.
        case joiner
        case variationSelector
        /// U+E0020–E007F, of use only in the flags of England, Scotland, Wales and the like.
        case tag
        /// Must not reach the terminal; this is shown in its place.
        case standIn(Unicode.Scalar)
    }

    /// Stands for characters that nobody sees.
    static let invisible: Unicode.Scalar = "␦"
    /// Stands for what cannot be printed.
    static let replacement: Unicode.Scalar = "\u{FFFD}"

    /// Widths are the C library's in a UTF-8 locale, the very function that curses asks.
    ///
    /// The locale is set once, whatever the environment says: with `LANG=C` every text but ASCII would be unprintable, and
    /// the terminals that people log in with are UTF-8 ones. Only the character type changes, not dates nor numbers.
    static let hasUnicodeLocale: Bool = ["C.UTF-8", "C.utf8", "en_US.UTF-8", ""].contains { (name: String) in
        setlocale(LC_CTYPE, name) != nil
    }

    /// Makes the C library count in UTF-8; curses is to be started after it.
    ///
    /// - Returns: whether there is such a locale.
    @discardableResult package static func useUnicodeLocale() -> Bool { hasUnicodeLocale }

    static func kind(of scalar: Unicode.Scalar) -> Kind {
        let value = scalar.value
        switch value {
        case 0x20..<0x7F: return .spacing(1)
        case 0..<0x20: return .standIn(controlPicture(value))
        case 0x7F: return .standIn("␡")
        case 0x80..<0xA0: return .standIn(replacement)
        // The common scripts are answered without asking; the tests compare each with the full rule.
        case 0xA1..<0xAD, 0xAE..<0x300: return .spacing(1)
        // What screens are drawn with, punctuation, arrows and lines, must not cost a look at the tables below: small lists are
        // there before those would be.
        case 0x2010..<0x2028, 0x2190..<0x231A, 0x2500..<0x25FD: return .spacing(1)
        case 0x300..<0x3100: return alphabets[Int(value) - 0x300]
        case 0x4E00..<0x9FFD, 0xAC00..<0xD7A4: return .spacing(2)
        default: return fullKind(of: scalar)
        }
    }

    /// The kinds of U+0300–30FF, found out in half a millisecond when the first of them is met.
    private static let alphabets: [Kind] = (0x300..<0x3100).map { value in
        Unicode.Scalar(value as UInt32).map(fullKind) ?? .standIn(replacement)
    }

    /// The rule without short cuts, for scalars beyond C1.
    static func fullKind(of scalar: Unicode.Scalar) -> Kind {
        switch scalar.value {
        case 0x200C, 0x200D: return .joiner
        case 0x180B...0x180D, 0x180F, 0xFE00...0xFE0F, 0xE0100...0xE01EF: return .variationSelector
        case 0xE0020...0xE007F: return .tag
        default: break
        }
        _ = hasUnicodeLocale
        let width = Int(tl_wcwidth(scalar.value))
        if scalar.properties.isDefaultIgnorableCodePoint { return .standIn(invisible) }
        switch scalar.properties.generalCategory {
        case .lineSeparator, .paragraphSeparator: return .standIn(invisible)
        case .format where width < 1: return .standIn(invisible)
        default: break
        }
        switch width {
        case ..<0: return .standIn(replacement)
        case 0: return .mark
        case 1: return .spacing(1)
        default: return .spacing(2)
        }
    }

    /// How an ASCII byte appears in one line.
    static func shown(ascii byte: UInt8) -> Unicode.Scalar {
        switch byte {
        case 0..<0x20: controlPicture(UInt32(byte))
        case 0x7F: "␡"
        default: Unicode.Scalar(byte)
        }
    }

    private static func controlPicture(_ value: UInt32) -> Unicode.Scalar { Unicode.Scalar(0x2400 + value) ?? replacement }
}

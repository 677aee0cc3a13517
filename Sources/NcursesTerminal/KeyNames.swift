internal import TerminalUI

/// The keys by their sequences and by their names in terminfo.
enum KeyNames {
    /// Terminfo's string capabilities for keys; F1 to F24 besides.
    static let capabilities: [(name: String, code: Key.Code)] =
        [
            ("kcuu1", .up), ("kcud1", .down), ("kcub1", .left), ("kcuf1", .right),
            ("kpp", .pageUp), ("knp", .pageDown), ("khome", .home), ("kend", .end),
            ("kich1", .insert), ("kdch1", .delete), ("kent", .enter), ("kcbt", .backTab), ("kbs", .backspace),
        ] + (1...24).map { ("kf\($0)", .function($0)) }

    /// The key of Esc O and this byte.
    static func singleShift(_ byte: UInt8) -> Key.Code? {
        switch byte {
        case 0x4D: .enter
        // The keypad in application mode: the digits and * + , - . /
        case 0x6A...0x79: .character(Character(Unicode.Scalar(byte - 0x40)))
        case 0x58: .character("=")
        default: letter(byte)
        }
    }

    /// The key of Esc [, numbers and a final byte: xterm's, rxvt's, and both ways in which characters come with modifiers.
    static func controlSequence(_ numbers: [Int], final: UInt8) -> Key? {
        switch final {
        case 0x7E, 0x5E, 0x40:
            if numbers.first == 27, numbers.count == 3 { return character(numbers[2], modifier: numbers[1]) }
            guard let code = numbered(numbers.first ?? 0) else { return nil }
            // rxvt ends a key with ^ or @ when Control is held.
            return key(code, modifier: final == 0x7E ? modifier(numbers) : 5)
        case 0x75:
            return character(numbers.first ?? 0, modifier: modifier(numbers))
        case 0x61...0x64:
            // rxvt's arrows with Shift.
            return letter(final - 0x20).map { Key($0) }
        default:
            return letter(final).map { key($0, modifier: modifier(numbers)) }
        }
    }

    private static func letter(_ byte: UInt8) -> Key.Code? {
        switch byte {
        case 0x41: .up
        case 0x42: .down
        case 0x43: .right
        case 0x44: .left
        case 0x46: .end
        case 0x48: .home
        case 0x50...0x53: .function(Int(byte) - 0x4F)
        case 0x5A: .backTab
        default: nil
        }
    }

    private static func numbered(_ number: Int) -> Key.Code? {
        switch number {
        case 1, 7: .home
        case 2: .insert
        case 3: .delete
        case 4, 8: .end
        case 5: .pageUp
        case 6: .pageDown
        case 11...15: .function(number - 10)
        case 17...21: .function(number - 11)
        case 23...26: .function(number - 12)
        case 28, 29: .function(number - 13)
        case 31...34: .function(number - 14)
        default: nil
        }
    }

    private static func modifier(_ numbers: [Int]) -> Int { numbers.count > 1 ? numbers[1] : 1 }

    /// - Parameter modifier: 1 + (1 Shift, 2 Alt, 4 Control, 8 Meta).
    private static func key(_ code: Key.Code, modifier: Int) -> Key {
        let bits = max(0, modifier - 1)
        return Key(code, control: bits & 4 != 0, alt: bits & 10 != 0)
    }

    /// A character that comes as a number.
    private static func character(_ value: Int, modifier: Int) -> Key? {
        switch value {
        case 9: return modifier == 2 ? Key(.backTab) : key(.tab, modifier: modifier)
        case 13: return key(.enter, modifier: modifier)
        case 27: return key(.escape, modifier: modifier)
        case 8, 127: return key(.backspace, modifier: modifier)
        default:
            guard value >= 0x20, !(0x80..<0xA0).contains(value), let scalar = Unicode.Scalar(UInt32(value)) else { return nil }
            return key(.character(Character(scalar)), modifier: modifier)
        }
    }
}

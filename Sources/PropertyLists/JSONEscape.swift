/// The escapes in JSON's strings (RFC 8259, section 7): the one place that knows them.
package enum JSONEscape {
    /// The byte that a letter behind a backslash stands for; nil for `u`, which has digits, and for what is no escape.
    package static func byte(for letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: nil
        }
    }

    /// The value of a hexadecimal digit.
    package static func digit(_ byte: UInt8) -> UInt16? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    /// How a unit of UTF-16 is written: `\u` and four digits.
    package static func text(of unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
    }

    /// The unit of UTF-16 that the four digits behind `\u` stand for; nil for anything but four digits.
    package static func unit(_ digits: some Sequence<UInt8>) -> UInt16? {
        var value: UInt16 = 0
        var count = 0
        for byte in digits {
            guard count < 4, let digit = digit(byte) else { return nil }
            value = value << 4 | digit
            count += 1
        }
        return count == 4 ? value : nil
    }
}

extension Unicode.Scalar {
    /// What two halves of a surrogate pair stand for; nil where they are none.
    package init?(highSurrogate high: UInt16, low: UInt16) {
        guard UTF16.isLeadSurrogate(high), UTF16.isTrailSurrogate(low) else { return nil }
        self.init(0x10000 + (UInt32(high) - 0xD800) << 10 + (UInt32(low) - 0xDC00))
    }
}

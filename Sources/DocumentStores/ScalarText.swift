/// What a piece of text says, read as bytes: number, boolean, date.
enum ScalarText {
    typealias Bytes = UnsafeBufferPointer<UInt8>

    enum Number {
        case integer(Int64)
        case double(Double)
        /// One that neither holds: an integer beyond 64 bits, more digits than a double has, or beyond all doubles. With the
        /// nearest double, which may be an infinity, or nothing for what is no number.
        case long(nearest: Double)
    }

    /// A number as JSON writes it; with `lenient` also one that begins with its decimal point. Nil for anything else, such as
    /// leading zeros or a plus sign.
    static func number(_ text: Bytes, lenient: Bool = false) -> Number? {
        let count = text.count
        guard count > 0, count <= 4096 else { return nil }
        var position = 0
        let isNegative = text[0] == UInt8(ascii: "-")
        if isNegative { position = 1 }
        var mantissa: UInt64 = 0
        var digits = 0
        var fits = true
        func take(_ byte: UInt8) {
            let (product, overflow) = mantissa.multipliedReportingOverflow(by: 10)
            let (sum, overflowOfSum) = product.addingReportingOverflow(UInt64(byte &- 0x30))
            if overflow || overflowOfSum { fits = false } else { mantissa = sum }
        }
        let start = position
        while position < count, text[position] &- 0x30 < 10 {
            take(text[position])
            position &+= 1
        }
        digits = position - start
        if digits == 0 {
            guard lenient, position < count, text[position] == UInt8(ascii: ".") else { return nil }
        }
        if digits > 1, text[start] == 0x30 { return nil }
        if position == count {
            if isNegative, fits, mantissa == 0 { return .double(-0.0) }
            if fits, mantissa < 1 << 63 || isNegative && mantissa == 1 << 63 {
                return .integer(Int64(truncatingIfNeeded: isNegative ? 0 &- mantissa : mantissa))
            }
            return .long(nearest: double(text, mantissa: fits ? mantissa : nil, exponent: 0, isNegative: isNegative))
        }
        var exponent = 0
        if text[position] == UInt8(ascii: ".") {
            position &+= 1
            let first = position
            while position < count, text[position] &- 0x30 < 10 {
                take(text[position])
                position &+= 1
            }
            guard position > first else { return nil }
            exponent = first - position
        }
        if position < count, text[position] | 0x20 == UInt8(ascii: "e") {
            position &+= 1
            var isDown = false
            if position < count, text[position] == UInt8(ascii: "+") || text[position] == UInt8(ascii: "-") {
                isDown = text[position] == UInt8(ascii: "-")
                position &+= 1
            }
            let first = position
            var written = 0
            while position < count, text[position] &- 0x30 < 10 {
                if written < 100_000 { written = written * 10 + Int(text[position] &- 0x30) }
                position &+= 1
            }
            guard position > first else { return nil }
            exponent += isDown ? -written : written
        }
        guard position == count else { return nil }
        let value = double(text, mantissa: fits ? mantissa : nil, exponent: exponent, isNegative: isNegative)
        // Below 10¹⁷ a double keeps all digits; so small that it is nothing, it does not.
        while mantissa >= mostExact, mantissa % 10 == 0 { mantissa /= 10 }
        let isExact = fits && mantissa < mostExact && value.isFinite && (value != 0 || mantissa == 0)
        return isExact ? .double(value) : .long(nearest: value)
    }

    private static let mostExact: UInt64 = 100_000_000_000_000_000

    /// Exact by one multiplication or division where both numbers are exact; else by the library's parser.
    private static func double(_ text: Bytes, mantissa: UInt64?, exponent: Int, isNegative: Bool) -> Double {
        if let mantissa, mantissa <= 1 << 53, abs(exponent) <= 22 {
            var power = 1.0
            for _ in 0..<abs(exponent) { power *= 10 }
            let value = exponent < 0 ? Double(mantissa) / power : Double(mantissa) * power
            return isNegative ? -value : value
        }
        return Double(String(decoding: text, as: UTF8.self)) ?? (isNegative ? -.infinity : .infinity)
    }

    /// `true`, `false`, `yes`, `no`, whatever their case.
    static func boolean(_ text: Bytes) -> Bool? {
        func equals(_ word: StaticString) -> Bool {
            guard word.utf8CodeUnitCount == text.count else { return false }
            for index in 0..<text.count where text[index] | 0x20 != word.utf8Start[index] { return false }
            return true
        }
        switch text.count {
        case 2: return equals("no") ? false : nil
        case 3: return equals("yes") ? true : nil
        case 4: return equals("true") ? true : nil
        case 5: return equals("false") ? false : nil
        default: return nil
        }
    }

    /// Whether it is a date as ISO 8601 writes it, with or without a time, a fraction and a zone: `2010-04-07`,
    /// `2010-04-07T01:04:48.5+02:00`, `2010-04-07 01:04`.
    static func isDate(_ text: Bytes) -> Bool {
        let count = text.count
        guard count >= 10, count <= 40, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-") else { return false }
        func two(_ at: Int) -> Int? {
            guard at + 2 <= count, text[at] &- 0x30 < 10, text[at + 1] &- 0x30 < 10 else { return nil }
            return Int(text[at] &- 0x30) * 10 + Int(text[at + 1] &- 0x30)
        }
        guard let century = two(0), let yearOfCentury = two(2), let month = two(5), let day = two(8) else { return false }
        let year = century * 100 + yearOfCentury
        guard year > 0, (1...12).contains(month), day >= 1, day <= days(month, year) else { return false }
        if count == 10 { return true }
        guard text[10] == UInt8(ascii: "T") || text[10] == UInt8(ascii: " "), let hour = two(11), hour < 24, count > 13,
            text[13] == UInt8(ascii: ":"), let minute = two(14), minute < 60
        else { return false }
        var position = 16
        if position < count, text[position] == UInt8(ascii: ":") {
            guard let second = two(17), second < 61 else { return false }
            position = 19
            if position < count, text[position] == UInt8(ascii: ".") {
                let first = position + 1
                position = first
                while position < count, text[position] &- 0x30 < 10 { position += 1 }
                guard position > first else { return false }
            }
        }
        if position == count { return true }
        if text[position] == UInt8(ascii: "Z") { return position + 1 == count }
        guard text[position] == UInt8(ascii: "+") || text[position] == UInt8(ascii: "-"), let hours = two(position + 1),
            hours < 24
        else { return false }
        position += 3
        if position == count { return true }
        if text[position] == UInt8(ascii: ":") { position += 1 }
        guard let minutes = two(position), minutes < 60 else { return false }
        return position + 2 == count
    }

    private static func days(_ month: Int, _ year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }

    /// The text without spaces at both ends.
    static func trimmed(_ text: Bytes) -> Bytes {
        var start = 0
        var end = text.count
        while start < end, text[start] == 0x20 || text[start] == 9 { start &+= 1 }
        while end > start, text[end &- 1] == 0x20 || text[end &- 1] == 9 { end &-= 1 }
        return Bytes(rebasing: text[start..<end])
    }

    /// Where the text stops being UTF-8; nil if all of it is. O(bytes).
    static func invalidUTF8(_ text: Bytes) -> Int? {
        var position = 0
        let count = text.count
        while position < count {
            let byte = text[position]
            if byte < 0x80 {
                position &+= 1
                continue
            }
            let length: Int
            var low: UInt8 = 0x80
            var high: UInt8 = 0xBF
            switch byte {
            case 0xC2...0xDF: length = 2
            case 0xE0: (length, low) = (3, 0xA0)
            case 0xED: (length, high) = (3, 0x9F)
            case 0xE1...0xEF: length = 3
            case 0xF0: (length, low) = (4, 0x90)
            case 0xF1...0xF3: length = 4
            case 0xF4: (length, high) = (4, 0x8F)
            default: return position
            }
            guard position + length <= count, (low...high).contains(text[position + 1]) else { return position }
            for follow in 2..<max(2, length) where text[position + follow] & 0xC0 != 0x80 { return position }
            position &+= length
        }
        return nil
    }
}

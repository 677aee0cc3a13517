internal import Foundation

/// The texts of XML property lists' scalar elements as values; nil for what they do not allow.
enum XMLPropertyListValues {
    enum Integer: Equatable {
        case signed(Int64)
        /// More than `Int64` holds, but an unsigned integer of 64 bits does.
        case wider(UInt64)
        case overflow
    }

    static func integer(_ text: String) -> Integer? {
        var digits = trimmed(text)
        var isNegative = false
        if let sign = digits.first, sign == "-" || sign == "+" {
            isNegative = sign == "-"
            digits = trimmed(digits.dropFirst())
        }
        var radix = 10
        if digits.hasPrefix("0x") || digits.hasPrefix("0X") {
            digits = digits.dropFirst(2)
            radix = 16
        }
        guard !digits.isEmpty, digits.utf8.allSatisfy({ isDigit($0, radix: radix) }) else { return nil }
        guard let magnitude = UInt64(digits, radix: radix) else { return .overflow }
        if isNegative {
            if magnitude == Int64.min.magnitude { return .signed(.min) }
            return Int64(exactly: magnitude).map { .signed(-$0) } ?? .overflow
        }
        return Int64(exactly: magnitude).map { .signed($0) } ?? .wider(magnitude)
    }

    private static func isDigit(_ byte: UInt8, radix: Int) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"): radix == 16
        default: false
        }
    }

    static func real(_ text: String) -> Double? {
        let text = trimmed(text)
        switch text.lowercased() {
        case "nan": return .nan
        case "infinity", "+infinity", "inf", "+inf": return .infinity
        case "-infinity", "-inf": return -.infinity
        default: return Double(text)
        }
    }

    private static func trimmed(_ text: some StringProtocol) -> Substring {
        let start = Substring(text).drop { $0.isWhitespace }
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return start[...last]
    }

    /// `YYYY-MM-DDTHH:MM:SSZ`, the one form there is; in UTC, by the Gregorian calendar also before 1582.
    static func date(_ text: String) -> Date? {
        var rest = trimmed(text)[...]
        var isNegative = false
        if rest.first == "-" {
            isNegative = true
            rest = rest.dropFirst()
        }
        func number(before end: Character, digits: ClosedRange<Int>) -> Int? {
            guard let index = rest.firstIndex(of: end) else { return nil }
            let part = rest[..<index]
            guard digits.contains(part.utf8.count), part.utf8.allSatisfy({ isDigit($0, radix: 10) }) else { return nil }
            rest = rest[rest.index(after: index)...]
            return Int(part)
        }
        guard let year = number(before: "-", digits: 1...6), let month = number(before: "-", digits: 2...2),
            (1...12).contains(month),
            let day = number(before: "T", digits: 2...2), (1...31).contains(day), let hour = number(before: ":", digits: 2...2),
            let minute = number(before: ":", digits: 2...2), let second = number(before: "Z", digits: 2...2), rest.isEmpty,
            hour < 25, minute < 60, second < 61
        else { return nil }
        let days = daysSince2001(year: isNegative ? -year : year, month: month, day: day)
        return Date(timeIntervalSinceReferenceDate: Double(days * 86400 + hour * 3600 + minute * 60 + second))
    }

    /// Days from 2001-01-01; years are counted from March, so that the leap day is a year's last.
    private static func daysSince2001(year: Int, month: Int, day: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        // 719 468 days lie between 0000-03-01 and 1970-01-01, 11 323 more to 2001-01-01.
        return era * 146_097 + dayOfEra - 719_468 - 11_323
    }

    /// Base64, blanks ignored.
    static func data(_ text: String) -> Data? {
        let bytes = text.utf8.filter { $0 > 0x20 }
        if bytes.isEmpty { return Data() }
        return Data(base64Encoded: Data(bytes))
    }
}

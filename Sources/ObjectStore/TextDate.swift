/// Dates as text.
package enum TextDate {
    /// ISO 8601 text, with `T` or a space between date and time, as SQLite writes it too: `2010-04-07`, `2010-04-07 01:04`,
    /// `2010-04-07T01:04:48.5+02:00`. Without a zone it is UTC. Seconds since 2001-01-01; nil for anything else.
    package static func seconds(_ text: String) -> Double? {
        var scanner = DigitScanner(text)
        guard let year = scanner.number(4), scanner.skip("-"), let month = scanner.number(2), scanner.skip("-"),
            let day = scanner.number(2), (1...12).contains(month), (1...daysInMonth(month, year)).contains(day)
        else { return nil }
        var seconds = Double(CivilDate.days(year: year, month: month, day: day) - CivilDate.referenceDay) * 86_400
        if scanner.isAtEnd { return seconds }
        guard scanner.skip("T") || scanner.skip(" "), let hour = scanner.number(2), scanner.skip(":"),
            let minute = scanner.number(2), hour < 25, minute < 60
        else { return nil }
        seconds += Double(hour * 3600 + minute * 60)
        if scanner.skip(":") {
            guard let second = scanner.number(2), second < 61 else { return nil }
            seconds += Double(second)
            if scanner.skip(".") {
                guard let fraction = scanner.fraction() else { return nil }
                seconds += fraction
            }
        }
        _ = scanner.skip(" ")
        if scanner.isAtEnd || scanner.skip("Z") { return scanner.isAtEnd ? seconds : nil }
        let isEast = scanner.skip("+")
        guard isEast || scanner.skip("-"), let hours = scanner.number(2) else { return nil }
        _ = scanner.skip(":")
        let minutes = scanner.isAtEnd ? 0 : scanner.number(2)
        guard let minutes, scanner.isAtEnd, hours < 24, minutes < 60 else { return nil }
        return seconds - Double((isEast ? 1 : -1) * (hours * 3600 + minutes * 60))
    }

    private static func daysInMonth(_ month: Int, _ year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }
}

/// Reads fixed runs of digits.
private struct DigitScanner {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) { bytes = Array(text.utf8.prefix(64)) }

    var isAtEnd: Bool { position == bytes.count }

    mutating func skip(_ character: Character) -> Bool {
        guard position < bytes.count, bytes[position] == character.asciiValue else { return false }
        position += 1
        return true
    }

    mutating func number(_ digits: Int) -> Int? {
        guard position + digits <= bytes.count else { return nil }
        var value = 0
        for byte in bytes[position..<(position + digits)] {
            guard (0x30...0x39).contains(byte) else { return nil }
            value = value * 10 + Int(byte - 0x30)
        }
        position += digits
        return value
    }

    mutating func fraction() -> Double? {
        var scale = 0.1
        var value = 0.0
        let start = position
        while position < bytes.count, (0x30...0x39).contains(bytes[position]) {
            value += Double(bytes[position] - 0x30) * scale
            scale /= 10
            position += 1
        }
        return position > start ? value : nil
    }
}

/// Days and calendar dates of the proleptic Gregorian calendar.
package enum CivilDate {
    /// 2001-01-01, in days since 1970-01-01.
    package static let referenceDay = 11_323

    /// Days since 1970-01-01.
    package static func days(year: Int, month: Int, day: Int) -> Int {
        let y = month <= 2 ? year - 1 : year
        let era = (y >= 0 ? y : y - 399) / 400
        let yearOfEra = y - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    package static func date(days: Int) -> (year: Int, month: Int, day: Int) {
        let z = days + 719_468
        let era = (z >= 0 ? z : z - 146_096) / 146_097
        let dayOfEra = z - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }
}

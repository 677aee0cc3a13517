/// A moment as Core Data stores it, in the Gregorian calendar carried back to year 1, in UTC; by arithmetic alone, since print writes millions.
package struct CalendarDate: Sendable, Equatable {
    package var year: Int
    package var month: Int
    package var day: Int
    /// Seconds since midnight, 0 ..< 86400.
    package var secondOfDay: Double

    /// The seconds since 2001 that lie in the years 1 to 9999: outside of them a date is shown as its number.
    package static let presentable = -63_113_904_000.0..<252_423_993_600.0

    /// Nil for what is outside of the years 1 to 9999, infinities and NaN among it.
    package init?(secondsSince2001 seconds: Double) {
        guard CalendarDate.presentable.contains(seconds) else { return nil }
        let days = (seconds / 86_400).rounded(.down)
        secondOfDay = max(0, seconds - days * 86_400)
        // Days since 1 March of year 0: then the leap day is the last of its year.
        let day = Int(days) + 730_791
        let era = day / 146_097
        let dayOfEra = day % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        self.day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    }

    /// ISO 8601 in UTC, `2010-04-07T01:04:48Z`; a fraction of a second to the millisecond where there is one.
    package var iso8601: String {
        let milliseconds = min(86_399_999, Int((secondOfDay * 1000).rounded()))
        let second = milliseconds / 1000
        var text = CalendarDate.padded(year, 4) + "-" + CalendarDate.padded(month, 2) + "-" + CalendarDate.padded(day, 2)
        text += "T" + CalendarDate.padded(second / 3600, 2) + ":" + CalendarDate.padded(second / 60 % 60, 2)
        text += ":" + CalendarDate.padded(second % 60, 2)
        if milliseconds % 1000 != 0 { text += "." + CalendarDate.padded(milliseconds % 1000, 3) }
        return text + "Z"
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return digits.utf8.count >= width ? digits : String(repeating: "0", count: width - digits.utf8.count) + digits
    }
}

import Foundation
import ObjectStore
import Presentation
import Testing

@Suite struct ValuePresentationTests {
    @Test func aForeignKeyThatLeadsNowhereSaysSo() {
        let presentation = ValuePresentation(localization: Localization(environment: ["LC_ALL": "C", "TZ": "UTC"]))
        let value = Value.danglingReference(entityName: "Artist", key: "99")
        #expect(presentation.present(value) == PresentedText("(no Artist 99)", isPlaceholder: true))
        #expect(presentation.stored(value) == presentation.present(value))
        #expect(presentation.sectionTitle(for: value) == nil)
    }

    static func presentation(_ language: String = "C", _ zone: String = "UTC") -> ValuePresentation {
        ValuePresentation(localization: Localization(environment: ["LC_ALL": language, "TZ": zone]))
    }

    let presentation = ValuePresentationTests.presentation()
    static let uuid = UUID(uuid: (0xDE, 0xAD, 0xBE, 0xEF, 0, 0x11, 0x42, 0x22, 0x83, 0x33, 4, 5, 6, 7, 8, 9))

    @Test(arguments: [
        (Value.null, "—", true), (.string(""), "\"\"", true), (.data(Data()), "0 bytes", true), (.list([]), "—", true),
        (.string("—"), "—", false), (.string("a\nb"), "a\nb", false), (.integer(-5), "-5", false),
        (.integer(.min), "-9223372036854775808", false),
        (.boolean(true), "YES", false), (.boolean(false), "NO", false), (.double(0.1), "0.1", false),
        (.uuid(uuid), "DEADBEEF-0011-4222-8333-040506070809", false),
        (.object(ObjectID(entityName: "Widget", key: 5)), "Widget 5", false),
        (.list([.string("a"), .null, .integer(3), .list([.string("x"), .string("y")])]), "a, —, 3, x, y", false),
        (.data(Data([1, 2, 3])), "3 bytes", false), (.data(Data([0])), "1 byte", false),
    ])
    func presents(value: Value, text: String, isPlaceholder: Bool) {
        #expect(presentation.present(value) == PresentedText(text, isPlaceholder: isPlaceholder))
    }

    /// A formatter is not told of the zone that it has already: its texts are those of one that is.
    @Test(arguments: ["en_US", "de_DE", "ja_JP", "ar_EG", "C"]) func datesInTheProgramsOwnZone(_ language: String) {
        let zones = [NSTimeZone.default] + ["UTC", "Europe/Berlin", "America/St_Johns"].compactMap { TimeZone(identifier: $0) }
        for zone in zones {
            let locale = Locale(identifier: language)
            let presentation = ValuePresentation(localization: Localization(locale: locale, timeZone: zone))
            let formatter = DateFormatter()
            formatter.locale = locale
            formatter.timeZone = TimeZone(identifier: zone.identifier == "UTC" ? "Asia/Tokyo" : "UTC")
            formatter.timeZone = zone
            formatter.dateStyle = .full
            formatter.timeStyle = .full
            for seconds in [0, 400_000_000.5, -1_000_000_000, 700_000_000] {
                let marks: Set<Unicode.Scalar> = ["\u{200E}", "\u{200F}", "\u{061C}"]
                let text = formatter.string(from: Date(timeIntervalSinceReferenceDate: seconds))
                    .unicodeScalars.filter { !marks.contains($0) }
                let shown = presentation.present(.date(seconds), dateStyle: .full, timeStyle: .full).text
                #expect(shown == String(String.UnicodeScalarView(text)), "\(language) \(zone.identifier) \(seconds)")
            }
        }
    }

    @Test func preparedDatesAreNoOthers() {
        let prepared = Self.presentation("de_DE", "Europe/Berlin")
        prepared.prepareDates()
        prepared.prepareDates(dateStyle: .short, timeStyle: DateStyle.none)
        let presentation = Self.presentation("de_DE", "Europe/Berlin")
        for styles in [(nil, nil), (.short, DateStyle.none), (.long, .full)] as [(DateStyle?, DateStyle?)] {
            let (date, time) = styles
            let value = Value.date(123_456_789)
            #expect(
                prepared.present(value, dateStyle: date, timeStyle: time)
                    == presentation.present(value, dateStyle: date, timeStyle: time))
        }
    }

    /// The marks that ICU puts between numbers are not the data's: nothing stands in for them.
    @Test(arguments: ["ar_EG", "he_IL", "fa_IR", "ur_PK", "ar_MA"]) func datesHaveNoMarksOfDirection(_ language: String) {
        let presentation = Self.presentation(language)
        for date in DateStyle.allCases {
            for time in DateStyle.allCases where date != .none || time != .none {
                let text = presentation.present(.date(291_690_292), dateStyle: date, timeStyle: time).text
                #expect(!text.isEmpty)
                #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .format }, "\(text.debugDescription)")
            }
        }
    }

    @Test func longListsAreCut() {
        let text = presentation.present(.list(Array(repeating: .integer(1), count: 1001))).text
        #expect(text.hasSuffix("1, 1, …"))
        #expect(text.filter { $0 == "1" }.count == 1000)
    }

    @Test(
        arguments: [
            ("C", "UTC", nil, nil, "7 Apr 2010 at 01:04:52"),
            ("en_US", "UTC", nil, nil, "Apr 7, 2010 at 1:04:52 AM"),
            ("de_DE", "UTC", nil, nil, "07.04.2010, 01:04:52"),
            ("de_DE", "Europe/Berlin", nil, nil, "07.04.2010, 03:04:52"),
            ("C", "America/New_York", nil, nil, "6 Apr 2010 at 21:04:52"),
            ("C", "UTC", DateStyle.long, nil, "7 April 2010"),
            ("C", "UTC", nil, DateStyle.short, "01:04"),
            ("C", "UTC", DateStyle.short, DateStyle.none, "07/04/2010"),
            ("C", "UTC", DateStyle.none, DateStyle.none, "7 Apr 2010 at 01:04:52"),
            ("C", "UTC", DateStyle.full, DateStyle.short, "Wednesday, 7 April 2010 at 01:04"),
            ("fr_FR", "UTC", DateStyle.full, nil, "mercredi 7 avril 2010"),
        ] as [(String, String, DateStyle?, DateStyle?, String)])
    func dates(language: String, zone: String, date: DateStyle?, time: DateStyle?, text: String) {
        let shown = ValuePresentationTests.presentation(language, zone)
            .present(.date(292_295_092), dateStyle: date, timeStyle: time).text
        // ICU puts a narrow space before AM in some versions.
        #expect(shown.replacing("\u{202F}", with: " ") == text)
    }

    @Test(arguments: [
        (Double.nan, "NaN"), (.infinity, "Infinity"), (-.infinity, "-Infinity"), (1e300, "1e+300"), (-1e300, "-1e+300"),
        (252_423_993_600, "252423993600"), (-63_113_904_001, "-63113904001"),
        (.greatestFiniteMagnitude, "1.7976931348623157e+308"),
    ])
    func datesOutsideOfTheCalendarAreNumbers(seconds: Double, text: String) {
        #expect(presentation.present(.date(seconds)).text == text)
        #expect(presentation.present(.date(seconds), dateStyle: .full).text == text)
        #expect(CalendarDate(secondsSince2001: seconds) == nil)
    }

    @Test func datesAtTheEndsOfTheCalendar() {
        #expect(presentation.present(.date(252_423_993_599)).text == "31 Dec 9999 at 23:59:59")
        #expect(presentation.present(.date(-63_113_904_000)).text.contains("Jan 1 at"))
    }

    @Test(arguments: [
        (Value.null, "NULL"), (.boolean(true), "1"), (.boolean(false), "0"), (.date(292_295_092), "292295092"),
        (.date(0.25), "0.25"), (.string("x"), "x"), (.string(""), "\"\""), (.data(Data([1, 0xFE])), "2 bytes: 01 fe"),
        (.data(Data()), "0 bytes"), (.object(ObjectID(entityName: "Widget", key: 5)), "5"),
        (.uuid(uuid), "16 bytes: de ad be ef 00 11 42 22 83 33 04 05 06 07 08 09"), (.list([.null, .boolean(true)]), "NULL, 1"),
    ])
    func storedValues(value: Value, text: String) { #expect(presentation.stored(value).text == text) }

    @Test func longBytesAreCutWhenShownAsStored() {
        let text = presentation.stored(.data(Data(repeating: 7, count: 33))).text
        #expect(text == "33 bytes: " + Array(repeating: "07", count: 32).joined(separator: " ") + " …")
    }

    @Test func sectionTitles() {
        #expect(presentation.sectionTitle(for: .null) == nil)
        #expect(presentation.sectionTitle(for: .string("")) == "")
        #expect(presentation.sectionTitle(for: .string("A")) == "A")
        #expect(presentation.sectionTitle(for: .integer(1997)) == "1997")
        #expect(presentation.sectionTitle(for: .boolean(true)) == "YES")
        #expect(presentation.sectionTitle(for: .date(0), dateStyle: .medium) == "1 Jan 2001")
    }

    @Test(arguments: [
        (0.0, "0"), (-0.0, "-0"), (3, "3"), (-3, "-3"), (0.1, "0.1"), (1e15, "1000000000000000"), (1e16, "10000000000000000"),
        (1e20, "100000000000000000000"), (1e21, "1e+21"),
        (1.5e21, "1.5e+21"),
        (0.00001, "0.00001"), (0.000001, "0.000001"), (1.25e-6, "0.00000125"), (1e-7, "1e-7"), (-1.5e-7, "-1.5e-7"),
        (.leastNonzeroMagnitude, "5e-324"),
        (-2.5e-5, "-0.000025"), (1.1, "1.1"), (100.25, "100.25"), (9.87, "9.87"),
        (1.7976931348623157e308, "1.7976931348623157e+308"),
    ])
    func numbers(number: Double, text: String) {
        #expect(NumberText.text(number) == text)
        #expect(Double(text) == number)
    }

    @Test func calendarDatesAgreeWithFoundation() {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = .gmt
        var seconds = -12_000_000_000.0
        while seconds < 252_423_993_600 {
            let date = Date(timeIntervalSinceReferenceDate: seconds)
            let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
            let own = CalendarDate(secondsSince2001: seconds)
            #expect(own?.year == parts.year && own?.month == parts.month && own?.day == parts.day, "\(seconds)")
            seconds += 86_400 * 1009 + 12_345
        }
        #expect(CalendarDate(secondsSince2001: -63_113_904_000)?.iso8601 == "0001-01-01T00:00:00Z")
        #expect(CalendarDate(secondsSince2001: 292_295_092)?.iso8601 == "2010-04-07T01:04:52Z")
        #expect(CalendarDate(secondsSince2001: 0.5)?.iso8601 == "2001-01-01T00:00:00.500Z")
        #expect(CalendarDate(secondsSince2001: -0.0001)?.iso8601 == "2000-12-31T23:59:59.999Z")
        #expect(CalendarDate(secondsSince2001: 99_705_600)?.iso8601 == "2004-02-29T00:00:00Z")
    }
}

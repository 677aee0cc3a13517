import Foundation
import ObjectStore
import Presentation
import TestSupport
import Testing

/// Many dates are made by day and clock: the texts must be Foundation's own.
@Suite struct DayTextsTests {
    static let places: [(locale: String, zone: String)] = [
        ("C", "UTC"), ("de_DE.UTF-8", "Europe/Berlin"), ("en_US.UTF-8", "America/New_York"), ("ja_JP.UTF-8", "Asia/Tokyo"),
        ("ar_EG.UTF-8", "Africa/Cairo"), ("zh_TW.UTF-8", "Asia/Taipei"), ("hi_IN.UTF-8", "Asia/Kolkata"),
        ("pt_BR.UTF-8", "America/Sao_Paulo"), ("en_GB.UTF-8", "Europe/Dublin"), ("fa_IR.UTF-8", "Asia/Tehran"),
        ("th_TH.UTF-8", "Asia/Bangkok"), ("en_AU.UTF-8", "Australia/Lord_Howe"), ("fr_MA.UTF-8", "Africa/Casablanca"),
    ]

    static func style(_ style: DateStyle) -> DateFormatter.Style {
        switch style {
        case .none: .none
        case .short: .short
        case .medium: .medium
        case .long: .long
        case .full: .full
        }
    }

    @Test(arguments: DayTextsTests.places.map(\.locale).indices) func theSameAsFoundation(place: Int) throws {
        let (locale, zone) = DayTextsTests.places[place]
        let localization = Localization(environment: ["LANG": locale, "TZ": zone])
        var generator = SeededGenerator(seed: UInt64(place))
        for date in DateStyle.allCases {
            for time in DateStyle.allCases where date != .none || time != .none {
                let presentation = ValuePresentation(localization: localization)
                let formatter = DateFormatter()
                formatter.locale = localization.locale
                formatter.timeZone = localization.timeZone
                formatter.dateStyle = DayTextsTests.style(date)
                formatter.timeStyle = DayTextsTests.style(time)
                // So many that the fast way is the one that is asked; then moments of every kind.
                for number in 0..<1000 { _ = presentation.present(.date(Double(number)), dateStyle: date, timeStyle: time) }
                for _ in 0..<400 {
                    let seconds = DayTextsTests.moment(using: &generator)
                    let text = presentation.present(.date(seconds), dateStyle: date, timeStyle: time).text
                    // But for the marks of direction, which a terminal is not shown.
                    let expected = formatter.string(from: Date(timeIntervalSinceReferenceDate: seconds))
                        .filter { !["\u{200E}", "\u{200F}", "\u{61C}"].contains($0) }
                    #expect(text == expected, "\(seconds) \(locale) \(zone) \(date) \(time)")
                }
            }
        }
    }

    /// Years 1 to 9999, mostly of our time; near whole seconds, days, and changes of the clock.
    private static func moment(using generator: inout SeededGenerator) -> Double {
        let years = [-1_000_000_000.0...1_000_000_000.0, -4_000_000_000.0...0.0, -63_113_904_000.0...252_423_993_599.0]
        let seconds = Double.random(in: years[Int.random(in: 0...2, using: &generator)], using: &generator)
        switch Int.random(in: 0...5, using: &generator) {
        case 0: return seconds.rounded()
        case 1: return seconds.rounded() - 0.0004
        case 2: return seconds.rounded() - 0.0006
        case 3: return (seconds / 86_400).rounded() * 86_400 + Double(Int.random(in: -2...2, using: &generator)) * 1800
        // The last weeks of March and of October, when most clocks change.
        case 4:
            return Double(Int.random(in: -30...30, using: &generator)) * 31_556_952
                + Double(Int.random(in: 80...92, using: &generator) * 86_400) + Double.random(in: 0...86_400, using: &generator)
        default: return seconds
        }
    }
}

import Foundation
import ObjectStore
import Synchronization

/// Dates as text by `NSDateFormatter`'s styles; a formatter is made when its styles are first asked for, since each costs a millisecond or two.
/// Who asks for many gets them by `DayTexts`, which cost ten times a formatter to make and a tenth of it to ask.
final class DateTexts: Sendable {
    private struct Styles: Equatable {
        var date: DateStyle
        var time: DateStyle
    }

    private let localization: Localization
    private struct Formatting {
        let styles: Styles
        let formatter: DateFormatter
        /// How many dates were asked for before `days` were tried.
        var count = 0
        var days: DayTexts?
    }

    /// A handful: a program has two or three pairs of styles in use.
    private let formatters = Mutex<[Formatting]>([])
    /// So many dates are no screen any more.
    private static let many = 1000

    init(localization: Localization) { self.localization = localization }

    func text(_ secondsSince2001: Double, _ date: DateStyle, _ time: DateStyle) -> String {
        formatters.withLock { formatters in
            let place = place(of: Styles(date: date, time: time), in: &formatters)
            if formatters[place].count < Self.many {
                formatters[place].count += 1
                if formatters[place].count == Self.many { formatters[place].days = makeDays(formatters[place].formatter) }
            }
            let text =
                formatters[place].days?.text(secondsSince2001)
                ?? formatters[place].formatter.string(from: Date(timeIntervalSinceReferenceDate: secondsSince2001))
            return Self.withoutMarks(text)
        }
    }

    /// Makes ready what the first text of such styles would have to wait for.
    func prepare(_ date: DateStyle, _ time: DateStyle) {
        formatters.withLock { formatters in
            let place = place(of: Styles(date: date, time: time), in: &formatters)
            _ = formatters[place].formatter.string(from: Date(timeIntervalSinceReferenceDate: 0))
        }
    }

    private func place(of styles: Styles, in formatters: inout [Formatting]) -> Int {
        if let place = formatters.firstIndex(where: { $0.styles == styles }) { return place }
        formatters.append(Formatting(styles: styles, formatter: makeFormatter(styles)))
        return formatters.count - 1
    }

    /// Without the marks of direction that locales written from right to left put between numbers: a terminal sees no such characters,
    /// and stand-ins for them would say that the data held them.
    private static func withoutMarks(_ text: String) -> String {
        func isMark(_ scalar: Unicode.Scalar) -> Bool { [0x200E, 0x200F, 0x061C].contains(scalar.value) }
        guard text.utf8.contains(where: { $0 >= 0x80 }), text.unicodeScalars.contains(where: isMark) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.filter { !isMark($0) }))
    }

    private func makeDays(_ formatter: DateFormatter) -> DayTexts? {
        DayTexts(pattern: formatter.dateFormat ?? "", locale: localization.locale, timeZone: localization.timeZone)
    }

    private func makeFormatter(_ styles: Styles) -> DateFormatter {
        let formatter = DateFormatter()
        formatter.locale = localization.locale
        // To be told of a zone, even its own, makes a formatter begin anew.
        if formatter.timeZone?.identifier != localization.timeZone.identifier { formatter.timeZone = localization.timeZone }
        formatter.dateStyle = styles.date.formatterStyle
        formatter.timeStyle = styles.time.formatterStyle
        return formatter
    }
}

extension DateStyle {
    fileprivate var formatterStyle: DateFormatter.Style {
        switch self {
        case .none: .none
        case .short: .short
        case .medium: .medium
        case .long: .long
        case .full: .full
        }
    }
}

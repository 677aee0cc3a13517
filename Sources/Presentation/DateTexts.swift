import Foundation
import ObjectStore
import Synchronization

/// Dates as text by `NSDateFormatter`'s styles; a formatter is made when its styles are first asked for, since each costs a millisecond or two.
/// Who asks for many gets them by `DayTexts`, which cost ten times a formatter to make and a tenth of it to ask.
final class DateTexts: Sendable {
    private struct Styles: Hashable {
        var date: DateStyle
        var time: DateStyle
    }

    private let localization: Localization
    private struct Formatting {
        let formatter: DateFormatter
        /// How many dates were asked for before `days` were tried.
        var count = 0
        var days: DayTexts?
    }

    private let formatters = Mutex<[Styles: Formatting]>([:])
    /// So many dates are no screen any more.
    private static let many = 1000

    init(localization: Localization) { self.localization = localization }

    func text(_ secondsSince2001: Double, _ date: DateStyle, _ time: DateStyle) -> String {
        formatters.withLock { formatters in
            let styles = Styles(date: date, time: time)
            var formatting = formatters[styles] ?? Formatting(formatter: makeFormatter(styles))
            if formatting.count < Self.many {
                formatting.count += 1
                if formatting.count == Self.many { formatting.days = makeDays(formatting.formatter) }
                formatters[styles] = formatting
            }
            if let text = formatting.days?.text(secondsSince2001) { return text }
            return formatting.formatter.string(from: Date(timeIntervalSinceReferenceDate: secondsSince2001))
        }
    }

    private func makeDays(_ formatter: DateFormatter) -> DayTexts? {
        DayTexts(pattern: formatter.dateFormat ?? "", locale: localization.locale, timeZone: localization.timeZone)
    }

    private func makeFormatter(_ styles: Styles) -> DateFormatter {
        let formatter = DateFormatter()
        formatter.locale = localization.locale
        formatter.timeZone = localization.timeZone
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

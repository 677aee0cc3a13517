import Foundation
import ObjectStore
import Synchronization

/// Dates as text by `NSDateFormatter`'s styles; a formatter is made when its styles are first asked for, since each costs a millisecond or two.
final class DateTexts: Sendable {
    private struct Styles: Hashable {
        var date: DateStyle
        var time: DateStyle
    }

    private let localization: Localization
    private let formatters = Mutex<[Styles: DateFormatter]>([:])

    init(localization: Localization) { self.localization = localization }

    func text(_ secondsSince2001: Double, _ date: DateStyle, _ time: DateStyle) -> String {
        formatters.withLock { formatters in
            let styles = Styles(date: date, time: time)
            let date = Date(timeIntervalSinceReferenceDate: secondsSince2001)
            if let formatter = formatters[styles] { return formatter.string(from: date) }
            let formatter = makeFormatter(styles)
            formatters[styles] = formatter
            return formatter.string(from: date)
        }
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

/// How much of a date or of a time is shown: `NSDateFormatter`'s styles, by the names that plists use.
package enum DateStyle: String, Sendable, Equatable, CaseIterable {
    case none = "NSDateFormatterNoStyle"
    case short = "NSDateFormatterShortStyle"
    case medium = "NSDateFormatterMediumStyle"
    case long = "NSDateFormatterLongStyle"
    case full = "NSDateFormatterFullStyle"
}

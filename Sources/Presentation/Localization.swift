package import Foundation

/// The reader's locale and time zone, as the environment says; Foundation's own `Locale.current` does not look there.
package struct Localization: Sendable, Equatable {
    package let locale: Locale
    package let timeZone: TimeZone

    package init(locale: Locale, timeZone: TimeZone) {
        self.locale = locale
        self.timeZone = timeZone
    }

    /// The locale from `LC_ALL`, else `LC_TIME`, else `LANG`; the zone from `TZ`, else the system's. An empty locale variable counts as unset,
    /// as for the C library.
    package init(environment: [String: String]) {
        let name = ["LC_ALL", "LC_TIME", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        self.init(
            locale: Locale(identifier: Localization.identifier(ofPOSIXLocale: name ?? "C")),
            timeZone: environment["TZ"].map(Localization.timeZone(named:)) ?? Localization.systemTimeZone())
    }

    /// English without a country and 24 hours: what `C`, `POSIX` and unknown languages get.
    static let neutralIdentifier = "en_001@hours=h23"

    /// Foundation's identifier for a locale as the C library names it: `de_DE.UTF-8@euro` gives `de_DE`, `sr_RS@latin` `sr_Latn_RS`.
    static func identifier(ofPOSIXLocale name: String) -> String {
        let parts = name.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        let withoutEncoding = parts[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)[0]
        let modifier = parts.count > 1 ? parts[1].lowercased() : ""
        var pieces = withoutEncoding.split(separator: "_", omittingEmptySubsequences: false).map(String.init)
        let isWord = { (piece: String) in
            (1...8).contains(piece.utf8.count) && piece.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "z") ~= $0 }
        }
        guard let language = pieces.first, language.utf8.count >= 2, pieces.allSatisfy(isWord), language != "POSIX",
            Locale.Language(identifier: language).languageCode?.isISOLanguage == true
        else { return neutralIdentifier }
        switch modifier {
        case "latin": pieces.insert("Latn", at: 1)
        case "cyrillic": pieces.insert("Cyrl", at: 1)
        case "devanagari": pieces.insert("Deva", at: 1)
        case "valencia": pieces.append("VALENCIA")
        default: break
        }
        return pieces.joined(separator: "_")
    }
}

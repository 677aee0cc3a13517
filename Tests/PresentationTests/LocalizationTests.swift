import Foundation
import Testing

@testable import Presentation

@Suite struct LocalizationTests {
    @Test(arguments: [
        (["LC_ALL": "de_DE.UTF-8@euro"], "de_DE"),
        (["LC_ALL": "", "LC_TIME": "fr_FR", "LANG": "en_US.UTF-8"], "fr_FR"),
        (["LC_ALL": "en_GB.UTF-8", "LC_TIME": "fr_FR"], "en_GB"),
        (["LANG": "en_US.UTF-8"], "en_US"),
        (["LANG": "de"], "de"),
        (["LANG": "sr_RS@latin"], "sr_Latn_RS"),
        (["LANG": "ca_ES.UTF-8@valencia"], "ca_ES_VALENCIA"),
        (["LANG": "C"], "en_001@hours=h23"),
        (["LANG": "C.UTF-8"], "en_001@hours=h23"),
        (["LC_ALL": "POSIX", "LANG": "de_DE"], "en_001@hours=h23"),
        ([:], "en_001@hours=h23"),
        (["LANG": "gibberish"], "en_001@hours=h23"),
        (["LANG": "../../etc/passwd"], "en_001@hours=h23"),
        (["LANG": "_"], "en_001@hours=h23"),
        (["LANG": "@@@.."], "en_001@hours=h23"),
    ])
    func localeFromEnvironment(environment: [String: String], identifier: String) {
        #expect(Localization(environment: environment).locale.identifier == identifier)
    }

    /// Offsets in seconds east of Greenwich on 7 April 2010, when half of Europe and America had summer time.
    @Test(arguments: [
        ("UTC", 0), ("Europe/Berlin", 7200), (":Europe/Berlin", 7200), ("/usr/share/zoneinfo/Europe/Berlin", 7200),
        ("America/New_York", -14400), ("EST5EDT", -14400), ("CET-1CEST", 7200), ("EST5", -18000), ("JST-9", 32400),
        ("UTC+3", -10800), ("UTC0", 0), ("<+0330>-3:30", 12600), ("Asia/Kathmandu", 20700), ("Etc/GMT+3", -10800),
        ("Bad/Zone", 0), ("", 0), (":", 0), ("\u{1B}[2J", 0), ("XXX-99", 0), ("XXX5:99", 0),
    ])
    func zoneFromEnvironment(value: String, seconds: Int) {
        let zone = Localization(environment: ["TZ": value]).timeZone
        #expect(zone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: 292_295_092)) == seconds)
    }

    @Test func unsetZoneIsTheSystemsOwn() {
        #expect(Localization(environment: [:]).timeZone == Localization.systemTimeZone())
    }
}

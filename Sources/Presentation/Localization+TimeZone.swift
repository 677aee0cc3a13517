package import Foundation

extension Localization {
    /// The zone that a value of `TZ` names: a name, a path below `zoneinfo`, or POSIX's own form; UTC if it names none.
    package static func timeZone(named value: String) -> TimeZone {
        var name = value.hasPrefix(":") ? String(value.dropFirst()) : value
        if let folder = name.range(of: "/zoneinfo/") { name = String(name[folder.upperBound...]) }
        for prefix in ["posix/", "right/"] where name.hasPrefix(prefix) { name = String(name.dropFirst(prefix.count)) }
        // Foundation takes `UTC+3` for three hours east, POSIX and the C library for three hours west.
        if !summerTimeZones.keys.contains(name), let zone = fixedZone(name) { return zone }
        return summerTimeZones[name].flatMap(TimeZone.init(identifier:)) ?? TimeZone(identifier: name) ?? .gmt
    }

    /// The machine's own zone, by the link at `/etc/localtime`, else by `/etc/timezone`; UTC if neither says.
    package static func systemTimeZone() -> TimeZone {
        let files = FileManager.default
        if let target = try? files.destinationOfSymbolicLink(atPath: "/etc/localtime"), target.contains("/zoneinfo/") {
            return timeZone(named: target)
        }
        guard let bytes = files.contents(atPath: "/etc/timezone"), bytes.count < 256 else { return .gmt }
        let name = String(decoding: bytes, as: UTF8.self)
        return timeZone(named: name.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// The usual POSIX forms with summer time, which Foundation does not read, by a place that has the same rules.
    private static let summerTimeZones = [
        "GMT0BST": "Europe/London", "WET0WEST": "Europe/Lisbon", "CET-1CEST": "Europe/Berlin", "MET-1MEST": "Europe/Berlin",
        "EET-2EEST": "Europe/Helsinki", "EST5EDT": "America/New_York", "CST6CDT": "America/Chicago",
        "MST7MDT": "America/Denver", "PST8PDT": "America/Los_Angeles", "AEST-10AEDT": "Australia/Sydney",
        "NZST-12NZDT": "Pacific/Auckland",
    ]

    /// POSIX's `NAME[+-]hh[:mm[:ss]]`, positive to the west; a rule for summer time after it is passed over.
    private static func fixedZone(_ value: String) -> TimeZone? {
        var rest = Substring(value)
        if rest.first == "<" {
            guard let end = rest.firstIndex(of: ">") else { return nil }
            rest = rest[rest.index(after: end)...]
        } else {
            let name = rest.prefix { $0.isASCII && $0.isLetter }
            guard name.count >= 3 else { return nil }
            rest = rest.dropFirst(name.count)
        }
        var isWest = true
        if let sign = rest.first, sign == "+" || sign == "-" {
            isWest = sign == "+"
            rest = rest.dropFirst()
        }
        let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ":") }
        let parts = digits.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
        guard (1...3).contains(parts.count), (0...24).contains(parts[0]), parts.dropFirst().allSatisfy({ (0...59).contains($0) })
        else { return nil }
        let seconds = parts[0] * 3600 + (parts.count > 1 ? parts[1] * 60 : 0) + (parts.count > 2 ? parts[2] : 0)
        return TimeZone(secondsFromGMT: isWest ? -seconds : seconds)
    }
}

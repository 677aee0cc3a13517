import Foundation

/// The dates of one style as text, for millions of them: what a pattern says of the day is asked of Foundation once for each day, hours,
/// minutes and seconds once for each of their values.
///
/// Not `Sendable`: it stands inside the lock of `DateTexts`.
final class DayTexts {
    private enum Piece {
        /// Letters and literals that the day alone decides, by their number.
        case day(Int)
        /// Always the same.
        case literal([UInt8])
        /// Texts of one value of the clock: second of the day, divided by the first, within the second.
        case clock(divisor: Int, modulus: Int, texts: [[UInt8]])
    }

    /// Days of which something is kept; of two that have one place the later stays. Ninety years have none in common.
    private static let places = 1 << 15
    /// Bytes for one text of a day, the first of which is its length.
    private static let longest = 48
    private static let secondsPerDay = 86_400

    private let timeZone: TimeZone
    private let formatters: [DateFormatter]
    private let pieces: [Piece]
    private var days: [Int32]
    private var texts: [UInt8]
    /// By days of UTC: the seconds that the zone is before UTC all day long, or `changing`.
    private var offsets: [(day: Int32, offset: Int32)]
    private static let changing = Int32.max
    private static let none = Int32.min

    /// Nil for a pattern with something that neither the day nor the clock decides, such as the name of the zone.
    init?(pattern: String, locale: Locale, timeZone: TimeZone) {
        guard let parts = DayTexts.parts(of: pattern) else { return nil }
        self.timeZone = timeZone
        func formatter(_ pattern: String, _ zone: TimeZone) -> DateFormatter {
            let formatter = DateFormatter()
            formatter.locale = locale
            formatter.timeZone = zone
            formatter.dateFormat = pattern
            return formatter
        }
        var formatters: [DateFormatter] = []
        var pieces: [Piece] = []
        for part in parts {
            guard part.isClock, let letter = part.pattern.first else {
                guard part.hasLetters else {
                    pieces.append(
                        .literal(Array(formatter(part.pattern, .gmt).string(from: Date(timeIntervalSince1970: 0)).utf8)))
                    continue
                }
                pieces.append(.day(formatters.count))
                formatters.append(formatter(part.pattern, timeZone))
                continue
            }
            let (divisor, modulus) = letter == "s" ? (1, 60) : letter == "m" ? (60, 60) : (3600, 24)
            let own = formatter(part.pattern, .gmt)
            let texts = (0..<modulus).map { value in
                Array(own.string(from: Date(timeIntervalSinceReferenceDate: Double(value * divisor))).utf8)
            }
            pieces.append(.clock(divisor: divisor, modulus: modulus, texts: texts))
        }
        self.formatters = formatters
        self.pieces = pieces
        days = [Int32](repeating: DayTexts.none, count: DayTexts.places)
        texts = [UInt8](repeating: 0, count: DayTexts.places * DayTexts.longest * formatters.count)
        offsets = [(day: Int32, offset: Int32)](repeating: (DayTexts.none, 0), count: DayTexts.places)
    }

    /// Nil for what is left to Foundation: a day in which the zone's offset changes, or one with a long text.
    func text(_ secondsSince2001: Double) -> String? {
        // Foundation rounds to milliseconds and then cuts off.
        let milliseconds = ((secondsSince2001 + 978_307_200) * 1000 + 0.5).rounded(.down)
        guard let moment = Int(exactly: (milliseconds / 1000).rounded(.down)), let offset = offset(at: moment) else { return nil }
        let (day, second) = DayTexts.divided(moment + offset, by: DayTexts.secondsPerDay)
        guard let place = place(of: day, secondsSince2001) else { return nil }
        return String(unsafeUninitializedCapacity: (pieces.count + 1) * DayTexts.longest) { buffer in
            var count = 0
            func add(_ bytes: some Collection<UInt8>) {
                // Sound: no piece is longer than what was asked for it; what would not fit is left out all the same.
                guard count + bytes.count <= buffer.count else { return }
                for byte in bytes {
                    buffer[count] = byte
                    count += 1
                }
            }
            for piece in pieces {
                switch piece {
                case .literal(let bytes): add(bytes)
                case .clock(let divisor, let modulus, let values): add(values[second / divisor % modulus])
                case .day(let number):
                    let start = (place * formatters.count + number) * DayTexts.longest
                    add(texts[(start + 1)..<(start + 1 + Int(texts[start]))])
                }
            }
            return count
        }
    }

    private func place(of day: Int, _ secondsSince2001: Double) -> Int? {
        let place = day & (DayTexts.places - 1)
        guard let number = Int32(exactly: day) else { return nil }
        if days[place] == number { return place }
        let date = Date(timeIntervalSinceReferenceDate: secondsSince2001)
        days[place] = DayTexts.none
        for (piece, formatter) in formatters.enumerated() {
            let bytes = Array(formatter.string(from: date).utf8)
            guard bytes.count < DayTexts.longest else { return nil }
            let start = (place * formatters.count + piece) * DayTexts.longest
            texts[start] = UInt8(bytes.count)
            texts.replaceSubrange((start + 1)..<(start + 1 + bytes.count), with: bytes)
        }
        days[place] = number
        return place
    }

    private func offset(at moment: Int) -> Int? {
        let (day, _) = DayTexts.divided(moment, by: DayTexts.secondsPerDay)
        let place = day & (DayTexts.places - 1)
        guard let number = Int32(exactly: day) else { return nil }
        if offsets[place].day != number {
            // No zone has changed twice within a day.
            let first = Double(day * DayTexts.secondsPerDay) - 978_307_200
            let seconds = [0, Double(DayTexts.secondsPerDay)].map {
                timeZone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: first + $0))
            }
            let offset = seconds[0] == seconds[1] ? Int32(exactly: seconds[0]) : nil
            offsets[place] = (number, offset ?? DayTexts.changing)
        }
        let offset = offsets[place].offset
        return offset == DayTexts.changing ? nil : Int(offset)
    }

    private static func divided(_ number: Int, by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    /// A pattern of Unicode's LDML cut into letters of the clock and all that lies between them.
    private static func parts(of pattern: String) -> [(pattern: String, isClock: Bool, hasLetters: Bool)]? {
        var parts: [(pattern: String, isClock: Bool, hasLetters: Bool)] = []
        var isQuoted = false
        for character in pattern {
            if character == "'" { isQuoted.toggle() }
            let isLetter = !isQuoted && character.isASCII && character.isLetter
            let isClock = isLetter && "HhKkmsa".contains(character)
            guard !isLetter || isClock || "GyuUrQqMLwWdDFgEec".contains(character) else { return nil }
            if let last = parts.last, last.isClock == isClock, !isClock || last.pattern.last == character {
                parts[parts.count - 1].pattern.append(character)
                if isLetter { parts[parts.count - 1].hasLetters = true }
            } else {
                parts.append((String(character), isClock, isLetter))
            }
        }
        return isQuoted ? nil : parts
    }
}

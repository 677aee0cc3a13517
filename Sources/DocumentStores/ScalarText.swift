/// What a piece of text says, read as bytes: boolean, date; numbers are `DecimalText`'s.
enum ScalarText {
    typealias Bytes = UnsafeBufferPointer<UInt8>

    /// `true`, `false`, `yes`, `no`, whatever their case.
    static func boolean(_ text: Bytes) -> Bool? {
        func equals(_ word: StaticString) -> Bool {
            guard word.utf8CodeUnitCount == text.count else { return false }
            for index in 0..<text.count where text[index] | 0x20 != word.utf8Start[index] { return false }
            return true
        }
        switch text.count {
        case 2: return equals("no") ? false : nil
        case 3: return equals("yes") ? true : nil
        case 4: return equals("true") ? true : nil
        case 5: return equals("false") ? false : nil
        default: return nil
        }
    }

    /// Whether it is a date as ISO 8601 writes it, with or without a time, a fraction and a zone: `2010-04-07`,
    /// `2010-04-07T01:04:48.5+02:00`, `2010-04-07 01:04`.
    static func isDate(_ text: Bytes) -> Bool {
        let count = text.count
        guard count >= 10, count <= 40, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-") else { return false }
        func two(_ at: Int) -> Int? {
            guard at + 2 <= count, text[at] &- 0x30 < 10, text[at + 1] &- 0x30 < 10 else { return nil }
            return Int(text[at] &- 0x30) * 10 + Int(text[at + 1] &- 0x30)
        }
        guard let century = two(0), let yearOfCentury = two(2), let month = two(5), let day = two(8) else { return false }
        let year = century * 100 + yearOfCentury
        guard year > 0, (1...12).contains(month), day >= 1, day <= days(month, year) else { return false }
        if count == 10 { return true }
        guard text[10] == UInt8(ascii: "T") || text[10] == UInt8(ascii: " "), let hour = two(11), hour < 24, count > 13,
            text[13] == UInt8(ascii: ":"), let minute = two(14), minute < 60
        else { return false }
        var position = 16
        if position < count, text[position] == UInt8(ascii: ":") {
            guard let second = two(17), second < 61 else { return false }
            position = 19
            if position < count, text[position] == UInt8(ascii: ".") {
                let first = position + 1
                position = first
                while position < count, text[position] &- 0x30 < 10 { position += 1 }
                guard position > first else { return false }
            }
        }
        if position == count { return true }
        if text[position] == UInt8(ascii: "Z") { return position + 1 == count }
        guard text[position] == UInt8(ascii: "+") || text[position] == UInt8(ascii: "-"), let hours = two(position + 1),
            hours < 24
        else { return false }
        position += 3
        if position == count { return true }
        if text[position] == UInt8(ascii: ":") { position += 1 }
        guard let minutes = two(position), minutes < 60 else { return false }
        return position + 2 == count
    }

    private static func days(_ month: Int, _ year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }

    /// The text without spaces at both ends.
    static func trimmed(_ text: Bytes) -> Bytes {
        var start = 0
        var end = text.count
        while start < end, text[start] == 0x20 || text[start] == 9 { start &+= 1 }
        while end > start, text[end &- 1] == 0x20 || text[end &- 1] == 9 { end &-= 1 }
        return Bytes(rebasing: text[start..<end])
    }

    /// Where the text stops being UTF-8; nil if all of it is. O(bytes).
    static func invalidUTF8(_ text: Bytes) -> Int? {
        var position = 0
        let count = text.count
        while position < count {
            let byte = text[position]
            if byte < 0x80 {
                position &+= 1
                continue
            }
            let length: Int
            var low: UInt8 = 0x80
            var high: UInt8 = 0xBF
            switch byte {
            case 0xC2...0xDF: length = 2
            case 0xE0: (length, low) = (3, 0xA0)
            case 0xED: (length, high) = (3, 0x9F)
            case 0xE1...0xEF: length = 3
            case 0xF0: (length, low) = (4, 0x90)
            case 0xF1...0xF3: length = 4
            case 0xF4: (length, high) = (4, 0x8F)
            default: return position
            }
            guard position + length <= count, (low...high).contains(text[position + 1]) else { return position }
            for follow in 2..<max(2, length) where text[position + follow] & 0xC0 != 0x80 { return position }
            position &+= length
        }
        return nil
    }
}

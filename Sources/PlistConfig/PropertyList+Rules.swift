import PropertyLists

extension PropertyList {
    /// `-boolValue`: real booleans, numbers other than 0, and strings by their start; nil for what has no such value.
    ///
    /// In a string, spaces, one sign and zeros are passed over; then `Y`, `y`, `T`, `t` or a digit is true, all else false.
    var boolValue: Bool? {
        switch self {
        case .boolean(let flag): return flag
        case .integer(let number): return number != 0
        case .unsigned(let number): return number != 0
        case .real(let number): return number != 0
        case .string(let text):
            var rest = Substring(text).drop { $0 == " " || $0 == "\t" }
            if let sign = rest.first, sign == "+" || sign == "-" { rest = rest.dropFirst() }
            rest = rest.drop { $0 == "0" }
            guard let first = rest.utf8.first else { return false }
            return "YyTt123456789".utf8.contains(first)
        case .date, .data, .array, .dictionary, .uid: return nil
        }
    }

    /// Whether a string that counts as NO was meant so.
    static func isPlainNo(_ text: String) -> Bool {
        ["no", "n", "false", "f", "0", "off"].contains(text.lowercased())
    }

    /// What it is, with its article.
    var kindInWords: String {
        switch self {
        case .string: "a string"
        case .integer, .unsigned, .real: "a number"
        case .boolean: "a boolean"
        case .date: "a date"
        case .data: "data"
        case .array: "an array"
        case .dictionary: "a dictionary"
        case .uid: "an archive's reference"
        }
    }
}

import PropertyLists

/// What a document is written in.
package enum DocumentFormat: Sendable, Equatable {
    /// One JSON value, or several after each other.
    case json
    /// A JSON value on each line.
    case ndjson
    /// Delimiter-separated text: CSV, TSV and their kin.
    case csv
    /// A property list of any format.
    case propertyList

    /// What the beginning of a file and its suffix say; nil for what is no document.
    ///
    /// - Parameter head: The first bytes, as many as there are up to a few thousand.
    static func recognise(_ head: [UInt8], suffix: String) -> DocumentFormat? {
        if head.starts(with: "bplist".utf8) { return .propertyList }
        guard !head.isEmpty, PropertyListReader.otherKind(of: head) == nil else { return nil }
        let text = isUTF16(head) ? head.filter { $0 != 0 && $0 < 0x80 } : head
        let isNamed = Self.suffixes.contains(suffix.lowercased())
        guard !looksBinary(text, mostOneIn: isNamed ? 4 : 20) || isUTF16(head) else { return nil }
        let start = skippingSpace(text, from: text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
        guard start < text.count else { return nil }
        switch suffix.lowercased() {
        case "json", "geojson", "json5", "jsonc": return text[start] == UInt8(ascii: "<") ? nil : .json
        case "ndjson", "jsonl", "ldjson": return .ndjson
        case "csv", "tsv", "tab", "psv": return .csv
        case "plist", "strings", "xml": return suffix.lowercased() == "xml" && !isPropertyListMarkup(text) ? nil : .propertyList
        default: return byContent(text, start)
        }
    }

    private static func byContent(_ text: [UInt8], _ start: Int) -> DocumentFormat? {
        switch text[start] {
        case UInt8(ascii: "<"): return isPropertyListMarkup(text) ? .propertyList : nil
        case UInt8(ascii: "("): return .propertyList
        case UInt8(ascii: "["): return .json
        case UInt8(ascii: "{"):
            let next = skippingSpace(text, from: start + 1)
            guard next < text.count else { return .json }
            switch text[next] {
            case UInt8(ascii: "}"): return .json
            case UInt8(ascii: "\""):
                var end = next + 1
                while end < text.count, text[end] != UInt8(ascii: "\"") { end += text[end] == UInt8(ascii: "\\") ? 2 : 1 }
                let after = skippingSpace(text, from: end + 1)
                if after < text.count, text[after] == UInt8(ascii: "=") { return .propertyList }
                return isLines(text, from: start) ? .ndjson : .json
            default: return .propertyList
            }
        default: return text.contains(UInt8(ascii: "\n")) || text.contains(UInt8(ascii: ",")) ? .csv : nil
        }
    }

    /// Whether the first line is a whole object and the next begins with another.
    private static func isLines(_ text: [UInt8], from start: Int) -> Bool {
        guard let end = text[start...].firstIndex(of: UInt8(ascii: "\n")) else { return false }
        let line = text[start..<end].last { $0 > 0x20 }
        let next = skippingSpace(text, from: end)
        return line == UInt8(ascii: "}") && next < text.count && text[next] == UInt8(ascii: "{")
    }

    private static func isPropertyListMarkup(_ text: [UInt8]) -> Bool {
        let head = String(decoding: text.prefix(4096), as: UTF8.self)
        return head.contains("<plist") || head.contains("<!DOCTYPE plist")
    }

    /// The first byte from a position on that is neither space nor in a comment.
    private static func skippingSpace(_ text: [UInt8], from start: Int) -> Int {
        var at = start
        while at < text.count {
            if text[at] <= 0x20 {
                at += 1
            } else if text[at] == UInt8(ascii: "/"), at + 1 < text.count, text[at + 1] == UInt8(ascii: "/") {
                while at < text.count, text[at] != UInt8(ascii: "\n") { at += 1 }
            } else if text[at] == UInt8(ascii: "/"), at + 1 < text.count, text[at + 1] == UInt8(ascii: "*") {
                at += 2
                while at + 1 < text.count, !(text[at] == UInt8(ascii: "*") && text[at + 1] == UInt8(ascii: "/")) { at += 1 }
                at += 2
            } else {
                return at
            }
        }
        return at
    }

    /// Suffixes that say by themselves that a file is a document.
    static let suffixes: Set = [
        "json", "geojson", "json5", "jsonc", "ndjson", "jsonl", "ldjson", "csv", "tsv", "tab", "psv",
    ]

    /// - Parameter mostOneIn: one odd byte among so many is let pass: a text may have a few.
    private static func looksBinary(_ head: [UInt8], mostOneIn: Int) -> Bool {
        let odd = head.reduce(0) { $0 + ($1 < 0x20 && $1 != 9 && $1 != 10 && $1 != 13 && $1 != 12 && $1 != 0x1B ? 1 : 0) }
        return odd * mostOneIn > head.count
    }

    /// By its mark, or by the zeros beside ASCII letters.
    static func isUTF16(_ head: [UInt8]) -> Bool { utf16IsBigEndian(head) != nil }

    static func utf16IsBigEndian(_ head: [UInt8]) -> Bool? {
        guard head.count >= 4 else { return nil }
        if head[0] == 0xFE, head[1] == 0xFF { return true }
        if head[0] == 0xFF, head[1] == 0xFE { return false }
        if head[0] == 0, head[1] != 0, head[2] == 0, head[3] != 0 { return true }
        if head[0] != 0, head[1] == 0, head[2] != 0, head[3] == 0 { return false }
        return nil
    }
}

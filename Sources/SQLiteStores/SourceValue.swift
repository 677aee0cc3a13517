import ObjectStore
import PropertyLists

/// Values of a document from their JSON: without spaces, and with no escapes but `\\"`, `\\\\` and `\\u00XX`, as readers of documents
/// leave it. `NaN` and the infinities may stand alone.
enum SourceValue {
    typealias Bytes = UnsafeRawBufferPointer

    /// O(bytes).
    static func value(_ bytes: Bytes) -> Value {
        guard bytes.first == UInt8(ascii: "["), bytes.last == UInt8(ascii: "]"), bytes.count >= 2 else {
            return word(String(decoding: bytes, as: UTF8.self))
        }
        var members: [Value] = []
        var start = 1
        while start < bytes.count - 1 {
            let end = end(of: bytes, from: start)
            members.append(member(Bytes(rebasing: bytes[start..<end])))
            start = end + 1
        }
        return .list(members)
    }

    /// Where the comma or bracket stands that ends the member beginning at `start`.
    private static func end(of bytes: Bytes, from start: Int) -> Int {
        var depth = 0
        var isQuoted = false
        var place = start
        while place < bytes.count - 1 {
            switch bytes[place] {
            case UInt8(ascii: "\\") where isQuoted: place += 1
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: "["), UInt8(ascii: "{"): if !isQuoted { depth += 1 }
            case UInt8(ascii: "]"), UInt8(ascii: "}"): if !isQuoted { depth -= 1 }
            case UInt8(ascii: ",") where depth == 0 && !isQuoted: return place
            default: break
            }
            place += 1
        }
        return bytes.count - 1
    }

    private static func member(_ bytes: Bytes) -> Value {
        guard bytes.first == UInt8(ascii: "\""), bytes.count >= 2 else { return plain(bytes) }
        return .string(unescaped(Bytes(rebasing: bytes[1..<(bytes.count - 1)])))
    }

    private static func unescaped(_ bytes: Bytes) -> String {
        guard bytes.contains(UInt8(ascii: "\\")) else { return String(decoding: bytes, as: UTF8.self) }
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        var place = 0
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            guard byte == UInt8(ascii: "\\"), place < bytes.count else {
                text.append(byte)
                continue
            }
            if bytes[place] == UInt8(ascii: "u"), place + 4 < bytes.count {
                let unit = JSONEscape.unit(bytes[(place + 1)...(place + 4)])
                text.append(contentsOf: String(unit.flatMap { Unicode.Scalar($0) } ?? "\u{FFFD}").utf8)
                place += 5
            } else {
                text.append(JSONEscape.byte(for: bytes[place]) ?? bytes[place])
                place += 1
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// A word; a number as it is written.
    private static func word(_ text: String) -> Value {
        switch text {
        case "null": .null
        case "true": .boolean(true)
        case "false": .boolean(false)
        case "NaN": .double(.nan)
        case "Infinity": .double(.infinity)
        case "-Infinity": .double(-.infinity)
        default: .source(text)
        }
    }

    /// A word or a number; what is neither, or has too many digits, stays as it is.
    private static func plain(_ bytes: Bytes) -> Value {
        let text = String(decoding: bytes, as: UTF8.self)
        let word = word(text)
        guard case .source = word else { return word }
        return switch bytes.withMemoryRebound(to: UInt8.self, { DecimalText.number($0) }) {
        case .integer(let number)?: .integer(number)
        case .double(let number)?: .double(number)
        case .long?, nil: .source(text)
        }
    }
}

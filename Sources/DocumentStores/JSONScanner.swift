import ObjectStore
import PropertyLists

/// The parts of JSON text, read from a window that moves over the document: memory does not grow with the document.
final class JSONScanner {
    typealias Bytes = UnsafeBufferPointer<UInt8>

    private let input: DocumentInput
    let warnings: DocumentWarnings
    /// The window; `position..<end` of it is still to be read.
    private let window: UnsafeMutablePointer<UInt8>
    private let capacity: Int
    private(set) var position = 0
    private var end = 0
    /// Where in the document the window begins.
    private var windowStart = 0
    /// 1-based.
    private(set) var line = 1
    /// Where in the document the line begins.
    private var lineStart = 0
    /// Texts that are not in the window as they are.
    let text = ByteArena(limit: DocumentDatabase.valueLimit)

    init(_ input: DocumentInput, warnings: DocumentWarnings, windowSize: Int = 1 << 18) {
        self.input = input
        self.warnings = warnings
        capacity = max(16, windowSize)
        window = .allocate(capacity: capacity)
    }

    deinit { window.deallocate() }

    /// Whether the object that begins here has no members, as far as the window shows it.
    var isAtEmptyObject: Bool {
        Bytes(start: window, count: end).dropFirst(position + 1).first { $0 > 0x20 } == UInt8(ascii: "}")
    }

    /// Position in the document, in bytes.
    var offset: Int { windowStart + position }

    /// Goes to a place in the document; `line` is the one that begins or lies there.
    func seek(to offset: Int, line: Int, lineStart: Int) {
        windowStart = offset
        position = 0
        end = 0
        self.line = line
        self.lineStart = lineStart
    }

    /// The place for `seek`.
    var place: (offset: Int, line: Int, lineStart: Int) { (offset, line, lineStart) }

    /// Reads on behind what was read; false at the end of the document. Nothing before `position` is kept.
    private func refill() throws(ReadingFault) -> Bool {
        windowStart += position
        position = 0
        end = 0
        end = try input.read(at: windowStart, into: UnsafeMutableRawBufferPointer(start: window, count: capacity))
        return end > 0
    }

    func peek() throws(ReadingFault) -> UInt8? {
        if position == end, try !refill() { return nil }
        return window[position]
    }

    func next() throws(ReadingFault) -> UInt8? {
        guard let byte = try peek() else { return nil }
        advance(byte)
        return byte
    }

    /// Goes past the byte that `peek` gave.
    func skip() { position &+= 1 }

    private func advance(_ byte: UInt8) {
        position &+= 1
        guard byte == UInt8(ascii: "\n") else { return }
        line &+= 1
        lineStart = windowStart &+ position
    }

    func fault(_ reason: String) -> ReadingFault { .syntax(line: line, column: offset - lineStart + 1, reason: reason) }

    /// What stands here instead of what is expected.
    func unexpected(_ expected: String) -> ReadingFault {
        guard let byte = try? peek() else { return fault("the document ends where \(expected) is expected") }
        let found: String =
            switch byte {
            case 0x21...0x7E: "“\(Character(Unicode.Scalar(byte)))”"
            case 0x80...: "a character"
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): "the end of the line"
            default: "the byte \(byte)"
            }
        return fault("\(found) where \(expected) is expected")
    }

    // MARK: Between values

    /// The next byte that is neither space nor comment; nil at the end.
    func token() throws(ReadingFault) -> UInt8? {
        while true {
            while position < end {
                let byte = window[position]
                switch byte {
                case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): position &+= 1
                case UInt8(ascii: "\n"): advance(byte)
                case UInt8(ascii: "/"):
                    try comment()
                default: return byte
                }
            }
            if try !refill() { return nil }
        }
    }

    private func comment() throws(ReadingFault) {
        let start = fault("a comment that does not end")
        let first = line
        skip()
        switch try peek() {
        case UInt8(ascii: "/"):
            while let byte = try peek(), byte != UInt8(ascii: "\n") { skip() }
        case UInt8(ascii: "*"):
            skip()
            var last: UInt8 = 0
            while true {
                guard let byte = try next() else { throw start }
                if last == UInt8(ascii: "*"), byte == UInt8(ascii: "/") { break }
                last = byte
            }
        default: throw fault("“/” where a value or a comment is expected")
        }
        warnings.add(.comment, line: first, "Comments are not JSON; they are passed over.")
    }

    /// Goes to the beginning of the next line.
    func skipLine() throws(ReadingFault) {
        while let byte = try next(), byte != UInt8(ascii: "\n") {}
    }

    /// Goes past a byte order mark at the beginning of the document.
    func skipMark() throws(ReadingFault) {
        guard offset == 0, try peek() == 0xEF, end - position >= 3, window[position + 1] == 0xBB, window[position + 2] == 0xBF
        else { return }
        position += 3
        lineStart = 3
    }

    // MARK: Values

    /// A string, from its quote on; the bytes are valid until the next call.
    func string() throws(ReadingFault) -> Bytes {
        let startLine = line
        let start = fault("a string that does not end")
        skip()
        // Mostly it lies in the window as it is.
        var scan = position
        var hasHighBytes = false
        while scan < end {
            let byte = window[scan]
            if byte == UInt8(ascii: "\"") {
                let found = Bytes(start: window + position, count: scan - position)
                position = scan + 1
                if hasHighBytes { checkEncoding(found, startLine) }
                return found
            }
            if byte == UInt8(ascii: "\\") || byte < 0x20 { break }
            if byte >= 0x80 { hasHighBytes = true }
            scan &+= 1
        }
        text.clear()
        while true {
            scan = position
            while scan < end, window[scan] != UInt8(ascii: "\""), window[scan] != UInt8(ascii: "\\"), window[scan] >= 0x20 {
                scan &+= 1
            }
            text.append(Bytes(start: window + position, count: scan - position))
            position = scan
            guard let byte = try peek() else { throw start }
            switch byte {
            case UInt8(ascii: "\""):
                skip()
                checkEncoding(text.bytes, startLine)
                return text.bytes
            case UInt8(ascii: "\\"):
                skip()
                try escape(start)
            case 0..<0x20:
                warnings.add(.controlCharacter, line: line, "A control character stands in a string as it is.")
                text.append(byte)
                advance(byte)
            default: continue
            }
        }
    }

    private func checkEncoding(_ bytes: Bytes, _ line: Int) {
        guard ScalarText.invalidUTF8(bytes) != nil else { return }
        warnings.add(.encoding, line: line, "Text that is not UTF-8.")
    }

    private func escape(_ start: ReadingFault) throws(ReadingFault) {
        guard let byte = try next() else { throw start }
        if let meant = JSONEscape.byte(for: byte) { return text.append(meant) }
        guard byte == UInt8(ascii: "u") else { throw fault("an escape sequence that JSON does not know") }
        try unicodeEscape(start)
    }

    private func unicodeEscape(_ start: ReadingFault) throws(ReadingFault) {
        var unit = try hexadecimal(start)
        while UTF16.isLeadSurrogate(unit) {
            guard try peek() == UInt8(ascii: "\\") else { return loneSurrogate() }
            skip()
            guard try peek() == UInt8(ascii: "u") else {
                loneSurrogate()
                return try escape(start)
            }
            skip()
            let second = try hexadecimal(start)
            if let scalar = Unicode.Scalar(highSurrogate: unit, low: second) { return append(scalar) }
            loneSurrogate()
            unit = second
        }
        if let scalar = Unicode.Scalar(unit) { append(scalar) } else { loneSurrogate() }
    }

    private func loneSurrogate() {
        warnings.add(.surrogate, line: line, "Half a surrogate pair stands for no character.")
        append("\u{FFFD}")
    }

    private func append(_ scalar: Unicode.Scalar) {
        for byte in String(Character(scalar)).utf8 { text.append(byte) }
    }

    private func hexadecimal(_ start: ReadingFault) throws(ReadingFault) -> UInt16 {
        var value: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = try peek() else { throw start }
            guard let digit = JSONEscape.digit(byte) else { throw fault("an escape sequence without its four digits") }
            skip()
            value = value << 4 | digit
        }
        return value
    }

    /// A number or a word: everything up to the next byte that can be part of neither. Valid until the next call.
    func word() throws(ReadingFault) -> Bytes {
        var scan = position
        while scan < end, JSONScanner.isWordByte(window[scan]) { scan &+= 1 }
        if scan < end {
            let found = Bytes(start: window + position, count: scan - position)
            position = scan
            return found
        }
        text.clear()
        while let byte = try peek(), JSONScanner.isWordByte(byte), text.count < 4097 {
            text.append(byte)
            skip()
        }
        return text.bytes
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

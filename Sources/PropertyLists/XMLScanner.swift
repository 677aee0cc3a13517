/// Scans XML for its elements, attributes and text, with the line of each.
///
/// Small on purpose: no namespaces, no validation, and no entities but the five of XML itself, so nothing is ever expanded or
/// loaded. Foundation's XML parser would bring in libxml2 and a second ICU at start.
package struct XMLScanner {
    package enum Event: Sendable, Equatable {
        /// `isEmpty` for `<name/>`, which no end follows.
        case start(name: String, attributes: [String: String], isEmpty: Bool)
        case end(name: String)
        /// Text between tags, references resolved; blanks are kept. A CDATA section is a text of its own.
        case text(String)
        case endOfFile
    }

    let text: [UInt8]
    var position = 0
    /// 1-based line of what the last event began with.
    package private(set) var line = 1
    private var currentLine = 1

    /// Over text in UTF-8, as `PropertyListText` gives it.
    init(text: [UInt8]) { self.text = text }

    /// Over a file's bytes, decoded by byte order mark or declaration; throws when they are not text.
    package init(bytes: [UInt8]) throws(PropertyListError) { self.init(text: try PropertyListText.utf8(from: bytes)) }

    /// The next event. Linear in the length of what it passes.
    package mutating func next() throws(PropertyListError) -> Event {
        while position < text.count {
            line = currentLine
            guard text[position] == UInt8(ascii: "<") else { return .text(try characters(until: UInt8(ascii: "<"))) }
            if skips("<!--") {
                try skip(past: "-->", in: "a comment")
            } else if skips("<?") {
                try skip(past: "?>", in: "a processing instruction")
            } else if skips("<![CDATA[") {
                let start = position
                try skip(past: "]]>", in: "a CDATA section")
                return .text(String(decoding: text[start..<(position - 3)], as: UTF8.self))
            } else if skips("<!") {
                try skipDeclaration()
            } else if skips("</") {
                let name = try self.name()
                skipBlank()
                try require(">", "the closing tag of <\(name)>")
                return .end(name: name)
            } else {
                position += 1
                return try startTag()
            }
        }
        line = currentLine
        return .endOfFile
    }

    private mutating func startTag() throws(PropertyListError) -> Event {
        let name = try self.name()
        var attributes: [String: String] = [:]
        while true {
            let before = position
            skipBlank()
            if skips("/>") { return .start(name: name, attributes: attributes, isEmpty: true) }
            if skips(">") { return .start(name: name, attributes: attributes, isEmpty: false) }
            guard position < text.count else { throw failure("the file ends inside the tag <\(name)>") }
            guard position > before else { throw failure("a blank is missing in the tag <\(name)>") }
            let attribute = try self.name()
            skipBlank()
            try require("=", "the attribute \(attribute)")
            skipBlank()
            guard position < text.count, text[position] == UInt8(ascii: "\"") || text[position] == UInt8(ascii: "'") else {
                throw failure("the value of the attribute \(attribute) is not in quotes")
            }
            let quote = text[position]
            position += 1
            let value = try characters(until: quote)
            guard position < text.count else { throw failure("the file ends inside the attribute \(attribute)") }
            position += 1
            guard attributes.updateValue(value, forKey: attribute) == nil else {
                throw failure("the attribute \(attribute) is given twice")
            }
        }
    }

    private mutating func name() throws(PropertyListError) -> String {
        let start = position
        while position < text.count, isName(text[position]) { position += 1 }
        guard position > start else {
            throw failure(position < text.count ? "a tag without a name" : "the file ends inside a tag")
        }
        guard position - start <= 1024 else { throw failure("a name of \(position - start) characters") }
        return String(decoding: text[start..<position], as: UTF8.self)
    }

    private func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"), 0x80...0xFF:
            true
        default: false
        }
    }

    /// Text up to, not including, `stop`, or the end of the file; references resolved.
    private mutating func characters(until stop: UInt8) throws(PropertyListError) -> String {
        var bytes: [UInt8] = []
        var start = position
        while position < text.count, text[position] != stop {
            let byte = text[position]
            if byte == UInt8(ascii: "&") {
                bytes.append(contentsOf: text[start..<position])
                bytes.append(contentsOf: try reference().utf8)
                start = position
                continue
            }
            if byte == UInt8(ascii: "\n") { currentLine += 1 }
            position += 1
        }
        if bytes.isEmpty { return String(decoding: text[start..<position], as: UTF8.self) }
        bytes.append(contentsOf: text[start..<position])
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func reference() throws(PropertyListError) -> String {
        let rest = text[(position + 1)...].prefix(32)
        guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else {
            throw failure("“&” without “;”: a plain “&” is written “&amp;”")
        }
        let name = String(decoding: rest[..<end], as: UTF8.self)
        position = end + 1
        switch name {
        case "lt": return "<"
        case "gt": return ">"
        case "amp": return "&"
        case "quot": return "\""
        case "apos": return "'"
        default: break
        }
        guard name.hasPrefix("#") else { throw failure("the entity “&\(name);” is not one of XML's own; others are not read") }
        let digits = name.dropFirst()
        let code = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10)
        guard let code, code != 0, let scalar = Unicode.Scalar(code) else { throw failure("“&\(name);” is not a character") }
        return String(Character(scalar))
    }

    /// `<!DOCTYPE …>`. One with declarations of its own is refused: they can only be entities, which are not read.
    private mutating func skipDeclaration() throws(PropertyListError) {
        var quote: UInt8?
        while position < text.count {
            let byte = text[position]
            position += 1
            if byte == UInt8(ascii: "\n") { currentLine += 1 }
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: "[") {
                throw failure("a document type with declarations (entities) of its own, which are not read")
            } else if byte == UInt8(ascii: ">") {
                return
            }
        }
        throw failure("the file ends inside “<!”")
    }

    private mutating func skip(past mark: StaticString, in place: String) throws(PropertyListError) {
        while position < text.count {
            if skips(mark) { return }
            if text[position] == UInt8(ascii: "\n") { currentLine += 1 }
            position += 1
        }
        throw failure("\(place) has no end")
    }

    private mutating func skipBlank() {
        while position < text.count, text[position] <= 0x20 {
            if text[position] == UInt8(ascii: "\n") { currentLine += 1 }
            position += 1
        }
    }

    private mutating func require(_ mark: StaticString, _ place: String) throws(PropertyListError) {
        guard skips(mark) else { throw failure("“\(mark)” is missing in \(place)") }
    }

    /// Passes `mark` if the text goes on with it.
    private mutating func skips(_ mark: StaticString) -> Bool {
        let length = mark.utf8CodeUnitCount
        guard length <= text.count - position else { return false }
        // Sound: a static string's bytes live for ever, and `length` is theirs.
        let bytes = UnsafeBufferPointer(start: mark.utf8Start, count: length)
        for index in 0..<length where text[position + index] != bytes[index] { return false }
        position += length
        return true
    }

    /// An error at the line where the current event began.
    package func failure(_ reason: String) -> PropertyListError { .malformed(reason, line: line) }
}

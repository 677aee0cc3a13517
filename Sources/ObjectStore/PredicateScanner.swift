/// Cuts a predicate into tokens.
struct PredicateScanner {
    struct Token: Sendable, Equatable {
        enum Kind: Sendable, Equatable {
            case word(String)
            /// `#name` or `#"any name"`: a key, never a key word.
            case key(String)
            case variable(String)
            /// `@count`.
            case keyOperator(String)
            case string(String)
            case integer(Int64)
            case number(Double, spelling: String)
            case symbol(String)
            case end
        }

        var kind: Kind
        /// In characters, from 0.
        var offset: Int
        /// The first character after it.
        var end: Int
    }

    private let text: String
    private let characters: [Character]
    private var position = 0

    init(_ text: String) throws(PredicateFault) {
        self.text = text
        characters = Array(text.prefix(PredicateFormat.longestText + 1))
        guard characters.count <= PredicateFormat.longestText, text.utf8.count <= 4 * PredicateFormat.longestText else {
            throw PredicateFault(
                text: String(characters), offset: min(characters.count, PredicateFormat.longestText), cause: .tooLong)
        }
    }

    private func fault(_ offset: Int, _ cause: PredicateFault.Cause) -> PredicateFault {
        PredicateFault(text: text, offset: offset, cause: cause)
    }

    private var next: Character? { position < characters.count ? characters[position] : nil }
    private var afterNext: Character? { position + 1 < characters.count ? characters[position + 1] : nil }

    /// All tokens, `end` last.
    mutating func tokens() throws(PredicateFault) -> [Token] {
        var tokens: [Token] = []
        while let character = next {
            guard !character.isWhitespace else {
                position += 1
                continue
            }
            let start = position
            let kind = try token(character)
            tokens.append(Token(kind: kind, offset: start, end: position))
        }
        tokens.append(Token(kind: .end, offset: characters.count, end: characters.count))
        return tokens
    }

    private mutating func token(_ character: Character) throws(PredicateFault) -> Token.Kind {
        let start = position
        switch character {
        case "\"", "'": return .string(try string(character))
        case "#":
            position += 1
            if let quote = next, quote == "\"" || quote == "'" { return .key(try string(quote)) }
            return .key(try name(after: start, "a name after “#”"))
        case "$":
            position += 1
            return .variable(try name(after: start, "the name of a variable after “$”"))
        case "@":
            position += 1
            return .keyOperator("@" + (try name(after: start, "an operator after “@”")))
        case "%":
            let argument = afterNext.map { $0.isWhitespace ? "%" : "%\($0)" } ?? "%"
            throw fault(start, .argument(argument))
        default: break
        }
        if Self.isDigit(character) || (character == "." && (afterNext.map(Self.isDigit) ?? false)) { return try number() }
        if Self.beginsName(character) { return .word(try name(after: start, "a name")) }
        for symbol in Self.symbols where characters[position...].starts(with: symbol) {
            position += symbol.count
            return .symbol(symbol)
        }
        throw fault(start, .expected("a predicate", found: "“\(character)”"))
    }

    /// Longer ones first.
    private static let symbols = [
        "==", "!=", "<>", "<=", "=<", ">=", "=>", "&&", "||", "**", "=", "<", ">", "!", "(", ")", "{", "}", "[", "]", ",", ".",
        "+",
        "-", "*", "/", ":",
    ]

    private static func isDigit(_ character: Character) -> Bool { character.isASCII && character.isNumber }
    private static func beginsName(_ character: Character) -> Bool { character.isLetter || character == "_" }

    private mutating func name(after start: Int, _ expected: String) throws(PredicateFault) -> String {
        guard let first = next, Self.beginsName(first) else {
            throw fault(position, .expected(expected, found: next.map { "“\($0)”" } ?? "the end"))
        }
        let begin = position
        while let character = next, Self.beginsName(character) || character.isNumber { position += 1 }
        return String(characters[begin..<position])
    }

    private mutating func number() throws(PredicateFault) -> Token.Kind {
        let start = position
        if next == "0", afterNext == "x" || afterNext == "X" {
            position += 2
            let digits = position
            while let character = next, character.isASCII, character.isHexDigit { position += 1 }
            guard let value = Int64(String(characters[digits..<position]), radix: 16) else {
                throw fault(start, .expected("a number", found: "“\(String(characters[start..<position]))”"))
            }
            return .integer(value)
        }
        var isWhole = true
        func skipDigits() { while let character = next, Self.isDigit(character) { position += 1 } }
        skipDigits()
        if next == ".", afterNext.map(Self.isDigit) ?? false {
            isWhole = false
            position += 1
            skipDigits()
        }
        if next == "e" || next == "E" {
            let mark = position
            position += 1
            if next == "+" || next == "-" { position += 1 }
            if let character = next, Self.isDigit(character) {
                isWhole = false
                skipDigits()
            } else {
                position = mark
            }
        }
        let spelling = String(characters[start..<position])
        if let character = next, Self.beginsName(character) {
            throw fault(position, .expected("the end of the number", found: "“\(character)”"))
        }
        if isWhole, let value = Int64(spelling) { return .integer(value) }
        guard let value = Double(spelling), value.isFinite else {
            throw fault(start, .expected("a number", found: "“\(spelling)”"))
        }
        return .number(value, spelling: spelling)
    }

    private mutating func string(_ quote: Character) throws(PredicateFault) -> String {
        let start = position
        position += 1
        var result = ""
        while let character = next {
            position += 1
            if character == quote { return result }
            guard character == "\\", let escaped = next else {
                result.append(character)
                continue
            }
            position += 1
            switch escaped {
            case "\\", "\"", "'": result.append(escaped)
            case "n": result.append("\n")
            case "t": result.append("\t")
            case "r": result.append("\r")
            case "u": result.append(Character(try scalar(digits: 4)))
            case "x": result.append(Character(try scalar(digits: 2)))
            default:
                // A pattern's own escape, as \d and \*: it keeps its backslash.
                result.append("\\")
                result.append(escaped)
            }
        }
        throw fault(start, .unterminatedText)
    }

    private mutating func scalar(digits: Int) throws(PredicateFault) -> Unicode.Scalar {
        let end = min(position + digits, characters.count)
        let spelling = String(characters[position..<end])
        guard end - position == digits, spelling.allSatisfy({ $0.isASCII && $0.isHexDigit }),
            let value = UInt32(spelling, radix: 16), let scalar = Unicode.Scalar(value)
        else {
            throw fault(position - 2, .unknownEscape("\\\(characters[position - 1])\(spelling)"))
        }
        position = end
        return scalar
    }
}

import Foundation

/// A predicate as text, and what it means, said once more without SQL: nil is neither true nor false.
struct PlainPredicate {
    typealias Plain = PredicateWorld.Plain
    typealias Thing = PredicateWorld.Thing
    /// The object in question, then the variables of `SUBQUERY`.
    typealias Scope = [Thing]

    var text: String
    var holds: (Scope) -> Bool?

    struct Options {
        var cased = false
        var bare = false
        var text: String { cased || bare ? "[\(cased ? "c" : "")\(bare ? "d" : "")]" : "" }

        /// A text as these options see it, letter by letter.
        func seen(_ text: String) -> String {
            guard cased || bare else { return text }
            return text.map { character in
                let scalars = Array(String(character).unicodeScalars)
                guard let letter = PredicateWorld.letters.first(where: { Array($0.text.unicodeScalars) == scalars }) else {
                    return String(character)
                }
                return cased && bare ? letter.both : cased ? letter.cased : letter.bare
            }.joined()
        }
    }

    // MARK: Comparisons

    static func not(_ value: Bool?) -> Bool? { value.map { !$0 } }

    static func all(_ values: some Sequence<Bool?>) -> Bool? {
        var isKnown = true
        for value in values {
            if value == false { return false }
            if value == nil { isKnown = false }
        }
        return isKnown ? true : nil
    }

    static func any(_ values: some Sequence<Bool?>) -> Bool? { not(all(values.lazy.map(not))) }

    /// Less, equal or greater; nil with NULL.
    static func order(_ left: Plain, _ right: Plain, _ options: Options) -> Int? {
        func sign<Key: Comparable>(_ left: Key, _ right: Key) -> Int { left < right ? -1 : left > right ? 1 : 0 }
        switch (left, right) {
        case (.number(let left), .number(let right)), (.date(let left), .date(let right)): return sign(left, right)
        case (.object(let left), .object(let right)): return sign(left, right)
        case (.text(let left), .text(let right)):
            // With options texts are ordered decomposed.
            func bytes(_ text: String) -> [UInt8] {
                guard options.cased || options.bare else { return Array(text.utf8) }
                return options.seen(text).unicodeScalars.flatMap {
                    $0 == "\u{E9}" ? Array("e\u{301}".utf8) : Array(String($0).utf8)
                }
            }
            let (first, second) = (bytes(left), bytes(right))
            return first == second ? 0 : first.lexicographicallyPrecedes(second) ? -1 : 1
        default: return nil
        }
    }

    static let orders: [(sign: String, holds: @Sendable (Int) -> Bool)] = [
        ("==", { $0 == 0 }), ("=", { $0 == 0 }), ("!=", { $0 != 0 }), ("<>", { $0 != 0 }), ("<", { $0 < 0 }), ("<=", { $0 <= 0 }),
        ("=<", { $0 <= 0 }), (">", { $0 > 0 }), (">=", { $0 >= 0 }), ("=>", { $0 >= 0 }),
    ]

    // MARK: Texts

    /// `BEGINSWITH`, `ENDSWITH`, `CONTAINS`: by code points.
    static func find(_ word: String, _ text: Plain, _ pattern: Plain, _ options: Options) -> Bool? {
        guard case .text(let text) = text, case .text(let pattern) = pattern else { return nil }
        let scalars = Array(options.seen(text).unicodeScalars)
        let wanted = Array(options.seen(pattern).unicodeScalars)
        switch word {
        case "BEGINSWITH": return scalars.starts(with: wanted)
        case "ENDSWITH": return scalars.reversed().starts(with: wanted.reversed())
        default: return (0...scalars.count).contains { scalars[$0...].starts(with: wanted) }
        }
    }

    /// `*` and `?`, by recursion over characters.
    static func like(_ text: Substring, _ pattern: Substring) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        if first == "*" { return like(text, pattern.dropFirst()) || (!text.isEmpty && like(text.dropFirst(), pattern)) }
        guard let letter = text.first, first == "?" || letter == first else { return false }
        return like(text.dropFirst(), pattern.dropFirst())
    }

    /// A regular expression of single letters and dots, each with `*`, `+`, `?` or nothing after it.
    struct Piece {
        var letter: Unicode.Scalar?
        var repeats: Character?
        var text: String { (letter.map { String($0) } ?? ".") + (repeats.map { String($0) } ?? "") }
    }

    static func matches(_ scalars: ArraySlice<Unicode.Scalar>, _ pieces: ArraySlice<Piece>, ignoresCase: Bool) -> Bool {
        guard let piece = pieces.first else { return scalars.isEmpty }
        func fits(_ scalar: Unicode.Scalar) -> Bool {
            guard let letter = piece.letter else { return true }
            return ignoresCase ? String(scalar).lowercased() == String(letter).lowercased() : scalar == letter
        }
        let takesOne = scalars.first.map(fits) ?? false
        let rest = pieces.dropFirst()
        switch piece.repeats {
        case "*":
            return matches(scalars, rest, ignoresCase: ignoresCase)
                || (takesOne && matches(scalars.dropFirst(), pieces, ignoresCase: ignoresCase))
        case "+":
            let more = [Piece(letter: piece.letter, repeats: "*")] + rest
            return takesOne && matches(scalars.dropFirst(), more[...], ignoresCase: ignoresCase)
        case "?":
            return matches(scalars, rest, ignoresCase: ignoresCase)
                || (takesOne && matches(scalars.dropFirst(), rest, ignoresCase: ignoresCase))
        default: return takesOne && matches(scalars.dropFirst(), rest, ignoresCase: ignoresCase)
        }
    }
}

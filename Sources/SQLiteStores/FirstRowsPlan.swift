import CSQLite
import ObjectStore

/// How the rows that may be among the first of an order are told apart inside SQLite, without folding a text.
///
/// A bound is taken from a sample of the rows: so many of them do not come after it. The condition lets every row through that
/// does not come after the bound, and some others; what it leaves out comes, in the order of the sort keys, not before the frontier. So
/// of the rows let through those before the frontier are, in their order, the very beginning of the whole order.
struct FirstRowsPlan: Sendable {
    /// A text or number to compare the column with, as bytes for texts that need be no UTF-8.
    enum Parameter: Sendable, Equatable {
        case text([UInt8])
        case integer(Int64)
        case double(Double)
    }

    /// What the condition, in the sense of the statement, compares with, in the order of its parameters.
    var condition: String
    var parameters: [Parameter]
    /// Beginning of a sort key: rows left out have this one or a larger one.
    var frontier: [UInt8]
    /// Part of the sample that the condition lets through, 0 to 1.
    var share: Double
    /// Where only first letters tell what is left out.
    var letters: LetterRule?

    /// Which texts are left out by their first byte; bytes from 0x80 on never.
    enum LetterRule: Sendable, Equatable {
        /// The letters from this one on, given in lower case, and nothing else.
        case from(UInt8)
        /// The letters before this one, what stands before all letters, and what is no text.
        case before(UInt8)
    }

    /// A row of the sample: what the first sort key is made of, and its bytes.
    struct Sample: Sendable {
        var type: Int32
        var parameter: Parameter?
        /// As `SortKeyWriter` writes them.
        var key: [UInt8]
    }

    /// Beyond this part a plan costs about as much as reading everything.
    private static let largestShare = 0.4
    /// Longest text that is taken for a bound, in bytes: one that sort keys hold whole.
    private static let longestBound = 512

    /// Nil where the sample shows no way that saves much.
    ///
    /// - Parameters:
    ///   - limit: so many rows are wanted.
    ///   - column: the first sort key's column, as SQL.
    ///   - firstParameter: number of the first parameter that is free.
    ///   - letters: sort keys of the texts `a` to `z` where the order is a locale's that keeps them apart.
    ///   - byLetter: whether only whole first letters may be left out, as sections by them need.
    init?(
        _ samples: [Sample], limit: Int, key: SortKeyWriter.Key, firstParameter: Int, letters: [[UInt8]]?, byLetter: Bool
    ) {
        let sorted = samples.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        guard limit > 0, sorted.count >= limit * 4 else { return nil }
        let bound = sorted[limit - 1]
        let column = "+" + key.column.sql
        var made: FirstRowsPlan?
        switch bound.type {
        case SQLITE_NULL where key.ascending:
            made = FirstRowsPlan("\(column) IS NULL", [], frontier: Self.successor(of: bound.key))
        case SQLITE_INTEGER, SQLITE_FLOAT:
            guard let parameter = bound.parameter else { return nil }
            made = FirstRowsPlan(
                key.ascending
                    ? "(\(column) <= ?\(firstParameter) OR \(column) IS NULL)" : "\(column) >= ?\(firstParameter)", [parameter],
                frontier: Self.successor(of: bound.key))
        case SQLITE_TEXT:
            switch key.selector {
            case .compare: made = Self.plain(bound, key, column, firstParameter)
            case .caseInsensitiveCompare:
                made = Self.folded(bound, sorted, key, column, firstParameter, byLetter: byLetter)
            case .localizedCaseInsensitiveCompare, .localizedStandardCompare:
                guard let letters else { return nil }
                made = Self.collated(bound, letters, key, column, firstParameter)
            }
        default: break
        }
        guard var plan = made, !plan.frontier.isEmpty else { return nil }
        let isExact = bound.type != SQLITE_TEXT || key.selector == .compare
        plan.share = Double(sorted.count { plan.letsThrough($0, isExact: isExact) }) / Double(sorted.count)
        guard plan.share <= Self.largestShare else { return nil }
        self = plan
    }

    private init(_ condition: String, _ parameters: [Parameter], frontier: [UInt8], letters: LetterRule? = nil) {
        self.condition = condition
        self.parameters = parameters
        self.frontier = frontier
        self.letters = letters
        share = 1
    }

    /// Whether a row of the sample stands before the frontier, or is one of those that are let through for their first byte.
    private func letsThrough(_ sample: Sample, isExact: Bool) -> Bool {
        if sample.key.lexicographicallyPrecedes(frontier) { return true }
        guard case .text(let bytes)? = sample.parameter, let first = bytes.first else { return false }
        return first >= 0x80 && !isExact
    }

    /// The smallest beginning that is larger than all that begin with these bytes; empty where there is none.
    static func successor(of bytes: some Sequence<UInt8>) -> [UInt8] {
        var result = Array(bytes)
        while let last = result.popLast() {
            guard last < 0xFF else { continue }
            result.append(last + 1)
            return result
        }
        return []
    }

    // MARK: Texts

    /// By code point: SQLite's own order of texts is the same.
    private static func plain(_ bound: Sample, _ key: SortKeyWriter.Key, _ column: String, _ first: Int) -> FirstRowsPlan? {
        guard case .text(let bytes)? = bound.parameter, bytes.count <= longestBound else { return nil }
        let condition =
            key.ascending
            ? "(\(column) <= ?\(first) COLLATE BINARY OR \(column) IS NULL)" : "\(column) >= ?\(first) COLLATE BINARY"
        return FirstRowsPlan(condition, [.text(bytes)], frontier: successor(of: bound.key))
    }

    /// By folded code points. An ASCII text, or the ASCII beginning of a text, folds to its lower-case letters, so that SQLite's NOCASE
    /// tells it from the bound's beginning; where a text goes on with other than ASCII it is let through.
    ///
    /// For a place `j` of the bound those texts can be left out that are like it up to there, and have an ASCII character at `j` that
    /// comes after the bound's. Which places are worth it the sample says.
    private static func folded(
        _ bound: Sample, _ samples: [Sample], _ key: SortKeyWriter.Key, _ column: String, _ first: Int, byLetter: Bool
    ) -> FirstRowsPlan? {
        let written = key.ascending ? bound.key : bound.key.map { ~$0 }
        let prefix = Array(written.dropFirst().prefix { $0 >= 2 && $0 < 0x80 }.prefix(64))
        guard let tag = written.first, !prefix.isEmpty else { return nil }
        var gains = [Int](repeating: 0, count: byLetter ? 1 : prefix.count)
        for sample in samples where sample.type == SQLITE_TEXT {
            let folded = key.ascending ? sample.key : sample.key.map { ~$0 }
            for place in gains.indices {
                guard place + 1 < folded.count else { break }
                let byte = folded[place + 1]
                if byte == prefix[place] { continue }
                if key.ascending ? byte > prefix[place] && byte < 0x80 : byte < prefix[place] { gains[place] += 1 }
                break
            }
        }
        let places = gains.indices.filter { gains[$0] > samples.count / 50 }.sorted { gains[$0] > gains[$1] }.prefix(3)
        guard let last = places.max() else { return nil }
        var parts: [String] = []
        var parameters: [Parameter] = []
        var letters: LetterRule?
        for place in places {
            let start = Array(prefix[..<place])
            var low = start
            var high = start
            if key.ascending {
                low = successor(of: prefix[...place])
                high.append(0x80)
            } else {
                high = Array(prefix[...place])
            }
            if byLetter {
                // Only letters: what else begins a text shares sections with what comes before.
                guard let letter = key.ascending ? low.first : high.first else { return nil }
                let edge = key.ascending ? max(letter, UInt8(ascii: "a")) : letter
                guard (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(edge) else { return nil }
                if key.ascending {
                    low = [edge]
                    high = [UInt8(ascii: "z") + 1]
                    letters = .from(edge)
                } else {
                    high = [edge]
                    letters = .before(edge)
                }
            }
            let number = first + parameters.count
            if low.isEmpty {
                parts.append("\(column) >= ?\(number) COLLATE NOCASE")
                parameters.append(.text(high))
            } else {
                parts.append("(\(column) < ?\(number) COLLATE NOCASE OR \(column) >= ?\(number + 1) COLLATE NOCASE)")
                parameters += [.text(low), .text(high)]
            }
        }
        let condition = parts.joined(separator: " AND ")
        var edge = [tag] + prefix[...last]
        if byLetter, key.ascending, case .text(let low)? = parameters.first { edge = [tag] + low.map { $0 - 1 } }
        return FirstRowsPlan(
            key.ascending ? "(\(condition) OR \(column) IS NULL)" : "(\(condition))", parameters,
            frontier: successor(of: key.ascending ? edge : edge.map { ~$0 }), letters: letters)
    }

    /// By a locale's collation that does not change the root's order of letters: what begins with an ASCII letter stands with it, and what
    /// else begins with a visible ASCII character before all letters.
    private static func collated(
        _ bound: Sample, _ letters: [[UInt8]], _ key: SortKeyWriter.Key, _ column: String, _ first: Int
    ) -> FirstRowsPlan? {
        let a = UInt8(ascii: "a")
        if key.ascending {
            guard let place = letters.firstIndex(where: { bound.key.lexicographicallyPrecedes($0) }) else { return nil }
            let letter = a + UInt8(place)
            return FirstRowsPlan(
                "(\(column) < ?\(first) COLLATE NOCASE OR \(column) >= ?\(first + 1) COLLATE NOCASE OR \(column) IS NULL)",
                [.text([letter]), .text([UInt8(ascii: "z") + 1])], frontier: letters[place],
                letters: .from(letter))
        }
        let written = bound.key.map { ~$0 }
        guard let place = letters.lastIndex(where: { !written.lexicographicallyPrecedes($0) }) else { return nil }
        let letter = a + UInt8(place)
        let condition =
            "(\(column) < ?\(first) COLLATE NOCASE OR \(column) >= ?\(first + 1) COLLATE NOCASE) AND \(column) IS NOT NULL"
        return FirstRowsPlan(
            "(\(condition))", [.text([UInt8(ascii: " ")]), .text([letter])],
            frontier: successor(of: letters[place].map { ~$0 }), letters: .before(letter))
    }
}

package import Fetching
package import TerminalUI

/// What a search has come to.
package enum FindOutcome: Sendable, Equatable {
    /// The cursor stands on the hit.
    case found
    /// The cursor stands on a hit, and there is no other.
    case noOther
    case none
    /// So much was looked at without a hit, and there is more.
    case unfinished(lookedAt: Int)
    /// What is not there yet is read for it; the outcome is told later.
    case searching
}

/// A search in a screen: the prompt, what is marked, and where the reader was when it began.
package struct Finding<Place: Sendable>: Sendable {
    /// What is being typed, for a search or for something else.
    var prompt: Prompt?
    /// What `n` goes on with, and what is marked.
    var query: SearchQuery?
    var origin: Place?

    init() {}
}

/// A screen in which words are looked for as they are typed: the cursor goes to the first hit at or after where it was, and each
/// letter begins there again, so that one rubbed out brings the place before it back.
package protocol FindingScreen: Screen {
    /// Where the reader is: the cursor and the window.
    associatedtype Place: Sendable

    var finding: Finding<Place> { get set }
    var place: Place { get set }
    var size: Size { get }

    /// Moves the cursor to the nearest hit forwards or backwards, going round the end.
    ///
    /// - Parameter includesCursor: whether where the cursor stands counts.
    mutating func moveCursor(toHitOf query: SearchQuery, forward: Bool, includesCursor: Bool) -> FindOutcome
    /// What is to be said besides where there is no hit.
    var noHitNote: String { get }
    /// A prompt for something else was accepted.
    mutating func accept(_ prompt: Prompt) -> [Effect]
    /// Goes to a row by its number, the first is 1; beyond the end to the last.
    mutating func goTo(rowNumber number: Int)
    /// How many lines there are to go to; nil where their numbers are not said.
    var lineCount: Int? { get }
}

extension FindingScreen {
    package var takesKeys: Bool { finding.prompt != nil }
    package var typingPosition: Position? { finding.prompt.flatMap { Chrome.typingPosition(of: $0, in: size) } }
    package var noHitNote: String { "" }
    package mutating func goTo(rowNumber number: Int) {}
    package var lineCount: Int? { nil }

    package mutating func accept(_ prompt: Prompt) -> [Effect] {
        guard prompt.purpose == .goToRow else { return [] }
        switch prompt.rowNumber {
        case .none: return []
        case .fault(let problem): return [.message(problem)]
        case .number(let number):
            goTo(rowNumber: max(1, number))
            return lineCount.flatMap { Chrome.outOfRange(number, $0, "lines") }.map { [.message($0)] } ?? []
        }
    }

    mutating func beginFind() {
        finding.prompt = Prompt(.find)
        finding.origin = place
    }

    package mutating func handle(_ key: Key) -> [Effect] {
        guard var editing = finding.prompt else { return [] }
        let outcome = editing.handle(key)
        finding.prompt = outcome == .editing ? editing : nil
        guard editing.purpose == .find else { return outcome == .accepted ? accept(editing) : [] }
        guard outcome == .cancelled else { return find(editing.text) }
        finding.query = nil
        if let origin = finding.origin { place = origin }
        return []
    }

    package mutating func handle(paste text: String) -> [Effect] {
        finding.prompt?.insert(text)
        guard let prompt = finding.prompt, prompt.purpose == .find else { return [] }
        return find(prompt.text)
    }

    package mutating func undo() -> Bool {
        guard finding.query != nil else { return false }
        finding.query = nil
        return true
    }

    /// Goes to the first hit at or after where the search began.
    private mutating func find(_ text: String) -> [Effect] {
        let query = SearchQuery(text)
        finding.query = query.isEmpty ? nil : query
        if let origin = finding.origin { place = origin }
        return move(forward: true, includesCursor: true)
    }

    mutating func moveToHit(forward: Bool) -> [Effect] {
        guard finding.query != nil else { return [.message("nothing was searched for yet\(keyLabels.aside(.find))")] }
        return move(forward: forward, includesCursor: false)
    }

    private mutating func move(forward: Bool, includesCursor: Bool) -> [Effect] {
        guard let query = finding.query else { return [] }
        let outcome = moveCursor(toHitOf: query, forward: forward, includesCursor: includesCursor)
        return effects(of: outcome, query, forward: forward)
    }

    /// What is said of a search.
    func effects(of outcome: FindOutcome, _ query: SearchQuery, forward: Bool) -> [Effect] {
        switch outcome {
        case .found, .searching: return []
        case .noOther: return [.message("no further hit")]
        case .none: return [.message("no match for “\(query.text)”" + noHitNote)]
        case .unfinished(let count):
            let key = forward ? "n" : "N"
            return [.message("no match for “\(query.text)” in the next \(Chrome.grouped(count)); \(key) looks further")]
        }
    }
}

/// Where the reader is in a screen of rows: the cursor's row and the one at the top of the window.
package struct RowPlace: Sendable {
    var cursor: Int
    var top: Int
}

/// A screen of rows that are there as a whole.
protocol RowFindingScreen: FindingScreen where Place == RowPlace {
    var cursor: Int { get set }
    var top: Int { get set }
    /// Keeps the cursor on a row, and the window at it.
    mutating func settle()
}

extension RowFindingScreen {
    package var place: RowPlace {
        get { RowPlace(cursor: cursor, top: top) }
        set {
            (cursor, top) = (newValue.cursor, newValue.top)
            settle()
        }
    }

    package mutating func goTo(rowNumber number: Int) {
        cursor = number - 1
        settle()
    }
}

/// The rows in the order in which a search looks at them: each once, from the cursor's on and round the end.
struct SearchedRows: Sequence, IteratorProtocol, Sendable {
    private let start: Int
    private let step: Int
    private let count: Int
    private var done = 0

    /// - Parameter includesCursor: whether the cursor's row is the first; else it is the last.
    init(of count: Int, from cursor: Int, forward: Bool, includesCursor: Bool) {
        self.count = count
        step = forward ? 1 : -1
        start = includesCursor ? cursor : cursor + step
    }

    /// How many rows are still to be looked at.
    var remaining: Int { count - done }

    /// Leaves the next rows out.
    mutating func skip(_ rows: Int) { done = Swift.min(count, done + rows) }

    mutating func next() -> Int? {
        guard done < count else { return nil }
        defer { done += 1 }
        return ((start + done * step) % count + count) % count
    }
}

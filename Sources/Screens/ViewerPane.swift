import Fetching
import Foundation
import ObjectStore
import TerminalUI

/// One way to show a value in the viewer: an outline, a text, or bytes.
protocol ViewerPane: Sendable {
    /// A new size of the part of the screen that it fills.
    mutating func resize(rows: Int, columns: Int)
    /// A command that moves, folds or opens.
    mutating func perform(_ command: Command) -> PaneOutcome
    mutating func scroll(by rows: Int)
    /// A click on a row of its part, 0-based.
    mutating func click(row: Int, column: Int, isDouble: Bool)
    /// To the line, row or offset that was typed; what is wrong with it, else nil.
    mutating func goTo(_ typed: String) -> String?
    /// Moves the cursor to a hit: the nearest one forwards or backwards, going round the end.
    ///
    /// - Parameter includesCursor: whether the cursor's own line counts.
    /// Where not all could be looked at, the same search from where the cursor stands goes on there.
    mutating func find(_ text: String, forward: Bool, includesCursor: Bool) -> FindOutcome

    func draw(in body: Rect, marking text: String, into buffer: inout CellBuffer)
    /// Tells one hit that the cursor stands on from another.
    var hitMark: [Int] { get }
    /// What `y` copies.
    var lineText: String { get }
    /// How far the reader is, where not all fits.
    var positionText: String { get }
}

/// What became of a command that was given to a pane.
enum PaneOutcome: Sendable, Equatable {
    case done
    /// Nothing; this is to be said.
    case message(String)
    /// The pane has nothing further up: back to the screen below.
    case back
    /// A leaf of an outline is to be opened by itself.
    case open(Value, title: String, place: OutlinePlace)
    /// Not a command of the pane.
    case ignored
}

extension ViewerPane {
    /// A number as typed: decimal, or hexadecimal after `0x`.
    static func number(_ typed: String) -> Int? {
        let text = typed.filter { !$0.isWhitespace }
        if text.lowercased().hasPrefix("0x") { return Int(text.dropFirst(2), radix: 16) }
        guard !text.isEmpty, text.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        // A number too large for an integer is beyond the end, too.
        return Int(text) ?? .max
    }

    /// Marks the parts of a written text that a search finds.
    static func mark(_ query: SearchQuery, in text: String, row: Int, column: Int, columns: Int, into buffer: inout CellBuffer) {
        guard !query.isEmpty, columns > 0 else { return }
        for part in query.ranges(in: text) {
            let cells = DisplayText.cells(of: part, in: text, limit: columns)
            let range = (column + cells.lowerBound)..<(column + min(columns, cells.upperBound))
            buffer.restyle(row: row, columns: range) { $0.role = .hit }
        }
    }
}

import Fetching
import Presentation
import TerminalUI

/// A text of any length, wrapped: only what is seen is taken apart.
struct TextPane: ViewerPane {
    /// A row of the screen: a piece of the text, and which of its rows.
    struct Place: Sendable, Equatable, Comparable {
        var start: Int
        var row: Int

        static func < (left: Place, right: Place) -> Bool { (left.start, left.row) < (right.start, right.row) }
    }

    private let text: TextContent
    private var columns = 80
    private var height = 1
    private var cursor = Place(start: 0, row: 0)
    private var top = Place(start: 0, row: 0)
    private var unfinished: UnfinishedSearch?

    init(_ text: TextContent) { self.text = text }

    // MARK: Rows

    private var margin: Int { Chrome.margin(columns: columns) }

    /// The rows of a piece. O(piece).
    private func rows(_ piece: TextContent.Piece) -> [String] {
        let plain = piece.text.utf8.contains(0x09) ? piece.text.replacing("\t", with: "    ") : piece.text
        return DisplayText.wrap(plain, columns: max(1, columns - 2 * margin))
    }

    private func rows(at start: Int) -> [String] { rows(text.piece(at: start)) }

    /// The place so many rows further down or up, the nearest there is. O(rows passed).
    private func place(_ place: Place, movedBy distance: Int) -> Place {
        var place = place
        var left = abs(distance)
        while left > 0 {
            if distance > 0 {
                let piece = text.piece(at: place.start)
                let room = rows(piece).count - 1 - place.row
                guard left > room else { return Place(start: place.start, row: place.row + left) }
                guard piece.next < text.count else { return Place(start: place.start, row: place.row + max(0, room)) }
                left -= max(0, room) + 1
                place = Place(start: piece.next, row: 0)
            } else {
                guard left > place.row else { return Place(start: place.start, row: place.row - left) }
                guard place.start > 0 else { return Place(start: 0, row: 0) }
                left -= place.row + 1
                let start = text.start(ofPieceHolding: place.start - 1)
                place = Place(start: start, row: max(0, rows(at: start).count - 1))
            }
        }
        return place
    }

    private var last: Place {
        let start = text.start(ofPieceHolding: text.count - 1)
        return Place(start: start, row: max(0, rows(at: start).count - 1))
    }

    /// Calls `body` with each row in sight and its place.
    private func forEachVisibleRow(_ body: (Place, String) -> Void) {
        var place = top
        var left = height
        while left > 0 {
            let piece = text.piece(at: place.start)
            let rows = rows(piece)
            for row in rows.indices.dropFirst(place.row).prefix(left) {
                body(Place(start: place.start, row: row), rows[row])
                left -= 1
            }
            guard piece.next < text.count else { return }
            place = Place(start: piece.next, row: 0)
        }
    }

    /// Brings the window to the cursor, and no further beyond the end than has to be.
    private mutating func settle() {
        let last = last
        cursor = min(max(cursor, Place(start: 0, row: 0)), last)
        top = min(top, place(last, movedBy: 1 - height))
        if cursor < top { top = cursor }
        let lowest = place(cursor, movedBy: 1 - height)
        if top < lowest { top = lowest }
    }

    mutating func resize(rows: Int, columns: Int) {
        height = max(1, rows)
        if columns != self.columns {
            self.columns = columns
            cursor.row = min(cursor.row, max(0, self.rows(at: cursor.start).count - 1))
            top.row = min(top.row, max(0, self.rows(at: top.start).count - 1))
        }
        settle()
    }

    // MARK: Commands

    mutating func perform(_ command: Command) -> PaneOutcome {
        let page = max(1, height - 1)
        switch command {
        case .moveUp: cursor = place(cursor, movedBy: -1)
        case .moveDown: cursor = place(cursor, movedBy: 1)
        case .pageUp: move(by: -page)
        case .pageDown, .toggleSection: move(by: page)
        case .halfPageUp: move(by: -max(1, page / 2))
        case .halfPageDown: move(by: max(1, page / 2))
        case .moveToStart: cursor = Place(start: 0, row: 0)
        case .moveToEnd: cursor = last
        case .nextSection: moveToParagraph(forward: true)
        case .previousSection: moveToParagraph(forward: false)
        case .moveLeft: return .back
        case .open, .moveRight, .expandAll, .collapseAll: return .message("nothing to unfold here")
        default: return .ignored
        }
        settle()
        return .done
    }

    private mutating func move(by rows: Int) {
        cursor = place(cursor, movedBy: rows)
        top = place(top, movedBy: rows)
    }

    /// What a section is to other screens is a paragraph here: lines up to an empty one.
    private mutating func moveToParagraph(forward: Bool) {
        func isEmpty(_ start: Int) -> Bool { text.piece(at: start).text.allSatisfy(\.isWhitespace) }
        var start = cursor.start
        var mayStop = !forward && cursor.row > 0
        while true {
            if forward {
                let next = text.piece(at: start).next
                guard next < text.count else { return cursor = last }
                mayStop = isEmpty(start)
                start = next
                if mayStop, !isEmpty(start) { break }
            } else {
                if mayStop, !isEmpty(start), start == 0 || isEmpty(text.start(ofPieceHolding: start - 1)) { break }
                guard start > 0 else { break }
                start = text.start(ofPieceHolding: start - 1)
                mayStop = true
            }
        }
        cursor = Place(start: start, row: 0)
    }

    mutating func scroll(by rows: Int) {
        top = min(place(top, movedBy: rows), place(last, movedBy: 1 - height))
        cursor = min(max(cursor, top), place(top, movedBy: height - 1))
        settle()
    }

    mutating func click(row: Int, column: Int, isDouble: Bool) {
        cursor = place(top, movedBy: row)
        settle()
    }

    mutating func goTo(_ typed: String) -> String? {
        guard let line = Self.number(typed) else { return "“\(typed)” is no line number" }
        cursor = Place(start: text.start(ofLine: max(0, line - 1)), row: 0)
        settle()
        return nil
    }

    // MARK: Finding

    /// A search that has looked at as much as it may at once.
    private struct UnfinishedSearch: Sendable {
        let text: String
        let forward: Bool
        /// Where the cursor stood; elsewhere a search begins anew.
        let origin: Place
        let start: Int
    }

    /// How much text is looked at before the reader is asked to go on, in bytes.
    private static let searched = 16 << 20

    mutating func find(_ wanted: String, forward: Bool, includesCursor: Bool) -> FindOutcome {
        let query = SearchQuery(wanted)
        guard !query.isEmpty else { return .none }
        // Rows of the cursor's own piece first, then whole pieces, round the end and back to it.
        if let row = row(of: query, at: cursor.start, beyond: cursor.row, forward, includesCursor) {
            cursor.row = row
            settle()
            return .found
        }
        var start = cursor.start
        if let unfinished, !includesCursor, unfinished.text == wanted, unfinished.forward == forward, unfinished.origin == cursor
        {
            start = unfinished.start
        }
        unfinished = nil
        var looked = 0
        repeat {
            if forward {
                let piece = text.piece(at: start)
                looked += piece.next - start
                start = piece.next < text.count ? piece.next : 0
            } else {
                let next = start > 0 ? start : text.count
                start = text.start(ofPieceHolding: next - 1)
                looked += next - start
            }
            let piece = text.piece(at: start)
            guard query.matches(piece.text) else { continue }
            cursor = Place(start: start, row: row(of: query, at: start, beyond: nil, forward, true) ?? 0)
            settle()
            return .found
        } while start != cursor.start && looked < Self.searched
        guard start != cursor.start else { return .none }
        unfinished = UnfinishedSearch(text: wanted, forward: forward, origin: cursor, start: start)
        return .unfinished(lookedAt: looked)
    }

    /// The first or last row of a piece, beyond one of them, that has a part of what is searched for; all of it has to be in the piece.
    private func row(
        of query: SearchQuery, at start: Int, beyond row: Int?, _ forward: Bool, _ includesRow: Bool
    ) -> Int? {
        let piece = text.piece(at: start)
        guard query.matches(piece.text) else { return nil }
        let hits = rows(piece).enumerated().filter { !query.ranges(in: $0.element).isEmpty }.map(\.offset)
        guard let row else { return forward ? hits.first : hits.last }
        if forward { return hits.first { includesRow ? $0 >= row : $0 > row } }
        return hits.last { includesRow ? $0 <= row : $0 < row }
    }

    // MARK: Looks

    func draw(in body: Rect, marking wanted: String, into buffer: inout CellBuffer) {
        let query = SearchQuery(wanted)
        var row = body.row
        let room = body.columns - 2 * margin
        forEachVisibleRow { place, shown in
            buffer.write(shown, row: row, column: margin, columns: room)
            Self.mark(query, in: shown, row: row, column: margin, columns: room, into: &buffer)
            if place == cursor { buffer.markCursorRow(row) }
            row += 1
        }
    }

    /// The cursor's line, or of a very long one the part around the cursor.
    var lineText: String { text.piece(at: cursor.start).text }

    /// Texts up to this length have their lines counted for the last line of the screen, in bytes.
    private static let counted = 1 << 20

    var hitMark: [Int] { [cursor.start, cursor.row] }

    var positionText: String {
        guard text.count > 0 else { return "" }
        guard text.count > Self.counted else {
            let lines = text.lineFeeds(before: text.count - 1) + 1
            return "line \(Chrome.grouped(text.lineFeeds(before: cursor.start) + 1)) of \(Chrome.grouped(lines))"
        }
        // Of the last row, which may be one of many of its piece, all is read.
        return "\(cursor == last ? 100 : cursor.start / (text.count / 100)) %"
    }
}

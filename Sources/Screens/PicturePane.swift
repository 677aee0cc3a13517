import Fetching
import Foundation
import Presentation
import TerminalUI

/// A picture, as the terminal can show it; what it is, in words, where it cannot.
struct PicturePane: ViewerPane {
    private enum State: Sendable {
        /// To be asked for.
        case wanted
        case asked
        case drawn(DrawnPicture)
    }

    private let format: RecognizedContent.ImageFormat
    private let bytes: Data
    /// `PNG 120×80, 4000 bytes`.
    private let summary: String
    private var size = Size(rows: 0, columns: 0)
    private var state = State.wanted
    /// Why what is drawn may not be the whole picture: lines above it say so.
    private var flaw: String?

    init(_ format: RecognizedContent.ImageFormat, _ bytes: Data, summary: String) {
        self.format = format
        self.bytes = bytes
        self.summary = summary
    }

    mutating func resize(rows: Int, columns: Int) {
        let new = Size(rows: rows, columns: columns)
        if new != size { state = .wanted }
        size = new
    }

    private var margin: Int { Chrome.margin(columns: size.columns) }
    /// At most half of the rows, and a row of the picture always stays.
    private var note: [String] {
        guard let flaw, size.rows > 1 else { return [] }
        return Chrome.problemLines(flaw, columns: size.columns, rows: max(1, size.rows / 2))
    }

    private var noteRows: Int { note.count }
    private var room: Size { Size(rows: size.rows - noteRows, columns: size.columns - 2 * margin) }

    /// What is to be drawn and was not yet asked for.
    mutating func takeOrder() -> PictureOrder? {
        guard case .wanted = state, room.rows > 0, room.columns > 0 else { return nil }
        state = .asked
        return PictureOrder(format: format, bytes: bytes, size: room)
    }

    /// A drawing for some size, which may be one that there is no more.
    mutating func receive(_ picture: DrawnPicture, for size: Size) {
        guard size == room, case .asked = state else { return }
        guard case .incomplete(let drawn, let why) = picture else {
            state = .drawn(picture)
            return
        }
        let isNoted = flaw != nil
        flaw = why
        // The lines that say so take their room from the picture.
        state = isNoted || noteRows == 0 ? .drawn(drawn) : .wanted
    }

    /// The terminal shows pictures in another way than it did.
    mutating func forget() { state = .wanted }

    mutating func perform(_ command: Command) -> PaneOutcome {
        switch command {
        case .moveLeft: .back
        case .open, .moveRight, .toggleSection, .expandAll, .collapseAll: .message("nothing to unfold here")
        default: .ignored
        }
    }

    mutating func scroll(by rows: Int) {}
    mutating func click(row: Int, column: Int, isDouble: Bool) {}
    mutating func goTo(_ typed: String) -> String? { "a picture has no lines (v shows its bytes)" }
    mutating func find(_ text: String, forward: Bool, includesCursor: Bool) -> FindOutcome { .none }

    func draw(in body: Rect, marking text: String, into buffer: inout CellBuffer) {
        var body = body
        let note = note
        Chrome.draw(problemLines: note, in: body, into: &buffer)
        body.row += note.count
        body.rows -= note.count
        switch state {
        case .wanted, .asked: break
        case .drawn(.incomplete): break
        case .drawn(.cells(let cells)): buffer.draw(cells, row: body.row, column: body.column + margin)
        case .drawn(.graphic(let graphic)):
            buffer.graphics.append(PlacedGraphic(graphic, at: Position(row: body.row, column: body.column + margin)))
        case .drawn(.unavailable(let reason)):
            buffer.write(summary, row: body.row, column: margin, columns: room.columns)
            let lines = DisplayText.wrap(reason, columns: max(1, room.columns))
            for (place, line) in lines.prefix(max(0, body.rows - 2)).enumerated() {
                buffer.write(line, row: body.row + 2 + place, column: margin, columns: room.columns, style: Style(.dimmed))
            }
        }
    }

    var lineText: String { summary }

    var hitMark: [Int] { [] }

    var positionText: String {
        switch state {
        case .wanted, .asked: "drawing…"
        case .drawn: flaw ?? ""
        }
    }
}

import TestSupport
import Testing

@testable import TerminalUI

/// The plain model of a buffer: cells that know which piece they belong to; a piece that has lost a cell is gone.
private struct PlainBuffer {
    let size: Size
    var cells: [Cell]
    var owners: [Int]
    var spans: [Int: Int] = [:]
    private var next = 1

    init(size: Size) {
        self.size = size
        cells = Array(repeating: Cell(), count: size.rows * size.columns)
        owners = Array(repeating: 0, count: cells.count)
    }

    mutating func write(_ text: String, row: Int, column: Int, columns: Int, style: Style) -> Int {
        guard row >= 0, row < size.rows, columns > 0, column < size.columns else { return 0 }
        let shown = DisplayText.truncate(text, to: min(columns, size.columns - column))
        var place = column
        for character in shown {
            let cluster = DisplayText.cluster(character)
            for piece in [cluster.first] + cluster.rest {
                put(piece, row: row, column: place, style: style)
                place += piece.width
            }
        }
        return place - column
    }

    mutating func put(_ piece: DisplayCluster.Piece, row: Int, column: Int, style: Style) {
        let places = (column..<column + piece.width).filter { $0 >= 0 && $0 < size.columns }.map { row * size.columns + $0 }
        let isWhole = places.count == piece.width
        for (offset, place) in places.enumerated() {
            owners[place] = next
            cells[place] = Cell(isWhole ? (offset == 0 ? piece.text : "") : " ", style)
        }
        spans[next] = places.count
        next += 1
        for place in cells.indices where owners[place] != 0 {
            let owner = owners[place]
            if owners.filter({ $0 == owner }).count < spans[owner] ?? 0 {
                cells[place].text = " "
                owners[place] = 0
            }
        }
    }
}

@Suite struct CellBufferTests {
    @Test func writingAgainstThePlainModel() {
        var generator = SeededGenerator(seed: 5)
        var texts = TroubleTexts(generator: SeededGenerator(seed: 6))
        for _ in 0..<300 {
            let size = Size(rows: Int.random(in: 1...3, using: &generator), columns: Int.random(in: 1...12, using: &generator))
            var buffer = CellBuffer(size: size)
            var plain = PlainBuffer(size: size)
            for _ in 0..<12 {
                let text = texts.next(parts: 6)
                let row = Int.random(in: -1...3, using: &generator)
                let column = Int.random(in: -4...13, using: &generator)
                let columns = Int.random(in: -1...14, using: &generator)
                let style = Style(Style.Role.allCases.randomElement(using: &generator) ?? .text)
                let used = buffer.write(text, row: row, column: column, columns: columns, style: style)
                #expect(used == plain.write(text, row: row, column: column, columns: columns, style: style))
                #expect(
                    buffer.cells.map(\.text) == plain.cells.map(\.text),
                    "\(text.unicodeScalars.map { $0.value }) \(column) \(columns)")
                #expect(buffer.cells.reduce(0) { $0 + DisplayText.width(of: $1.text) } == buffer.cells.count)
            }
        }
    }

    @Test func writesCutsAndClips() {
        var buffer = CellBuffer(size: Size(rows: 2, columns: 10))
        #expect(buffer.write("Hello, world", row: 0, column: 2, columns: 6) == 6)
        #expect(buffer.write("Hello, world", row: 1, column: 5, columns: 100) == 5)
        #expect(buffer.write("x", row: 2, column: 0, columns: 1) == 0)
        #expect(buffer.write("x", row: 0, column: 10, columns: 1) == 0)
        #expect(buffer.snapshot() == "  Hello…\n     Hell…")
        buffer.write("abc", row: 0, column: -2, columns: 5)
        #expect(buffer.text(row: 0) == "c Hello…  ")
    }

    @Test func halfACoveredWideCharacterBecomesASpace() {
        var buffer = CellBuffer(size: Size(rows: 1, columns: 6))
        buffer.write("世界世", row: 0, column: 0, columns: 6)
        buffer.write("x", row: 0, column: 1, columns: 1)
        #expect(buffer.text(row: 0) == " x界世")
        buffer.write("y", row: 0, column: 2, columns: 1)
        #expect(buffer.text(row: 0) == " xy 世")
        buffer.fill(Rect(row: 0, column: 5, rows: 1, columns: 9), with: "-")
        #expect(buffer.text(row: 0) == " xy  -")
    }

    @Test func fillingIsClippedAndKeepsToOneCell() {
        var buffer = CellBuffer(size: Size(rows: 3, columns: 4))
        buffer.fill(Rect(row: 1, column: 1, rows: 9, columns: 2), with: "#", style: Style(.accent))
        #expect(buffer.snapshot() == "\n ##\n ##")
        #expect(buffer[2, 2]?.style == Style(.accent))
        buffer.fill(Rect(row: -5, column: -5, rows: 6, columns: .max), with: "世")
        buffer.fill(Rect(row: 0, column: 0, rows: 0, columns: 3), with: "!")
        buffer.fill(Rect(row: .max, column: 0, rows: 2, columns: 3), with: "!")
        #expect(buffer.snapshot() == "\n ##\n ##")
        buffer.fill(Rect(row: 0, column: 0, rows: 1, columns: 4), with: "\u{1B}")
        #expect(buffer.text(row: 0) == "␛␛␛␛")
    }

    @Test func restylingTakesWideCharactersWhole() {
        var buffer = CellBuffer(size: Size(rows: 2, columns: 6))
        buffer.write("世界世", row: 0, column: 0, columns: 6)
        buffer.restyle(row: 0, columns: 1..<3) { $0.role = .hit }
        #expect(buffer.styles(row: 0) == "|hhhh")
        buffer.restyle(row: 9, columns: 1..<3) { $0.role = .hit }
        buffer.restyle(row: 1, columns: -4 ..< -1) { $0.role = .hit }
        buffer.markCursorRow(1)
        buffer.markCursorRow(0, from: 4)
        #expect(buffer.styledSnapshot() == "世界世\n~hhhh::\n\n>")
    }

    @Test func drawingCopiesWithStyles() {
        var small = CellBuffer(size: Size(rows: 2, columns: 4))
        small.write("世a", row: 0, column: 0, columns: 4, style: Style(.accent))
        var buffer = CellBuffer(size: Size(rows: 2, columns: 6))
        buffer.draw(small, row: 1, column: 3)
        #expect(buffer.snapshot() == "\n   世a")
        #expect(buffer.styles(row: 1) == "|...aaa")
        buffer.draw(small, row: 1, column: 5)
        #expect(buffer.text(row: 1) == "   世 ")
        #expect(buffer.text(row: 7) == "")
    }

    @Test func nothingFitsInNothing() {
        var buffer = CellBuffer(size: Size(rows: -1, columns: 5))
        buffer.fill(Rect(row: 0, column: 0, rows: 5, columns: 5), with: "x")
        buffer.markCursorRow(0)
        #expect(buffer.write("x", row: 0, column: 0, columns: 5) == 0)
        #expect(buffer.cells.isEmpty && buffer.snapshot() == "")
    }
}

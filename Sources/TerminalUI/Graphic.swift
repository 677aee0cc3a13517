/// A picture that a terminal draws itself, above the cells.
///
/// Compared by identity: it is made once, and frames share it.
package final class Graphic: Sendable, Equatable {
    package enum Content: Sendable {
        /// Red, green, blue and opacity of each pixel, row by row, for terminals that take pixels.
        case pixels(width: Int, height: Int, [UInt8])
        /// Sixel data with their introducer and terminator; nothing in them but printable ASCII besides.
        case sixel([UInt8])
    }

    package let content: Content
    /// The cells that it covers.
    package let size: Size

    package init(_ content: Content, size: Size) {
        self.content = content
        self.size = size
    }

    package static func == (left: Graphic, right: Graphic) -> Bool { left === right }
}

/// A graphic with its place on the screen.
package struct PlacedGraphic: Sendable, Equatable {
    /// The upper left cell.
    package var position: Position
    package var graphic: Graphic

    package init(_ graphic: Graphic, at position: Position) {
        self.graphic = graphic
        self.position = position
    }

    /// The cells that it covers.
    package var rect: Rect {
        Rect(row: position.row, column: position.column, rows: graphic.size.rows, columns: graphic.size.columns)
    }
}

/// How a terminal shows pictures.
package struct TerminalGraphics: Sendable, Equatable {
    package enum Form: Sendable, Equatable {
        /// Not at all: it has no colours.
        case none
        /// Not at all: its character set has no half blocks.
        case noBlocks
        /// By half blocks in so many colours: 8, 16, 256 or 16777216.
        case cells(colors: Int)
        /// The kitty graphics protocol.
        case kitty
        case sixel
    }

    package var form: Form
    /// A cell's size in pixels, or a guess.
    package var cellWidth: Int
    package var cellHeight: Int

    package init(_ form: Form, cellWidth: Int = 8, cellHeight: Int = 16) {
        self.form = form
        self.cellWidth = cellWidth
        self.cellHeight = cellHeight
    }
}

internal import CNcurses
package import TerminalUI

// Pictures: what curses has no notion of is written past it, after the frame, and taken away with the frame that has it no more.
extension NcursesTerminal {
    package func graphics() -> TerminalGraphics {
        if mayAskForGraphics {
            mayAskForGraphics = false
            // Device attributes: number 4 among them is sixel graphics.
            write(Array("\u{1B}[c".utf8))
        }
        var height: Int32 = 0
        var width: Int32 = 0
        guard tl_cell_size(output, &height, &width) == 1 else { return TerminalGraphics(graphicsForm) }
        return TerminalGraphics(graphicsForm, cellWidth: Int(width), cellHeight: Int(height))
    }

    /// Takes note of what the terminal says of itself.
    func learn(_ deviceAttributes: [Int]) {
        guard deviceAttributes.dropFirst().contains(4), graphicsForm != .sixel, graphicsForm != .kitty, !paintsOnlyASCII else {
            return
        }
        graphicsForm = .sixel
        posted.append(.graphicsChanged)
    }

    /// Takes away the graphics that are shown.
    func withdrawGraphics() {
        write(withdrawal(of: shownGraphics))
        for placed in shownGraphics {
            guard case .sixel = placed.graphic.content else { continue }
            let rect = placed.rect
            let rows = max(0, rect.row)..<max(0, rect.row, min(size.rows, rect.row + rect.rows))
            if !rows.isEmpty { wredrawln(tl_stdscr(), Int32(rows.lowerBound), Int32(rows.count)) }
        }
        shownGraphics = []
    }

    /// The number under which the terminal keeps our graphic; there is one at a time.
    private static let graphicNumber = 8_457

    /// What makes the terminal forget graphics; those that are drawn into cells go with the cells.
    func withdrawal(of graphics: [PlacedGraphic]) -> [UInt8] {
        let isKept = graphics.contains { placed in
            if case .pixels = placed.graphic.content { true } else { false }
        }
        return isKept ? Array("\u{1B}_Ga=d,d=I,i=\(Self.graphicNumber),q=2\u{1B}\\".utf8) : []
    }

    /// What draws a graphic at its place.
    static func bytes(of placed: PlacedGraphic) -> [UInt8] {
        let place = Array("\u{1B}[\(placed.position.row + 1);\(placed.position.column + 1)H".utf8)
        switch placed.graphic.content {
        case .sixel(let data): return place + data
        case .pixels(let width, let height, let pixels):
            guard pixels.count == width * height * 4 else { return [] }
            return place + transmission(of: pixels, width: width, height: height, size: placed.graphic.size)
        }
    }

    /// Pixels by the kitty graphics protocol: in Base64, in pieces of at most 4096 characters, no answer wanted (`q`), the cursor
    /// left where it is (`C`).
    private static func transmission(of pixels: [UInt8], width: Int, height: Int, size: Size) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(pixels.count * 4 / 3 + pixels.count / 100)
        let pieceLength = 3072
        for start in stride(from: 0, to: pixels.count, by: pieceLength) {
            let end = min(pixels.count, start + pieceLength)
            let more = end < pixels.count ? 1 : 0
            let keys =
                start == 0
                ? "a=T,f=32,s=\(width),v=\(height),c=\(size.columns),r=\(size.rows),i=\(graphicNumber),q=2,C=1,m=\(more)"
                : "q=2,m=\(more)"
            bytes += "\u{1B}_G\(keys);".utf8
            bytes += Clipboard.base64(Array(pixels[start..<end]))
            bytes += "\u{1B}\\".utf8
        }
        return bytes
    }

    /// What colours the cells of a row that curses has painted without colours.
    func appendOverlay(of cells: ArraySlice<Cell>, row: Int, to bytes: inout [UInt8]) {
        guard !paintsOnlyASCII else { return }
        var column = 0
        var lastColors: CellColors?
        var lastColumn = -2
        for cell in cells {
            defer { column += 1 }
            guard let colors = cell.style.colors, colors.hasRGB, !cell.style.isCursor else { continue }
            if lastColumn != column - 1 { bytes += "\u{1B}[\(row + 1);\(column + 1)H".utf8 }
            if lastColors != colors {
                bytes += "\u{1B}[0\(Self.code(colors.foreground, base: 38))\(Self.code(colors.background, base: 48))m".utf8
                lastColors = colors
            }
            bytes += cell.text.utf8
            lastColumn = column
        }
        guard lastColors != nil else { return }
        bytes += "\u{1B}[0m".utf8
        overlaidRows.insert(row)
    }

    private static func code(_ color: CellColor, base: Int) -> String {
        if let rgb = color.rgbValue { return ";\(base);2;\(rgb >> 16);\(rgb >> 8 & 0xFF);\(rgb & 0xFF)" }
        return color.paletteNumber.map { ";\(base);5;\($0)" } ?? ""
    }
}

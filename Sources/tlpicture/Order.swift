/// What is to be drawn: the program's arguments.
struct Order {
    /// How the terminal shows pictures.
    enum Form: String {
        /// Characters with colours.
        case cells
        /// Pixels, which the caller wraps for the terminal.
        case pixels
        case sixel
    }

    /// The decoder's name for the format of the picture; no other decoder looks at it.
    let format: String
    let form: Form
    /// How many colours a cell may have: 8, 16, 256 or 16777216.
    let colors: Int
    /// The room that there is, in cells.
    let columns: Int
    let rows: Int
    /// A cell's size in pixels.
    let cellWidth: Int
    let cellHeight: Int

    private static let formats: Set<String> = ["png", "jpeg", "gif", "bmp", "tiff", "webp", "heif"]

    /// Nil for what is none.
    init?(_ arguments: ArraySlice<String>) {
        let arguments = Array(arguments)
        let numbers = arguments.dropFirst(2).compactMap { Int($0) }
        guard arguments.count == 7, numbers.count == 5, Self.formats.contains(arguments[0]),
            let form = Form(rawValue: arguments[1]),
            [8, 16, 256, 1 << 24].contains(numbers[0]), (1...1000).contains(numbers[1]), (1...1000).contains(numbers[2]),
            (1...200).contains(numbers[3]), (1...200).contains(numbers[4])
        else { return nil }
        format = arguments[0]
        self.form = form
        (colors, columns, rows, cellWidth, cellHeight) = (numbers[0], numbers[1], numbers[2], numbers[3], numbers[4])
    }

    /// The size at which a picture fits into the room, in pixels of the terminal. One of its pixels is at most one of the terminal's,
    /// so that an icon stays one, or at most as wide as a cell where cells are all that there is.
    func fitting(width: Int, height: Int) -> (width: Int, height: Int) {
        let most = (width: min(columns * cellWidth, Limits.drawnSide), height: min(rows * cellHeight, Limits.drawnSide))
        let largest = form == .cells ? Double(cellWidth) : 1
        let scale = min(largest, Double(most.width) / Double(max(1, width)), Double(most.height) / Double(max(1, height)))
        return (
            max(1, min(most.width, Int((Double(width) * scale).rounded()))),
            max(1, min(most.height, Int((Double(height) * scale).rounded())))
        )
    }
}

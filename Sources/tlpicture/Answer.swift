import Glibc

/// What is printed: a line of words that says what follows, then bytes. After the numbers of a drawing, `truncated` or `damaged`
/// says that it may not be the whole picture.
enum Answer {
    /// `cells COLUMNS ROWS`, then for each cell, row by row, three 32-bit numbers, least byte first: the character's scalar, its
    /// colour and that behind it, 0xFFFFFFFF for the terminal's own. Of 256 colours or fewer a colour is its number, else
    /// red << 16 | green << 8 | blue.
    case cells(columns: Int, rows: Int, [UInt32])
    /// `pixels WIDTH HEIGHT`, then red, green, blue and opacity of each pixel, row by row.
    case pixels(width: Int, height: Int, [UInt8])
    /// `sixel WIDTH HEIGHT`, then what a terminal with sixel graphics draws.
    case sixel(width: Int, height: Int, [UInt8])
    /// `fault WHY`
    case fault(String)

    /// - Returns: whether all of it was taken.
    func write(_ flaw: Bitmap.Flaw?) -> Bool {
        let note = flaw.map { " \($0.rawValue)" } ?? ""
        switch self {
        case .cells(let columns, let rows, let numbers):
            var bytes = Array("cells \(columns) \(rows)\(note)\n".utf8)
            bytes.reserveCapacity(bytes.count + numbers.count * 4)
            for number in numbers { withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) } }
            return Self.write(bytes)
        case .pixels(let width, let height, let pixels):
            return Self.write(Array("pixels \(width) \(height)\(note)\n".utf8) + pixels)
        case .sixel(let width, let height, let bytes): return Self.write(Array("sixel \(width) \(height)\(note)\n".utf8) + bytes)
        case .fault(let reason): return Self.write(Array("fault \(reason)\n".utf8))
        }
    }

    private static func write(_ bytes: [UInt8]) -> Bool {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { raw in
                Glibc.write(STDOUT_FILENO, raw.baseAddress?.advanced(by: done), raw.count - done)
            }
            if count > 0 { done += count } else if errno != EINTR { return false }
        }
        return true
    }
}

/// What a terminal shows of the bytes that a program writes to it: as much of xterm as ncurses uses.
struct TerminalScreen {
    private enum State {
        case text
        case escape
        /// Parameters and intermediate bytes so far.
        case control([UInt8])
        /// A string that ends with BEL or ST, such as a title.
        case string(afterEscape: Bool)
        /// A character set is named: one more byte.
        case designation
    }

    private(set) var lines: [[Unicode.Scalar]]
    private let columns: Int
    private var row = 0
    private var column = 0
    private var region: ClosedRange<Int>
    private var state = State.text
    private var pending: [UInt8] = []
    private var last: Unicode.Scalar = " "

    init(rows: Int, columns: Int) {
        self.columns = columns
        lines = Array(repeating: Array(repeating: " ", count: columns), count: rows)
        region = 0...(rows - 1)
    }

    /// Lines from the top, without what is blank at their ends.
    var text: String {
        lines.map { line in
            var line = line[...]
            while line.last == " " { line.removeLast() }
            return String(String.UnicodeScalarView(line))
        }.joined(separator: "\n")
    }

    /// Whether a line shows a text; looked for often, so by scalars.
    func shows(_ text: String) -> Bool {
        let wanted = Array(text.unicodeScalars)
        guard let first = wanted.first else { return true }
        return lines.contains { line in
            line.indices.dropLast(wanted.count - 1).contains {
                line[$0] == first && line[$0..<($0 + wanted.count)].elementsEqual(wanted)
            }
        }
    }

    mutating func feed(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { feed(byte) }
    }

    private mutating func feed(_ byte: UInt8) {
        switch state {
        case .text: plain(byte)
        case .escape: escape(byte)
        case .designation: state = .text
        case .control(var parameters):
            guard byte < 0x40 else {
                state = .text
                control(byte, parameters)
                return
            }
            parameters.append(byte)
            state = .control(parameters)
        case .string(let afterEscape):
            state = byte == 0x07 || (afterEscape && byte == 0x5C) ? .text : .string(afterEscape: byte == 0x1B)
        }
    }

    private mutating func plain(_ byte: UInt8) {
        switch byte {
        case 0x1B: state = .escape
        case 0x08: column = max(0, column - 1)
        case 0x09: column = min(columns - 1, (column / 8 + 1) * 8)
        case 0x0A: lineFeed()
        case 0x0D: column = 0
        case 0..<0x20, 0x7F: break
        case 0x20..<0x7F: put(Unicode.Scalar(byte))
        default:
            pending.append(byte)
            let length = pending[0] >= 0xF0 ? 4 : pending[0] >= 0xE0 ? 3 : 2
            guard pending.count >= length else { return }
            for scalar in String(decoding: pending, as: UTF8.self).unicodeScalars { put(scalar) }
            pending = []
        }
    }

    private mutating func escape(_ byte: UInt8) {
        state = .text
        switch byte {
        case UInt8(ascii: "["): state = .control([])
        case UInt8(ascii: "]"), UInt8(ascii: "P"): state = .string(afterEscape: false)
        case UInt8(ascii: "("), UInt8(ascii: ")"): state = .designation
        case UInt8(ascii: "M"): if row == region.lowerBound { scroll(-1) } else { row = max(0, row - 1) }
        case UInt8(ascii: "D"): lineFeed()
        default: break
        }
    }

    private mutating func control(_ final: UInt8, _ bytes: [UInt8]) {
        // Private modes and the like change nothing that is read here.
        guard bytes.first.map({ $0 >= 0x30 && $0 < 0x3C }) ?? true else { return }
        let numbers = bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
            .map { Int(String(decoding: $0, as: UTF8.self)) ?? 0 }
        let first = numbers.first ?? 0
        let count = max(1, first)
        let second = numbers.count > 1 ? numbers[1] : 0
        switch Unicode.Scalar(final) {
        case "H", "f": (row, column) = (clamped(max(1, first) - 1), min(columns - 1, max(1, second) - 1))
        case "A": row = clamped(row - count)
        case "B": row = clamped(row + count)
        case "C": column = min(columns - 1, column + count)
        case "D": column = max(0, column - count)
        case "G": column = min(columns - 1, count - 1)
        case "d": row = clamped(count - 1)
        case "J": erase(first)
        case "K": eraseLine(first)
        case "X": fill(column..<min(columns, column + count))
        case "P": edit { $0.removeSubrange($1..<min($0.count, $1 + count)) }
        case "@": edit { $0.insert(contentsOf: Array(repeating: " ", count: count), at: $1) }
        case "b": for _ in 0..<min(count, columns) { put(last) }
        case "L": move(from: row, by: -count)
        case "M": move(from: row, by: count)
        case "S": scroll(count)
        case "T": scroll(-count)
        case "r":
            let bottom = second == 0 ? lines.count : min(second, lines.count)
            if count <= bottom { region = (count - 1)...(bottom - 1) }
            (row, column) = (0, 0)
        default: break
        }
    }

    private func clamped(_ row: Int) -> Int { max(0, min(lines.count - 1, row)) }

    private mutating func put(_ scalar: Unicode.Scalar) {
        if column >= columns {
            column = 0
            lineFeed()
        }
        lines[row][column] = scalar
        last = scalar
        column += 1
    }

    private mutating func lineFeed() {
        if row == region.upperBound { scroll(1) } else { row = clamped(row + 1) }
    }

    private mutating func fill(_ range: Range<Int>) {
        for place in range where place < columns { lines[row][place] = " " }
    }

    private mutating func eraseLine(_ mode: Int) {
        let here = min(column, columns)
        fill(mode == 0 ? here..<columns : mode == 1 ? 0..<min(columns, here + 1) : 0..<columns)
    }

    private mutating func erase(_ mode: Int) {
        if mode < 2 { eraseLine(mode) }
        for other in lines.indices where mode >= 2 || (mode == 0 ? other > row : other < row) { clear(other) }
    }

    private mutating func clear(_ row: Int) { lines[row] = Array(repeating: " ", count: columns) }

    private mutating func edit(_ change: (inout [Unicode.Scalar], Int) -> Void) {
        change(&lines[row], min(column, columns - 1))
        lines[row] = Array((lines[row] + Array(repeating: " ", count: columns)).prefix(columns))
    }

    private mutating func scroll(_ count: Int) { move(from: region.lowerBound, by: count) }

    /// Moves lines of the region up, or down where negative.
    private mutating func move(from top: Int, by count: Int) {
        guard region.contains(top) else { return }
        let old = lines
        for place in top...region.upperBound {
            let from = place + count
            if (top...region.upperBound).contains(from) { lines[place] = old[from] } else { clear(place) }
        }
    }
}

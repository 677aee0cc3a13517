import Glibc
import ObjectStore

/// The records of delimiter-separated text (RFC 4180), one after another, from a window that moves over the document.
final class CSVScanner {
    typealias Bytes = UnsafeBufferPointer<UInt8>

    struct Cell {
        /// In the window, or in the arena.
        var offset: Int
        var count: Int
        var isQuoted = false
        var isInArena = false
    }

    private let input: DocumentInput
    let delimiter: UInt8
    private var window: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private var position = 0
    private var end = 0
    private var windowStart = 0
    private var isAtEnd = false
    /// Quoted cells whose text is not in the document as it is.
    private let arena = ByteArena(limit: 1 << 28)

    /// The last record's cells.
    private(set) var cells: [Cell] = []
    /// The line that the last record begins in, 1-based.
    private(set) var line = 1
    private var nextLine = 1
    /// What is wrong with the last record's quotes; nil: nothing.
    private(set) var quoteFault: String?

    /// Longest record in bytes; a quoted cell that goes on beyond is taken for one that does not end.
    static let recordLimit = 16 << 20

    init(_ input: DocumentInput, delimiter: UInt8, windowSize: Int = 1 << 18) {
        self.input = input
        self.delimiter = delimiter
        capacity = max(16, windowSize)
        window = .allocate(capacity: capacity)
    }

    deinit { window.deallocate() }

    /// A cell's text; valid until the next record.
    func bytes(_ cell: Cell) -> Bytes {
        Bytes(
            rebasing: (cell.isInArena ? arena.bytes : Bytes(start: window, count: end))[cell.offset..<(cell.offset + cell.count)])
    }

    /// The text from one cell to the end of the record, as it stands in the document if it can be had; valid until the next record.
    func rest(from index: Int, isWindows1252: Bool) -> String {
        cells[index...].map { isWindows1252 ? Windows1252.text(bytes($0)) : String(decoding: bytes($0), as: UTF8.self) }
            .joined(separator: String(UnicodeScalar(delimiter)))
    }

    /// Goes to the next record that is not an empty line; false at the end.
    func next() throws(ReadingFault) -> Bool {
        if windowStart == 0, position == 0, end == 0 {
            try fill()
            if end >= 3, window[0] == 0xEF, window[1] == 0xBB, window[2] == 0xBF { position = 3 }
        }
        while true {
            line = nextLine
            if position == end {
                if isAtEnd { return false }
                try fill()
                if position == end { return false }
            }
            guard let next = parse() else {
                try fill()
                continue
            }
            position = next
            if cells.count == 1, cells[0].count == 0, !cells[0].isQuoted { continue }
            return true
        }
    }

    /// Reads more behind what is there; room is made by moving what is not read yet to the front, or by growing.
    private func fill() throws(ReadingFault) {
        let left = end - position
        if position > 0 {
            memmove(window, window + position, left)
            windowStart += position
            position = 0
            end = left
        } else if end == capacity {
            let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * 2)
            memcpy(larger, window, end)
            window.deallocate()
            window = larger
            capacity *= 2
        }
        let room = UnsafeMutableRawBufferPointer(start: window + end, count: capacity - end)
        let count = try input.read(at: windowStart + end, into: room)
        isAtEnd = count < room.count
        end += count
    }

    // MARK: One record

    /// Finds the cells of the record at `position`; where it ends, or nil if more has to be read first.
    private func parse() -> Int? {
        cells.removeAll(keepingCapacity: true)
        arena.clear()
        quoteFault = nil
        nextLine = line
        var at = position
        while true {
            if let quote = openingQuote(at) {
                switch quoted(quote, cell: at) {
                case .cell(let cell, let next):
                    cells.append(cell)
                    at = next
                case .more: return nil
                case .literal:
                    guard let next = plain(at) else { return nil }
                    at = next
                }
            } else {
                guard let next = plain(at) else { return nil }
                at = next
            }
            // `at` stands on what ends the cell, or on the end of the document.
            guard at < end else { return isAtEnd ? at : nil }
            if window[at] == delimiter {
                at &+= 1
                continue
            }
            if window[at] == UInt8(ascii: "\r") {
                if at + 1 == end, !isAtEnd { return nil }
                if at + 1 < end, window[at + 1] == UInt8(ascii: "\n") { at &+= 1 }
            }
            nextLine &+= 1
            return at + 1
        }
    }

    /// Where the cell's quote stands, if it begins with one, be it after spaces.
    private func openingQuote(_ start: Int) -> Int? {
        var at = start
        while at < end, window[at] == UInt8(ascii: " "), at - start < 64 { at &+= 1 }
        guard at < end, window[at] == UInt8(ascii: "\""), delimiter != UInt8(ascii: " ") else { return nil }
        return at
    }

    /// A cell without quotes of its own; where it ends.
    private func plain(_ start: Int) -> Int? {
        var at = start
        let delimiter = delimiter
        let end = end
        while at < end {
            let byte = window[at]
            if byte == delimiter || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { break }
            at &+= 1
        }
        if at == end, !isAtEnd, at - position < CSVScanner.recordLimit { return nil }
        cells.append(Cell(offset: start, count: at - start))
        return at
    }

    private enum Quoted {
        case cell(Cell, next: Int)
        case more
        /// The quote opens nothing: it is a character like others.
        case literal
    }

    private func quoted(_ quote: Int, cell start: Int) -> Quoted {
        if quote > start { quoteFault = "a space stands before a quote" }
        var at = quote + 1
        var part = at
        var lines = 0
        let first = arena.count
        var usesArena = false
        func content(_ upTo: Int) -> Cell {
            if !usesArena { return Cell(offset: quote + 1, count: upTo - quote - 1, isQuoted: true) }
            arena.append(Bytes(start: window + part, count: upTo - part))
            return Cell(offset: first, count: arena.count - first, isQuoted: true, isInArena: true)
        }
        while true {
            while at < end, window[at] != UInt8(ascii: "\"") {
                if window[at] == UInt8(ascii: "\n") { lines &+= 1 }
                at &+= 1
            }
            if at == end {
                if !isAtEnd, at - position < CSVScanner.recordLimit { return .more }
                quoteFault = "a quote is opened and not closed"
                return .literal
            }
            if at + 1 == end, !isAtEnd { return .more }
            guard at + 1 < end, !isEnd(window[at + 1]) else {
                nextLine &+= lines
                return .cell(content(at), next: at + 1)
            }
            if window[at + 1] == UInt8(ascii: "\"") {
                usesArena = true
                arena.append(Bytes(start: window + part, count: at + 1 - part))
                at &+= 2
                part = at
                continue
            }
            // Something stands behind the closing quote.
            if lines > 0 {
                quoteFault = "a quote is opened and not closed"
                return .literal
            }
            var stop = at + 1
            while stop < end, !isEnd(window[stop]) { stop &+= 1 }
            if stop == end, !isAtEnd, stop - position < CSVScanner.recordLimit { return .more }
            var tail = stop
            while tail > at + 1, window[tail - 1] == UInt8(ascii: " ") { tail &-= 1 }
            if tail == at + 1 { return .cell(content(at), next: stop) }
            quoteFault = "text stands behind a closing quote"
            if window[tail - 1] == UInt8(ascii: "\"") {
                // "He said "yes"", with quotes inside that are not doubled: all up to the last one.
                return .cell(content(tail - 1), next: stop)
            }
            let inside = content(at)
            if !usesArena { arena.append(Bytes(start: window + quote + 1, count: inside.count)) }
            arena.append(Bytes(start: window + at + 1, count: stop - at - 1))
            return .cell(Cell(offset: first, count: arena.count - first, isQuoted: true, isInArena: true), next: stop)
        }
    }

    private func isEnd(_ byte: UInt8) -> Bool {
        byte == delimiter || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }
}

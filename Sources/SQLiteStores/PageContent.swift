import ObjectStore

/// What stands on a page of a table's tree ([file format](https://www.sqlite.org/fileformat2.html), section 1.6).
///
/// Nothing on the page is believed: what does not fit on it is not read. Valid as long as the bytes are.
struct PageContent {
    enum Kind {
        case leaf
        case interior
        case other
    }

    /// A row on a leaf.
    struct Cell {
        var key: ObjectKey
        /// Where its record begins on the page.
        var place: Int32
        /// So many bytes of the record are on the page, and so many it has.
        var localSize: Int32
        var size: Int32
    }

    /// A page below another one, and the keys that may be there.
    struct Child {
        var page: UInt32
        var range: ClosedRange<ObjectKey>
    }

    /// SQLite's own limit on the depth of a tree.
    static let mostLevels = 20

    private let bytes: UnsafeRawBufferPointer
    private let usableSize: Int
    private let start: Int
    let kind: Kind

    /// - Parameters:
    ///   - bytes: all of the page.
    ///   - usableSize: without what extensions keep at its end; not more than there are bytes, and 480 or more.
    init(_ bytes: UnsafeRawBufferPointer, isFirst: Bool, usableSize: Int) {
        self.bytes = bytes
        self.usableSize = usableSize
        start = isFirst ? 100 : 0
        switch bytes[start] {
        case 0x0D: kind = .leaf
        case 0x05: kind = .interior
        default: kind = .other
        }
    }

    private var cellCount: Int { twoBytes(start + 3) }
    /// The end of the pointers to the cells.
    private var pointersEnd: Int { start + (kind == .leaf ? 8 : 12) + 2 * cellCount }

    /// Numbers that have to be on the page.
    private func twoBytes(_ place: Int) -> Int { Int(bytes[place]) << 8 | Int(bytes[place + 1]) }
    private func fourBytes(_ place: Int) -> UInt32 { UInt32(twoBytes(place)) << 16 | UInt32(twoBytes(place + 2)) }

    /// Where a cell begins; nil where that is not on the page.
    private func cell(_ index: Int) -> Int? {
        let pointer = start + (kind == .leaf ? 8 : 12) + 2 * index
        guard pointer + 2 <= usableSize else { return nil }
        let place = twoBytes(pointer)
        return place < usableSize ? place : nil
    }

    /// A number of one to nine bytes, and where it ends; nil where it goes over the end of the page.
    @inline(__always)
    private func variableNumber(_ place: Int) -> (number: UInt64, end: Int)? {
        PageContent.variableNumber(bytes, place, end: usableSize)
    }

    /// A number of one to nine bytes, and where it ends; nil where that is behind `end`, which has to be within the bytes.
    @inline(__always)
    static func variableNumber(_ bytes: UnsafeRawBufferPointer, _ start: Int, end: Int) -> (number: UInt64, end: Int)? {
        var number: UInt64 = 0
        var place = start
        while place < end {
            let byte = bytes[place]
            place &+= 1
            if place &- start == 9 { return (number << 8 | UInt64(byte), place) }
            number = number << 7 | UInt64(byte & 0x7F)
            if byte < 0x80 { return (number, place) }
        }
        return nil
    }

    /// Whether a row of a leaf may go on in other pages.
    var hasLongRows: Bool {
        let most = UInt64(usableSize - 35)
        for index in 0..<cellCount {
            guard let place = cell(index), let size = variableNumber(place)?.number, size <= most else { return true }
        }
        return false
    }

    /// The pages below an interior page, each with the last key that may be there; nil for that of the last page; nil at all where
    /// they do not fit.
    var children: [(page: UInt32, end: ObjectKey?)]? {
        var children: [(page: UInt32, end: ObjectKey?)] = []
        children.reserveCapacity(cellCount + 1)
        for index in 0..<cellCount {
            guard let place = cell(index), place + 4 < usableSize, let key = variableNumber(place + 4)?.number else { return nil }
            children.append((fourBytes(place), ObjectKey(bitPattern: key)))
        }
        children.append((fourBytes(start + 8), nil))
        return children
    }

    /// The most cells that fit on a page: each takes six bytes or more, with its pointer.
    static func mostCells(usableSize: Int) -> Int { (usableSize - 8) / 6 }

    /// The pages below an interior page, each with the keys that may be there.
    ///
    /// - Parameter range: the keys that may be below the page.
    /// - Returns: nil where SQLite would find fault with the page, or the keys do not ascend within the range.
    func children(of range: ClosedRange<ObjectKey>) -> [Child]? {
        let count = cellCount
        let first = pointersEnd
        guard count > 0, count <= Self.mostCells(usableSize: usableSize), let children else { return nil }
        var ranges: [Child] = []
        ranges.reserveCapacity(children.count)
        var low = range.lowerBound
        for (index, child) in children.enumerated() {
            guard let end = child.end else {
                ranges.append(Child(page: child.page, range: low...range.upperBound))
                break
            }
            guard let place = cell(index), place >= first, end >= low, end < range.upperBound else { return nil }
            ranges.append(Child(page: child.page, range: low...end))
            low = end + 1
        }
        return ranges
    }

    /// The rows of a leaf, in the order of their keys.
    ///
    /// - Parameters:
    ///   - range: the keys that may be on the page.
    ///   - cells: has room for as many as fit on a page.
    /// - Returns: how many; nil where SQLite would find fault with the page, where keys do not ascend within the range, and where a row
    ///   is longer than 2 GB.
    func cells(of range: ClosedRange<ObjectKey>, into cells: UnsafeMutablePointer<Cell>) -> Int? {
        let count = cellCount
        let first = pointersEnd
        let most = usableSize - 35
        guard count <= Self.mostCells(usableSize: usableSize) else { return nil }
        var least = range.lowerBound
        for index in 0..<count {
            let start = twoBytes(start + 8 + 2 * index)
            guard start >= first, start <= usableSize - 4, let size = variableNumber(start), size.number < 1 << 31,
                let key = variableNumber(size.end)
            else { return nil }
            let whole = Int(size.number)
            let local = whole <= most ? whole : localSize(whole)
            guard key.end + local + (local < whole ? 4 : 0) <= usableSize else { return nil }
            let number = ObjectKey(bitPattern: key.number)
            guard number >= least, number <= range.upperBound else { return nil }
            // No key is behind the last one there may be, and so no further row.
            guard number < .max || index == count - 1 else { return nil }
            least = number < .max ? number + 1 : number
            cells[index] = Cell(
                key: number, place: Int32(truncatingIfNeeded: key.end), localSize: Int32(truncatingIfNeeded: local),
                size: Int32(truncatingIfNeeded: whole))
        }
        return count
    }

    /// So many bytes of a record that goes on in other pages are on the leaf.
    private func localSize(_ size: Int) -> Int {
        let least = (usableSize - 12) * 32 / 255 - 23
        let local = least + (size - least) % (usableSize - 4)
        return local <= usableSize - 35 ? local : least
    }

    /// A number of all bytes, not zero: four sums side by side, as one waits for its multiplications.
    var sum: UInt64 {
        var sums: (UInt64, UInt64, UInt64, UInt64) = (1, 2, 3, 4)
        let prime: UInt64 = 0x9E37_79B9_7F4A_7C15
        func mixed(_ sum: UInt64, _ place: Int) -> UInt64 {
            let word = (sum ^ bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)) &* prime
            return word ^ word >> 32
        }
        // A page has at least 512 bytes, and twice as many or more.
        for place in stride(from: 0, to: bytes.count - 31, by: 32) {
            sums = (mixed(sums.0, place), mixed(sums.1, place + 8), mixed(sums.2, place + 16), mixed(sums.3, place + 24))
        }
        var all: UInt64 = 0
        for sum in [sums.0, sums.1, sums.2, sums.3] {
            all = (all ^ sum) &* prime
            all ^= all >> 29
        }
        return all == 0 ? 1 : all
    }
}

import ObjectStore

/// Goes through the leaves of a table's tree, and finds a number for the bytes of each.
///
/// A leaf holds the rows of a range of keys. Where its bytes are the same, so are its rows, unless a value goes on in other pages:
/// such leaves get no number. Neither do those whose image is in the log, nor those that a page above them may lead to another way
/// now, as it has been written since the pages were looked at. This costs a copy and a sum of the pages, some tenth of reading the
/// rows.
struct TableLeaves {
    private let pages: DatabasePages
    private let goesOn: () throws(StoreError) -> Bool
    private var ranges = KeyRangeVersions()
    private var readPages = 0
    /// What was found before, and how much of it lies behind.
    private let old: KeyRangeVersions
    private var oldPlace = 0

    /// SQLite's own limit on the depth of a tree.
    private static let mostLevels = 20

    /// Reads the tree below a page.
    ///
    /// - Parameters:
    ///   - old: what was found before; it spares a closer look at leaves that are the same.
    ///   - goesOn: is asked now and then; false ends the reading.
    /// - Returns: the ranges of the leaves; nil where the reading was ended, and where it is no table's tree, or does not fit.
    static func ranges(
        below root: UInt32, in pages: DatabasePages, since old: KeyRangeVersions?, goesOn: @escaping () throws(StoreError) -> Bool
    ) throws(StoreError) -> KeyRangeVersions? {
        var leaves = TableLeaves(pages: pages, old: old ?? KeyRangeVersions(), goesOn: goesOn)
        var bytes = [UInt8](repeating: 0, count: pages.pageSize)
        return try leaves.read(root, upTo: ObjectKey.max, level: 0, isKnown: true, &bytes) ? leaves.ranges : nil
    }

    /// Reads the tree of a table, and those of others that its rows are put together with.
    ///
    /// - Returns: as for one tree; the ranges are other ones where the bytes of any other tree are.
    static func ranges(
        of tables: PlanTables, in pages: DatabasePages, since old: KeyRangeVersions?,
        goesOn: @escaping () throws(StoreError) -> Bool
    ) throws(StoreError) -> KeyRangeVersions? {
        guard var ranges = try ranges(below: tables.rows, in: pages, since: old, goesOn: goesOn) else { return nil }
        for root in tables.others {
            guard let other = try Self.ranges(below: root, in: pages, since: nil, goesOn: goesOn) else { return nil }
            let all = other.all
            ranges.others = all == 0 || ranges.others == 0 ? 0 : max(1, (ranges.others &* 31) ^ all)
        }
        return ranges
    }

    private init(pages: DatabasePages, old: KeyRangeVersions, goesOn: @escaping () throws(StoreError) -> Bool) {
        self.pages = pages
        self.old = old
        self.goesOn = goesOn
    }

    /// - Parameter isKnown: whether the pages above are what they were.
    private mutating func read(
        _ page: UInt32, upTo end: ObjectKey, level: Int, isKnown: Bool, _ bytes: inout [UInt8]
    ) throws(StoreError) -> Bool {
        readPages += 1
        // A page that stands in the tree twice would have it go on for ever.
        guard level < Self.mostLevels, readPages <= pages.pageCount else { return false }
        if readPages % 64 == 0 { guard try goesOn() else { return false } }
        guard let isFromLog = pages.read(page, into: &bytes) else { return false }
        let isKnown = isKnown && !pages.isWritten(page)
        let content = PageContent(bytes, isFirst: page == 1, usableSize: pages.usableSize)
        switch content.kind {
        case .leaf:
            return ranges.append(upTo: end, number: isKnown && !isFromLog ? number(of: content, upTo: end) : 0)
        case .interior:
            guard let children = content.children else { return false }
            for child in children {
                // The divider of the last child is that of this page.
                let end = child.end ?? end
                guard try read(child.page, upTo: end, level: level + 1, isKnown: isKnown, &bytes) else { return false }
            }
            return true
        case .other: return false
        }
    }

    /// Where the bytes are what they were, so is the answer whether all rows are on the leaf, which costs more than their sum.
    private mutating func number(of leaf: PageContent, upTo end: ObjectKey) -> UInt64 {
        let sum = leaf.sum
        while oldPlace < old.ends.count, old.ends[oldPlace] < end { oldPlace += 1 }
        if oldPlace < old.ends.count, old.numbers[oldPlace] == sum { return sum }
        return leaf.hasLongRows ? 0 : sum
    }
}

/// What stands on a page of a table's tree ([file format](https://www.sqlite.org/fileformat2.html), section 1.6).
private struct PageContent {
    enum Kind {
        case leaf
        case interior
        case other
    }

    private let bytes: [UInt8]
    private let usableSize: Int
    private let start: Int
    let kind: Kind

    init(_ bytes: [UInt8], isFirst: Bool, usableSize: Int) {
        self.bytes = bytes
        self.usableSize = usableSize
        start = isFirst ? 100 : 0
        switch bytes[start] {
        case 0x0D: kind = .leaf
        case 0x05: kind = .interior
        default: kind = .other
        }
    }

    private var cellCount: Int { bytes.bigEndian(at: start + 3, size: 2) }

    /// Where a cell begins; nil where that is not on the page.
    private func cell(_ index: Int) -> Int? {
        let pointer = start + (kind == .leaf ? 8 : 12) + 2 * index
        guard pointer + 2 <= usableSize else { return nil }
        let place = bytes.bigEndian(at: pointer, size: 2)
        return place < usableSize ? place : nil
    }

    /// A number of one to nine bytes; nil where it goes over the end of the page.
    private func variableNumber(_ place: Int) -> UInt64? {
        var number: UInt64 = 0
        for step in 0..<9 {
            guard place + step < usableSize else { return nil }
            let byte = bytes[place + step]
            if step == 8 { return number << 8 | UInt64(byte) }
            number = number << 7 | UInt64(byte & 0x7F)
            if byte < 0x80 { return number }
        }
        return nil
    }

    /// Whether a row of a leaf may go on in other pages.
    var hasLongRows: Bool {
        let most = UInt64(usableSize - 35)
        for index in 0..<cellCount {
            guard let place = cell(index), let size = variableNumber(place), size <= most else { return true }
        }
        return false
    }

    /// The pages below an interior page, each with the last key that may be there; nil for that of the last page; nil at all where
    /// they do not fit.
    var children: [(page: UInt32, end: ObjectKey?)]? {
        var children: [(page: UInt32, end: ObjectKey?)] = []
        for index in 0..<cellCount {
            guard let place = cell(index), place + 4 < usableSize, let key = variableNumber(place + 4) else { return nil }
            children.append((UInt32(truncatingIfNeeded: bytes.bigEndian(at: place, size: 4)), ObjectKey(bitPattern: key)))
        }
        children.append((UInt32(truncatingIfNeeded: bytes.bigEndian(at: start + 8, size: 4)), nil))
        return children
    }

    /// A number of all bytes, not zero: four sums side by side, as one waits for its multiplications.
    var sum: UInt64 {
        bytes.withUnsafeBytes { bytes in
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
}

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
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: pages.pageSize, alignment: 8)
        defer { bytes.deallocate() }
        return try leaves.read(root, upTo: ObjectKey.max, level: 0, isKnown: true, bytes) ? leaves.ranges : nil
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

    /// - Parameters:
    ///   - isKnown: whether the pages above are what they were.
    ///   - bytes: room for a page; what was there before is not needed any more.
    private mutating func read(
        _ page: UInt32, upTo end: ObjectKey, level: Int, isKnown: Bool, _ bytes: UnsafeMutableRawBufferPointer
    ) throws(StoreError) -> Bool {
        readPages += 1
        // A page that stands in the tree twice would have it go on for ever.
        guard level < PageContent.mostLevels, readPages <= pages.pageCount else { return false }
        if readPages % 64 == 0 { guard try goesOn() else { return false } }
        guard let isFromLog = pages.read(page, into: bytes) else { return false }
        let isKnown = isKnown && !pages.isWritten(page)
        let content = PageContent(UnsafeRawBufferPointer(bytes), isFirst: page == 1, usableSize: pages.usableSize)
        switch content.kind {
        case .leaf:
            return ranges.append(upTo: end, number: isKnown && !isFromLog ? number(of: content, upTo: end) : 0)
        case .interior:
            guard let children = content.children else { return false }
            for child in children {
                // The divider of the last child is that of this page.
                let end = child.end ?? end
                guard try read(child.page, upTo: end, level: level + 1, isKnown: isKnown, bytes) else { return false }
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

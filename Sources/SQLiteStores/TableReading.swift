import CSQLite
import ObjectStore

/// The rows of a table from its pages, taken apart here, within one reading transaction.
///
/// Only what is plain is read so: what lies in the log, goes on in other pages, or does not look as it should is left to SQLite, which
/// then finds out what there is to be found. Whoever writes cannot change the pages meanwhile: a page of the file stays as it is while
/// a transaction reads, in rollback mode because of its lock, beside a log because only images from before the transaction may be
/// written back, and a page with an image in the log is not read here at all.
final class TableReading {
    /// How a reading came to its end.
    enum End: Equatable {
        case whole
        /// The receiver wants no more.
        case done
        /// It was to pause; the next key.
        case paused(ObjectKey)
        /// These rows have to be read by SQLite; then those behind them from pages again.
        case left(ClosedRange<ObjectKey>)
        /// All that is left has to be read by SQLite.
        case over
    }

    private let layout: RecordLayout
    private let pages: DatabasePages
    /// The number of pages, as SQLite counts them.
    private let pageCount: Int
    private let records: RecordReader
    /// Rows are those of the plan with one of these numbers in the last column of the layout; nil: all.
    private let numbers: [Int64]?
    private let cells: UnsafeMutablePointer<PageContent.Cell>
    private let ahead: PagesAhead
    private let counts: PageCounts

    /// Through a longer log it goes faster by itself.
    private static let mostImages = 8192
    /// Longer rows are longer than SQLite may be asked for (`Connection`).
    private static let mostBytes: Int32 = 1 << 28
    /// SQLite has its locks there, and no page.
    private static let lockPlace = 0x4000_0000

    /// Begins a reading in the transaction that is open.
    ///
    /// - Returns: nil where SQLite has to read the rows by itself.
    /// - Throws: `busy`.
    init?(_ plan: FetchPlan, _ connection: Connection, known: RecordLayout?, counts: PageCounts) throws(StoreError) {
        guard let sql = plan.pageSQL else { return nil }
        let begun: (layout: RecordLayout, pageCount: Int)?
        do throws(StoreError) { begun = try Self.begin(sql, connection, known) } catch {
            guard error.cause == .busy else { return nil }
            throw error
        }
        guard let begun, let pages = DatabasePages(connection, hasLog: true, mostImages: Self.mostImages) else { return nil }
        layout = begun.layout
        pageCount = begun.pageCount
        self.pages = pages
        self.counts = counts
        numbers = plan.pageNumbers
        records = RecordReader(layout)
        cells = .allocate(capacity: PageContent.mostCells(usableSize: pages.usableSize))
        ahead = PagesAhead(pages)
    }

    deinit { cells.deallocate() }

    /// What the reading goes by, for the next one.
    var knownLayout: RecordLayout { layout }

    private static func begin(
        _ sql: String, _ connection: Connection, _ known: RecordLayout?
    ) throws(StoreError) -> (layout: RecordLayout, pageCount: Int)? {
        // The first reading begins the transaction, and has SQLite read the schema where that is another one.
        func number(_ sql: String) throws(StoreError) -> Int64? { try connection.rows(sql, limit: 1) { $0.integer(0) }.first }
        _ = try number("SELECT 1 FROM main.sqlite_schema LIMIT 1")
        guard sqlite3_txn_state(connection.handle, "main") != SQLITE_TXN_NONE,
            let schema = try number("PRAGMA main.schema_version"), let count = try number("PRAGMA main.page_count"),
            let pageCount = Int(exactly: count)
        else { return nil }
        if let known, known.schemaNumber == schema { return (known, pageCount) }
        guard try connection.rows("PRAGMA encoding", { $0.text(0) }) == ["UTF-8"],
            let layout = try RecordLayout(connection, sql), layout.schemaNumber == schema
        else { return nil }
        return (layout, pageCount)
    }

    /// Reads a range of keys.
    ///
    /// - Parameters:
    ///   - receiver: expects the range.
    ///   - look: is called where the receiver, or many rows that are not wanted, ask for it; says whether to pause.
    func read(
        _ range: ClosedRange<ObjectKey>, into receiver: RowReceiver, look: () throws(StoreError) -> Bool
    ) throws(StoreError) -> End {
        try read(layout.root, [], .min ... .max, level: 0, range, receiver, look) ?? .whole
    }

    /// - Parameters:
    ///   - next: pages that will be wanted after this one, in this order.
    ///   - bounds: the keys that may be below the page.
    /// - Returns: nil where there is more to come behind the page.
    private func read(
        _ page: UInt32, _ next: ArraySlice<PageContent.Child>, _ bounds: ClosedRange<ObjectKey>, level: Int,
        _ range: ClosedRange<ObjectKey>,
        _ receiver: RowReceiver, _ look: () throws(StoreError) -> Bool
    ) throws(StoreError) -> End? {
        guard level < PageContent.mostLevels, page > 1, page <= pageCount, Int(page) != Self.lockPlace / pages.pageSize + 1 else {
            return .over
        }
        guard !pages.isInLog(page) else { return .left(bounds.clamped(to: range)) }
        guard let bytes = ahead.page(page, next) else { return .over }
        let content = PageContent(bytes, isFirst: false, usableSize: pages.usableSize)
        switch content.kind {
        case .leaf:
            let count = content.cells(of: bounds, into: cells)
            guard let count, count > 0 || level == 0 else { return .over }
            counts.leaves += 1
            return try rows(bytes, count, bounds, range, receiver, look)
        case .interior:
            guard let children = content.children(of: bounds) else { return .over }
            for (place, child) in children.enumerated() where child.range.overlaps(range) {
                let end = try read(child.page, children[(place + 1)...], child.range, level: level + 1, range, receiver, look)
                if let end { return end }
            }
            return nil
        case .other: return .over
        }
    }

    /// Hands over the rows of a leaf.
    private func rows(
        _ bytes: UnsafeRawBufferPointer, _ count: Int, _ bounds: ClosedRange<ObjectKey>, _ range: ClosedRange<ObjectKey>,
        _ receiver: RowReceiver, _ look: () throws(StoreError) -> Bool
    ) throws(StoreError) -> End? {
        let fields = UnsafePointer(records.fields)
        for place in 0..<count {
            let cell = cells[place]
            guard cell.key >= range.lowerBound else { continue }
            guard cell.key <= range.upperBound else { return .whole }
            guard cell.size <= Self.mostBytes else { return .left(cell.key...min(bounds.upperBound, range.upperBound)) }
            let start = Int(cell.place)
            let local = UnsafeRawBufferPointer(rebasing: bytes[start..<(start + Int(cell.localSize))])
            switch records.read(local, size: Int(cell.size), key: cell.key) {
            case .whole: break
            case .incomplete: return .left(cell.key...min(bounds.upperBound, range.upperBound))
            case .damaged: return .over
            }
            if let numbers {
                let field = fields[layout.columns.count - 1]
                // What is NULL is no number that is wanted; of anything else SQLite knows whether it equals one.
                if field.type == SQLITE_NULL { continue }
                guard field.type == SQLITE_INTEGER else { return .left(cell.key...min(bounds.upperBound, range.upperBound)) }
                if !numbers.contains(field.integer) { continue }
            }
            counts.rows += 1
            if receiver.take(.record(fields), key: cell.key) {
                let pauses = try look()
                if receiver.isDone { return .done }
                if pauses { return cell.key < range.upperBound ? .paused(cell.key + 1) : .whole }
            }
        }
        // Where few rows are wanted, somebody may wait all the same.
        if numbers != nil, counts.leaves % 8 == 0, try look() {
            let end = bounds.upperBound
            return end < range.upperBound ? .paused(end + 1) : .whole
        }
        return nil
    }
}

/// What readings from pages did, for those who read on, and for tests.
final class PageCounts {
    /// Rows handed over.
    var rows = 0
    /// Leaves looked at.
    var leaves = 0
    /// Ranges left to SQLite.
    var left = 0
}

/// Pages of the file, those read together that will be wanted together.
private final class PagesAhead {
    private let pages: DatabasePages
    private let memory: UnsafeMutableRawBufferPointer
    /// The first page that is there, and how many are.
    private var first: UInt32 = 0
    private var count: UInt32 = 0
    private let mostPages: Int

    /// Bytes that are read together.
    private static let size = 1 << 17

    init(_ pages: DatabasePages) {
        self.pages = pages
        mostPages = max(1, Self.size / pages.pageSize)
        memory = .allocate(byteCount: mostPages * pages.pageSize, alignment: 64)
    }

    deinit { memory.deallocate() }

    /// A page as it is in the file, until another is asked for; nil where it cannot be read.
    ///
    /// - Parameter next: pages that will be asked for after it.
    func page(_ page: UInt32, _ next: ArraySlice<PageContent.Child>) -> UnsafeRawBufferPointer? {
        if page < first || page - first >= count {
            // Of pages that lie close behind each other not more than every other is read for nothing.
            var last = page
            for child in next {
                guard child.page > last, child.page - last <= 2, Int(child.page - page) < mostPages else { break }
                last = child.page
            }
            if last == page || !read(page, last - page + 1) { guard read(page, 1) else { return nil } }
        }
        let start = Int(page - first) * pages.pageSize
        return UnsafeRawBufferPointer(rebasing: memory[start..<(start + pages.pageSize)])
    }

    private func read(_ page: UInt32, _ count: UInt32) -> Bool {
        self.count = 0
        let size = Int(count) * pages.pageSize
        guard pages.readFromFile(page, into: UnsafeMutableRawBufferPointer(rebasing: memory[..<size])) else { return false }
        first = page
        self.count = count
        return true
    }
}

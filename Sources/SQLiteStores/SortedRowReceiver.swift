import ObjectStore

/// Keeps of each row what the order is made of: its sort key, its section, its key.
final class SortedRowReceiver: RowReceiver {
    private let writer: SortKeyWriter
    private let sections: SectionTable?
    private let counter: FetchRun.Counter
    /// Behind a pointer, where no access is checked at run time.
    private let rows: UnsafeMutablePointer<ScannedRows>
    private var hasRows = true
    private let noRoom: (_ rows: Int, _ size: Int) -> StoreError.Cause

    /// - Parameter noRoom: what is wrong when after so many rows, which took so many bytes, there is no room for another.
    init(
        _ plan: FetchPlan, options: StoreOptions, externalDataFolder: String?, beginning: Int, expected: Int,
        budget: MemoryBudget,
        _ counter: FetchRun.Counter, noRoom: @escaping (_ rows: Int, _ size: Int) -> StoreError.Cause
    ) {
        self.noRoom = noRoom
        let folding = TextFolding(localeIdentifier: options.localeIdentifier, selectors: Set(plan.keys.map(\.selector)))
        writer = SortKeyWriter(keys: plan.keys, folding: folding, derived: DerivedValue(timeZone: options.timeZone))
        let values = ValueReader(form: .typed, timeZone: options.timeZone, externalDataFolder: externalDataFolder)
        sections = plan.section.map { SectionTable(column: $0.column, index: $0.index, reader: values) }
        self.counter = counter
        rows = .allocate(capacity: 1)
        rows.initialize(
            to: ScannedRows(
                firstByte: writer.firstByte, foldedText: writer.foldedText, beginning: beginning, expected: expected,
                budget: budget))
    }

    deinit {
        if hasRows { rows.deinitialize(count: 1) }
        rows.deallocate()
    }

    override func receive(_ row: RowValues, _ key: ObjectKey) -> Bool {
        let sortKey = writer.write(row)
        let section = sections?.number(row, text: writer.text)
        if rows.pointee.append(sortKey: sortKey, section: section, key: key) { return true }
        fail(noRoom(rows.pointee.count, rows.pointee.size))
        return false
    }

    override func count(_ rows: Int) { counter.add(rows) }

    /// All rows that came, which are the receiver's no more: it takes no others after that.
    func scan(fault: StoreError?) -> SortedScan {
        hasRows = false
        return SortedScan(rows.move(), sectionValues: sections?.values ?? [], fault: fault)
    }
}

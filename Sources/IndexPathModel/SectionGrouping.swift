/// Brings the rows of one section together: tells, row after row, which section a row belongs to.
@usableFromInline
struct SectionGrouping {
    /// The sections' names in the order in which the rows first meet them.
    @usableFromInline private(set) var names = ContiguousArray<SectionName>()
    /// How many rows each section has.
    @usableFromInline private(set) var lengths = ContiguousArray<Int>()
    private var sectionOfName: [SectionName: Int] = [:]
    private var sectionOfRow = ContiguousArray<Int>()
    private var isSorted = true
    private var last = -1

    @usableFromInline
    init(capacity: Int) { sectionOfRow.reserveCapacity(capacity) }

    /// Takes the next row, which belongs to the section called `name`.
    ///
    /// - Complexity: O(1): one comparison of names, and a hash where the section is not that of the row before.
    @usableFromInline
    mutating func append(_ name: SectionName) {
        if last < 0 || names[last] != name {
            let section = sectionOfName[name] ?? names.count
            if section == names.count {
                sectionOfName[name] = section
                names.append(name)
                lengths.append(0)
            }
            if section < last { isSorted = false }
            last = section
        }
        lengths[last] += 1
        sectionOfRow.append(last)
    }

    /// Where each row goes, nil if every row is where it belongs.
    ///
    /// - Complexity: O(rows + sections).
    @usableFromInline var places: ContiguousArray<Int>? {
        guard !isSorted else { return nil }
        var next = SectionOffsets(lengths: lengths).starts
        return ContiguousArray(
            sectionOfRow.map { section in
                defer { next[section] += 1 }
                return next[section]
            })
    }
}

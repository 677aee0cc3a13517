import ObjectStore
import TestSupport
import Testing

@testable import SQLiteStores

/// The memory of a scan, its sorting and the merging of two, against plain sorting.
@Suite struct RowOrderTests {
    private struct Row {
        var sortKey: [UInt8]
        var section: UInt32
        var key: ObjectKey
    }

    private func scan(
        _ rows: [Row], _ sections: [Value], foldedText: (byte: UInt8, ascending: Bool)? = nil, budget: MemoryBudget? = nil
    )
        -> SortedScan
    {
        var scanned = ScannedRows(
            firstByte: foldedText?.ascending == false ? ~4 : 1, foldedText: foldedText, beginning: 24, budget: budget)
        for row in rows {
            let isTaken = append(row.sortKey, row.section, row.key, to: &scanned)
            if !isTaken { Issue.record("no memory") }
        }
        let scan = SortedScan(scanned, sectionValues: sections, fault: nil)
        scan.distribute(FetchProgress())
        scan.sort(FetchProgress(), isAlone: true)
        return scan
    }

    /// With room behind the sort key, as a writer's buffer has.
    private func append(_ sortKey: [UInt8], _ section: UInt32?, _ key: ObjectKey, to rows: inout ScannedRows) -> Bool {
        (sortKey + [UInt8](repeating: 0xEE, count: 17)).withUnsafeBytes {
            rows.append(sortKey: UnsafeRawBufferPointer(rebasing: $0[..<sortKey.count]), section: section, key: key)
        }
    }

    private func isBefore(_ left: Row, _ right: Row) -> Bool {
        let order = left.sortKey.withUnsafeBytes { a in right.sortKey.withUnsafeBytes { ScannedRows.View.compare(a, $0) } }
        return order == 0 ? left.key < right.key : order < 0
    }

    /// Of rows in their order.
    private func expected(_ rows: [Row], _ sections: [Value]) -> FetchedObjects {
        var order: [UInt32] = []
        var groups: [UInt32: [ObjectKey]] = [:]
        for row in rows {
            if groups[row.section] == nil { order.append(row.section) }
            groups[row.section, default: []].append(row.key)
        }
        return FetchedObjects(
            keys: ContiguousArray(order.flatMap { groups[$0] ?? [] }),
            sections: order.map { .init(value: sections[Int($0)], count: groups[$0]?.count ?? 0) })
    }

    /// Sort keys as writers make them: none is the beginning of another. Many agree for long.
    private func sortKey(_ generator: inout SeededGenerator) -> [UInt8] {
        let kind = UInt8.random(in: 1...4, using: &generator)
        let stem = [0, 1, 11, 12, 13, 24, 40].randomElement(using: &generator) ?? 0
        var bytes = [kind] + [UInt8](repeating: 0x61, count: stem)
        for _ in 0..<Int.random(in: 0...3, using: &generator) { bytes.append(UInt8.random(in: 0x60...0x62, using: &generator)) }
        if Int.random(in: 0..<40, using: &generator) == 0 { bytes += [UInt8](repeating: 0x62, count: 300) }
        return bytes + [0]
    }

    @Test(arguments: [UInt64(1), 2, 3, 4, 5, 6]) func twoScansAreMergedAsByPlainSorting(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let sections: [Value] = (0..<(seed == 6 ? 400 : 5)).map { .integer(Int64($0)) }
        let count = [0, 1, 40, 700, 5000, 40_000][Int(seed) - 1]
        var keys = (0..<count).map { ObjectKey($0) * 3 - 50 }
        // A reader that helped the other does not read its keys in order.
        if seed.isMultiple(of: 2) { keys.shuffle(using: &generator) }
        let rows = keys.map { key in
            Row(
                sortKey: sortKey(&generator), section: UInt32.random(in: 0..<UInt32(sections.count), using: &generator), key: key)
        }
        let cut = rows.count / 3
        let scans = [scan(Array(rows[..<cut]), sections), scan(Array(rows[cut...]), sections)]
        let sorted = rows.sorted(by: isBefore)
        let whole = expected(sorted, sections)
        // Said in one word each: forty thousand rows are no message.
        let isMerged = RowOrder(scans)?.objects(limit: nil) == whole
        let isSorted = RowOrder([scan(rows, sections)])?.objects(limit: nil) == whole
        #expect(isMerged && isSorted)
        let few = expected(Array(sorted.prefix(count / 2)), sections)
        let isCut = RowOrder(scans)?.objects(limit: count / 2) == few
        #expect(isCut)
    }

    /// What does not fit into memory lies in files, and sorts as ever.
    @Test(arguments: [0, 10_000, 200_000, 1 << 30]) func rowsSortTheSameInFiles(_ limit: Int) {
        var generator = SeededGenerator(seed: 11)
        let sections: [Value] = (0..<5).map { .integer(Int64($0)) }
        let rows = (0..<20_000).map {
            Row(
                sortKey: sortKey(&generator), section: UInt32.random(in: 0..<5, using: &generator),
                key: ObjectKey($0 * 7 % 20_011))
        }
        let budget = MemoryBudget(limit: limit, isPrivate: false)
        let scans = [scan(Array(rows[..<9000]), sections, budget: budget), scan(Array(rows[9000...]), sections, budget: budget)]
        let whole = expected(rows.sorted(by: isBefore), sections)
        let isSame = RowOrder(scans)?.objects(limit: nil, budget) == whole
        #expect(isSame)
        #expect((budget.files > 0) == (limit < 1 << 30))
    }

    @Test func whatFitsNowhereIsRefused() {
        // Nothing may reach a disk, and memory is used up.
        var rows = ScannedRows(firstByte: 1, budget: MemoryBudget(limit: 50_000, isPrivate: true))
        var taken = 0
        while taken < 100_000,
            append([3] + [UInt8](repeating: 0x61, count: 30) + [0], nil, ObjectKey(taken), to: &rows)
        {
            taken += 1
        }
        #expect(taken > 100 && taken < 2000)
    }

    @Test func theSmallestRowsAreKeptWhileReading() {
        var generator = SeededGenerator(seed: 12)
        for (count, limit) in [(0, 5), (3, 5), (500, 1), (500, 24), (4000, 60)] {
            let rows = (0..<count).map { Row(sortKey: sortKey(&generator), section: 0, key: ObjectKey($0 * 7 % 4001)) }
            var scanned = ScannedRows(firstByte: 1, beginning: limit)
            for row in rows {
                let isTaken = append(row.sortKey, nil, row.key, to: &scanned)
                #expect(isTaken)
            }
            let beginning = scanned.beginning()
            #expect(beginning.map(\.key) == rows.sorted(by: isBefore).prefix(limit).map(\.key))
        }
    }

    @Test(arguments: [true, false]) func codedTextsSortAsTheirBytes(ascending: Bool) {
        var generator = SeededGenerator(seed: ascending ? 21 : 22)
        let folding = TextFolding(localeIdentifier: "en_001", selectors: [])
        let scalars: [ClosedRange<UInt32>] = [
            0x61...0x63, 0x20...0x7E, 0x1...0x1F, 0xC0...0x24F, 0x300...0x36F, 0x370...0x4FF, 0x1E00...0x1EFF, 0x3040...0x30FF,
            0x1F300...0x1F6FF,
        ]
        var rows: [Row] = []
        for key in 0..<6000 {
            var text = ""
            let most = [3, 20, 60].randomElement(using: &generator) ?? 3
            for _ in 0..<Int.random(in: 0...most, using: &generator) {
                let range = Int.random(in: 0..<3, using: &generator) == 0 ? scalars.randomElement(using: &generator) : scalars[0]
                let value = UInt32.random(in: range ?? 0x61...0x63, using: &generator)
                if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
            }
            let utf8 = Array(text.utf8)
            let folded: [UInt8] = utf8.withUnsafeBytes { Array(folding.fold($0)) }
            // A second value behind the text, as of a second sort key.
            let second = UInt8.random(in: 0...255, using: &generator)
            var bytes: [UInt8] = [3]
            for byte in folded { bytes += byte <= 1 ? [1, byte + 1] : [byte] }
            bytes.append(0)
            if !ascending { bytes = bytes.map { ~$0 } }
            rows.append(Row(sortKey: bytes + [4, second, 0], section: 0, key: ObjectKey(key)))
        }
        let first: UInt8 = ascending ? 3 : ~3
        let plain = rows.sorted(by: isBefore).map(\.key)
        let coded = scan(rows, [.null], foldedText: (first, ascending))
        #expect(RowOrder([coded])?.objects(limit: nil)?.keys.map { $0 } == plain)
    }

    @Test func sixteenBytesOfAFoldedTextNeedNoArena() {
        let texts = ["karolina tensal", "es", "12 main st."]
        func size(_ coded: Bool) -> Int {
            var rows = ScannedRows(firstByte: 1, foldedText: coded ? (3, true) : nil)
            for (key, text) in texts.enumerated() {
                let isTaken = append([3] + Array(text.utf8) + [0], nil, ObjectKey(key), to: &rows)
                #expect(isTaken)
            }
            return rows.size
        }
        // An entry, the length of nothing, and half a byte for the way there.
        #expect(size(true) == 3 * (16 + 1) + 1)
        #expect(size(false) == size(true) + 4)
    }

    @Test func columnsGiveBackWhatTheyTook() {
        var generator = SeededGenerator(seed: 3)
        var column = RowColumn()
        var numbers: [UInt64] = []
        for bits in [8, 16, 32, 64] as [UInt64] {
            for _ in 0..<200 {
                let number = UInt64.random(in: 0...(UInt64.max >> (64 - bits)), using: &generator)
                numbers.append(number)
                let isTaken = column.append(number)
                #expect(isTaken)
            }
        }
        let view = column.view
        #expect(numbers.indices.map { view[$0] } == numbers)
        #expect(view[numbers.count] == 0)
    }

    private func take(_ keys: [ObjectKey], into column: inout KeyColumn) {
        for key in keys {
            let isTaken = column.append(key)
            #expect(isTaken)
        }
    }

    @Test func keysThatCountUpCostNothing() {
        for (lists, isAscending, isFree) in [
            ([0..<1000], true, true), ([-5..<5, 100..<900], true, true), ([100..<200, 0..<50], false, true),
            ((0..<20).map { ($0 * 10)..<($0 * 10 + 5) }, true, false),
        ] as [([Range<Int64>], Bool, Bool)] {
            var column = KeyColumn()
            let keys = lists.flatMap { Array($0) }
            take(keys, into: &column)
            let order = column.isAscending
            #expect(order == isAscending)
            let size = column.size
            #expect((size == 0) == isFree)
            let view = column.view
            #expect(keys.indices.map { view[$0] } == keys)
        }
    }

    @Test func keysAtTheEndsOfTheRangeAreHeld() {
        var column = KeyColumn()
        let keys: [ObjectKey] = [.min, .min + 1, -1, 0, 7, 9, 11, 13, 15, 17, .max - 1, .max]
        take(keys, into: &column)
        var isAscending = column.isAscending
        #expect(isAscending)
        let view = column.view
        #expect(keys.indices.map { view[$0] } == keys)
        take([.min], into: &column)
        isAscending = column.isAscending
        #expect(!isAscending)
    }

    /// However two readers take turns, each key is read once.
    @Test(arguments: [UInt64(1), 2, 3, 4]) func sharedRangesCoverEachKeyOnce(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for range: ClosedRange<ObjectKey> in [
            0...0, 0...9, -70_000...900_000, .min ... .max, (.max - 400_000) ... .max, .min...(.min + 60_000),
        ] {
            for readers in 1...2 {
                let ranges = KeyRanges(range, readers: readers)
                var pieces: [ClosedRange<ObjectKey>] = []
                var open = Array(0..<readers)
                while let reader = open.randomElement(using: &generator) {
                    // One reader may be much faster than the other.
                    let turns = Int.random(in: 1...(seed == 1 ? 1 : 40), using: &generator)
                    for _ in 0..<turns {
                        guard let piece = ranges.next(for: reader) else {
                            open.removeAll { $0 == reader }
                            break
                        }
                        pieces.append(piece)
                    }
                }
                pieces.sort { $0.lowerBound < $1.lowerBound }
                let fits = zip(pieces, pieces.dropFirst()).allSatisfy {
                    $0.upperBound < .max && $0.upperBound + 1 == $1.lowerBound
                }
                #expect(fits && pieces.first?.lowerBound == range.lowerBound && pieces.last?.upperBound == range.upperBound)
                #expect(pieces.count < 200)
            }
        }
    }
}

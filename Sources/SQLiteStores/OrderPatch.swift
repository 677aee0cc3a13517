import ObjectStore

/// Makes the order of a list of the one before and what changed: a few looks by key for each changed object, no other row is read.
///
/// An object that is there and unchanged has the sort key and the section that it had, so that those stand among themselves as they
/// stood; the others are taken out and put in where a binary search finds their places. The looks have to be at the state of
/// the data that the changes were found in.
struct OrderPatch {
    let plan: FetchPlan
    let connection: Connection
    private let writer: SortKeyWriter
    private let sections: SectionTable?
    private let statement: Statement
    private let progress: FetchProgress

    /// - Parameter plan: one that the connection is prepared for.
    init(
        _ plan: FetchPlan, _ connection: Connection, options: StoreOptions, externalDataFolder: String?, progress: FetchProgress
    ) throws(StoreError) {
        self.plan = plan
        self.connection = connection
        self.progress = progress
        let folding = TextFolding(localeIdentifier: options.localeIdentifier, selectors: Set(plan.keys.map(\.selector)))
        writer = SortKeyWriter(keys: plan.keys, folding: folding, derived: DerivedValue(timeZone: options.timeZone))
        let values = ValueReader(form: .typed, timeZone: options.timeZone, externalDataFolder: externalDataFolder)
        sections = plan.section.map { SectionTable(column: $0.column, index: $0.index, reader: values) }
        statement = try connection.statement(plan.sql)
    }

    /// Whether looking is cheaper than reading all: a look costs as much as reading some rows in a row.
    static func pays(_ changes: RowChanges, among count: Int) -> Bool {
        let looks = (changes.inserted.count + changes.changed.count) * (2 + count.bitLength)
        return changes.count <= max(16, count / 16) && looks <= max(1024, count / 8)
    }

    /// Where an object stands in the order.
    private struct Rank {
        var sortKey: [UInt8]
        var key: ObjectKey

        static func < (left: Rank, right: Rank) -> Bool {
            let order = left.sortKey.withUnsafeBytes { one in
                right.sortKey.withUnsafeBytes { ScannedRows.View.compare(one, $0) }
            }
            return order == 0 ? left.key < right.key : order < 0
        }
    }

    /// An object as it is now; nil if the request does not have it.
    private func look(_ key: ObjectKey) throws(StoreError) -> (rank: Rank, section: Value)? {
        try plan.bind(key...key, to: statement)
        defer { statement.reset() }
        guard try statement.step(), statement.integer(0) == key else { return nil }
        let sortKey = [UInt8](writer.write(statement.row))
        guard let sections else { return (Rank(sortKey: sortKey, key: key), .null) }
        // A new value is there only when it has its number.
        let number = Int(sections.number(statement.row, text: writer.text))
        return (Rank(sortKey: sortKey, key: key), sections.values[number])
    }

    /// A section while it is made: old objects less some, and new ones among them.
    private struct Piece {
        var value: Value
        /// Places of the old objects.
        var range: Range<Int>
        /// Places of those that are taken out.
        var removed: ArraySlice<Int>
        /// Those that are put in, and before how many of the old ones left; in order.
        var inserted: [(rank: Rank, before: Int)] = []

        var remaining: Int { range.count - removed.count }
        var count: Int { remaining + inserted.count }

        /// The old place of one of those left.
        func place(ofRemaining number: Int) -> Int {
            // So many were taken out before it: the largest count with which it still fits.
            var low = 0
            var high = removed.count
            while low < high {
                let middle = (low + high) / 2
                if removed[removed.startIndex + middle] - middle - range.lowerBound <= number {
                    low = middle + 1
                } else {
                    high = middle
                }
            }
            return range.lowerBound + number + low
        }

        /// Whether the first object is the one that it was.
        var keepsFirst: Bool { remaining > 0 && removed.first != range.lowerBound && inserted.first?.before != 0 }
    }

    /// The objects as they are now; nil where the changes do not fit.
    func patched(_ old: FetchedObjects, _ changes: RowChanges) throws(StoreError) -> PatchedObjects? {
        guard let removed = places(of: changes, in: old.keys) else { return nil }
        var pieces: [Piece] = []
        var numbers: [Value: Int] = [:]
        var start = 0
        var next = 0
        for section in old.sections {
            let range = start..<(start + section.count)
            start = range.upperBound
            let first = next
            while next < removed.count, removed[next] < range.upperBound { next += 1 }
            numbers[section.value] = pieces.count
            pieces.append(Piece(value: section.value, range: range, removed: ArraySlice(removed[first..<next])))
        }
        guard start == old.keys.count, numbers.count == pieces.count else { return nil }
        var arriving: [Int: [Rank]] = [:]
        for key in changes.changed + changes.inserted {
            guard let (rank, value) = try look(key) else { return nil }
            let number = numbers[value] ?? pieces.count
            if number == pieces.count {
                numbers[value] = number
                pieces.append(Piece(value: value, range: start..<start, removed: []))
            }
            arriving[number, default: []].append(rank)
            if progress.isCancelled { throw StoreError(file: connection.name, cause: .cancelled) }
        }
        var ranks: [ObjectKey: Rank] = [:]
        /// An object that stands where it stood; the first ones of many searches are the same.
        func rank(_ key: ObjectKey) throws(StoreError) -> Rank? {
            if let known = ranks[key] { return known }
            guard let found = try look(key) else { return nil }
            if ranks.count < 4096 { ranks[key] = found.rank }
            return found.rank
        }
        for (number, new) in arriving {
            var least = 0
            for new in new.sorted(by: <) {
                var high = pieces[number].remaining
                while least < high {
                    let middle = (least + high) / 2
                    guard let other = try rank(old.keys[pieces[number].place(ofRemaining: middle)]) else { return nil }
                    if other < new { least = middle + 1 } else { high = middle }
                }
                pieces[number].inserted.append((new, least))
            }
        }
        guard let order = try order(of: pieces, old.keys, rank) else { return nil }
        return joined(order.map { pieces[$0] }, old.keys, removed)
    }

    /// The places of the objects that go or change, ascending; nil if some are not there. O(objects) comparisons of numbers.
    private func places(of changes: RowChanges, in keys: ContiguousArray<ObjectKey>) -> ContiguousArray<Int>? {
        let wanted = Set(changes.changed).union(changes.deleted)
        guard !wanted.isEmpty else { return [] }
        // Most keys are not wanted, which a bit says of most of them.
        var bits = ContiguousArray<UInt64>(repeating: 0, count: 1 << 12)
        func spread(_ key: ObjectKey) -> UInt64 { UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15 }
        for key in wanted { bits[Int(spread(key) >> 52)] |= 1 << (spread(key) >> 46 & 63) }
        var places: ContiguousArray<Int> = []
        for place in keys.indices {
            let hash = spread(keys[place])
            guard bits[Int(hash >> 52)] & 1 << (hash >> 46 & 63) != 0, wanted.contains(keys[place]) else { continue }
            places.append(place)
        }
        return places.count == wanted.count ? places : nil
    }

    /// Sections stand as their first objects do: those that begin as they began keep their order, the others are put among them.
    private func order(
        of pieces: [Piece], _ keys: ContiguousArray<ObjectKey>, _ rank: (ObjectKey) throws(StoreError) -> Rank?
    ) throws(StoreError) -> [Int]? {
        func first(_ number: Int) throws(StoreError) -> Rank? {
            let piece = pieces[number]
            if let new = piece.inserted.first, new.before == 0 { return new.rank }
            return try rank(keys[piece.place(ofRemaining: 0)])
        }
        let standing = pieces.indices.filter { pieces[$0].keepsFirst }
        var moving: [(rank: Rank, number: Int)] = []
        for number in pieces.indices where !pieces[number].keepsFirst && pieces[number].count > 0 {
            guard let rank = try first(number) else { return nil }
            moving.append((rank, number))
        }
        moving.sort { $0.rank < $1.rank }
        var order: [Int] = []
        var next = 0
        for (new, number) in moving {
            var low = next
            var high = standing.count
            while low < high {
                let middle = (low + high) / 2
                guard let other = try first(standing[middle]) else { return nil }
                if other < new { low = middle + 1 } else { high = middle }
            }
            order += standing[next..<low]
            order.append(number)
            next = low
        }
        return order + standing[next...]
    }

    private func joined(
        _ pieces: [Piece], _ old: ContiguousArray<ObjectKey>, _ removed: ContiguousArray<Int>
    ) -> PatchedObjects {
        var keys: ContiguousArray<ObjectKey> = []
        keys.reserveCapacity(pieces.reduce(0) { $0 + $1.count })
        var inserted: ContiguousArray<Int> = []
        for piece in pieces {
            var place = piece.range.lowerBound
            var removed = piece.removed
            /// Takes old objects over up to a place.
            func copy(to end: Int) {
                while let gone = removed.first, gone < end {
                    keys.append(contentsOf: old[place..<gone])
                    place = gone + 1
                    removed.removeFirst()
                }
                if place < end { keys.append(contentsOf: old[place..<end]) }
                place = max(place, end)
            }
            for (rank, before) in piece.inserted {
                copy(to: before == piece.remaining ? piece.range.upperBound : piece.place(ofRemaining: before))
                inserted.append(keys.count)
                keys.append(rank.key)
            }
            copy(to: piece.range.upperBound)
        }
        return PatchedObjects(
            objects: FetchedObjects(
                keys: keys, sections: pieces.map { FetchedObjects.Section(value: $0.value, count: $0.count) }),
            removed: removed, inserted: inserted)
    }
}

extension Int {
    /// How many bits a count has.
    fileprivate var bitLength: Int { bitWidth - leadingZeroBitCount }
}

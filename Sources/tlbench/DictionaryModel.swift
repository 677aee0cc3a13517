/// The peer: the plain way to the same look-ups. Sections are arrays, identifiers a dictionary, folding lists the visible rows anew.
struct DictionaryModel {
    enum Row {
        case header(Int)
        case item(section: Int, row: Int)
    }

    let sections: [[Int64]]
    let places: [Int64: (section: Int, row: Int)]

    init(identifiers: ContiguousArray<Int64>, lengths: [Int]) {
        var sections: [[Int64]] = []
        var places: [Int64: (section: Int, row: Int)] = [:]
        places.reserveCapacity(identifiers.count)
        var start = 0
        for (section, length) in lengths.enumerated() {
            sections.append(Array(identifiers[start..<(start + length)]))
            for row in 0..<length { places[identifiers[start + row]] = (section, row) }
            start += length
        }
        self.sections = sections
        self.places = places
    }

    /// The list's lines where some sections are folded.
    func visibleRows(collapsed: Set<Int>) -> [Row] {
        var rows: [Row] = []
        for (section, items) in sections.enumerated() {
            rows.append(.header(section))
            if collapsed.contains(section) { continue }
            for row in items.indices { rows.append(.item(section: section, row: row)) }
        }
        return rows
    }

    /// How many rows of another version of the list are new, gone or elsewhere.
    func changes(to other: [[Int64]]) -> Int {
        var changes = 0
        var found = 0
        for (section, items) in other.enumerated() {
            for (row, item) in items.enumerated() {
                guard let place = places[item] else {
                    changes += 1
                    continue
                }
                found += 1
                if place != (section, row) { changes += 1 }
            }
        }
        return changes + places.count - found
    }
}

import Fetching

/// How the letters of an index stand in a column of some height.
///
/// Where the column is too short for its letters, some are dropped evenly and a dot stands for them, as on iOS; the first and the
/// last always show.
package struct IndexBar: Sendable, Equatable {
    /// One row of the bar.
    package struct Slot: Sendable, Equatable {
        /// The entries that the slot stands for, by index.
        package let entries: Range<Int>
        package let isDot: Bool
    }

    package let slots: [Slot]

    /// The lowest bar that is shown at all, in rows.
    package static let minimumHeight = 3

    /// - Parameters:
    ///   - count: number of entries.
    ///   - height: rows there are.
    package init(count: Int, height: Int) {
        guard height >= Self.minimumHeight, count > 0 else {
            slots = []
            return
        }
        guard count > height else {
            slots = (0..<count).map { Slot(entries: $0..<($0 + 1), isDot: false) }
            return
        }
        // A dot that stands for two letters saves one row. With no more dots than fit between letters, each takes two letters;
        // else every other row is a dot and they share what is left over.
        let dots = min(count - height, (height - 1) / 2)
        let letters = height - dots
        let dropped = count - letters
        let gaps = letters - 1
        var slots: [Slot] = []
        var entry = 0
        var dot = 0
        for letter in 0..<letters {
            slots.append(Slot(entries: entry..<(entry + 1), isDot: false))
            entry += 1
            if dot < dots, letter < gaps, letter == (2 * dot + 1) * gaps / (2 * dots) {
                let share = dropped * (dot + 1) / dots - dropped * dot / dots
                slots.append(Slot(entries: entry..<(entry + share), isDot: true))
                entry += share
                dot += 1
            }
        }
        self.slots = slots
    }

    /// The row that shows an entry, as a letter or under a dot.
    package func row(ofEntry entry: Int) -> Int? {
        slots.firstIndex { $0.entries.contains(entry) }
    }

    /// The entry that a click on a row means: the letter, or the middle one of those under a dot.
    package func entry(atRow row: Int) -> Int? {
        guard slots.indices.contains(row) else { return nil }
        let entries = slots[row].entries
        return entries.lowerBound + entries.count / 2
    }
}

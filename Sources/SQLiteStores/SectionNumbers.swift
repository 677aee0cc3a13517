import ObjectStore

/// Sections of one scan or two together: each scan numbered its own by itself.
struct SectionNumbers {
    let values: [Value]
    /// Each scan's numbers, translated.
    let first: [Int]
    let second: [Int]

    init(_ scans: [SortedScan]) {
        var values: [Value] = []
        var known: [Value: Int] = [:]
        func translate(_ own: [Value]) -> [Int] {
            own.map { value in
                if let number = known[value] { return number }
                known[value] = values.count
                values.append(value)
                return values.count - 1
            }
        }
        first = translate(scans.first?.sectionValues ?? [])
        second = scans.count > 1 ? translate(scans.last?.sectionValues ?? []) : []
        self.values = values
    }
}

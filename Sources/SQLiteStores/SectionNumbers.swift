import ObjectStore

/// Sections of one scan or two together: each scan numbered its own by itself.
struct SectionNumbers {
    let values: [Value]
    /// Each scan's numbers, translated.
    let first: [Int]
    let second: [Int]

    private static let few = 32

    init(_ scans: [SortedScan]) {
        var values: [Value] = []
        var known: [Value: Int] = [:]
        func number(of value: Value) -> Int? {
            // Few are looked through: a table of them takes longer to begin than they take to compare.
            guard values.count >= Self.few else { return values.firstIndex(of: value) }
            if known.isEmpty { for (number, value) in values.enumerated() { known[value] = number } }
            return known[value]
        }
        func translate(_ own: [Value]) -> [Int] {
            own.map { value in
                if let number = number(of: value) { return number }
                if !known.isEmpty { known[value] = values.count }
                values.append(value)
                return values.count - 1
            }
        }
        first = translate(scans.first?.sectionValues ?? [])
        second = scans.count > 1 ? translate(scans.last?.sectionValues ?? []) : []
        self.values = values
    }
}

/// The entries of a dictionary while it is read: in the order of the file, each key once.
struct PropertyListEntries {
    private(set) var list: [PropertyList.Entry] = []
    /// Filled once there are too many keys to compare one by one.
    private var positions: [String: Int] = [:]
    private static let searchedOneByOne = 12

    /// Sets the value of a key; false for a key that was there: it keeps its place and gets the new value. O(1) on average.
    @discardableResult
    mutating func set(_ value: PropertyList, for key: String) -> Bool {
        if let position = position(of: key) {
            list[position].value = value
            return false
        }
        if !positions.isEmpty { positions[key] = list.count }
        list.append(PropertyList.Entry(key: key, value: value))
        if positions.isEmpty, list.count > Self.searchedOneByOne {
            for (index, entry) in list.enumerated() { positions[entry.key] = index }
        }
        return true
    }

    private func position(of key: String) -> Int? {
        positions.isEmpty ? list.firstIndex { $0.key == key } : positions[key]
    }
}

package import Foundation

/// A property list as a value: what every format of it can say, and nothing that only one library's classes can hold.
package enum PropertyList: Sendable, Equatable {
    case string(String)
    case integer(Int64)
    /// An integer above `Int64.max`.
    case unsigned(UInt64)
    case real(Double)
    case boolean(Bool)
    case date(Date)
    case data(Data)
    case array([PropertyList])
    /// Keys in the order of the file where the format keeps one, else sorted.
    case dictionary([Entry])
    /// The reference of a keyed archive to one of its objects.
    case uid(UInt64)

    package struct Entry: Sendable, Equatable {
        package var key: String
        package var value: PropertyList

        package init(key: String, value: PropertyList) {
            self.key = key
            self.value = value
        }
    }

    /// The value of a dictionary's key; nil for anything but a dictionary. O(keys).
    package subscript(key: String) -> PropertyList? {
        guard case .dictionary(let entries) = self else { return nil }
        return entries.first { $0.key == key }?.value
    }
}

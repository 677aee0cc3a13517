/// The place of a row: its section and its row in that section, both counted from 0.
///
/// Any two numbers make an index path; whether there is a row is for a model to say. Ordered by section, then by row.
public struct IndexPath: Hashable, Sendable, Comparable {
    /// The section, counted from 0.
    public var section: Int
    /// The row in the section, counted from 0.
    public var row: Int

    /// The place of row `row` of section `section`.
    @inlinable
    public init(section: Int, row: Int) {
        self.section = section
        self.row = row
    }

    /// Whether `left` stands above `right`.
    @inlinable
    public static func < (left: IndexPath, right: IndexPath) -> Bool {
        (left.section, left.row) < (right.section, right.row)
    }
}

extension IndexPath: CustomStringConvertible {
    /// The place as `[section, row]`.
    public var description: String { "[\(section), \(row)]" }
}

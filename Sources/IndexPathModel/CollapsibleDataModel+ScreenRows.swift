/// What stands in one line of a list: a section's header, or a row.
public enum ScreenRow: Hashable, Sendable {
    /// The header of a section.
    case header(Int)
    /// The row at an index path.
    case item(IndexPath)

    /// The section to which the line belongs.
    public var section: Int {
        switch self {
        case .header(let section): section
        case .item(let indexPath): indexPath.section
        }
    }
}

/// Headers and rows as one flat sequence, counted from 0: each section's header, if headers are shown, and then its rows.
extension CollapsibleDataModel {
    /// How many screen rows there are.
    ///
    /// - Complexity: O(1).
    public var rowCount: Int { screenOffsets.total }

    /// What stands at screen row `position`, nil outside.
    ///
    /// - Complexity: O(log sections) comparisons of numbers.
    public func row(at position: Int) -> ScreenRow? {
        guard let section = screenOffsets.section(containing: position),
            let range = screenOffsets.range(of: section)
        else { return nil }
        guard showsHeaders else { return .item(IndexPath(section: section, row: position - range.lowerBound)) }
        return position == range.lowerBound
            ? .header(section) : .item(IndexPath(section: section, row: position - range.lowerBound - 1))
    }

    /// The screen row of the header of `section`; nil if there is no such section or no headers are shown.
    ///
    /// - Complexity: O(1).
    public func position(ofHeader section: Int) -> Int? {
        showsHeaders ? screenOffsets.range(of: section)?.lowerBound : nil
    }

    /// The screen row of the row at `indexPath`; nil if there is no such row or its section is collapsed.
    ///
    /// - Complexity: O(1).
    public func position(of indexPath: IndexPath) -> Int? {
        guard let rows = displayedModel.positions(inSection: indexPath.section), indexPath.row >= 0, indexPath.row < rows.count,
            let range = screenOffsets.range(of: indexPath.section)
        else { return nil }
        return range.lowerBound + (showsHeaders ? 1 : 0) + indexPath.row
    }

    /// The screen row of a header or row; nil if it is not there. The inverse of `row(at:)`.
    ///
    /// - Complexity: O(1).
    public func position(of row: ScreenRow) -> Int? {
        switch row {
        case .header(let section): position(ofHeader: section)
        case .item(let indexPath): position(of: indexPath)
        }
    }

    /// The screen rows of `section`, its header first; nil if there is no such section.
    ///
    /// - Complexity: O(1).
    public func positions(ofSection section: Int) -> Range<Int>? { screenOffsets.range(of: section) }

    /// The first screen row to show so that as much as fits of `section` is visible, the header first, moving as little as possible
    /// (TLIndexPathTools: `optimizeScrollOnExpand`).
    ///
    /// - Parameters:
    ///   - first: the first screen row that is shown now.
    ///   - height: how many screen rows fit.
    /// - Complexity: O(1).
    public func firstPosition(showingSection section: Int, from first: Int, height: Int) -> Int {
        guard let range = screenOffsets.range(of: section), height > 0 else { return first }
        if range.lowerBound < first || range.count >= height { return range.lowerBound }
        return max(first, range.upperBound - height)
    }
}

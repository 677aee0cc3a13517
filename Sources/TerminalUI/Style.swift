/// What a cell means, not how it looks: a theme says that.
package struct Style: Sendable, Hashable {
    package enum Role: String, Sendable, CaseIterable {
        case text
        /// The first line of a screen, and the last.
        case titleBar, statusBar
        case sectionHeader
        /// Secondary text of a row.
        case secondary
        /// Labels and values that stand out as a link or a key does.
        case accent
        /// Stand-ins for NULL and empty values, disclosure marks, hints.
        case dimmed
        case indexBar
        /// The index bar's letter of the cursor's section.
        case indexBarCurrent
        case warning
        case failure
        /// The part of a text that a search found.
        case hit
        /// A mark on a row that has just changed.
        case changed
    }

    package var role: Role
    /// Whether the cell belongs to the cursor's row, which is reverse over its whole width.
    package var isCursor: Bool
    /// Colours of its own, for cells of pictures; what they are comes before what the role looks like.
    package var colors: CellColors?

    package init(_ role: Role = .text, isCursor: Bool = false, colors: CellColors? = nil) {
        self.role = role
        self.isCursor = isCursor
        self.colors = colors
    }

    package static let text = Style(.text)
}

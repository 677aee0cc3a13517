/// How text becomes printable and how wide it then is: the terminal's rules, handed in by the one module that knows them.
package struct TextMeasure: Sendable {
    /// One line, with visible stand-ins for all that is not printable.
    package var printable: @Sendable (String) -> String
    /// Cells that a printable text takes.
    package var width: @Sendable (String) -> Int

    package init(printable: @escaping @Sendable (String) -> String, width: @escaping @Sendable (String) -> Int) {
        self.printable = printable
        self.width = width
    }

    /// Text with something at the right edge, or two spaces before it where both do not fit; never cut, since a file has no edge.
    func line(_ left: String, _ right: String, columns: Int) -> String {
        guard !right.isEmpty else { return left }
        let gap = columns - width(left) - width(right)
        return left + String(repeating: " ", count: max(2, gap)) + right
    }
}

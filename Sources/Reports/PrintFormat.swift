/// The forms of `--print`.
package enum PrintFormat: String, Sendable, CaseIterable {
    /// What the screen shows.
    case text
    case csv
    case tsv
    /// One array.
    case json
    /// One object per line.
    case ndjson

    /// The form that a file's name asks for: `.txt`, `.csv`, `.tsv`, `.json`, `.ndjson`, whatever the case; nil for any other.
    package init?(fileName: String) {
        guard let dot = fileName.lastIndex(of: ".") else { return nil }
        switch fileName[fileName.index(after: dot)...].lowercased() {
        case "txt": self = .text
        case "csv": self = .csv
        case "tsv": self = .tsv
        case "json": self = .json
        case "ndjson": self = .ndjson
        default: return nil
        }
    }
}

/// What is printed and how.
package struct PrintOptions: Sendable {
    package var format: PrintFormat
    /// Whether the detail's rows are printed too.
    package var withDetails: Bool
    /// Whether it goes to a terminal: then every form is made printable.
    package var toTerminal: Bool
    /// Width of the text form, in cells.
    package var columns: Int
    package var measure: TextMeasure

    package init(
        format: PrintFormat = .text, withDetails: Bool = false, toTerminal: Bool = false, columns: Int = 80, measure: TextMeasure
    ) {
        self.format = format
        self.withDetails = withDetails
        self.toTerminal = toTerminal
        self.columns = columns
        self.measure = measure
    }
}

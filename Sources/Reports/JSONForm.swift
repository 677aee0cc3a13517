import Presentation

/// An object per row: `objectID`, `section`, `textLabel`, `detailTextLabel`, as shown, null where there is nothing; `details` by key path.
struct JSONForm: PrintedForm {
    let isArray: Bool
    let detailNames: [String]
    let withDetails: Bool
    /// Only for a terminal: what the escapes leave that is not printable.
    let printable: (@Sendable (String) -> String)?
    private var isFirst = true

    init(isArray: Bool, options: PrintOptions, source: some PrintSource) {
        self.isArray = isArray
        withDetails = options.withDetails
        printable = options.toTerminal ? options.measure.printable : nil
        detailNames = source.detailKeyPaths.map { PrintedValue.json($0) + ":" }
    }

    func beginning(of source: any PrintSource) -> String { isArray ? "[" : "" }

    mutating func row(_ row: PrintedRow, in section: PrintedSection) -> String {
        let before = isArray ? (isFirst ? "\n" : ",\n") : ""
        isFirst = false
        var text = "{\"objectID\":" + PrintedValue.json(row.objectID)
        text += ",\"section\":" + (section.title.map { PrintedValue.json($0) } ?? "null")
        text += ",\"textLabel\":" + label(row.text)
        text += ",\"detailTextLabel\":" + (row.detailText.map(label) ?? "null")
        if withDetails {
            let members = zip(detailNames, row.detailValues).map { $0 + PrintedValue.json($1) }
            text += ",\"details\":{" + members.joined(separator: ",") + "}"
        }
        text += "}"
        return before + (printable?(text) ?? text) + (isArray ? "" : "\n")
    }

    func end() -> String { isArray ? (isFirst ? "]\n" : "\n]\n") : "" }

    private func label(_ text: PresentedText) -> String { text == .null ? "null" : PrintedValue.json(text.dataText) }
}

import Presentation

/// An object per row: `objectID`, `section`, `textLabel`, `detailTextLabel`, as shown, null where there is nothing; `details` by key path.
struct JSONForm: PrintedForm {
    private let isArray: Bool
    private let detailNames: [[UInt8]]
    private let withDetails: Bool
    /// Whether the secondary text is several: an array, so that each has its place whatever is missing.
    private let hasColumns: Bool
    /// Only for a terminal: what the escapes leave that is not printable.
    private let printable: (@Sendable (String) -> String)?

    init(isArray: Bool, options: PrintOptions, source: some PrintSource) {
        self.isArray = isArray
        withDetails = options.withDetails
        hasColumns = source.columnHeadings.count > 1
        printable = options.toTerminal ? options.measure.printable : nil
        detailNames = source.detailKeyPaths.map { Array((PrintedValue.json($0) + ":").utf8) }
    }

    func beginning(of source: any PrintSource) -> String { isArray ? "[" : "" }

    func field(of section: PrintedSection) -> [UInt8] { Array((section.title.map { PrintedValue.json($0) } ?? "null").utf8) }

    func append(_ row: PrintedRow, _ section: [UInt8], to bytes: inout [UInt8]) {
        if isArray { bytes.append(contentsOf: [UInt8(ascii: ","), UInt8(ascii: "\n")]) }
        if let printable {
            var own: [UInt8] = []
            appendObject(row, section, to: &own)
            bytes.append(contentsOf: printable(String(decoding: own, as: UTF8.self)).utf8)
        } else {
            appendObject(row, section, to: &bytes)
        }
        if !isArray { bytes.append(UInt8(ascii: "\n")) }
    }

    /// The comma of `,\n`.
    var separatorLength: Int { isArray ? 1 : 0 }

    func end(isEmpty: Bool) -> String { isArray ? (isEmpty ? "]\n" : "\n]\n") : "" }

    private func appendObject(_ row: PrintedRow, _ section: [UInt8], to bytes: inout [UInt8]) {
        bytes.append(contentsOf: "{\"objectID\":".utf8)
        PrintedValue.append(json: row.objectID, to: &bytes)
        bytes.append(contentsOf: ",\"section\":".utf8)
        bytes.append(contentsOf: section)
        bytes.append(contentsOf: ",\"textLabel\":".utf8)
        append(row.text, to: &bytes)
        bytes.append(contentsOf: ",\"detailTextLabel\":".utf8)
        if hasColumns {
            for (place, text) in row.details.enumerated() {
                bytes.append(UInt8(ascii: place == 0 ? "[" : ","))
                append(text, to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        } else {
            append(row.detailText ?? .null, to: &bytes)
        }
        if withDetails {
            bytes.append(contentsOf: ",\"details\":{".utf8)
            for (place, (name, value)) in zip(detailNames, row.detailValues).enumerated() {
                if place > 0 { bytes.append(UInt8(ascii: ",")) }
                bytes.append(contentsOf: name)
                PrintedValue.append(json: value, to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
        bytes.append(UInt8(ascii: "}"))
    }

    private func append(_ text: PresentedText, to bytes: inout [UInt8]) {
        if text.isPlaceholder, text == .null {
            bytes.append(contentsOf: "null".utf8)
        } else {
            PrintedValue.append(json: text.dataText, to: &bytes)
        }
    }
}

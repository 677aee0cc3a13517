import Presentation

/// CSV (RFC 4180, lines ended by LF) and TSV (tab, line feed and backslash as `\t`, `\n`, `\\`), with a header.
struct SeparatedForm: PrintedForm {
    let separator: String
    let detailKeyPaths: [String]
    /// Only for a terminal: stand-ins for what is not printable.
    let printable: (@Sendable (String) -> String)?

    init(separator: String, options: PrintOptions, source: some PrintSource) {
        self.separator = separator
        detailKeyPaths = options.withDetails ? source.detailKeyPaths : []
        printable = options.toTerminal ? options.measure.printable : nil
    }

    func beginning(of source: any PrintSource) -> String {
        line(["objectID", "section", "textLabel", "detailTextLabel"] + detailKeyPaths)
    }

    func row(_ row: PrintedRow, in section: PrintedSection) -> String {
        var fields = [row.objectID, section.title ?? "", row.text.dataText, row.detailText?.dataText ?? ""]
        if !detailKeyPaths.isEmpty { fields += row.detailValues.map(PrintedValue.field) }
        return line(fields)
    }

    private func line(_ fields: [String]) -> String { fields.map(field).joined(separator: separator) + "\n" }

    private func field(_ text: String) -> String {
        // In TSV the escapes come first: they are printable, and the way back stays open.
        if separator == "\t" { return printable?(escaped(text)) ?? escaped(text) }
        return quoted(printable?(text) ?? text)
    }

    private func quoted(_ text: String) -> String {
        let needsQuotes = text.utf8.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }
        return needsQuotes ? "\"" + text.replacing("\"", with: "\"\"") + "\"" : text
    }

    private func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 0x09 || $0 == 0x0A || $0 == 0x0D || $0 == 0x5C }) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\t": result += "\\t"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\\": result += "\\\\"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

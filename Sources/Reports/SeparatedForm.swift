import Presentation

/// CSV (RFC 4180, lines ended by LF) and TSV (tab, line feed and backslash as `\t`, `\n`, `\\`), with a header.
struct SeparatedForm: PrintedForm {
    private let isCSV: Bool
    private let detailKeyPaths: [String]
    /// Only for a terminal: stand-ins for what is not printable.
    private let printable: (@Sendable (String) -> String)?

    init(isCSV: Bool, options: PrintOptions, source: some PrintSource) {
        self.isCSV = isCSV
        detailKeyPaths = options.withDetails ? source.detailKeyPaths : []
        printable = options.toTerminal ? options.measure.printable : nil
    }

    func beginning(of source: any PrintSource) -> String {
        var bytes: [UInt8] = []
        for (place, name) in (["objectID", "section", "textLabel", "detailTextLabel"] + detailKeyPaths).enumerated() {
            if place > 0 { bytes.append(separator) }
            append(name, to: &bytes)
        }
        return String(decoding: bytes, as: UTF8.self) + "\n"
    }

    func field(of section: PrintedSection) -> [UInt8] {
        var bytes: [UInt8] = []
        append(section.title ?? "", to: &bytes)
        return bytes
    }

    func append(_ row: PrintedRow, _ section: [UInt8], to bytes: inout [UInt8]) {
        append(row.objectID, to: &bytes)
        bytes.append(separator)
        bytes.append(contentsOf: section)
        bytes.append(separator)
        append(row.text.dataText, to: &bytes)
        bytes.append(separator)
        append(row.detailText?.dataText ?? "", to: &bytes)
        if !detailKeyPaths.isEmpty {
            for value in row.detailValues {
                bytes.append(separator)
                append(PrintedValue.field(value), to: &bytes)
            }
        }
        bytes.append(UInt8(ascii: "\n"))
    }

    private var separator: UInt8 { isCSV ? UInt8(ascii: ",") : UInt8(ascii: "\t") }

    private func append(_ text: String, to bytes: inout [UInt8]) {
        guard let printable else {
            if isCSV { appendQuoted(text, to: &bytes) } else { appendEscaped(text, to: &bytes) }
            return
        }
        if isCSV { return appendQuoted(printable(text), to: &bytes) }
        // In TSV the escapes come first: they are printable, and the way back stays open.
        var escaped: [UInt8] = []
        appendEscaped(text, to: &escaped)
        bytes.append(contentsOf: printable(String(decoding: escaped, as: UTF8.self)).utf8)
    }

    private func appendQuoted(_ text: String, to bytes: inout [UInt8]) {
        let start = bytes.count
        bytes.append(contentsOf: text.utf8)
        let needsQuotes = bytes[start...].contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }
        guard needsQuotes else { return }
        bytes.removeSubrange(start...)
        bytes.append(0x22)
        for byte in text.utf8 {
            if byte == 0x22 { bytes.append(0x22) }
            bytes.append(byte)
        }
        bytes.append(0x22)
    }

    private func appendEscaped(_ text: String, to bytes: inout [UInt8]) {
        let start = bytes.count
        bytes.append(contentsOf: text.utf8)
        let needsEscapes = bytes[start...].contains { $0 == 0x09 || $0 == 0x0A || $0 == 0x0D || $0 == 0x5C }
        guard needsEscapes else { return }
        bytes.removeSubrange(start...)
        for byte in text.utf8 {
            switch byte {
            case 0x09: bytes.append(contentsOf: [0x5C, 0x74])
            case 0x0A: bytes.append(contentsOf: [0x5C, 0x6E])
            case 0x0D: bytes.append(contentsOf: [0x5C, 0x72])
            case 0x5C: bytes.append(contentsOf: [0x5C, 0x5C])
            default: bytes.append(byte)
            }
        }
    }
}

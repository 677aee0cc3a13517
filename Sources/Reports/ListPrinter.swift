package import ObjectStore
import Presentation

/// Prints a list in one of the forms, a batch of rows at a time: memory does not grow with the list.
package struct ListPrinter {
    package enum Failure: Error, Sendable, Equatable {
        case store(StoreError)
        case output(ReportOutputError)
    }

    /// Rows that are read at once.
    private static let batch = 512

    private let options: PrintOptions
    private let output: ReportOutput

    package init(options: PrintOptions, output: ReportOutput) {
        self.options = options
        self.output = output
    }

    /// Prints everything and flushes. A pipe that the reader closed ends it quietly.
    package func print(_ source: some PrintSource) throws(Failure) {
        do {
            try printAll(source)
            try flush()
        } catch .output(.closed) {
            return
        }
    }

    private func printAll(_ source: some PrintSource) throws(Failure) {
        var form = form(of: source)
        try write(form.beginning(of: source))
        var start = 0
        for section in source.sections {
            try write(form.beginning(of: section))
            var next = start
            while next < start + section.count {
                let end = min(next + ListPrinter.batch, start + section.count)
                let rows: [PrintedRow?]
                do {
                    rows = try source.rows(next..<end)
                } catch {
                    // What was read before stands; it is not lost in the buffer.
                    try flush()
                    throw .store(error)
                }
                for case let row? in rows { try write(form.row(row, in: section)) }
                next = end
            }
            start += section.count
        }
        try write(form.end())
    }

    private func form(of source: some PrintSource) -> any PrintedForm {
        switch options.format {
        case .text: TextForm(options: options, source: source)
        case .csv: SeparatedForm(separator: ",", options: options, source: source)
        case .tsv: SeparatedForm(separator: "\t", options: options, source: source)
        case .json: JSONForm(isArray: true, options: options, source: source)
        case .ndjson: JSONForm(isArray: false, options: options, source: source)
        }
    }

    private func write(_ text: String) throws(Failure) {
        do { try output.write(text) } catch { throw .output(error) }
    }

    private func flush() throws(Failure) {
        do { try output.flush() } catch { throw .output(error) }
    }
}

/// The text of a list in one form, piece by piece.
protocol PrintedForm {
    func beginning(of source: any PrintSource) -> String
    func beginning(of section: PrintedSection) -> String
    mutating func row(_ row: PrintedRow, in section: PrintedSection) -> String
    func end() -> String
}

extension PrintedForm {
    func beginning(of source: any PrintSource) -> String { "" }
    func beginning(of section: PrintedSection) -> String { "" }
    func end() -> String { "" }
}

extension PrintedRow {
    /// The secondary texts as one field; of several those that are there.
    var detailText: PresentedText? {
        guard details.count > 1 else { return details.first }
        let texts = details.map(\.dataText).filter { !$0.isEmpty }
        return texts.isEmpty ? .null : PresentedText(texts.joined(separator: ", "))
    }
}

extension PresentedText {
    /// The text as data: the placeholders of NULL and of an empty string are empty.
    var dataText: String { self == .null || self == .emptyString ? "" : text }
}

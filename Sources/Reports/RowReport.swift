package import ObjectStore

/// One object as the clipboard gets it: the line that `--print` has for it.
package enum RowReport {
    /// The line of `--print=tsv`, without its end.
    package static func tsv(_ source: ListPrintSource, measure: TextMeasure) throws(StoreError) -> String? {
        try line(source, PrintOptions(format: .tsv, measure: measure), hasHeader: true)
    }

    /// The object of `--print=ndjson --details`.
    package static func json(_ source: ListPrintSource, measure: TextMeasure) throws(StoreError) -> String? {
        try line(source, PrintOptions(format: .ndjson, withDetails: true, measure: measure), hasHeader: false)
    }

    /// Nil for an object that is gone.
    private static func line(_ source: ListPrintSource, _ options: PrintOptions, hasHeader: Bool) throws(StoreError) -> String? {
        let output = ReportOutput()
        do {
            try ListPrinter(options: options, output: output).print(source)
        } catch .store(let error) {
            throw error
        } catch {
            // In memory nothing fails.
            return nil
        }
        let lines = output.text.split(separator: "\n")
        return lines.dropFirst(hasHeader ? 1 : 0).first.map { String($0) }
    }
}

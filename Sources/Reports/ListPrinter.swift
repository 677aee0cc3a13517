import Dispatch
package import ObjectStore
import Presentation
import Synchronization

/// Prints a list in one of the forms, a batch of rows at a time: memory does not grow with the list.
///
/// A batch is read, then two workers make the texts of its halves. Batches are as large as a bounded number of bytes allows: rows
/// that are read together in the order of their keys cost a fraction of rows that are looked up one by one.
package struct ListPrinter {
    package enum Failure: Error, Sendable, Equatable {
        case store(StoreError)
        case output(ReportOutputError)
    }

    /// Rows that are read at once: at first and where rows are large, and at most.
    static let smallestBatch = 512
    static let largestBatch = 1 << 15
    /// Bytes that the texts of a batch should have at most.
    private static let batchBytes = 1 << 22
    /// From so many rows on a second worker helps.
    private static let sharedFrom = 2048

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
        fit(&form, to: source)
        try write(Array(form.beginning(of: source).utf8))
        let sections = source.sections
        let total = sections.reduce(0) { $0 + $1.count }
        var position = SectionPosition()
        var next = 0
        var size = ListPrinter.smallestBatch
        var isFirst = true
        while next < total {
            let (batch, count) = try read(source, next, min(size, total - next), &size)
            var bytes = 0
            for var part in texts(of: batch, count: count, source, form, sections, &position) {
                bytes += part.count
                if isFirst, !part.isEmpty {
                    part.removeFirst(min(form.separatorLength, part.count))
                    isFirst = false
                }
                try write(part)
            }
            next += count
            let fitting = ListPrinter.batchBytes / max(1, bytes / max(1, count))
            size = max(ListPrinter.smallestBatch, min(ListPrinter.largestBatch, fitting))
        }
        try write(Array(form.end(isEmpty: isFirst).utf8))
    }

    /// Shows a form the rows that it wants to see before the first is printed. What cannot be read is said when it is to be printed.
    private func fit(_ form: inout any PrintedForm, to source: some PrintSource) {
        let wanted = min(form.rowsToFit, source.sections.reduce(0) { $0 + $1.count })
        var next = 0
        while next < wanted, let part = try? source.read(next..<min(wanted, next + ListPrinter.smallestBatch)), part.count > 0 {
            source.rows(0..<part.count, of: part.batch, worker: 0) { form.fit($0) }
            next += part.count
        }
    }

    /// Reads some rows; where that fails, those before the break: what could be read stands.
    private func read<Source: PrintSource>(
        _ source: Source, _ next: Int, _ count: Int, _ size: inout Int
    ) throws(Failure) -> (batch: Source.Batch, count: Int) {
        do {
            return try source.read(next..<(next + count))
        } catch {
            guard count > ListPrinter.smallestBatch, error.cause != .cancelled else {
                try flush()
                throw .store(error)
            }
        }
        return try read(source, next, ListPrinter.smallestBatch, &size)
    }

    /// The text of a batch in one or two parts, and where its sections end.
    private func texts<Source: PrintSource>(
        of batch: Source.Batch, count: Int, _ source: Source, _ form: any PrintedForm, _ sections: [PrintedSection],
        _ position: inout SectionPosition
    ) -> [[UInt8]] {
        guard count >= ListPrinter.sharedFrom else {
            return [Self.text(of: batch, 0..<count, source, form, sections, &position, worker: 0)]
        }
        let half = count / 2
        var middle = position
        middle.advance(by: half, in: sections)
        let starts = [position, middle]
        let parts = Mutex<[[UInt8]]>([[], []])
        let ends = Mutex<[SectionPosition]>(starts)
        DispatchQueue.concurrentPerform(iterations: 2) { worker in
            var own = starts[worker]
            let places = worker == 0 ? 0..<half : half..<count
            let bytes = Self.text(of: batch, places, source, form, sections, &own, worker: worker)
            parts.withLock { $0[worker] = bytes }
            ends.withLock { $0[worker] = own }
        }
        position = ends.withLock { $0[1] }
        return parts.withLock { $0 }
    }

    private static func text<Source: PrintSource>(
        of batch: Source.Batch, _ places: Range<Int>, _ source: Source, _ form: any PrintedForm, _ sections: [PrintedSection],
        _ position: inout SectionPosition, worker: Int
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        var place = places.lowerBound
        while place < places.upperBound, sections.indices.contains(position.section) {
            let section = sections[position.section]
            let end = min(places.upperBound, place + section.count - position.row)
            if position.row == 0, end > place { form.append(section, to: &bytes) }
            let title = form.field(of: section)
            source.rows(place..<end, of: batch, worker: worker) { form.append($0, title, to: &bytes) }
            position.advance(by: end - place, in: sections)
            place = end
        }
        return bytes
    }

    private func form(of source: some PrintSource) -> any PrintedForm {
        switch options.format {
        case .text: TextForm(options: options, source: source)
        case .csv: SeparatedForm(isCSV: true, options: options, source: source)
        case .tsv: SeparatedForm(isCSV: false, options: options, source: source)
        case .json: JSONForm(isArray: true, options: options, source: source)
        case .ndjson: JSONForm(isArray: false, options: options, source: source)
        }
    }

    private func write(_ bytes: [UInt8]) throws(Failure) {
        do { try output.write(bytes) } catch { throw .output(error) }
    }

    private func flush() throws(Failure) {
        do { try output.flush() } catch { throw .output(error) }
    }
}

/// A place in a list by section and row; at a section's end it is the beginning of the next one that has rows.
private struct SectionPosition: Sendable {
    var section = 0
    var row = 0

    /// O(sections passed).
    mutating func advance(by count: Int, in sections: [PrintedSection]) {
        row += count
        while sections.indices.contains(section), row >= sections[section].count {
            row -= sections[section].count
            section += 1
        }
    }
}

/// The text of a list in one form, piece by piece; two workers may ask at the same time.
protocol PrintedForm: Sendable {
    func beginning(of source: any PrintSource) -> String
    /// What stands before the first row of a section.
    func append(_ section: PrintedSection, to bytes: inout [UInt8])
    /// The section as its rows name it.
    func field(of section: PrintedSection) -> [UInt8]
    /// A row, after what separates it from another one.
    func append(_ row: PrintedRow, _ section: [UInt8], to bytes: inout [UInt8])
    /// How many bytes of the first row separate it from one that is not there.
    var separatorLength: Int { get }
    func end(isEmpty: Bool) -> String
    /// How many rows it has to see before it begins.
    var rowsToFit: Int { get }
    mutating func fit(_ row: PrintedRow)
}

extension PrintedForm {
    func append(_ section: PrintedSection, to bytes: inout [UInt8]) {}
    func field(of section: PrintedSection) -> [UInt8] { [] }
    var separatorLength: Int { 0 }
    func end(isEmpty: Bool) -> String { "" }
    var rowsToFit: Int { 0 }
    mutating func fit(_ row: PrintedRow) {}
}

extension PrintedRow {
    /// The secondary texts as one field; of several each has its place, which is empty where nothing is there.
    var detailText: PresentedText? {
        guard details.count > 1 else { return details.first }
        return PresentedText(details.map(\.dataText).joined(separator: ", "))
    }
}

extension PresentedText {
    /// The text as data: the placeholders of NULL and of an empty string are empty.
    var dataText: String { isPlaceholder && (self == .null || self == .emptyString) ? "" : text }
}

import CSQLite
import Glibc
import ObjectStore

/// Writes the sort values of a row as bytes whose order is the order wanted (SPEC section 2).
///
/// NULL, then numbers, then strings, then blobs; each value ends by itself, so that the next key follows it. Descending keys are
/// written complemented.
final class SortKeyWriter {
    struct Key {
        /// Column of the row.
        var index: Int32
        var column: KeyPathCompiler.Column
        var ascending: Bool
        var selector: SortDescriptor.Selector
    }

    private enum Tag {
        static let null: UInt8 = 1
        static let number: UInt8 = 2
        static let text: UInt8 = 3
        static let blob: UInt8 = 4
    }

    /// What is needed of a key for each row, without anything that is counted.
    private struct Step {
        var index: Int32
        var ascending: Bool
        var isDerived: Bool
        /// Whether it is a date that is not stored as seconds since 2001.
        var isMoment: Bool
        var selector: SortDescriptor.Selector
    }

    private let keys: [Key]
    /// Whether there is one key, which folds texts and ascends.
    private let isPlainText: Bool
    private let steps: UnsafeMutableBufferPointer<Step>
    private let folding: TextFolding
    private let scalars: FoldedScalars
    private let derived: DerivedValue
    private let buffer = ByteBuffer()

    /// The last text read of a column, so that nobody asks SQLite for it twice; valid until the next step of the row.
    var text: (column: Int32, bytes: UnsafeRawBufferPointer) { lastText.pointee }
    /// Behind a pointer, where no access is checked at run time.
    private let lastText: UnsafeMutablePointer<(column: Int32, bytes: UnsafeRawBufferPointer)>

    init(keys: [Key], folding: TextFolding, derived: DerivedValue) {
        self.keys = keys
        self.folding = folding
        scalars = FoldedScalars(folding)
        self.derived = derived
        lastText = .allocate(capacity: 1)
        lastText.initialize(to: (-1, UnsafeRawBufferPointer(start: nil, count: 0)))
        steps = .allocate(capacity: keys.count)
        for (place, key) in keys.enumerated() {
            steps.initializeElement(
                at: place,
                to: Step(
                    index: key.index, ascending: key.ascending, isDerived: key.column.derivation != nil,
                    isMoment: SortKeyWriter.isMoment(key), selector: key.selector))
        }
        let plain = keys.count == 1 ? steps.first : nil
        isPlainText =
            plain.map { $0.ascending && !$0.isDerived && !$0.isMoment && $0.selector == .caseInsensitiveCompare } ?? false
    }

    deinit {
        steps.deallocate()
        lastText.deallocate()
    }

    /// The smallest byte that a sort key begins with; the three after it are the others.
    var firstByte: UInt8 { keys.first?.ascending == false ? ~Tag.blob : Tag.null }

    /// The byte that sort keys begin with whose first value is a folded text, and whether they ascend; nil: texts are not folded.
    var foldedText: (byte: UInt8, ascending: Bool)? {
        guard let first = keys.first, first.selector == .caseInsensitiveCompare else { return nil }
        return (first.ascending ? Tag.text : ~Tag.text, first.ascending)
    }

    /// Writes the row that the statement stands on; its bytes, valid until the next one.
    @inline(__always)
    func write(_ row: RowValues) -> UnsafeRawBufferPointer {
        buffer.count = 0
        lastText.pointee.column = -1
        // Most lists have one key, a text that is folded.
        if isPlainText, row.type(steps[0].index) == SQLITE_TEXT {
            let bytes = row.textBytes(steps[0].index)
            lastText.pointee = (steps[0].index, bytes)
            if bytes.count <= TextFolding.limit, appendFolded(bytes) { return buffer.bytes }
            appendText(bytes, .caseInsensitiveCompare)
            return buffer.bytes
        }
        return writeSteps(row)
    }

    @inline(never)
    private func writeSteps(_ row: RowValues) -> UnsafeRawBufferPointer {
        for place in 0..<steps.count {
            let step = steps[place]
            let start = buffer.count
            append(row, step, place)
            if !step.ascending {
                for position in start..<buffer.count { buffer.base[position] = ~buffer.base[position] }
            }
        }
        return buffer.bytes
    }

    private func append(_ row: RowValues, _ step: Step, _ place: Int) {
        if step.isDerived { return appendDerived(row, keys[place]) }
        if step.isMoment, let moment = moment(row, keys[place]) { return appendDouble(moment, residue: 0) }
        switch row.type(step.index) {
        case SQLITE_TEXT:
            let bytes = row.textBytes(step.index)
            lastText.pointee = (step.index, bytes)
            appendText(bytes, step.selector)
        case SQLITE_INTEGER: appendInteger(row.integer(step.index))
        case SQLITE_FLOAT: appendDouble(row.double(step.index), residue: 0)
        case SQLITE_BLOB:
            buffer.append(Tag.blob)
            appendEscaped(limited(row.bytes(step.index)))
        default: buffer.append(Tag.null)
        }
    }

    private func appendDerived(_ row: RowValues, _ key: Key) {
        guard let derivation = key.column.derivation else { return buffer.append(Tag.null) }
        switch derived.value(derivation, row, key.index, key.column) {
        case .string(var text):
            text.withUTF8 { appendText(UnsafeRawBufferPointer($0), key.selector) }
        case .integer(let number): appendInteger(number)
        default: buffer.append(Tag.null)
        }
    }

    private static func isMoment(_ key: Key) -> Bool {
        guard case .attribute(let attribute) = key.column.shape else { return false }
        return attribute.type == .date && attribute.dates != .referenceSeconds
    }

    /// When a date is that is written as text, or in several ways in one column: neither zones nor precisions sort as they stand.
    private func moment(_ row: RowValues, _ key: Key) -> Double? {
        guard case .attribute(let attribute) = key.column.shape else { return nil }
        switch row.type(key.index) {
        case SQLITE_INTEGER: return attribute.dates.seconds(.integer(row.integer(key.index)))
        case SQLITE_FLOAT: return attribute.dates.seconds(.double(row.double(key.index)))
        case SQLITE_TEXT:
            return attribute.dates.seconds(.string(String(decoding: limited(row.textBytes(key.index)), as: UTF8.self)))
        default: return nil
        }
    }

    /// As its nearest double, then by what that leaves: integers beyond 2⁵³ keep their order among themselves and reals.
    private func appendInteger(_ value: Int64) {
        let double = Double(value)
        let rounded = double >= 0x1p63 ? Int64.min : Int64(double)
        appendDouble(double, residue: value &- rounded)
    }

    private func appendDouble(_ value: Double, residue: Int64) {
        let target = UnsafeMutableRawPointer(buffer.reserve(11))
        let bits = (value == 0 ? 0 : value).bitPattern
        let ordered = bits >> 63 == 0 ? bits | 1 << 63 : ~bits
        target.storeBytes(of: Tag.number, as: UInt8.self)
        target.storeBytes(of: ordered.bigEndian, toByteOffset: 1, as: UInt64.self)
        target.storeBytes(of: UInt16(truncatingIfNeeded: residue &+ 0x8000).bigEndian, toByteOffset: 9, as: UInt16.self)
        buffer.count += 11
    }

    private func limited(_ whole: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        whole.count > TextFolding.limit ? UnsafeRawBufferPointer(rebasing: whole[..<TextFolding.limit]) : whole
    }

    private func appendText(_ whole: UnsafeRawBufferPointer, _ selector: SortDescriptor.Selector) {
        let text = limited(whole)
        switch selector {
        case .compare:
            buffer.append(Tag.text)
            appendEscaped(text)
        case .caseInsensitiveCompare:
            if appendFolded(text) { return }
            buffer.append(Tag.text)
            appendEscaped(folding.fold(text))
        case .localizedCaseInsensitiveCompare, .localizedStandardCompare:
            buffer.append(Tag.text)
            appendEscaped(folding.collationKey(text, selector))
        }
    }

    /// Scalar by scalar in one pass; false, with nothing written, where the text has to be folded as a whole.
    @inline(__always)
    private func appendFolded(_ text: UnsafeRawBufferPointer) -> Bool {
        let target = buffer.reserve(FoldedScalars.room(for: text.count))
        target[0] = Tag.text
        guard let end = scalars.write(text, to: target + 1) else { return false }
        end.pointee = 0
        buffer.count &+= end - target &+ 1
        return true
    }

    /// Zero ends a value, so zeros inside are written 1 1, and ones 1 2.
    private func appendEscaped(_ bytes: UnsafeRawBufferPointer) {
        let target = buffer.reserve(bytes.count * 2 + 1)
        var position = 0
        for byte in bytes {
            if byte <= 1 {
                target[position] = 1
                target[position &+ 1] = byte &+ 1
                position &+= 2
            } else {
                target[position] = byte
                position &+= 1
            }
        }
        target[position] = 0
        buffer.count &+= position &+ 1
    }
}

import CSQLite
import Glibc
import ObjectStore

/// Writes the sort values of a row as bytes whose order is the order wanted (SPEC section 2).
///
/// NULL, then numbers, then strings, then blobs; each value ends by itself, so that the next key follows it. Descending keys are
/// written complemented.
final class SortKeyWriter {
    struct Key {
        /// Column of the statement.
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

    private let keys: [Key]
    private let folding: TextFolding
    private let scalars: FoldedScalars
    private let derived: DerivedValue
    private let buffer = ByteBuffer()

    init(keys: [Key], folding: TextFolding, derived: DerivedValue) {
        self.keys = keys
        self.folding = folding
        scalars = FoldedScalars(folding)
        self.derived = derived
    }

    /// The bytes of the last row written; valid until the next one.
    var bytes: UnsafeRawBufferPointer { buffer.bytes }

    /// Writes the row that the statement stands on.
    func write(_ statement: Statement) {
        buffer.count = 0
        for key in keys {
            let start = buffer.count
            append(statement, key)
            if !key.ascending {
                for position in start..<buffer.count { buffer.base[position] = ~buffer.base[position] }
            }
        }
    }

    private func append(_ statement: Statement, _ key: Key) {
        if let derivation = key.column.derivation {
            switch derived.value(derivation, statement, key.index, key.column) {
            case .string(var text):
                text.withUTF8 { appendText(UnsafeRawBufferPointer($0), key.selector) }
            case .integer(let number): appendInteger(number)
            default: buffer.append(Tag.null)
            }
            return
        }
        if let moment = moment(statement, key) { return appendDouble(moment, residue: 0) }
        switch sqlite3_column_type(statement.handle, key.index) {
        case SQLITE_INTEGER: appendInteger(statement.integer(key.index))
        case SQLITE_FLOAT: appendDouble(statement.double(key.index), residue: 0)
        case SQLITE_TEXT: appendText(statement.textBytes(key.index), key.selector)
        case SQLITE_BLOB:
            buffer.append(Tag.blob)
            appendEscaped(limited(statement.bytes(key.index)))
        default: buffer.append(Tag.null)
        }
    }

    /// When a date is that is written as text, or in several ways in one column: neither zones nor precisions sort as they stand.
    private func moment(_ statement: Statement, _ key: Key) -> Double? {
        guard case .attribute(let attribute) = key.column.shape, attribute.type == .date, attribute.dates != .referenceSeconds
        else { return nil }
        switch sqlite3_column_type(statement.handle, key.index) {
        case SQLITE_INTEGER: return attribute.dates.seconds(.integer(statement.integer(key.index)))
        case SQLITE_FLOAT: return attribute.dates.seconds(.double(statement.double(key.index)))
        case SQLITE_TEXT:
            return attribute.dates.seconds(.string(String(decoding: limited(statement.textBytes(key.index)), as: UTF8.self)))
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

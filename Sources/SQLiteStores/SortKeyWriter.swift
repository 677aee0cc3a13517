import CSQLite
import Glibc
import ObjectStore

/// Writes the sort values of a row as bytes whose order is the order wanted (SPEC section 2).
///
/// NULL, then numbers, then strings, then blobs; each value ends by itself, so that the next key follows it. Descending keys are
/// written complemented. Room: at most `bound` bytes a value.
final class SortKeyWriter {
    struct Key {
        /// Column of the statement; nil where the values are derived.
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

    private let folding: TextFolding
    private let derived: DerivedValue
    /// The bytes of the last row written.
    private(set) var scratch: [UInt8] = []

    init(folding: TextFolding, derived: DerivedValue) {
        self.folding = folding
        self.derived = derived
        scratch.reserveCapacity(256)
    }

    /// Writes the row that the statement stands on.
    func write(_ statement: Statement, _ keys: [Key]) {
        scratch.removeAll(keepingCapacity: true)
        for key in keys {
            let start = scratch.count
            append(statement, key)
            if !key.ascending {
                for position in start..<scratch.count { scratch[position] = ~scratch[position] }
            }
        }
    }

    private func append(_ statement: Statement, _ key: Key) {
        if let derivation = key.column.derivation {
            switch derived.value(derivation, statement, key.index, key.column) {
            case .string(var text):
                text.withUTF8 { appendText(UnsafeRawBufferPointer($0), key.selector) }
            case .integer(let number): appendInteger(number)
            default: scratch.append(Tag.null)
            }
            return
        }
        switch sqlite3_column_type(statement.handle, key.index) {
        case SQLITE_INTEGER: appendInteger(statement.integer(key.index))
        case SQLITE_FLOAT: appendDouble(statement.double(key.index), residue: 0)
        case SQLITE_TEXT: appendText(statement.bytes(key.index), key.selector)
        case SQLITE_BLOB:
            scratch.append(Tag.blob)
            appendEscaped(UnsafeRawBufferPointer(rebasing: statement.bytes(key.index).prefix(TextFolding.limit)))
        default: scratch.append(Tag.null)
        }
    }

    /// As its nearest double, then by what that leaves: integers beyond 2⁵³ keep their order among themselves and reals.
    private func appendInteger(_ value: Int64) {
        let double = Double(value)
        let rounded = double >= 0x1p63 ? Int64.min : Int64(double)
        appendDouble(double, residue: value &- rounded)
    }

    private func appendDouble(_ value: Double, residue: Int64) {
        scratch.append(Tag.number)
        let bits = (value == 0 ? 0 : value).bitPattern
        appendBigEndian(bits >> 63 == 0 ? bits | 1 << 63 : ~bits, bytes: 8)
        appendBigEndian(UInt64(truncatingIfNeeded: residue &+ 0x8000), bytes: 2)
    }

    private func appendBigEndian(_ value: UInt64, bytes: Int) {
        var shift = (bytes - 1) * 8
        while shift >= 0 {
            scratch.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
            shift -= 8
        }
    }

    private func appendText(_ whole: UnsafeRawBufferPointer, _ selector: SortDescriptor.Selector) {
        scratch.append(Tag.text)
        let text = whole.count > TextFolding.limit ? UnsafeRawBufferPointer(rebasing: whole[..<TextFolding.limit]) : whole
        switch selector {
        case .compare: appendEscaped(text)
        case .caseInsensitiveCompare:
            let start = scratch.count
            if appendFoldedASCII(text) { return }
            scratch.removeLast(scratch.count - start)
            folding.fold(text)
            appendFoldingResult()
        case .localizedCaseInsensitiveCompare, .localizedStandardCompare:
            folding.collationKey(text, selector)
            appendFoldingResult()
        }
    }

    private func appendFoldingResult() {
        folding.bytes.withUnsafeBytes { appendEscaped(UnsafeRawBufferPointer(rebasing: $0[..<folding.count])) }
    }

    /// The common case in one pass; false, with some of it written, at the first byte that needs more.
    private func appendFoldedASCII(_ text: UnsafeRawBufferPointer) -> Bool {
        for byte in text {
            guard byte > 1, byte < 0x80 else { return false }
            scratch.append(byte &- 0x41 < 26 ? byte | 0x20 : byte)
        }
        scratch.append(0)
        return true
    }

    /// Zero ends a value, so zeros inside are written 1 1, and ones 1 2.
    private func appendEscaped(_ bytes: UnsafeRawBufferPointer) {
        for byte in bytes {
            if byte <= 1 {
                scratch.append(1)
                scratch.append(byte + 1)
            } else {
                scratch.append(byte)
            }
        }
        scratch.append(0)
    }
}

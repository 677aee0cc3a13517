import CSQLite
import Foundation
import ObjectStore

/// Numbers the different section values of a scan, in the order in which it meets them.
///
/// Values are told apart as they are stored (1 and '1' differ), texts up to canonical equivalence; no `Value` is made but for
/// a new one.
final class SectionTable {
    private(set) var values: [Value] = []
    private var numbers: [Value: UInt32] = [:]
    /// Texts by their bytes: open addressing, number + 1 a slot, 0 empty.
    private var slots: [UInt32] = Array(repeating: 0, count: 64)
    private var texts: [UInt8] = []
    private var ranges: [(number: UInt32, start: Int, count: Int, hash: UInt64)] = []
    /// First-letter sections of texts by their first scalar, where that is a character by itself.
    private let letters: UnsafeMutablePointer<UInt32>
    private let isFirstLetter: Bool

    /// First scalar that may be a part of a larger character: the combining marks begin here.
    private static let lonelyEnd: UInt32 = 0x300

    private let column: KeyPathCompiler.Column
    private let index: Int32
    private let reader: ValueReader

    init(column: KeyPathCompiler.Column, index: Int32, reader: ValueReader) {
        self.column = column
        self.index = index
        self.reader = reader
        isFirstLetter = column.derivation == .firstLetter || column.derivation == .nameFirstLetter
        letters = .allocate(capacity: Int(SectionTable.lonelyEnd))
        letters.initialize(repeating: .max, count: Int(SectionTable.lonelyEnd))
    }

    deinit { letters.deallocate() }

    /// The section of the row that the statement stands on. O(1) expected, plus the text's length.
    ///
    /// - Parameter text: a column's text that was read already.
    @inline(__always)
    func number(_ row: RowValues, text: (column: Int32, bytes: UnsafeRawBufferPointer)) -> UInt32 {
        if isFirstLetter, text.column == index, let first = SectionTable.lonelyFirst(text.bytes), letters[first] != .max {
            return letters[first]
        }
        return anyNumber(row, text: text)
    }

    private func anyNumber(_ row: RowValues, text: (column: Int32, bytes: UnsafeRawBufferPointer)) -> UInt32 {
        let bytes: UnsafeRawBufferPointer
        if text.column == index {
            bytes = text.bytes
        } else {
            guard row.type(index) == SQLITE_TEXT else {
                return number(of: reader.value(row, index, column))
            }
            bytes = row.textBytes(index)
        }
        if column.derivation != nil {
            if isFirstLetter, let first = SectionTable.lonelyFirst(bytes) {
                if letters[first] != .max { return letters[first] }
                let new = number(of: reader.value(row, index, column))
                letters[first] = new
                return new
            }
            return number(of: reader.value(row, index, column))
        }
        // A date column's text may be a date; the others' text is itself.
        if case .attribute(let attribute) = column.shape, attribute.type == .date {
            return number(of: reader.value(row, index, column))
        }
        return number(ofText: bytes)
    }

    /// The first scalar of a text, where neither it nor the next one can be a part of a larger character; the one larger character
    /// below the combining marks begins with a carriage return.
    @inline(__always)
    private static func lonelyFirst(_ bytes: UnsafeRawBufferPointer) -> Int? {
        guard let lead = bytes.first, lead != 0x0D, lead < 0xCC else { return nil }
        if lead < 0x80 {
            guard bytes.count < 2 || bytes[1] < 0xCC && (bytes[1] < 0x80 || bytes[1] >= 0xC2) else { return nil }
            return Int(lead)
        }
        guard lead >= 0xC2, bytes.count >= 2, bytes[1] & 0xC0 == 0x80 else { return nil }
        guard bytes.count < 3 || bytes[2] < 0xCC && (bytes[2] < 0x80 || bytes[2] >= 0xC2) else { return nil }
        return Int(lead & 0x1F) << 6 | Int(bytes[1] & 0x3F)
    }

    func number(of value: Value) -> UInt32 {
        if case .string(var text) = value { return text.withUTF8 { number(ofText: UnsafeRawBufferPointer($0)) } }
        if let known = numbers[value] { return known }
        let new = UInt32(truncatingIfNeeded: values.count)
        values.append(value)
        numbers[value] = new
        return new
    }

    private func number(ofText bytes: UnsafeRawBufferPointer) -> UInt32 {
        var bytesHash = StableHash()
        bytesHash.add(bytes)
        let hash = bytesHash.value ^ bytesHash.value >> 32
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] != 0 {
            let entry = ranges[Int(slots[slot]) - 1]
            if entry.hash == hash, entry.count == bytes.count, isEqual(entry.start, bytes) { return entry.number }
            slot = (slot + 1) & (slots.count - 1)
        }
        // Canonically equivalent spellings are one value, and so one section.
        let value = Value.string(String(decoding: bytes, as: UTF8.self))
        let isASCII = bytes.allSatisfy { $0 < 0x80 }
        let new = (isASCII ? nil : numbers[value]) ?? UInt32(truncatingIfNeeded: values.count)
        if new == values.count {
            values.append(value)
            if !isASCII { numbers[value] = new }
        }
        ranges.append((new, texts.count, bytes.count, hash))
        texts.append(contentsOf: bytes)
        slots[slot] = UInt32(truncatingIfNeeded: ranges.count)
        if ranges.count * 2 > slots.count { grow() }
        return new
    }

    private func isEqual(_ start: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
        for (offset, byte) in bytes.enumerated() where texts[start + offset] != byte { return false }
        return true
    }

    private func grow() {
        slots = Array(repeating: 0, count: slots.count * 2)
        for (position, entry) in ranges.enumerated() {
            var slot = Int(truncatingIfNeeded: entry.hash) & (slots.count - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = UInt32(truncatingIfNeeded: position + 1)
        }
    }
}

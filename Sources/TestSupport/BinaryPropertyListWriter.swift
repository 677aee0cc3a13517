/// Writes binary property lists object by object, so that tests can make what no library's writer would: cycles, shared objects,
/// references and offsets of any width, damage.
package struct BinaryPropertyListWriter {
    package enum Object {
        case null
        case boolean(Bool)
        case integer(Int64)
        case real(Double)
        /// Seconds since 2001-01-01 00:00:00 UTC.
        case date(Double)
        /// In ASCII where possible, else in UTF-16.
        case string(String)
        case data([UInt8])
        case uid(UInt64)
        /// Numbers of objects.
        case array([Int])
        case set([Int])
        /// Numbers of objects, key and value.
        case dictionary([(key: Int, value: Int)])
        /// As it is to stand in the file.
        case raw([UInt8])
    }

    package var objects: [Object] = []
    package var top = 0
    /// Bytes of a reference and of an offset; wide enough for what is written.
    package var referenceSize = 2
    package var offsetSize = 4

    package init() {}

    /// Adds an object; returns its number.
    package mutating func add(_ object: Object) -> Int {
        objects.append(object)
        return objects.count - 1
    }

    /// The file.
    package func bytes() -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var offsets: [Int] = []
        for object in objects {
            offsets.append(bytes.count)
            append(object, to: &bytes)
        }
        let table = bytes.count
        for offset in offsets { append(UInt64(offset), size: offsetSize, to: &bytes) }
        bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
        append(UInt64(objects.count), size: 8, to: &bytes)
        append(UInt64(top), size: 8, to: &bytes)
        append(UInt64(table), size: 8, to: &bytes)
        return bytes
    }

    private func append(_ object: Object, to bytes: inout [UInt8]) {
        switch object {
        case .null: bytes.append(0x00)
        case .boolean(let flag): bytes.append(flag ? 0x09 : 0x08)
        case .integer(let number):
            bytes.append(0x13)
            append(UInt64(bitPattern: number), size: 8, to: &bytes)
        case .real(let number):
            bytes.append(0x23)
            append(number.bitPattern, size: 8, to: &bytes)
        case .date(let seconds):
            bytes.append(0x33)
            append(seconds.bitPattern, size: 8, to: &bytes)
        case .string(let text):
            if text.utf8.allSatisfy({ $0 < 0x80 }) {
                append(kind: 0x50, count: text.utf8.count, to: &bytes)
                bytes += Array(text.utf8)
            } else {
                append(kind: 0x60, count: text.utf16.count, to: &bytes)
                for unit in text.utf16 { append(UInt64(unit), size: 2, to: &bytes) }
            }
        case .data(let data):
            append(kind: 0x40, count: data.count, to: &bytes)
            bytes += data
        case .uid(let number):
            bytes.append(0x83)
            append(number, size: 4, to: &bytes)
        case .array(let items):
            append(kind: 0xA0, count: items.count, to: &bytes)
            for item in items { append(UInt64(item), size: referenceSize, to: &bytes) }
        case .set(let items):
            append(kind: 0xC0, count: items.count, to: &bytes)
            for item in items { append(UInt64(item), size: referenceSize, to: &bytes) }
        case .dictionary(let entries):
            append(kind: 0xD0, count: entries.count, to: &bytes)
            for entry in entries { append(UInt64(entry.key), size: referenceSize, to: &bytes) }
            for entry in entries { append(UInt64(entry.value), size: referenceSize, to: &bytes) }
        case .raw(let raw): bytes += raw
        }
    }

    private func append(kind: UInt8, count: Int, to bytes: inout [UInt8]) {
        if count < 15 {
            bytes.append(kind | UInt8(count))
        } else {
            bytes += [kind | 0x0F, 0x12]
            append(UInt64(count), size: 4, to: &bytes)
        }
    }

    private func append(_ value: UInt64, size: Int, to bytes: inout [UInt8]) {
        for place in (0..<size).reversed() { bytes.append(place < 8 ? UInt8(truncatingIfNeeded: value >> (8 * place)) : 0) }
    }
}

import ObjectStore

/// Documents in UTF-16, as spreadsheets write them.
enum UTF16Text {
    /// The document in UTF-8. Halves of surrogate pairs become the replacement character.
    static func converted(_ input: DocumentInput, isBigEndian: Bool, isPrivate: Bool, progress: FetchProgress)
        throws(ReadingFault) -> DocumentInput
    {
        let spool = try DocumentInput.Spool(name: input.name, isPrivate: isPrivate)
        var buffer = [UInt8](repeating: 0, count: 1 << 17)
        var text: [UInt8] = []
        var high: UInt32 = 0
        var position = 0
        func append(_ code: UInt32) {
            let scalar = Unicode.Scalar(code) ?? "\u{FFFD}"
            for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { text.append(byte) }
        }
        while true {
            let count = try input.read(at: position, into: &buffer)
            if count < 2 { break }
            text.removeAll(keepingCapacity: true)
            for index in stride(from: 0, to: count - 1, by: 2) {
                let (first, second) = (UInt32(buffer[index]), UInt32(buffer[index + 1]))
                let unit = isBigEndian ? first << 8 | second : second << 8 | first
                if (0xDC00...0xDFFF).contains(unit), high != 0 {
                    append(0x10000 + (high - 0xD800) << 10 + (unit - 0xDC00))
                    high = 0
                    continue
                }
                if high != 0 { append(0xD800) }
                high = (0xD800...0xDBFF).contains(unit) ? unit : 0
                if high == 0, !(unit == 0xFEFF && position + index == 0) { append(unit) }
            }
            try spool.append(text[...])
            position += count & ~1
        }
        return try spool.input(progress: progress)
    }
}

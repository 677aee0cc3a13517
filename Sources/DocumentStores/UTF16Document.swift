import ObjectStore
import PropertyLists

/// Documents in UTF-16, as spreadsheets write them.
enum UTF16Document {
    /// The document in UTF-8. Halves of surrogate pairs become the replacement character.
    static func converted(_ input: DocumentInput, isBigEndian: Bool, isPrivate: Bool, progress: FetchProgress)
        throws(ReadingFault) -> DocumentInput
    {
        let spool = try DocumentInput.Spool(name: input.name, isPrivate: isPrivate)
        var buffer = [UInt8](repeating: 0, count: 1 << 17)
        var text: [UInt8] = []
        /// The first half of a pair whose second is to come; 0: none.
        var high: UInt16 = 0
        var position = 0
        func append(_ scalar: Unicode.Scalar?) {
            for byte in UTF8.encode(scalar ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter { text.append(byte) }
        }
        while true {
            let count = try input.read(at: position, into: &buffer)
            if count < 2 { break }
            text.removeAll(keepingCapacity: true)
            for index in stride(from: 0, to: count - 1, by: 2) {
                let (first, second) = (UInt16(buffer[index]), UInt16(buffer[index + 1]))
                let unit = isBigEndian ? first << 8 | second : second << 8 | first
                if let scalar = Unicode.Scalar(highSurrogate: high, low: unit) {
                    append(scalar)
                    high = 0
                    continue
                }
                if high != 0 { append(nil) }
                high = UTF16.isLeadSurrogate(unit) ? unit : 0
                if high == 0, !(unit == 0xFEFF && position + index == 0) { append(Unicode.Scalar(unit)) }
            }
            try spool.append(text[...])
            position += count & ~1
        }
        return try spool.input(progress: progress)
    }
}

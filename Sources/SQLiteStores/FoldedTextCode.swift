/// Writes the beginning of a folded text in six bits a byte, so that an entry of a sort tells sixteen apart instead of twelve.
///
/// The codes stand in the order of the bytes. What is common in folded UTF-8 has a code of its own; the bytes between two such
/// share one, and there the code ends: texts that agree so far are told apart by their bytes from there on. Behind the text's end
/// come whole bytes. So texts with the same code have used the same number of bytes.
struct FoldedTextCode {
    /// Bits of a code.
    private static let width = 6
    /// In a table's byte: no code of its own.
    private static let shared: UInt8 = 0x80
    /// In a table's byte: the byte begins a character of two, so that the next one is written as it is.
    private static let leads: UInt8 = 0x40

    private let table: UnsafeMutablePointer<UInt8>
    /// Complements a descending key's bytes and codes.
    private let mask: UInt8

    /// Bits that an entry has room for.
    static let room = SortEntry.width * 8

    /// Bytes with a code of their own. Folded texts have no capitals, and marks apart from their letters.
    private static let common: [UInt8] = Array(
        [[0x00, 0x20, 0x27], Array(0x2C...0x3A), [0x5F], Array(0x61...0x7A)].joined())
    /// First bytes of characters of two: Latin letters that do not decompose, combining marks, Greek, Cyrillic.
    private static let leading: [UInt8] = [0xC3, 0xC4, 0xC5, 0xCC, 0xCE, 0xCF, 0xD0, 0xD1]

    /// The caller deallocates it once it is done with all copies.
    init(ascending: Bool) {
        mask = ascending ? 0 : 0xFF
        table = .allocate(capacity: 256)
        var code: UInt8 = 0
        var wasShared = false
        for byte in UInt8.min...UInt8.max {
            let isLeading = FoldedTextCode.leading.contains(byte)
            let isShared = !isLeading && !FoldedTextCode.common.contains(byte)
            if byte > 0, !(isShared && wasShared) { code += 1 }
            wasShared = isShared
            table[Int(byte)] = code | (isShared ? FoldedTextCode.shared : isLeading ? FoldedTextCode.leads : 0)
        }
    }

    func deallocate() { table.deallocate() }

    /// The code of a sort key that begins with a folded text, and how many bytes it stands for. O(1).
    @inline(__always)
    func code(_ bytes: UnsafeRawBufferPointer) -> (entry: SortEntry, used: Int) {
        var bits: UInt128 = 0
        var free = FoldedTextCode.room
        var used = 0
        let complement = mask & 0x3F
        var isText = true
        while isText, free >= FoldedTextCode.width, used < bytes.count {
            let byte = bytes[used] ^ mask
            let found = table[Int(byte)]
            bits = bits << 6 | UInt128(found & 0x3F ^ complement)
            free &-= FoldedTextCode.width
            if found & FoldedTextCode.shared != 0 { break }
            used &+= 1
            isText = byte != 0
            if found & FoldedTextCode.leads != 0, used < bytes.count, free >= FoldedTextCode.width {
                let next = bytes[used] ^ mask
                guard next & 0xC0 == 0x80 else { break }
                bits = bits << 6 | UInt128(next & 0x3F ^ complement)
                free &-= FoldedTextCode.width
                used &+= 1
            }
        }
        if !isText {
            while free >= 8, used < bytes.count {
                bits = bits << 8 | UInt128(bytes[used])
                free &-= 8
                used &+= 1
            }
        }
        bits <<= UInt128(truncatingIfNeeded: free)
        return (SortEntry(high: UInt64(truncatingIfNeeded: bits >> 32), low: UInt64(truncatingIfNeeded: bits) << 32), used)
    }
}

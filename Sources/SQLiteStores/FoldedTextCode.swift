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
    /// The same without the mark of first bytes, and with the bits of the second byte of a character of two as its code.
    private let quick: UnsafeMutablePointer<UInt8>
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
        quick = .allocate(capacity: 256)
        for byte in 0..<256 { quick[byte] = byte & 0xC0 == 0x80 ? UInt8(byte & 0x3F) : table[byte] & ~FoldedTextCode.leads }
    }

    func deallocate() {
        table.deallocate()
        quick.deallocate()
    }

    /// The code of a sort key that begins with a folded text, and how many bytes it stands for. Sixteen bytes are read, however
    /// many there are. O(1).
    @inline(__always)
    func code(_ bytes: UnsafeRawBufferPointer) -> (entry: SortEntry, used: Int) {
        quickCode(bytes) ?? anyCode(bytes)
    }

    /// Sixteen bytes at once; nil where not each of them has its code, or something follows a text that ends in them.
    @inline(__always)
    private func quickCode(_ bytes: UnsafeRawBufferPointer) -> (entry: SortEntry, used: Int)? {
        guard let start = bytes.baseAddress else { return nil }
        let plain = UInt64(mask) &* 0x0101_0101_0101_0101
        var first = UInt64(littleEndian: start.loadUnaligned(as: UInt64.self)) ^ plain
        var second = UInt64(littleEndian: start.loadUnaligned(fromByteOffset: 8, as: UInt64.self)) ^ plain
        // The bytes of the text, with the zero at its end; behind that there are only zeros, whose code is zero.
        var length = 16
        let zero = FoldedTextCode.firstZero(first)
        if zero < 8 {
            length = zero &+ 1
            first &= FoldedTextCode.below(zero &* 8)
            second = 0
            guard length == bytes.count else { return nil }
        } else {
            let zero = FoldedTextCode.firstZero(second)
            if zero < 8 {
                length = zero &+ 9
                second &= FoldedTextCode.below(zero &* 8)
                guard length == bytes.count else { return nil }
            } else {
                guard bytes.count >= 16 else { return nil }
            }
        }
        // The second byte of a character stands behind a first one, and nowhere else.
        let tops: UInt64 = 0x8080_8080_8080_8080
        if (first | second) & tops != 0 {
            let leads = first & first << 1 & tops
            let apart = leads << 8 ^ first & ~(first << 1) & tops
            let followed = second & second << 1 & tops
            guard apart | (followed << 8 | leads >> 56) ^ (second & ~(second << 1) & tops) == 0 else { return nil }
        }
        var flags: UInt64 = 0
        var high = pack(first, &flags)
        var low = pack(second, &flags)
        if flags & UInt64(FoldedTextCode.shared) != 0 { return nil }
        if mask != 0 {
            high ^= ~FoldedTextCode.below(48 &- min(length, 8) &* 6) & FoldedTextCode.below(48)
            low ^= ~FoldedTextCode.below(48 &- max(length &- 8, 0) &* 6) & FoldedTextCode.below(48)
        }
        return (SortEntry(high: high << 16 | low >> 32, low: low << 32), length)
    }

    /// The lowest bits, fewer than 64 of them.
    @inline(__always)
    private static func below(_ count: Int) -> UInt64 { (1 &<< UInt64(truncatingIfNeeded: count)) &- 1 }

    /// The place of the first zero byte; 8 where there is none.
    @inline(__always)
    private static func firstZero(_ word: UInt64) -> Int {
        ((word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080).trailingZeroBitCount >> 3
    }

    /// The codes of eight bytes, the least significant first; clean where no flag says that one is shared.
    @inline(__always)
    private func pack(_ word: UInt64, _ flags: inout UInt64) -> UInt64 {
        func code(_ place: UInt64) -> UInt64 { UInt64(quick[Int(truncatingIfNeeded: word &>> (place &* 8) & 0xFF)]) }
        let (a, b, c, d) = (code(0), code(1), code(2), code(3))
        let (e, f, g, h) = (code(4), code(5), code(6), code(7))
        flags |= (a | b | c | d) | (e | f | g | h)
        let upper = (a << 6 | b) << 12 | (c << 6 | d)
        let lower = (e << 6 | f) << 12 | (g << 6 | h)
        return upper << 24 | lower
    }

    @inline(never)
    private func anyCode(_ bytes: UnsafeRawBufferPointer) -> (entry: SortEntry, used: Int) {
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

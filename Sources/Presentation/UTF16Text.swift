/// Text in UTF-16.
enum UTF16Text {
    /// The code units that bytes are, two to each; a byte that is left over is left out. O(bytes).
    static func units(of bytes: some Collection<UInt8>, bigEndian: Bool) -> [UInt16] {
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        var first: UInt8?
        for byte in bytes {
            guard let before = first else {
                first = byte
                continue
            }
            first = nil
            let (high, low) = bigEndian ? (before, byte) : (byte, before)
            units.append(UInt16(high) << 8 | UInt16(low))
        }
        return units
    }
}

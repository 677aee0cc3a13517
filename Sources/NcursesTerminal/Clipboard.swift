/// The user's clipboard by OSC 52, which works over SSH too.
enum Clipboard {
    /// Longest text in bytes of UTF-8: terminals drop longer ones, and what they do with half of one is nobody's wish.
    static let maximumBytes = 75_000

    /// The sequence that sets the clipboard; nil for a text that is too long.
    static func sequence(for text: String) -> [UInt8]? {
        guard text.utf8.count <= maximumBytes else { return nil }
        return Array("\u{1B}]52;c;".utf8) + base64(Array(text.utf8)) + [0x07]
    }

    static func base64(_ bytes: [UInt8]) -> [UInt8] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var result: [UInt8] = []
        result.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0..<4 {
                result.append(place <= group.count ? alphabet[bits >> (18 - 6 * place) & 63] : 0x3D)
            }
        }
        return result
    }
}

/// A number for a sequence of bytes that is the same in every run, unlike `Hasher`'s: FNV-1a of 64 bits.
///
/// Not for keeping strangers' data apart: who wants two texts with one number finds them.
package struct StableHash: Sendable {
    package var value: UInt64

    @inlinable
    package init() { value = 0xCBF2_9CE4_8422_2325 }

    @inlinable
    package mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }

    /// O(bytes).
    @inlinable
    package mutating func add(_ bytes: some Sequence<UInt8>) { for byte in bytes { add(byte) } }

    /// Adds a text's UTF-8; O(bytes).
    package mutating func add(_ text: String) { for byte in text.utf8 { add(byte) } }

    /// The number of a text's UTF-8.
    package static func of(_ text: String) -> UInt64 {
        var hash = StableHash()
        hash.add(text)
        return hash.value
    }
}

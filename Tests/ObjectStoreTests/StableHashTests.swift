import ObjectStore
import Testing

struct StableHashTests {
    /// The vectors that the authors of FNV publish: files on disk are named by these numbers, so they must stay.
    @Test(
        arguments: [("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C), ("foobar", 0x8594_4171_F739_67E8)]
            as [(String, UInt64)])
    func numbersAreThePublishedOnes(text: String, number: UInt64) {
        #expect(StableHash.of(text) == number)
    }
}

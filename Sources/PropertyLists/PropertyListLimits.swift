/// How much is read of a property list; what is beyond is an error, not a long wait.
package struct PropertyListLimits: Sendable, Equatable {
    /// Of the file, in bytes.
    package var fileBytes = 256 << 20
    /// Levels of arrays and dictionaries.
    package var depth = 512
    /// Of all the values, in bytes as they are charged: their contents and `bytesPerValue` for each.
    package var expandedBytes = 1 << 30

    /// What the values of a file of `size` bytes may be charged: enough for any file that was not made to grow, so that a small
    /// one that was is refused early.
    func expandedBytes(forFileOf size: Int) -> Int {
        let (grown, overflow) = size.multipliedReportingOverflow(by: Self.bytesPerValue)
        let (sum, overflowOfSum) = grown.addingReportingOverflow(64 << 20)
        return overflow || overflowOfSum ? expandedBytes : min(expandedBytes, sum)
    }

    /// What a value is charged beside its contents: an entry of a dictionary with its key, roughly.
    static let bytesPerValue = 64

    package init() {}
}

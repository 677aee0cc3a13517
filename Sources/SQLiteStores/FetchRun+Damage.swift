import ObjectStore

extension FetchRun {
    /// Ranges that are tried in one damaged table: each costs a few pages.
    private static let mostTries = 4000

    /// Reads what can be read of a range whose first key is out of reach: from its end down to the break, then, as a table may
    /// be damaged in several places, from the middle of what is left.
    ///
    /// - Parameter read: reads a range from its first key up, or from its last key down; notes the last key that it read.
    func readAround(
        _ range: ClosedRange<ObjectKey>,
        _ read: (_ range: ClosedRange<ObjectKey>, _ backward: Bool, _ last: inout ObjectKey?) throws(StoreError) -> Void
    ) {
        /// Whether all of it was read; what is left, where it was not.
        func left(of range: ClosedRange<ObjectKey>, backward: Bool) -> ClosedRange<ObjectKey>? {
            var last: ObjectKey?
            do throws(StoreError) {
                try read(range, backward, &last)
                return nil
            } catch {
                guard let last else { return range }
                guard last != (backward ? range.lowerBound : range.upperBound) else { return nil }
                return backward ? range.lowerBound...(last - 1) : (last + 1)...range.upperBound
            }
        }
        var waiting = [range]
        var next = 0
        while next < waiting.count, next < Self.mostTries, !progress.isCancelled {
            let gap = waiting[next]
            next += 1
            guard let gap = left(of: gap, backward: true), gap.lowerBound < gap.upperBound else { continue }
            // Halved without overflow, also from the least key to the greatest.
            let middle = (gap.lowerBound >> 1) + (gap.upperBound >> 1) + (gap.lowerBound & gap.upperBound & 1)
            waiting.append(gap.lowerBound...middle)
            if let rest = left(of: (middle + 1)...gap.upperBound, backward: false) { waiting.append(rest) }
        }
    }
}

import ObjectStore

extension FetchRun {
    /// Ranges that are tried in one damaged table, and in one gap of it: each is a matter of microseconds. Below a lost interior
    /// page lie as many keys as a hundred leaves have, and each of them is tried.
    private static let mostTries = 50_000
    private static let mostTriesInGap = 8192

    /// Reads what can be read of a range whose first key is out of reach: from its end down to a break; then from the beginning
    /// on, in steps that double until there is something again; then, by halving, what these steps have passed over.
    ///
    /// - Parameter read: reads a range from its first key up, or from its last key down; notes the last key that it read.
    func readAround(
        _ range: ClosedRange<ObjectKey>,
        _ read: (_ range: ClosedRange<ObjectKey>, _ backward: Bool, _ last: inout ObjectKey?) throws(StoreError) -> Void
    ) {
        var tries = 0
        /// What is left of a range where not all of it could be read.
        func left(of range: ClosedRange<ObjectKey>, backward: Bool) -> ClosedRange<ObjectKey>? {
            tries += 1
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
        guard let gap = left(of: range, backward: true) else { return }
        // From the narrowest to the widest.
        var gaps: [ClosedRange<ObjectKey>] = []
        var start = gap.lowerBound
        if start == .min, gap.upperBound > 0 {
            // The least key could not be found out: few tables have one below zero.
            gaps.append(.min ... -1)
            start = 0
        }
        var step: ObjectKey = 1
        while let rest = left(of: start...gap.upperBound, backward: false), !progress.isCancelled {
            if rest.lowerBound > start {
                (start, step) = (rest.lowerBound, 1)
                continue
            }
            let (next, overflow) = start.addingReportingOverflow(step)
            let end = overflow || next > gap.upperBound ? gap.upperBound : next - 1
            if start < end { gaps.append((start + 1)...end) }
            guard !overflow, next <= gap.upperBound else { break }
            start = next
            step = step > .max / 2 ? .max : step * 2
        }
        gaps.sort { ($0.upperBound &- $0.lowerBound).magnitude < ($1.upperBound &- $1.lowerBound).magnitude }
        for gap in gaps where tries < Self.mostTries {
            var waiting = [gap]
            var next = 0
            while next < waiting.count, next < Self.mostTriesInGap, !progress.isCancelled {
                let part = waiting[next]
                next += 1
                guard let part = left(of: part, backward: true), part.lowerBound < part.upperBound else { continue }
                // Halved without overflow, also from the least key to the greatest.
                let middle = (part.lowerBound >> 1) + (part.upperBound >> 1) + (part.lowerBound & part.upperBound & 1)
                waiting.append(part.lowerBound...middle)
                if let rest = left(of: (middle + 1)...part.upperBound, backward: false) { waiting.append(rest) }
            }
        }
    }
}

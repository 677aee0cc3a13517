import ObjectStore

extension RowReading {
    /// Ranges that are tried in one damaged table, and in one gap of it: each is a matter of microseconds. Below a lost interior
    /// page lie as many keys as a hundred leaves have, and each of them is tried.
    private static let mostTries = 50_000
    private static let mostTriesInGap = 8192
    /// What ends a reading. Where one range is known to be damaged, anything else that keeps from another is damage as well.
    private static let stopping: [StoreError.Cause] = [.cancelled, .takesTooLong, Connection.heldTooLong]

    /// Reads what can be read of a range, its rows in any order.
    ///
    /// - Returns: why not all of it could be read; nil if it was.
    /// - Throws: what is no damage, such as `StoreError.cancelled`.
    func readWhatCanBe(of range: ClosedRange<ObjectKey>, into receiver: RowReceiver) throws(StoreError) -> StoreError? {
        do throws(StoreError) {
            try read(range, into: receiver)
            return nil
        } catch {
            guard case .corrupt = error.cause else { throw error }
            let last = receiver.last
            guard last != range.upperBound else { return error }
            try readAround((last.map { $0 + 1 } ?? range.lowerBound)...range.upperBound, into: receiver)
            return error
        }
    }

    /// Reads what can be read of a range whose first key is out of reach: from its end down to a break; then from the beginning
    /// on, in steps that double until there is something again; then, by halving, what these steps have passed over.
    private func readAround(_ range: ClosedRange<ObjectKey>, into receiver: RowReceiver) throws(StoreError) {
        var tries = 0
        /// What is left of a range where not all of it could be read.
        func left(of range: ClosedRange<ObjectKey>, backward: Bool) throws(StoreError) -> ClosedRange<ObjectKey>? {
            // Who wants no more rows would be given those of the next range.
            guard !receiver.isDone else { return nil }
            tries += 1
            do throws(StoreError) {
                try read(range, backward: backward, into: receiver)
                return nil
            } catch {
                guard receiver.failure == nil, !Self.stopping.contains(error.cause) else { throw error }
                guard let last = receiver.last else { return range }
                guard last != (backward ? range.lowerBound : range.upperBound) else { return nil }
                return backward ? range.lowerBound...(last - 1) : (last + 1)...range.upperBound
            }
        }
        guard let gap = try left(of: range, backward: true) else { return }
        // From the narrowest to the widest.
        var gaps: [ClosedRange<ObjectKey>] = []
        var start = gap.lowerBound
        if start == .min, gap.upperBound > 0 {
            // The least key could not be found out: few tables have one below zero.
            gaps.append(.min ... -1)
            start = 0
        }
        var step: ObjectKey = 1
        while let rest = try left(of: start...gap.upperBound, backward: false) {
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
            while next < waiting.count, next < Self.mostTriesInGap {
                let part = waiting[next]
                next += 1
                guard let part = try left(of: part, backward: true), part.lowerBound < part.upperBound else { continue }
                // Halved without overflow, also from the least key to the greatest.
                let middle = (part.lowerBound >> 1) + (part.upperBound >> 1) + (part.lowerBound & part.upperBound & 1)
                waiting.append(part.lowerBound...middle)
                if let rest = try left(of: (middle + 1)...part.upperBound, backward: false) { waiting.append(rest) }
            }
        }
    }
}

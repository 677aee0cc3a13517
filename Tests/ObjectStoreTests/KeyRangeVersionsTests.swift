import TestSupport
import Testing

@testable import ObjectStore

/// Only where ranges differ, rows are read again.
struct KeyRangeVersionsTests {
    /// Rows in leaves, as a tree has them: neighbours in one leaf, each key in one range.
    private struct Leaves {
        var rows: [ObjectKey: UInt64] = [:]
        var ends: [ObjectKey] = []

        init(_ random: inout SeededGenerator, _ keys: ClosedRange<ObjectKey>) {
            for _ in 0..<Int.random(in: 0...14, using: &random) {
                rows[ObjectKey.random(in: keys, using: &random)] = UInt64.random(in: 1...3, using: &random)
            }
            ends = (0..<Int.random(in: 0...5, using: &random)).map { _ in ObjectKey.random(in: keys, using: &random) }
            ends = Array(Set(ends)).sorted()
            if ends.last != ObjectKey.max { ends.append(ObjectKey.max) }
        }

        mutating func change(_ random: inout SeededGenerator, _ keys: ClosedRange<ObjectKey>) {
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let key = ObjectKey.random(in: keys, using: &random)
                rows[key] = Bool.random(using: &random) ? UInt64.random(in: 1...3, using: &random) : nil
            }
            if Int.random(in: 0...2, using: &random) == 0, ends.count > 1 {
                ends.remove(at: Int.random(in: 0..<(ends.count - 1), using: &random))
            }
            if Int.random(in: 0...2, using: &random) == 0 {
                ends = Array(Set(ends + [ObjectKey.random(in: keys, using: &random)])).sorted()
            }
        }

        var sorted: [(key: ObjectKey, value: UInt64)] { rows.sorted { $0.key < $1.key } }

        func ranges(_ random: inout SeededGenerator) -> KeyRangeVersions {
            var ranges = KeyRangeVersions()
            var begin = ObjectKey.min
            for end in ends {
                var hash: UInt64 = 7
                for row in sorted where row.key >= begin && row.key <= end {
                    hash = (hash &* 31 ^ UInt64(bitPattern: row.key)) &* 31 ^ row.value
                }
                do {
                    let isTaken = ranges.append(upTo: end, number: Int.random(in: 0...5, using: &random) == 0 ? 0 : hash)
                    #expect(isTaken)
                }
                begin = end &+ 1
            }
            do {
                let isTaken = ranges.append(upTo: ends.last ?? 0, number: 1)
                #expect(!isTaken)
            }
            return ranges
        }

        func versions(in range: ClosedRange<ObjectKey> = ObjectKey.min...ObjectKey.max) -> RowVersions {
            var versions = RowVersions()
            for row in sorted where range.contains(row.key) { versions.append(row.key, version: row.value) }
            return versions
        }
    }

    @Test(arguments: [
        -3...20, ObjectKey.min...ObjectKey.max, (ObjectKey.max - 12)...ObjectKey.max, ObjectKey.min...(ObjectKey.min + 12),
        0...2000,
    ])
    func whatIsReadAgainInRangesIsAPassOverAll(keys: ClosedRange<ObjectKey>) throws {
        var random = SeededGenerator(seed: 77)
        for _ in 0..<2_000 {
            var leaves = Leaves(&random, keys)
            var versions = leaves.versions()
            var ranges = leaves.ranges(&random)
            for _ in 0..<4 {
                leaves.change(&random, keys)
                let now = leaves.ranges(&random)
                let differences = now.differences(from: ranges)
                for (one, next) in zip(differences, differences.dropFirst()) { #expect(one.upperBound < next.lowerBound - 1) }
                let (new, changes) = try versions.replacing(differences) { range throws(StoreError) in leaves.versions(in: range)
                }
                let wanted = leaves.versions()
                #expect(new == wanted)
                #expect(new.keys == wanted.keys)
                #expect(changes == wanted.changes(since: versions))
                (versions, ranges) = (new, now)
            }
        }
    }

    /// Without a last range nothing is known of what lies behind.
    @Test func whatLiesBehindTheLastRangeIsReadAgain() {
        var ranges = KeyRangeVersions()
        #expect(ranges.differences(from: ranges) == [ObjectKey.min...ObjectKey.max])
        do {
            let isTaken = ranges.append(upTo: 10, number: 1)
            #expect(isTaken)
        }
        #expect(ranges.differences(from: ranges) == [11...ObjectKey.max])
        do {
            let isTaken = ranges.append(upTo: ObjectKey.max, number: 2)
            #expect(isTaken)
        }
        #expect(ranges.differences(from: ranges).isEmpty)
    }
}

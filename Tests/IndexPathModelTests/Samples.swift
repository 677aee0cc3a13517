import IndexPathModel
import Synchronization

/// A generator whose sequence is the same in every run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}

/// An item with an identity, a section value and a content.
struct Note: Sendable, Equatable {
    var id: Int?
    var section: String?
    var text = ""
}

/// Counts what is done to the identifiers that share it.
final class OperationCounter: Sendable {
    let hashes = Atomic<Int>(0)
    let comparisons = Atomic<Int>(0)

    /// The operations since the last call.
    func take() -> (hashes: Int, comparisons: Int) {
        (hashes.exchange(0, ordering: .relaxed), comparisons.exchange(0, ordering: .relaxed))
    }
}

/// An identifier that reports each hash and each comparison.
struct CountedIdentifier: Hashable, Sendable {
    let value: Int
    let counter: OperationCounter

    static func == (left: CountedIdentifier, right: CountedIdentifier) -> Bool {
        left.counter.comparisons.add(1, ordering: .relaxed)
        return left.value == right.value
    }

    func hash(into hasher: inout Hasher) {
        counter.hashes.add(1, ordering: .relaxed)
        hasher.combine(value)
    }
}

/// The sections of a model as plain arrays.
struct PlainSection<Item: Equatable>: Equatable {
    var name: SectionName
    var indexTitle: String?
    var items: [Item]
}

extension SectionedDataModel where Item: Equatable {
    /// What the model shows, read row by row.
    var plainSections: [PlainSection<Item>] {
        (0..<numberOfSections).map { section in
            PlainSection(
                name: sectionName(at: section) ?? "there is no such section", indexTitle: indexTitle(at: section),
                items: (0..<(numberOfRows(inSection: section) ?? 0)).compactMap { row in
                    item(at: IndexPath(section: section, row: row))
                })
        }
    }
}

/// All sequences of `length` numbers below `bound`.
func allSequences(of length: Int, below bound: Int) -> [[Int]] {
    (0..<length).reduce([[]]) { sequences, _ in sequences.flatMap { sequence in (0..<bound).map { sequence + [$0] } } }
}

import Dispatch
import Synchronization
import Testing

@testable import SQLiteStores

/// Readers pause together.
@Suite struct ReadingTurnsTests {
    @Test func aTurnHasOneEndForAll() {
        let turns = ReadingTurns(length: .seconds(3600))
        let ends = (0..<5).map { _ in turns.enter() }
        #expect(Set(ends.map { $0 }).count == 1)
        for _ in ends { turns.leave() }
        // The next begins when all have left.
        #expect(turns.enter() > ends[0])
        turns.leave()
    }

    /// Where a turn is over as it begins, nobody may join it.
    @Test func nobodyJoinsATurnThatIsOver() {
        let turns = ReadingTurns(length: .zero)
        let inside = Atomic<Int>(0)
        let most = Atomic<Int>(0)
        let entered = Atomic<Int>(0)
        DispatchQueue.concurrentPerform(iterations: 2) { _ in
            for _ in 0..<2_000 {
                _ = turns.enter()
                let count = inside.add(1, ordering: .sequentiallyConsistent).newValue
                most.max(count, ordering: .sequentiallyConsistent)
                entered.add(1, ordering: .relaxed)
                inside.subtract(1, ordering: .sequentiallyConsistent)
                turns.leave()
            }
        }
        #expect(most.load(ordering: .relaxed) == 1)
        #expect(entered.load(ordering: .relaxed) == 4_000)
    }
}

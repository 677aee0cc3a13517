import ObjectStore
import Synchronization
import Testing

@Suite struct LongWorkTests {
    private struct Failure: Error, Equatable {}

    @Test func threadIsMarkedWhileItWorksAndNotAfterwards() throws {
        #expect(!LongWork.isRunning)
        let (outer, inner, between) = LongWork.run {
            let outer = LongWork.isRunning
            let inner = LongWork.run { LongWork.isRunning }
            return (outer, inner, LongWork.isRunning)
        }
        #expect(outer && inner && between)
        #expect(!LongWork.isRunning)
        #expect(throws: Failure()) { try LongWork.run { throw Failure() } }
        #expect(!LongWork.isRunning)
    }

    @Test(arguments: [0, 1, 2, 5]) func iterationsRunEachOnceAsLongWork(count: Int) {
        let done = Mutex<[Int: Bool]>([:])
        LongWork.perform(iterations: count) { number in
            // Work within work, as sorting within reading.
            LongWork.perform(iterations: 2) { _ in _ = LongWork.isRunning }
            let isMarked = LongWork.isRunning
            done.withLock { $0[number] = isMarked }
        }
        #expect(done.withLock { $0 } == Dictionary(uniqueKeysWithValues: (0..<count).map { ($0, true) }))
        #expect(!LongWork.isRunning)
    }
}

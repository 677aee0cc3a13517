import Browser
import Foundation
import ObjectStore
import Screens
import Synchronization
import TerminalUI
import TestSupport
import Testing

/// What is shown while something is opened, and how it is left.
@Suite struct BackgroundOpeningTests {
    /// Work that ends when it is told to, or is cancelled.
    private final class Gate: Sendable {
        private let semaphore = DispatchSemaphore(value: 0)
        func open() { semaphore.signal() }
        func wait() { semaphore.wait() }
    }

    private func opening(_ progress: FetchProgress, _ gate: Gate) throws -> BackgroundOpening<Int> {
        try #require(
            BackgroundOpening<Int>(name: "big.json", progress: progress) { _ in
                gate.wait()
                return 7
            })
    }

    @Test func whatIsDoneAtOnceShowsNothing() throws {
        let gate = Gate()
        gate.open()
        let opening = try opening(FetchProgress(), gate)
        #expect(opening.result(milliseconds: 60_000) == 7)
    }

    @Test func progressIsShownUntilItIsDone() throws {
        let gate = Gate()
        let progress = FetchProgress()
        progress.expect(bytes: 1_060_000_000)
        let opening = try opening(progress, gate)
        #expect(opening.result(milliseconds: 0) == nil)
        let terminal = RecordingTerminal(size: Size(rows: 10, columns: 50))
        // The screen is looked at between two waits; then the work ends.
        terminal.script = Array(repeating: [], count: 10_000)
        var waits = 0
        terminal.beforeEvents = { terminal in
            waits += 1
            progress.report(bytes: waits * 100_000_000)
            progress.report(waits * 12_345)
            if waits == 2 {
                #expect(terminal.screen.contains("big.json") && terminal.screen.contains("100 of 1060 MB, 9%"))
                #expect(terminal.screen.contains("12,345 rows") && terminal.screen.contains("q or ^C cancels"))
                gate.open()
            }
        }
        let (result, _) = opening.result(on: terminal)
        #expect(result == 7)
        #expect(!progress.isCancelled)
    }

    @Test(arguments: [
        (TerminalEvent.key(.character("q")), Browser.Ending.quit), (.key(.control("c")), .interrupted),
        (.terminate(signal: 15), .signal(15)), (.endOfInput, .hangUp),
    ])
    func isLeft(event: TerminalEvent, ending: Browser.Ending) throws {
        let gate = Gate()
        defer { gate.open() }
        let progress = FetchProgress()
        let terminal = RecordingTerminal(
            size: Size(rows: 5, columns: 20), script: [[], [.key(.character("x")), .resize(Size(rows: 1, columns: 1))], [event]])
        let (result, left) = try opening(progress, gate).result(on: terminal)
        #expect(result == nil && left == ending && progress.isCancelled)
    }

    @Test func suspendingAndRedrawing() throws {
        let gate = Gate()
        defer { gate.open() }
        let terminal = RecordingTerminal(script: [[.key(.control("z"))], [.key(.control("l"))], [.key(.character("q"))]])
        _ = try opening(FetchProgress(), gate).result(on: terminal)
        #expect(terminal.requests.contains(.suspend) && terminal.requests.contains(.invalidate))
    }

    /// Who waits for the result does what the work asks for meanwhile, in the order of asking; nobody does it once the result is there.
    @Test func whoWaitsDoesErrands() throws {
        let asked = Gate()
        let done = Gate()
        let errands = Errands()
        let opening = try #require(
            BackgroundOpening<Int>(name: "big.json", progress: FetchProgress()) { ask in
                for number in 1...3 { ask { errands.note(number) } }
                ask { done.open() }
                done.wait()
                return 7
            })
        #expect(opening.result(milliseconds: 60_000) == 7)
        #expect(errands.notes == [1, 2, 3])
        let late = try #require(
            BackgroundOpening<Int>(name: "big.json", progress: FetchProgress()) { ask in
                ask { errands.note(4) }
                return 8
            } afterwards: { _ in
                asked.open()
            })
        asked.wait()
        #expect(late.result(milliseconds: 60_000) == 8)
        #expect(errands.notes == [1, 2, 3])
    }

    private final class Errands: Sendable {
        private let noted = Mutex<[Int]>([])
        var notes: [Int] { noted.withLock { $0 } }
        func note(_ number: Int) { noted.withLock { $0.append(number) } }
    }
}

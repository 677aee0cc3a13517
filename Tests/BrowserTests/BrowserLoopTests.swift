import Foundation
import ObjectStore
import Screens
import Synchronization
import TerminalUI
import TestSupport
import Testing

@testable import Browser

/// The loop over a store in memory: keys go in, frames come out.
struct BrowserLoopTests {
    private static func keys(_ script: String) -> [TerminalEvent] { KeyScript.keys(script).map { .key($0) } }

    /// Runs a script; each step waits until nothing is outstanding.
    private static func run(
        _ steps: [ScriptedTerminal.Step], store: MemoryObjectStore = PeopleStore.store(), idleDescriptor: Int32? = nil
    ) throws -> (terminal: ScriptedTerminal, ending: Browser.Ending, screens: [any Screen]) {
        let terminal = ScriptedTerminal(steps)
        let list = try PeopleStore.list(in: store)
        let navigator = ObjectNavigator(
            store: store, root: list, rootDetail: PeopleStore.detail, presentation: PeopleStore.presentation)
        let browser = try #require(
            Browser(terminal: terminal, navigator: navigator, root: [navigator.entry(for: list)], idleDescriptor: idleDescriptor))
        let ending = browser.run()
        return (terminal, ending, browser.screens)
    }

    private static func run(_ script: String...) throws -> (terminal: ScriptedTerminal, ending: Browser.Ending) {
        let result = try run(script.map { .idle(keys($0)) })
        return (result.terminal, result.ending)
    }

    /// Lines of a screen without blanks at their ends.
    private static func lines(_ screen: String) -> [String] { screen.components(separatedBy: "\n") }

    @Test func firstFrameShowsTheList() throws {
        let (terminal, ending) = try Self.run("q")
        #expect(ending == .quit)
        let lines = Self.lines(terminal.screens[0])
        #expect(lines[0].hasPrefix(" People ") && lines[0].hasSuffix("7 objects"))
        #expect(lines[1].hasPrefix(" ▾ A") && lines[2].hasPrefix("   Ada") && lines[3].hasPrefix("   Alan"))
        #expect(lines[11].hasPrefix(" name ↑") && lines[11].hasSuffix("? help"))
        // Rows do not flicker in: there is no frame of a list without its texts.
        #expect(terminal.frames.allSatisfy { !$0.snapshot().contains("▾ A") || $0.snapshot().contains("Ada") })
    }

    @Test func openAndComeBackToTheLine() throws {
        let (terminal, ending) = try Self.run("jj", "<Enter>", "q", "q")
        #expect(ending == .quit)
        #expect(Self.lines(terminal.screens[2])[0].hasPrefix(" People › Alan"))
        #expect(terminal.screens[2].contains("Name  Alan") && terminal.screens[2].contains("Ulm ›"))
        #expect(terminal.screens[3] == terminal.screens[1])
    }

    @Test func escapeAtTheRootDoesNothing() throws {
        let (terminal, ending) = try Self.run("j", "<Esc><Esc>", "<Enter>", "<Esc>", "q")
        #expect(ending == .quit)
        #expect(terminal.screens[2] == terminal.screens[1])
        #expect(terminal.screens[4] == terminal.screens[1])
    }

    @Test func neighboursAndFollowing() throws {
        let (terminal, _) = try Self.run("jj", "<Enter>", "J", "J", "K", "jl", "j", "q", "q", "q")
        let titles = terminal.screens.map { String(Self.lines($0)[0].prefix(30)).trimmingCharacters(in: .whitespaces) }
        #expect(
            titles[3].hasPrefix("People › Bob") && titles[4].hasPrefix("People › Carl") && titles[5].hasPrefix("People › Bob"))
        #expect(titles[6].hasPrefix("People › Bob › Ulm"))
        #expect(terminal.screens[6].contains("Ada"))
        #expect(titles[8].hasPrefix("People › Bob"))
        // Back in the list the cursor stands on the object that was seen last.
        let marked = terminal.frames.last.flatMap { frame in
            (0..<frame.size.rows).first { frame[$0, 0]?.style.isCursor == true }.map(frame.text(row:))
        }
        #expect(marked?.hasPrefix("   Bob") == true)
    }

    @Test func relationshipAsAListOfItsOwn() throws {
        let (terminal, _) = try Self.run("j", "<Enter>", "L", "jl", "jL", "j", "<Enter>", "qqqq")
        #expect(terminal.screens[3].contains("only a to-many relationship opens as a list"))
        let list = Self.lines(terminal.screens[5])
        #expect(list[0].contains("Ada › Ulm › people") && list[0].hasSuffix("2 objects"))
        #expect(list[2].hasPrefix("   Ada") && list[3].hasPrefix("   Alan"))
        #expect(Self.lines(terminal.screens[7])[0].contains("people › Ada"))
    }

    @Test func endsOfTheList() throws {
        let (terminal, _) = try Self.run("j", "<Enter>", "K", "q", "G", "<Enter>", "J")
        #expect(terminal.screens[3].contains("the first object of the list"))
        #expect(terminal.screens.last?.contains("the last object of the list") == true)
    }

    @Test func unknownKeySaysSo() throws {
        let (terminal, _) = try Self.run("!", "j")
        #expect(Self.lines(terminal.screens[1]).last == " ! does nothing here (? for help)")
        #expect(Self.lines(terminal.screens[2]).last?.hasPrefix(" name ↑") == true)
    }

    @Test func helpAndBack() throws {
        let (terminal, _) = try Self.run("?", "q", "j<Enter>", "?", "<Esc>")
        #expect(Self.lines(terminal.screens[1])[0] == " Help" && Self.lines(terminal.screens[1])[1] == " List")
        #expect(terminal.screens[2] == terminal.screens[0])
        #expect(Self.lines(terminal.screens[4])[1] == " Detail")
        #expect(terminal.screens[5] == terminal.screens[3])
    }

    @Test func copying() throws {
        let (terminal, _) = try Self.run("jy", "<Enter>", "jy")
        #expect(terminal.calls == ["copy Ada", "copy Ulm"])
        #expect(Self.lines(terminal.screens[1]).last == " copied: row text")
    }

    @Test func redrawSuspendResume() throws {
        let (terminal, _) = try Self.run("^l", "^z", ":^l1^z<Enter>")
        #expect(terminal.calls == ["invalidate", "suspend", "invalidate", "invalidate", "suspend", "invalidate"])
    }

    @Test func typingShowsTheCursor() throws {
        let (terminal, _) = try Self.run(":12", "<Esc>")
        #expect(terminal.cursors == [nil, Position(row: 11, column: 3), nil])
        #expect(Self.lines(terminal.screens[1]).last == ":12")
    }

    @Test func endings() throws {
        #expect(try Self.run("^c").ending == .interrupted)
        #expect(try Self.run().ending == .hangUp)
        #expect(try Self.run([.idle([.terminate(signal: 15)])]).ending == .signal(15))
        // Nothing after the end counts.
        let (terminal, ending) = try Self.run("qjjy")
        #expect(ending == .quit && terminal.calls.isEmpty)
    }

    @Test func resizeReachesEveryScreen() throws {
        let size = Size(rows: 6, columns: 24)
        let result = try Self.run([
            .idle(Self.keys("jj")), .idle(Self.keys("<Enter>")), .idle([.resize(size)]), .idle(Self.keys("q")),
        ])
        #expect(result.terminal.frames.last?.size == size)
        let last = try #require(result.terminal.screens.last)
        #expect(Self.lines(last).count == 6 && last.contains("Alan"))
    }

    @Test func mouseOpensAndPasteTypes() throws {
        let press = TerminalEvent.mouse(MouseEvent(.doublePress, at: Position(row: 3, column: 8)))
        let result = try Self.run([.idle([press]), .idle(Self.keys("q:")), .idle([.paste("5")]), .idle(Self.keys("<Enter>y"))])
        #expect(result.terminal.screens[1].contains("People › Alan"))
        #expect(result.terminal.calls == ["copy Carol"])
    }

    // MARK: Background work

    /// A store whose fetches wait until they are let go, or cancelled.
    private final class Gate: Sendable {
        private let isOpen = Atomic<Bool>(false)
        private let waiting = DispatchSemaphore(value: 0)
        let cancellations = Atomic<Int>(0)

        func open() {
            isOpen.store(true, ordering: .sequentiallyConsistent)
            waiting.signal()
        }

        /// Reports half of the rows and blocks; a cancelled fetch throws.
        func pass(_ progress: FetchProgress) throws(StoreError) {
            progress.expect(1_000)
            progress.report(500)
            while !isOpen.load(ordering: .sequentiallyConsistent) {
                if progress.isCancelled {
                    cancellations.add(1, ordering: .relaxed)
                    throw StoreError(file: "memory", cause: .cancelled)
                }
                _ = waiting.wait(timeout: .now() + .milliseconds(5))
            }
        }
    }

    @Test func interruptCancelsAScanThenEnds() throws {
        let gate = Gate()
        let store = PeopleStore.store { _, progress throws(StoreError) in try gate.pass(progress) }
        let result = try Self.run(
            [
                .showing("loading… 500 of 1000 rows, 50 %", Self.keys("^c")), .showing("loading was cancelled", Self.keys("j")),
                .idle(Self.keys("^c")),
            ], store: store)
        #expect(result.ending == .interrupted)
        #expect(gate.cancellations.load(ordering: .relaxed) == 1)
        #expect(result.terminal.screens[1].contains(" cancelled"))
        #expect(result.terminal.screens[1].contains("r loads again"))
    }

    /// A reload cancels the scan before it and drops its reply.
    @Test func onlyTheLastReloadCounts() throws {
        let gate = Gate()
        let count = Atomic<Int>(0)
        let store = PeopleStore.store { _, progress throws(StoreError) in
            if count.add(1, ordering: .relaxed).newValue == 1 { try gate.pass(progress) }
        }
        let result = try Self.run([.showing("loading… 500 of", Self.keys("rrr")), .idle(Self.keys("q"))], store: store)
        #expect(result.ending == .quit)
        #expect(gate.cancellations.load(ordering: .relaxed) == 1)
        #expect(result.terminal.screens[1].contains("Ada") && !result.terminal.screens[1].contains("cancelled"))
    }

    /// The reply to a screen that was left meanwhile finds nobody and does no harm.
    @Test func repliesToClosedScreensAreDropped() throws {
        let result = try Self.run([.idle(Self.keys("j<Enter>q<Enter>qj<Enter>q")), .idle(Self.keys("q"))])
        #expect(result.ending == .quit)
        #expect(result.screens.count == 1)
        #expect(Self.lines(result.terminal.screens[1])[0].hasSuffix("7 objects"))
    }

    @Test func failureIsShown() throws {
        let store = PeopleStore.store { _, _ throws(StoreError) in throw StoreError(file: "memory", cause: .busy) }
        let result = try Self.run([.idle(Self.keys("q"))], store: store)
        #expect(result.terminal.screens[0].contains("busy: another process holds"))
    }

    /// One byte each time nothing is outstanding any more: after the start, and after each batch of events.
    @Test func idleDescriptorGetsItsByte() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        let result = try Self.run(
            [.idle(Self.keys("j")), .idle(Self.keys("<Enter>")), .idle(Self.keys("qq"))], idleDescriptor: ends[1])
        #expect(result.ending == .quit)
        var bytes = [UInt8](repeating: 0, count: 16)
        #expect(read(ends[0], &bytes, 16) == 3)
        #expect(bytes.prefix(3).allSatisfy { $0 == UInt8(ascii: ".") })
    }

    @Test func pathThroughAListOfItsOwn() throws {
        let (terminal, _) = try Self.run("j", "<Enter>", "jl", "j", "L", "j", "<Enter>", "qqqqq")
        #expect(Self.lines(terminal.screens[7])[0].hasPrefix(" People › Ada › Ulm › people › Ada"))
    }
}

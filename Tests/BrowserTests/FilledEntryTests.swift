import ObjectStore
import PlistConfig
import Screens
import Synchronization
import TerminalUI
import TestSupport
import Testing

@testable import Browser

/// Lists that are read where the store was opened, before there is a loop.
struct FilledEntryTests {
    private static let size = Size(rows: 12, columns: 50)

    private static func navigator(_ store: any ObjectStore) throws -> (navigator: ObjectNavigator, list: ResolvedList) {
        let list = try PeopleStore.list(in: store)
        let navigator = ObjectNavigator(
            store: store, root: list, rootDetail: PeopleStore.detail, presentation: PeopleStore.presentation)
        return (navigator, list)
    }

    /// The frames of a run that begins with an entry and ends at once.
    private static func frames(
        _ root: StackEntry, _ navigator: ObjectNavigator, size: Size, observation: StoreObservation? = nil
    ) throws -> [CellBuffer] {
        let terminal = ScriptedTerminal(size: size, [.idle([.key(Key(.character("q")))])])
        let browser = try #require(
            Browser(terminal: terminal, navigator: navigator, root: [root], observation: observation))
        _ = browser.run()
        return terminal.frames
    }

    @Test func theFirstFrameHasAll() throws {
        let store = PeopleStore.store(isQuick: true)
        let (navigator, list) = try Self.navigator(store)
        let entry = try #require(navigator.entry(for: list).filled(for: Self.size, progress: FetchProgress()))
        #expect(store.fetches == 1 && store.reads == 1)
        let frames = try Self.frames(entry, navigator, size: Self.size)
        #expect(frames.first?.snapshot().contains("Alan") == true)
    }

    @Test(arguments: 0..<40 as Range<UInt64>) func itIsWhatTheLoopWouldShow(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let size = Size(rows: .random(in: 2...16, using: &generator), columns: .random(in: 8...60, using: &generator))
        let titles: [String?] = ["A", "B", "C", "D", "Z", nil]
        let folded = (0..<Int.random(in: 0...2, using: &generator)).compactMap { _ in titles.randomElement(using: &generator) }
        let place = ListPlace(
            key: Bool.random(using: &generator) ? ObjectKey.random(in: 1...9, using: &generator) : nil,
            sectionTitle: titles.randomElement(using: &generator) ?? nil, rowInSection: .random(in: 0...3, using: &generator),
            offset: .random(in: 0...12, using: &generator), exceptions: Set(folded))
        func entry(_ store: MemoryObjectStore) throws -> (entry: StackEntry, navigator: ObjectNavigator) {
            let (navigator, list) = try Self.navigator(store)
            return (navigator.entry(for: list, place: Int(seed) % 4 == 0 ? nil : place), navigator)
        }
        let plain = try entry(PeopleStore.store())
        let quick = try entry(PeopleStore.store(isQuick: true))
        let filled = try #require(quick.entry.filled(for: size, progress: FetchProgress()))
        let shown = try Self.frames(filled, quick.navigator, size: size)
        #expect(try Self.frames(plain.entry, plain.navigator, size: size).last?.snapshot() == shown.last?.snapshot())
        #expect(shown.first?.snapshot() == shown.last?.snapshot())
    }

    @Test func whatMayTakeLongIsLeftToTheLoop() throws {
        let slow = PeopleStore.store()
        let (navigator, list) = try Self.navigator(slow)
        #expect(navigator.entry(for: list).filled(for: Self.size, progress: FetchProgress()) == nil)
        #expect(slow.fetches == 0)
        #expect(navigator.entityList(title: "").filled(for: Self.size, progress: FetchProgress()) == nil)
    }

    /// A search needs more than the list, and its answer comes with the list's.
    @Test func aSearchIsLeftToTheLoop() throws {
        let store = PeopleStore.store(isQuick: true)
        let (navigator, list) = try Self.navigator(store)
        var entry = navigator.entry(for: list)
        var screen = try #require(entry.screen as? ListScreen)
        screen.search(for: "a")
        entry.screen = screen
        #expect(entry.filled(for: Self.size, progress: FetchProgress()) == nil)
        let frames = try Self.frames(entry, navigator, size: Self.size)
        #expect(frames.last?.snapshot().contains("Alan") == true)
    }

    private final class Fault: Sendable {
        let isThere = Mutex(true)
    }

    /// What is wrong is said by the loop, which reads once more.
    @Test func aFaultIsLeftToTheLoop() throws {
        let fault = Fault()
        let store = PeopleStore.store(isQuick: true) { _, _ throws(StoreError) in
            if fault.isThere.withLock({ $0 }) { throw StoreError(file: "memory", cause: .busy) }
        }
        let (navigator, list) = try Self.navigator(store)
        let entry = navigator.entry(for: list)
        #expect(entry.filled(for: Self.size, progress: FetchProgress()) == nil)
        fault.isThere.withLock { $0 = false }
        #expect(try Self.frames(entry, navigator, size: Self.size).last?.snapshot().contains("Alan") == true)
    }
}

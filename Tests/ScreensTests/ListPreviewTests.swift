import Fetching
import IndexPathModel
import ObjectStore
import TerminalUI
import Testing

@testable import Screens

/// The beginning of a list, shown while the whole is on its way.
struct ListPreviewTests {
    private static let size = Size(40, 8)

    private func preview(_ count: Int) -> ListContents {
        ListContents(
            model: ListContents.Model(
                identifiers: ContiguousArray((1...count).map { ObjectKey($0) }),
                sections: [(name: SectionName("A"), indexTitle: nil, count: count)]),
            index: nil, isPreview: true)
    }

    private let fixture = ListFixture([("A", 300), ("B", 200), ("C", 500)])

    private func screen(place: ListPlace? = nil) -> ListScreen {
        var screen = ListScreen(fixture.configuration, place: place)
        screen.resize(to: Self.size)
        let requests = screen.takeRequests()
        #expect(requests.map(\.previewLimit) == [100])
        #expect(screen.receive(DataReply(.list(preview(100)), generation: screen.generation)).isEmpty)
        return screen
    }

    private func finish(_ screen: inout ListScreen) {
        _ = screen.receive(DataReply(.list(fixture.contents), generation: screen.generation))
    }

    @Test func showsNoCountThatIsNotTrue() {
        var screen = screen()
        let before = screen.frame(Self.size).snapshot()
        #expect(before.contains("… objects") && before.contains("▾ A") && !before.contains("100"))
        #expect(screen.isPreview && !screen.isLoaded && screen.placeToKeep == nil)
        finish(&screen)
        let after = screen.frame(Self.size).snapshot()
        #expect(after.contains("1000 objects") && after.contains("300") && !screen.isPreview && screen.isLoaded)
    }

    @Test func theReaderStaysWhenTheWholeComes() {
        var screen = screen()
        for command in [Command.pageDown, .pageDown, .moveDown, .moveUp, .moveUp] { _ = screen.perform(command) }
        let place = (screen.cursorKey, screen.cursor, screen.top)
        #expect(place.0 == 7)
        finish(&screen)
        #expect((screen.cursorKey, screen.cursor, screen.top) == place)
    }

    @Test(arguments: [
        [Command.moveToEnd], [.moveToEnd, .moveUp, .pageUp], [.collapseAll], [.nextSection, .nextSection, .moveDown],
        [.moveDown, .toggleSection], [.moveDown, .toggleSection, .moveDown, .toggleSection],
        [.pageDown, .moveToEnd, .moveToStart, .moveDown],
        [.moveLeft, .moveDown, .open], Array(repeating: .pageDown, count: 40), Array(repeating: .halfPageDown, count: 60),
        Array(repeating: .moveDown, count: 120), [.expandAll, .moveDown, .previousSection],
    ])
    func keysDoWhatTheyDoInTheWhole(_ commands: [Command]) {
        var early = screen()
        var late = screen()
        for command in commands { _ = early.perform(command) }
        finish(&early)
        finish(&late)
        for command in commands { _ = late.perform(command) }
        #expect((early.cursorKey, early.cursor, early.top, early.list) == (late.cursorKey, late.cursor, late.top, late.list))
    }

    @Test func aRowNumberWaits() {
        var screen = screen()
        _ = screen.perform(.goToRow)
        for character in "777" { _ = screen.handle(Key(.character(character))) }
        _ = screen.handle(Key(.enter))
        #expect(screen.cursorKey == nil)
        finish(&screen)
        #expect(screen.cursorKey == 777)
    }

    @Test func escapeForgetsWhatWaits() {
        var screen = screen()
        _ = screen.perform(.moveToEnd)
        #expect(screen.undo() && !screen.undo())
        finish(&screen)
        #expect(screen.cursor == 0)
    }

    @Test func aFailureSaysThatThisIsTheBeginningOnly() {
        var screen = screen()
        _ = screen.receive(
            DataReply(
                .failure(.list, StoreError(file: "x", cause: .cancelled)), generation: screen.generation))
        #expect(screen.frame(Size(100, 8)).snapshot().contains("only the beginning of the list is here"))
        #expect(!screen.frame(Self.size).snapshot().contains("100"))
        _ = screen.perform(.reload)
        finish(&screen)
        #expect(screen.objectCount == 1_000 && screen.isLoaded)
    }

    @Test func noPreviewWhereTheReaderWasElsewhere() {
        var far = ListScreen(
            fixture.configuration, place: ListPlace(key: 900, sectionTitle: "C", rowInSection: 399, offset: 2, exceptions: []))
        far.resize(to: Self.size)
        #expect(far.takeRequests().map(\.previewLimit) == [nil])
        var other = screen(place: ListPlace(key: 400, sectionTitle: "B", rowInSection: 99, offset: 2, exceptions: []))
        #expect(!other.isPreview && other.objectCount == 0)
        finish(&other)
        #expect(other.cursorKey == 400)
        let near = screen(place: ListPlace(key: 4, sectionTitle: "A", rowInSection: 3, offset: 2, exceptions: []))
        #expect(near.isPreview && near.cursorKey == 4)
    }
}

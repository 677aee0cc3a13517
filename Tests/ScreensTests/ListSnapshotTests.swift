import Fetching
import ObjectStore
import Presentation
import TerminalUI
import Testing

@testable import Screens

/// The list as a whole, at sizes from roomy to absurd.
struct ListSnapshotTests {
    static let events: ListFixture = {
        var list = ListFixture([("#", 1), ("A", 1), ("D", 1), ("F", 1), ("K", 1), ("Q", 2)])
        list.row = { key in
            let names = ["123456", "Alpha", "Delta", "Foxtrot", "Kilo", "Queen", "Quilt"]
            let name = names[Int(key) - 1]
            return ListRow(
                text: PresentedText(name), details: [key == 7 ? .null : PresentedText("7 Apr 2010 at 01:04:\(50 + key)")])
        }
        return list
    }()

    private func snapshot(
        _ fixture: ListFixture, _ size: Size, after commands: [Command] = [], status: Status = .quiet,
        configure: (inout ListConfiguration) -> Void = { _ in }
    ) -> String {
        var screen = fixture.screen(size, configure: configure)
        for command in commands {
            _ = screen.perform(command)
            fixture.answer(&screen)
        }
        return screen.frame(size, status: status).snapshot()
    }

    @Test func roomy() {
        #expect(
            snapshot(Self.events, Size(60, 16), after: [.moveToEnd, .toggleSection]) == """
                 Events                                           7 objects
                 ▾ #                                                    1  #
                   123456                          7 Apr 2010 at 01:04:51  •
                 ▾ A                                                    1  D
                   Alpha                           7 Apr 2010 at 01:04:52  •
                 ▾ D                                                    1  H
                   Delta                           7 Apr 2010 at 01:04:53  •
                 ▾ F                                                    1  L
                   Foxtrot                         7 Apr 2010 at 01:04:54  M
                 ▾ K                                                    1  •
                   Kilo                            7 Apr 2010 at 01:04:55  Q
                 ▸ Q                                                    2  •
                                                                           U
                                                                           •
                                                                           Z
                 name ↑                                              ? help
                """)
    }

    @Test func styles() {
        let size = Size(40, 9)
        var screen = Self.events.screen(size)
        _ = screen.perform(.moveDown)
        #expect(
            screen.frame(size).styledSnapshot() == """
                 Events                       7 objects
                |tttttttttttttttttttttttttttttttttttttttt
                 ▾ #                                1  #
                |.d.s................................d..c
                   123456      7 Apr 2010 at 01:04:51  •
                >...............2222222222222222222222..i
                 ▾ A                                1  H
                |.d.s................................d..i
                   Alpha       7 Apr 2010 at 01:04:52  •
                |...............2222222222222222222222..i
                 ▾ D                                1  Q
                |.d.s................................d..i
                   Delta       7 Apr 2010 at 01:04:53  •
                |...............2222222222222222222222..i
                 ▾ F                                1  Z
                |.d.s................................d..i
                 name ↑                          ? help
                |bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
                """)
    }

    @Test func low() {
        #expect(
            snapshot(Self.events, Size(20, 5)) == """
                 Events
                 ▾ #            1  #
                   123456  7 Apr…  •
                 ▾ A            1  Z
                 name ↑      ? help
                """)
    }

    @Test func stickyHeader() {
        #expect(
            snapshot(ListFixture.letters, Size(30, 7), after: [.moveToEnd, .moveUp, .moveUp, .moveUp, .moveUp]) == """
                 Events            14 objects
                 ▾ K                      5  #
                   Row 11                    •
                   Row 12                    M
                 ▾ Q                      2  •
                   Row 13                    Z
                 name ↑                ? help
                """)
    }

    @Test func tiny() {
        #expect(snapshot(Self.events, Size(1, 1)) == "▾")
        #expect(snapshot(Self.events, Size(2, 2)) == "E…\n▾")
        #expect(
            snapshot(Self.events, Size(3, 10)) == """
                Ev…
                ▾ #
                 1…
                ▾ A
                 A…
                ▾ D
                 D…
                ▾ F
                 F…
                na…
                """)
        #expect(
            snapshot(Self.events, Size(10, 3), after: [.moveDown]) == """
                Events
                 123456
                name ↑
                """)
    }

    @Test func wide() {
        let size = Size(200, 60)
        let lines = snapshot(Self.events, size).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 60)
        #expect(lines[0].hasPrefix(" Events ") && lines[0].hasSuffix("7 objects") && lines[0].count == 199)
        #expect(lines[1].hasPrefix(" ▾ #") && lines[1].hasSuffix("1  #") && lines[1].count == 200)
        #expect(lines[2].hasSuffix("7 Apr 2010 at 01:04:51  A") && lines[2].count == 200)
        #expect(lines[59].hasPrefix(" name ↑") && lines[59].hasSuffix("? help"))
    }

    @Test func missingAndEmptyTitles() {
        var fixture = ListFixture([(nil, 1), ("", 1), ("(none)", 1)])
        fixture.row = { key in [ListRow(text: .null), ListRow(text: .emptyString), nil][Int(key) - 1] }
        let size = Size(20, 8)
        #expect(
            fixture.screen(size).frame(size).styledSnapshot() == """
                 Events
                |tttttttttttttttttttt
                 ▾ (none)         1
                >.d.dddddd.........d
                   —
                |...d
                 ▾ ""             1
                |.d.dd.............d
                   ""
                |...dd
                 ▾ (none)         1
                |.d.ssssss.........d
                   (gone)
                |...dddddd
                 name ↑      ? help
                |bbbbbbbbbbbbbbbbbbbb
                """)
    }

    @Test func withoutSections() {
        #expect(
            snapshot(ListFixture(rows: 12_345), Size(30, 6), after: [.moveToEnd]) == """
                 Events        12,345 objects
                 Row 12342
                 Row 12343
                 Row 12344
                 Row 12345
                 name ↑                ? help
                """)
    }

    @Test func emptyList() {
        #expect(
            snapshot(ListFixture([]), Size(24, 5)) { $0.emptyReason = "no objects of the entity Event" } == """
                 Events       0 objects
                   no objects of the
                   entity Event

                 name ↑          ? help
                """)
        #expect(snapshot(ListFixture(rows: 0), Size(1, 1)).count <= 1)
    }

    @Test func failure() {
        let size = Size(30, 5)
        var screen = ListScreen(Self.events.configuration)
        screen.resize(to: size)
        #expect(screen.takeRequests().map(\.kind) == [.list])
        #expect(
            screen.frame(size).snapshot() == """
                 Events



                 loading…              ? help
                """)
        let error = StoreError(file: "x", cause: .corrupt("page 7"))
        #expect(screen.receive(DataReply(.failure(.list, error), generation: 0)) == [.message(error.problem)])
        #expect(
            screen.frame(size, status: .message(error.problem)).snapshot() == """
                 Events
                   the store is corrupt: page
                   7

                 the store is corrupt: page 7
                """)
    }

    /// ^C while the first list loads: the screen says what to do instead of loading for ever.
    @Test func cancelled() {
        let size = Size(60, 4)
        var screen = ListScreen(Self.events.configuration)
        screen.resize(to: size)
        _ = screen.takeRequests()
        let error = StoreError(file: "x", cause: .cancelled)
        #expect(screen.receive(DataReply(.failure(.list, error), generation: 0)).isEmpty)
        #expect(screen.frame(size).text(row: 1).contains("cancelled (r loads again)"))
        #expect(screen.perform(.reload) == [.reload])
        #expect(screen.frame(size).text(row: 3).contains("loading…"))
        Self.events.answer(&screen)
        #expect(screen.frame(size).text(row: 1).hasPrefix(" ▾ #"))
    }

    @Test func messageProgressAndPrompt() {
        let size = Size(24, 4)
        var screen = Self.events.screen(size)
        #expect(screen.frame(size, status: .message("copied: row text")).text(row: 3) == " copied: row text       ")
        #expect(screen.frame(size, status: .progress("loading… 5 of 9 rows")).text(row: 3) == " loading… 5 of 9 rows   ")
        _ = screen.perform(.goToRow)
        _ = screen.handle(.character("7"))
        #expect(screen.frame(size).text(row: 3).hasPrefix(":7 "))
        #expect(screen.typingPosition == Position(row: 3, column: 2))
        _ = screen.handle(Key(.escape))
        _ = screen.perform(.focusIndexBar)
        #expect(screen.frame(size).text(row: 3).hasPrefix(" name ↑"))
    }

    @Test func indexBarHint() {
        let size = Size(60, 12)
        var screen = Self.events.screen(size)
        _ = screen.perform(.focusIndexBar)
        #expect(screen.frame(size).text(row: 11).hasPrefix(" index: ↑ ↓ or a letter jumps, Enter returns "))
    }

    // MARK: Long texts, wide letters, columns

    @Test func longTexts() {
        var fixture = ListFixture(rows: 4)
        fixture.row = { key in
            let long = PresentedText("a rather long text that does not fit")
            let short = PresentedText("short")
            return [
                ListRow(text: long, details: [short]), ListRow(text: short, details: [long]),
                ListRow(text: long, details: [long]),
                ListRow(text: PresentedText("東京タワー東京"), details: [PresentedText("e\u{301}\n\u{1B}[31m")]),
            ][Int(key) - 1]
        }
        #expect(
            snapshot(fixture, Size(30, 6)) == """
                 Events             4 objects
                 a rather long text t…  short
                 short  a rather long text t…
                 a rather lon…  a rather lon…
                 東京タワー東京       é␊␛[31m
                 name ↑                ? help
                """)
        #expect(
            snapshot(fixture, Size(10, 6)) == """
                Events
                a r…  sho…
                sho…  a r…
                a r…  a r…
                東…   é␊␛…
                name ↑
                """)
    }

    private static let elements: ListFixture = {
        var fixture = ListFixture([("A", 2), ("B", 2)])
        fixture.row = { key in
            let rows = [
                ("Actinium", "Ac", "227"), ("Aluminium", "Al", "26.982"), ("Barium", "Ba", "137.33"), ("Boron", "B", "10.81"),
            ]
            let row = rows[Int(key) - 1]
            return ListRow(text: PresentedText(row.0), details: [PresentedText(row.1), key == 3 ? .null : PresentedText(row.2)])
        }
        return fixture
    }()

    private func columns(_ configuration: inout ListConfiguration) {
        configuration.columnHeadings = ["symbol", "atomicMass"]
        configuration.rightAlignedColumns = [1]
        configuration.minimumRowCountForIndexBar = 1
    }

    @Test func columnsWithHeadings() {
        #expect(
            snapshot(Self.elements, Size(50, 9), configure: columns) == """
                 Events                                 4 objects
                                             symbol  atomicMass
                 ▾ A                                          2  #
                   Actinium                  Ac             227  •
                   Aluminium                 Al          26.982  L
                 ▾ B                                          2  M
                   Barium                    Ba               —  •
                   Boron                     B            10.81  Z
                 name ↑                                    ? help
                """)
    }

    @Test func columnsThatDoNotFit() {
        #expect(
            snapshot(Self.elements, Size(28, 6), configure: columns) == """
                 Events           4 objects
                             symb…  atom…
                 ▾ A                    2  #
                   Actinium  Ac       227  •
                   Alumini…  Al     26.9…  Z
                 name ↑              ? help
                """)
        #expect(
            snapshot(Self.elements, Size(20, 5), configure: columns) == """
                 Events
                 ▾ A            2  #
                   Actinium  Ac    •
                   Alumini…  Al    Z
                 name ↑      ? help
                """)
        #expect(
            snapshot(Self.elements, Size(9, 5), configure: columns) == """
                Events
                ▾ A     #
                 Acti…  •
                 Alum…  Z
                name ↑
                """)
    }
}

import Fetching
import ObjectStore
import PlistConfig
import Presentation
import TerminalUI
import Testing

@testable import Screens

/// Each type of row, wide and narrow.
struct DetailSnapshotTests {
    private func snapshot(_ fixture: DetailFixture, _ size: Size) -> String { fixture.screen(size).frame(size).snapshot() }

    @Test func at80() {
        #expect(
            snapshot(.person, Size(80, 26)) == """
                 People › Ada                                                            Person
                 Person
                 Ada Lovelace
                     Name  Ada
                 Nickname  ""
                    Notes  The first line is rather long and wraps where the window ends.
                           The second is short.
                 Born                                                                      1815
                 Died                                                                         —
                 Tall                                                                    on ━━●
                 Old                                                                    off ●━━
                 Odd                                                                          —
                 Town                                                                     Ulm ›
                 Friend                                                                       —
                 Map  (unavailable: no view for MapRow)

                 The first line is rather long and wraps where the window ends.
                 The second is short.

                 Machines
                   Object 3                                                                   ›
                   Object 4                                                                   ›
                   Object 5                                                                   ›

                 prizes
                 lines 1–24 of 25                                                        ? help
                """)
    }

    @Test func at40() {
        #expect(
            snapshot(.person, Size(40, 30)) == """
                 People › Ada                    Person
                 Person
                 Ada Lovelace
                     Name  Ada
                 Nickname  ""
                    Notes  The first line is rather
                           long and wraps where the
                           window ends.
                           The second is short.
                 Born                              1815
                 Died                                 —
                 Tall                            on ━━●
                 Old                            off ●━━
                 Odd                                  —
                 Town                             Ulm ›
                 Friend                               —
                 Map  (unavailable: no view for MapRow)

                 The first line is rather long and
                 wraps where the window ends.
                 The second is short.

                 Machines
                   Object 3                           ›
                   Object 4                           ›
                   Object 5                           ›

                 prizes
                   —
                                                 ? help
                """)
    }

    @Test func at20() {
        #expect(
            snapshot(.person, Size(20, 40)) == """
                 …ople › Ada Person
                 Person
                 Ada Lovelace
                   Name  Ada
                 Nickn…  ""
                  Notes  The first
                         line is
                         rather
                         long and
                         wraps
                         where the
                         window
                         ends.
                         The second
                         is short.
                 Born          1815
                 Died             —
                 Tall        on ━━●
                 Old        off ●━━
                 Odd              —
                 Town         Ulm ›
                 Friend           —
                 Map  (unavailable…

                 The first line is
                 rather long and
                 wraps where the
                 window ends.
                 The second is
                 short.

                 Machines
                   Object 3       ›
                   Object 4       ›
                   Object 5       ›

                 prizes
                   —

                             ? help
                """)
    }

    @Test func at8() {
        #expect(
            snapshot(.person, Size(8, 12)) == """
                …e › Ada
                Person
                Ada Lov…
                Ada
                ""
                The
                first
                line is
                rather
                long and
                wraps
                lines 1…
                """)
    }

    @Test func at200() {
        let lines = snapshot(.person, Size(200, 30)).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[2] == " Ada Lovelace")
        #expect(lines[3] == "     Name  Ada")
        #expect(lines.contains { $0.hasPrefix(" Born ") && $0.hasSuffix(" 1815") && $0.count == 199 })
        #expect(lines.contains { $0.hasPrefix(" Town ") && $0.hasSuffix(" Ulm ›") && $0.count == 199 })
        #expect(lines.contains { $0.hasPrefix(" Tall ") && $0.hasSuffix(" on ━━●") })
    }

    @Test func styles() {
        let size = Size(40, 26)
        #expect(
            DetailFixture.person.screen(size).frame(size).styledSnapshot() == """
                 People › Ada                    Person
                |tttttttttttttttttttttttttttttttttttttttt
                 Person
                |.ssssss
                 Ada Lovelace
                >
                     Name  Ada
                |.....aaaa
                 Nickname  ""
                |.aaaaaaaa..dd
                    Notes  The first line is rather
                |....aaaaa
                           long and wraps where the
                |
                           window ends.
                |
                           The second is short.
                |
                 Born                              1815
                |...................................aaaa
                 Died                                 —
                |......................................d
                 Tall                            on ━━●
                |.................................aaaaaa
                 Old                            off ●━━
                |................................aaaaaaa
                 Odd                                  —
                |......................................d
                 Town                             Ulm ›
                |..................................aaa.d
                 Friend                               —
                |......................................d
                 Map  (unavailable: no view for MapRow)
                |.dddddddddddddddddddddddddddddddddddddd

                |
                 The first line is rather long and
                |
                 wraps where the window ends.
                |
                 The second is short.
                |

                |
                 Machines
                |.ssssssss
                   Object 3                           ›
                |......................................d
                   Object 4                           ›
                |......................................d
                 lines 1–24 of 28                ? help
                |bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
                """)
    }

    /// A mark at the start of a title must not stand on the space before it.
    @Test func markWithoutABaseStandsOnACircle() {
        let size = Size(60, 6)
        let text = DetailFixture([], title: "\u{301}Ada").screen(size, breadcrumb: ["\u{308}People"]).frame(size).text(row: 0)
        #expect(text.hasPrefix(" ◌\u{308}People › ◌\u{301}Ada "), "\(text)")
    }

    @Test func breadcrumbKeepsItsEnd() {
        let size = Size(40, 3)
        let deep = DetailFixture([], title: "Ada").screen(size, breadcrumb: ["Chemical Elements", "Hydrogen", "Henry Cavendish"])
        #expect(deep.frame(size).text(row: 0) == " …drogen › Henry Cavendish › Ada Person ")
    }

    @Test func loadingGoneAndFailing() {
        let size = Size(40, 4)
        var screen = DetailScreen(DetailFixture.id, breadcrumb: ["People"])
        screen.resize(to: size)
        let requests = screen.takeRequests()
        #expect(requests.map(\.kind) == [.detail])
        #expect(screen.frame(size).text(row: 3).hasPrefix(" loading…"))
        var failing = screen
        #expect(screen.receive(DataReply(.detail(nil), generation: 0)) == [.message("the object is gone")])
        #expect(screen.frame(size).text(row: 1).hasPrefix(" This object is no longer in the store."))
        let error = StoreError(file: "x", cause: .busy)
        #expect(failing.receive(DataReply(.failure(.detail, error), generation: 0)) == [.message(error.problem)])
        #expect(failing.frame(size).text(row: 1).hasPrefix(" busy: another process holds"))
    }

    /// What is there again is said to be: nothing says any more that it is gone.
    @Test func whatIsThereAgainSaysSo() {
        let size = Size(60, 14)
        let error = StoreError(file: "x", cause: .busy)
        for trouble in [DataReply.Kind.detail(nil), .failure(.detail, error)] {
            var screen = DetailFixture.person.screen(size)
            let before = screen.frame(size)
            screen.follow()
            _ = screen.takeRequests()
            #expect(screen.receive(DataReply(trouble, generation: screen.generation)).count == 1)
            screen.follow()
            let said = DetailFixture.person.answer(&screen)
            if case .failure = trouble {
                #expect(said == [.message("the object can be read again")])
            } else {
                #expect(said == [.message("the object is there again")])
            }
            #expect(screen.frame(size) == before)
            screen.follow()
            #expect(DetailFixture.person.answer(&screen).isEmpty)
        }
    }

    @Test func relatedObjectThatIsGone() {
        var fixture = DetailFixture([DetailSection(title: "Things", body: .related(DetailFixture.related([1, 2])))])
        fixture.related = { $0 == 1 ? nil : RelatedRow(text: .emptyString, destination: nil) }
        #expect(
            snapshot(fixture, Size(20, 5)) == """
                 …ople › Ada Person
                 Things
                   (gone)
                   ""
                             ? help
                """)
    }

    @Test func tallValue() {
        let text = (1...9).map { "line \($0)" }.joined(separator: "\n")
        let fixture = DetailFixture([
            DetailSection(
                title: "T",
                body: .rows([
                    DetailFixture.row(.multiLineValueSmallLabel, "Poem", PresentedText(text)),
                    DetailFixture.row(.singleLineValueSmallLabel, "By", PresentedText("A")),
                ]))
        ])
        let size = Size(30, 6)
        var screen = fixture.screen(size)
        var seen: [String] = []
        for _ in 0..<7 {
            seen.append((1...4).map { screen.frame(size).text(row: $0).filter { $0 != " " } }.joined(separator: "|"))
            _ = screen.perform(.moveDown)
        }
        // Read line by line to its end before the next row gets the cursor.
        #expect(
            seen.joined(separator: "\n") == """
                T|Poemline1|line2|line3
                Poemline1|line2|line3|line4
                line2|line3|line4|line5
                line3|line4|line5|line6
                line4|line5|line6|line7
                line5|line6|line7|line8
                line6|line7|line8|line9
                """)
    }

    /// What a to-many relationship names and is not there stands behind what is; there is nothing to open.
    @Test(arguments: [[3], []] as [[ObjectKey]]) func whatIsNotThere(keys: [ObjectKey]) {
        var related = DetailFixture.related(keys)
        related.dangling = ["(no Tag x)", "(no Tag y)"].map { PresentedText($0, isPlaceholder: true) }
        let fixture = DetailFixture([DetailSection(title: "Tags", body: .related(related))])
        let shown = snapshot(fixture, Size(40, 10))
        #expect(shown.contains("Object 3") == !keys.isEmpty)
        #expect(shown.contains("(no Tag x)") && shown.contains("(no Tag y)"))
        var screen = fixture.screen(Size(40, 10))
        _ = screen.perform(.moveToEnd)
        #expect(screen.perform(.open) == [.message("nothing to open here")])
    }
}

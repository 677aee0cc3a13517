import Fetching
import Presentation
import TerminalUI
import Testing

@testable import Screens

/// Letters and dots in a column (SPEC section 3: as iOS does).
struct IndexBarTests {
    @Test func everyCountAtEveryHeight() {
        for count in 0...70 {
            for height in -1...75 {
                let bar = IndexBar(count: count, height: height)
                let trail = "\(count) letters in \(height) rows"
                guard count > 0, height >= 3 else {
                    #expect(bar.slots.isEmpty, "\(trail)")
                    continue
                }
                #expect(bar.slots.count == min(count, height), "\(trail)")
                // Each entry is covered once, in order.
                #expect(bar.slots.flatMap { Array($0.entries) } == Array(0..<count), "\(trail)")
                #expect(bar.slots.allSatisfy { $0.isDot ? $0.entries.count >= 2 : $0.entries.count == 1 }, "\(trail)")
                #expect(bar.slots.first?.isDot == false && bar.slots.last?.isDot == false, "\(trail)")
                #expect(!zip(bar.slots, bar.slots.dropFirst()).contains { $0.isDot && $1.isDot }, "\(trail)")
                // Dropped evenly: no dot stands for more than one letter above any other.
                let shares = bar.slots.filter(\.isDot).map(\.entries.count)
                #expect((shares.max() ?? 0) - (shares.min() ?? 0) <= 1, "\(trail)")
                for entry in 0..<count {
                    let row = bar.row(ofEntry: entry)
                    #expect(row.map { bar.slots[$0].entries.contains(entry) } == true, "\(trail)")
                }
                for row in bar.slots.indices {
                    #expect(bar.entry(atRow: row).map { bar.slots[row].entries.contains($0) } == true, "\(trail)")
                }
                #expect(bar.entry(atRow: -1) == nil && bar.entry(atRow: bar.slots.count) == nil)
                #expect(bar.row(ofEntry: count) == nil && bar.row(ofEntry: -1) == nil)
            }
        }
    }

    /// The bar as it is painted at the right edge of windows with 1 to 40 rows for it.
    private func painted(_ titles: [String]) -> [String] {
        (1...40).map { height in
            let size = Size(30, height + 2)
            let fixture = ListFixture(titles.map { ($0, 2) })
            let frame = fixture.screen(size).frame(size)
            return (0..<size.rows).map { row in
                (0..<size.columns).compactMap { frame[row, $0] }.filter { [.indexBar, .indexBarCurrent].contains($0.style.role) }
                    .map(\.text).joined()
            }.joined()
        }
    }

    @Test func alphabetAtEveryHeight() {
        #expect(
            painted(["#", "A", "M", "Q"]).joined(separator: "\n") == """


                #•Z
                #A•Z
                #•M•Z
                #•LM•Z
                #•H•Q•Z
                #•HI•Q•Z
                #•F•M•S•Z
                #•F•LM•S•Z
                #•E•J•O•T•Z
                #•E•JK•P•U•Z
                #•D•H•M•Q•U•Z
                #•D•H•LM•Q•U•Z
                #•C•G•K•N•R•V•Z
                #•C•G•JK•O•R•V•Z
                #•C•F•I•M•P•S•V•Z
                #•C•F•I•LM•P•S•V•Z
                #•C•FG•J•M•P•ST•W•Z
                #•CD•GH•KL•O•RS•VW•Z
                #A•DE•HI•LMN•QR•UV•YZ
                #A•DEF•IJKL•OPQ•TUV•YZ
                #AB•EFGH•KLMNO•RSTU•XYZ
                #ABC•FGHIJKL•OPQRST•WXYZ
                #ABCDE•HIJKLMNOPQR•UVWXYZ
                #ABCDEFGHIJKL•OPQRSTUVWXYZ
                #ABCDEFGHIJKLMNOPQRSTUVWXYZ
                #ABCDEFGHIJKLMNOPQRSTUVWXYZ
                #ABCDEFGHIJKLMNOPQRSTUVWXYZ
                #ABCDEFGHIJKLMNOPQRSTUVWXYZ
                #ABCDEFGHIJKLMNOPQRSTUVWXYZ
                #ABCDEFGHIJKLMNOPQRSTUVWXYZ
                #ABCDEFGHIJKLMNOPQRSTUVWXYZ
                #ABCDEFGHIJKLMNOPQRSTUVWXYZ
                #ABCDEFGHIJKLMNOPQRSTUVWXYZ
                #ABCDEFGHIJKLMNOPQRSTUVWXYZ
                #ABCDEFGHIJKLMNOPQRSTUVWXYZ
                #ABCDEFGHIJKLMNOPQRSTUVWXYZ
                #ABCDEFGHIJKLMNOPQRSTUVWXYZ
                #ABCDEFGHIJKLMNOPQRSTUVWXYZ
                """)
    }

    @Test func lettersAfterZ() {
        #expect(
            painted(["#", "A", "M", "Ж", "東"]).joined(separator: "\n") == """


                #•東
                #A•東
                #•N•東
                #•MN•東
                #•I•R•東
                #•IJ•S•東
                #•G•N•U•東
                #•F•MN•U•東
                #•E•K•P•V•東
                #•E•JK•Q•V•東
                #•D•I•N•R•W•東
                #•D•I•MN•S•W•東
                #•D•H•L•P•T•X•東
                #•C•G•KL•P•T•X•東
                #•C•G•J•N•Q•U•X•東
                #•C•F•J•MN•Q•U•X•東
                #•C•F•I•L•O•R•U•X•東
                #•C•F•I•LM•P•S•V•Y•東
                #•CD•G•JK•N•QR•U•XY•東
                #A•DE•HI•LM•PQ•TU•XY•東
                #A•DEF•IJ•MNO•RST•WX•Ж東
                #A•DEFG•JKLM•PQR•UVWX•Ж東
                #AB•EFGHI•LMNOP•STUVW•ZЖ東
                #ABC•FGHIJKLM•PQRSTUV•YZЖ東
                #ABCDEF•IJKLMNOPQRST•WXYZЖ東
                #ABCDEFGHIJKLM•PQRSTUVWXYZЖ東
                #ABCDEFGHIJKLMNOPQRSTUVWXYZЖ東
                #ABCDEFGHIJKLMNOPQRSTUVWXYZЖ東
                #ABCDEFGHIJKLMNOPQRSTUVWXYZЖ東
                #ABCDEFGHIJKLMNOPQRSTUVWXYZЖ東
                #ABCDEFGHIJKLMNOPQRSTUVWXYZЖ東
                #ABCDEFGHIJKLMNOPQRSTUVWXYZЖ東
                #ABCDEFGHIJKLMNOPQRSTUVWXYZЖ東
                #ABCDEFGHIJKLMNOPQRSTUVWXYZЖ東
                #ABCDEFGHIJKLMNOPQRSTUVWXYZЖ東
                #ABCDEFGHIJKLMNOPQRSTUVWXYZЖ東
                #ABCDEFGHIJKLMNOPQRSTUVWXYZЖ東
                #ABCDEFGHIJKLMNOPQRSTUVWXYZЖ東
                """)
    }

    @Test func cursorsLetterIsMarkedEvenUnderADot() {
        let size = Size(30, 12)
        var screen = ListFixture(["A", "B", "C"].map { ($0, 2) }).screen(size)
        for (section, title) in ["A", "B", "C"].enumerated() {
            let frame = screen.frame(size)
            let marked = (0..<size.rows).filter { frame[$0, 29]?.style.role == .indexBarCurrent }
            #expect(marked.count == 1, "\(title)")
            let row = IndexBar(count: 27, height: 10).row(ofEntry: section + 1)
            #expect(marked.first == row.map { $0 + 1 })
            _ = screen.perform(.nextSection)
        }
    }

    @Test func staysAway() {
        let size = Size(30, 12)
        func hasBar(_ fixture: ListFixture, _ size: Size, _ configure: (inout ListConfiguration) -> Void = { _ in }) -> Bool {
            let frame = fixture.screen(size, configure: configure).frame(size)
            return frame.cells.contains { $0.style.role == .indexBar || $0.style.role == .indexBarCurrent }
        }
        #expect(hasBar(ListFixture([("A", 6)]), size))
        // Fewer than six objects, as in CDL, or as many as the plist says.
        #expect(!hasBar(ListFixture([("A", 5)]), size))
        #expect(hasBar(ListFixture([("A", 5)]), size) { $0.minimumRowCountForIndexBar = 0 })
        #expect(!hasBar(ListFixture([("A", 6)]), size) { $0.wantsIndexBar = false })
        #expect(!hasBar(ListFixture(rows: 9), size))
        #expect(!hasBar(ListFixture([("A", 6)]), Size(30, 4)))
        #expect(!hasBar(ListFixture([("A", 6)]), Size(7, 12)))
    }

    @Test func reasonsForNoBar() {
        func reason(_ fixture: ListFixture, _ size: Size, _ configure: (inout ListConfiguration) -> Void = { _ in }) -> [Effect] {
            var screen = fixture.screen(size, configure: configure)
            return screen.perform(.focusIndexBar)
        }
        let size = Size(30, 12)
        #expect(reason(ListFixture([("A", 6)]), size) == [])
        #expect(reason(ListFixture(rows: 9), size) == [.message("no index bar: the list has no sections")])
        #expect(reason(ListFixture([("A", 5)]), size) == [.message("no index bar: fewer than 6 objects")])
        #expect(
            reason(ListFixture([("A", 6)]), size) { $0.wantsIndexBar = false }
                == [.message("no index bar: the plist does not enable it (sectionIndexTitlesEnabled)")])
        #expect(reason(ListFixture([("A", 6)]), Size(7, 12)) == [.message("no index bar: the window is too small")])
    }
}

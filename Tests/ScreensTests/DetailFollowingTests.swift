import Fetching
import Foundation
import ObjectStore
import Presentation
import TerminalUI
import Testing

@testable import Screens

/// A detail that follows its store: lines of to-many sections that came or have become others are marked for a moment.
struct DetailFollowingTests {
    private static let size = Size(40, 12)

    private func fixture(_ keys: [ObjectKey], _ texts: [ObjectKey: String] = [:]) -> DetailFixture {
        var fixture = DetailFixture([DetailSection(title: "Machines", body: .related(DetailFixture.related(keys)))])
        fixture.related = { key in
            RelatedRow(text: PresentedText(texts[key] ?? "Object \(key)"), destination: ObjectID(entityName: "Thing", key: key))
        }
        return fixture
    }

    /// The texts of the lines that have a mark.
    private func marked(_ screen: DetailScreen) -> [String] {
        screen.frame(Self.size).snapshot().split(separator: "\n").filter { $0.hasPrefix("•") }.map {
            $0.dropFirst().split(separator: "›")[0].trimmingCharacters(in: .whitespaces)
        }
    }

    /// Every way in which four objects and their texts may become others.
    @Test func linesThatCameOrChangedAreMarked() {
        let keys: [ObjectKey] = [3, 4, 5, 6]
        for isThere in 1..<16 {
            for isOther in 0..<16 {
                var screen = fixture([3, 5, 6]).screen(Self.size)
                #expect(marked(screen).isEmpty)
                let now = keys.indices.filter { isThere & 1 << $0 != 0 }.map { keys[$0] }
                let others = keys.indices.filter { isOther & 1 << $0 != 0 }.map { (keys[$0], "Other \(keys[$0])") }
                let texts = Dictionary(uniqueKeysWithValues: others)
                screen.follow()
                let said = fixture(now, texts).answer(&screen)
                let changed = [3, 5, 6].filter { now.contains($0) && texts[$0] != nil }.count
                let gone = [3, 5, 6].filter { !now.contains($0) }.count
                let parts = [(now.contains(4) ? 1 : 0, "new"), (changed, "changed"), (gone, "gone")].filter { $0.0 > 0 }
                let text = parts.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
                #expect(said.last == (text.isEmpty ? nil : .message(text)))
                let wanted = now.filter { texts[$0] != nil || $0 == 4 }.map { texts[$0] ?? "Object \($0)" }
                #expect(marked(screen) == wanted)
                let hadMarks = screen.clearMarks()
                #expect(hadMarks || wanted.isEmpty)
                #expect(marked(screen).isEmpty)
                let hasMore = screen.clearMarks()
                #expect(!hasMore)
            }
        }
    }

    /// What is only looked at for the first time has not changed.
    @Test func linesThatComeIntoViewAreNotMarked() {
        let keys = (1...60).map { ObjectKey($0) }
        var screen = fixture(keys).screen(Self.size)
        screen.follow()
        fixture(keys, [50: "Other"]).answer(&screen)
        _ = screen.perform(.moveToEnd)
        fixture(keys, [50: "Other"]).answer(&screen)
        #expect(marked(screen).isEmpty)
    }

    /// The key of the object that the cursor's line leads to.
    private func opened(_ screen: inout DetailScreen) -> ObjectKey? {
        for effect in screen.perform(.open) {
            if case .open(let destination, _) = effect { return destination.key }
        }
        return nil
    }

    /// Every cursor in every way in which five objects may become others: it stays on its object, else goes to the next that is left.
    @Test func theCursorStaysOnItsObject() {
        func keys(_ set: Int) -> [ObjectKey] { (0..<5).filter { set & 1 << $0 != 0 }.map { ObjectKey($0) } }
        for before in (1..<32).map(keys) {
            for after in (0..<32).map(keys) {
                for (place, key) in before.enumerated() {
                    var screen = fixture(before).screen(Self.size)
                    for _ in 0..<place { _ = screen.perform(.moveDown) }
                    screen.follow()
                    fixture(after).answer(&screen)
                    let wanted =
                        before[place...].first { after.contains($0) } ?? before[..<place].last { after.contains($0) }
                        ?? after.first
                    #expect(opened(&screen) == wanted, "\(before) to \(after), on \(key)")
                }
            }
        }
    }

    /// What comes and goes above does not move what the window shows.
    @Test func theWindowStaysWithTheCursor() {
        let keys = (100..<160).map { ObjectKey($0) }
        var screen = fixture(keys).screen(Self.size)
        for _ in 0..<30 { _ = screen.perform(.moveDown) }
        let fixtureBefore = fixture(keys)
        fixtureBefore.answer(&screen)
        let lines = screen.frame(Self.size).snapshot().split(separator: "\n").dropFirst().dropLast()
        for others in [Array(90..<100) + keys, Array(keys.dropFirst(12))] {
            screen.follow()
            fixture(others).answer(&screen)
            _ = screen.clearMarks()
            #expect(screen.frame(Self.size).snapshot().split(separator: "\n").dropFirst().dropLast() == lines)
            #expect(opened(&screen) == 130)
        }
    }
}

import Fetching
import IndexPathModel
import TerminalUI
import TestSupport
import Testing

@testable import Screens

/// Random commands at random sizes: folds and cursor as the plain list has them, window and frame by the rules of SPEC section 3.
struct ListMovementTests {
    private static let movements: [Command] = [
        .moveUp, .moveDown, .pageUp, .pageDown, .halfPageUp, .halfPageDown, .moveToStart, .moveToEnd, .previousSection,
        .nextSection, .toggleSection, .moveLeft, .expandAll, .collapseAll,
    ]

    private static let titles: [String?] = ["#", "A", "C", "É", "K", nil, "", "Q", "Z", "Ж", "東"]

    private static func randomSize(_ random: inout SeededGenerator) -> Size {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: Size(rows: Int.random(in: 1...6, using: &random), columns: Int.random(in: 1...12, using: &random))
        case 1: Size(rows: 5, columns: 20)
        case 2: Size(rows: Int.random(in: 1...30, using: &random), columns: Int.random(in: 1...100, using: &random))
        default: Size(rows: 12, columns: 40)
        }
    }

    @Test(arguments: 0..<120) func randomScripts(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let hasSections = seed % 5 != 0
        let shown = Self.titles.filter { _ in Bool.random(using: &random) }
        var fixture = ListFixture(shown.map { ($0, Int.random(in: 1...9, using: &random)) })
        if !hasSections { fixture = ListFixture(rows: Int.random(in: 0...40, using: &random)) }
        var size = Self.randomSize(&random)
        var screen = fixture.screen(size) {
            $0.minimumRowCountForIndexBar = 1
            $0.singleExpandedSection = seed % 4 == 3
        }
        var plain = PlainList(fixture.sections.map(\.count), hasSections: hasSections, height: max(1, screen.window.rows))
        plain.singleExpandedSection = seed % 4 == 3
        var trail: [String] = ["\(size)"]

        for _ in 0..<150 {
            let wasCollapsed = plain.collapsed
            switch Int.random(in: 0..<12, using: &random) {
            case 0:
                size = Self.randomSize(&random)
                trail.append("\(size)")
                screen.resize(to: size)
                plain.height = max(1, screen.window.rows)
            case 1:
                let number = Int.random(in: 0...(fixture.count + 3), using: &random)
                trail.append(":\(number)")
                _ = screen.perform(.goToRow)
                for digit in String(number) { _ = screen.handle(.character(digit)) }
                _ = screen.handle(Key(.enter))
                plain.goTo(number)
            case 2: jumpByIndexBar(&screen, &plain, &random, &trail)
            case 3, 4: mouse(&screen, &plain, &random, &trail, size)
            default:
                let command = Self.movements.randomElement(using: &random) ?? .moveDown
                trail.append(command.rawValue)
                #expect(screen.perform(command).isEmpty)
                apply(command, to: &plain)
            }
            check(screen, plain, trail)
            if trail.last != Command.expandAll.rawValue { checkUnfolding(screen, plain, wasCollapsed, trail) }
            fixture.answer(&screen)
            checkFrame(screen, plain, fixture, size, trail)
        }
    }

    private func apply(_ command: Command, to plain: inout PlainList) {
        switch command {
        case .moveUp: plain.move(to: plain.place - 1)
        case .moveDown: plain.move(to: plain.place + 1)
        case .pageUp: plain.move(to: plain.place - plain.page)
        case .pageDown: plain.move(to: plain.place + plain.page)
        case .halfPageUp: plain.move(to: plain.place - max(1, plain.height / 2))
        case .halfPageDown: plain.move(to: plain.place + max(1, plain.height / 2))
        case .moveToStart: plain.move(to: 0)
        case .moveToEnd: plain.move(to: plain.lines.count - 1)
        case .previousSection: plain.previousSection()
        case .nextSection: plain.nextSection()
        case .toggleSection: plain.toggle()
        case .moveLeft: plain.left()
        case .expandAll: plain.expandAll()
        case .collapseAll: plain.collapseAll()
        default: Issue.record("no reference for \(command)")
        }
    }

    private func jumpByIndexBar(
        _ screen: inout ListScreen, _ plain: inout PlainList, _ random: inout SeededGenerator, _ trail: inout [String]
    ) {
        let letter = "#ABCEFKMNQZЖ東".randomElement(using: &random) ?? "A"
        trail.append("Tab \(letter)")
        let hasBar = screen.indexBar != nil
        #expect(screen.perform(.focusIndexBar).isEmpty == hasBar)
        #expect(screen.takesKeys == hasBar)
        guard hasBar, let index = screen.index else { return }
        _ = screen.handle(.character(letter))
        if let entry = index.entry(forTyped: letter) {
            plain.cursor = .header(index.entries[entry].section)
            // The header stands at the top, or the end of the list at the bottom.
            let place = plain.place
            #expect(screen.top == max(0, min(place, plain.lines.count - plain.height)), "\(trail)")
        }
        _ = screen.handle(Key([.enter, .tab, .escape].randomElement(using: &random) ?? .enter))
        #expect(!screen.takesKeys)
    }

    private func mouse(
        _ screen: inout ListScreen, _ plain: inout PlainList, _ random: inout SeededGenerator, _ trail: inout [String],
        _ size: Size
    ) {
        let position = Position(
            row: Int.random(in: -2...(size.rows + 2), using: &random),
            column: Int.random(in: -2...(size.columns + 2), using: &random))
        let actions: [MouseEvent.Action] = [.press, .press, .doublePress, .drag, .release, .wheelUp, .wheelDown]
        let event = MouseEvent(actions.randomElement(using: &random) ?? .press, at: position)
        trail.append("\(event)")
        let window = screen.window
        let bar = screen.indexBar
        let (before, top) = (plain, screen.top)
        let effects = screen.handle(event)
        let line = position.row - window.row
        let isInWindow = window.contains(position)
        switch event.action {
        case .wheelUp, .wheelDown:
            // The cursor comes along only where it would leave the window; the check that it is in sight is elsewhere.
            #expect(screen.top <= top + 3 && screen.top >= top - 4, "\(trail)")
            let isInSight =
                plain.place >= screen.top + screen.hiddenRows(atTop: screen.top)
                && plain.place < screen.top + plain.height
            if isInSight { #expect(screen.cursor == plain.place, "\(trail)") }
            plain.move(to: screen.cursor)
        case .release: break
        case .press, .doublePress, .drag:
            if let bar, let index = screen.index, position.column >= size.columns - 2,
                event.action == .drag || (line >= 0 && line < window.rows)
            {
                let slot = max(0, min(line, bar.slots.count - 1))
                let covered = bar.slots[slot].entries.map { ScreenRow.header(index.entries[$0].section) }
                #expect(screen.cursorRow.map(covered.contains) == true, "\(trail)")
                plain.cursor = screen.cursorRow
                break
            }
            guard event.action != .drag, isInWindow, top + line < before.lines.count else { break }
            // What the line showed: at the top an object's row is covered by its header.
            var target = before.lines[top + line]
            if line == 0, before.isSticky, case .item(let path) = target { target = .header(path.section) }
            plain.cursor = target
            let isOnMark = position.column < 3
            if case .header = target, event.action == .press ? isOnMark : !isOnMark { plain.toggle() }
            if case .item = target, event.action == .doublePress { #expect(effects.count == 1, "\(trail)") }
        }
    }

    // MARK: What always holds

    private func check(_ screen: ListScreen, _ plain: PlainList, _ trail: [String]) {
        let lines = plain.lines
        #expect(screen.list.rowCount == lines.count, "\(trail)")
        #expect(screen.cursorRow == plain.cursor, "\(trail)")
        #expect(screen.top >= 0 && screen.top <= max(0, lines.count - plain.height), "\(trail)")
        guard !lines.isEmpty else { return }
        #expect(screen.cursor >= screen.top + screen.hiddenRows(atTop: screen.top), "\(trail)")
        #expect(screen.cursor < screen.top + plain.height, "\(trail)")
    }

    /// A section that has just been unfolded: all of it, or its header first.
    private func checkUnfolding(_ screen: ListScreen, _ plain: PlainList, _ wasCollapsed: [Bool], _ trail: [String]) {
        let opened = plain.collapsed.indices.filter { wasCollapsed[$0] && !plain.collapsed[$0] }
        guard opened.count == 1, plain.cursor == .header(opened[0]), let header = plain.lines.firstIndex(of: .header(opened[0]))
        else { return }
        let end = header + 1 + plain.counts[opened[0]]
        if end - header >= plain.height {
            #expect(screen.top == header, "\(trail)")
        } else {
            #expect(screen.top <= header && end <= screen.top + plain.height, "\(trail)")
        }
    }

    /// Each line shows what it should, and exactly the cursor's line is marked.
    private func checkFrame(_ screen: ListScreen, _ plain: PlainList, _ fixture: ListFixture, _ size: Size, _ trail: [String]) {
        let buffer = screen.frame(size)
        let window = screen.window
        let lines = plain.lines
        let marked = (0..<size.rows).filter { row in (0..<size.columns).contains { buffer[row, $0]?.style.isCursor == true } }
        let whole = marked.filter { row in (0..<size.columns).allSatisfy { buffer[row, $0]?.style.isCursor == true } }
        #expect(marked == (lines.isEmpty ? [] : [window.row + screen.cursor - screen.top]), "\(trail)")
        #expect(marked == whole, "\(trail)")
        guard size.columns >= 20 else { return }
        var keys: [[Int]] = []
        var next = 1
        for count in plain.counts {
            keys.append(Array(next..<(next + count)))
            next += count
        }
        for offset in 0..<min(window.rows, lines.count - screen.top) {
            var line = lines[screen.top + offset]
            if offset == 0, plain.isSticky, case .item(let path) = line { line = .header(path.section) }
            let text = buffer.text(row: window.row + offset)
            switch line {
            case .header(let section):
                let mark = plain.collapsed[section] ? "▸" : "▾"
                let title = ListScreen.displayTitle(fixture.sections[section].title)
                #expect(text.hasPrefix(" \(mark) \(title) "), "\(trail)")
            case .item(let path):
                #expect(text.hasPrefix("\(plain.hasSections ? "   " : " ")Row \(keys[path.section][path.row]) "), "\(trail)")
            }
        }
    }
}

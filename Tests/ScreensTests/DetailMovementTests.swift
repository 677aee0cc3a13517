import Fetching
import ObjectStore
import PlistConfig
import Presentation
import TerminalUI
import TestSupport
import Testing

@testable import Screens

/// Random details, commands and sizes: lines and stops against plain arrays, the cursor always in sight.
struct DetailMovementTests {
    private static func randomFixture(_ random: inout SeededGenerator) -> DetailFixture {
        let sections = (0..<Int.random(in: 0...5, using: &random)).map { number -> DetailSection in
            let title = Bool.random(using: &random) ? "Section \(number)" : nil
            if Int.random(in: 0..<3, using: &random) == 0 {
                let count = Int64.random(in: 0...30, using: &random)
                return DetailSection(title: title, body: .related(DetailFixture.related((0..<count).map { $0 + 1 })))
            }
            let rows = (0..<Int.random(in: 1...6, using: &random)).map { place -> DetailRow in
                let words = Int.random(in: 0...40, using: &random)
                let text = PresentedText((0..<words).map { "word\($0)" }.joined(separator: place % 2 == 0 ? " " : "\n"))
                let isMultiLine = Int.random(in: 0..<3, using: &random) == 0
                return DetailFixture.row(isMultiLine ? .multiLineValueSmallLabel : .singleLineValueSmallLabel, "Label", text)
            }
            return DetailSection(title: title, body: .rows(rows))
        }
        return DetailFixture(sections)
    }

    /// The stop of each line, nil for blanks and titles, counted out.
    private static func stops(of layout: DetailLayout) -> [Int?] {
        var stops: [Int?] = []
        var next = 0
        for block in layout.blocks {
            switch block.content {
            case .blank, .sectionTitle: stops.append(nil)
            case .row:
                stops += Array(repeating: next, count: block.lines)
                next += 1
            case .related:
                for _ in 0..<block.lines {
                    stops.append(next)
                    next += 1
                }
            }
        }
        return stops
    }

    @Test(arguments: 0..<60) func layoutFindsLinesAndStops(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let fixture = Self.randomFixture(&random)
        for columns in [0, 1, 5, 20, 80] {
            let layout = DetailLayout(fixture.contents, columns: columns)
            let stops = Self.stops(of: layout)
            #expect(layout.lineCount == stops.count)
            #expect(layout.stopCount == Set(stops.compactMap { $0 }).count)
            for stop in 0..<layout.stopCount {
                let lines = stops.indices.filter { stops[$0] == stop }
                #expect(Array(layout.lines(ofStop: stop)) == lines)
            }
            for line in -2...(stops.count + 2) {
                let expected = stops.dropFirst(max(0, line)).lazy.compactMap { $0 }.first ?? max(0, layout.stopCount - 1)
                #expect(layout.stop(atOrAfterLine: line) == expected, "line \(line)")
                #expect((layout.block(atLine: line) != nil) == stops.indices.contains(line))
            }
            #expect(layout.block(ofStop: -1) == nil && layout.block(ofStop: layout.stopCount) == nil)
        }
    }

    @Test(arguments: 0..<100) func randomScripts(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let fixture = Self.randomFixture(&random)
        var size = Size(40, 12)
        var screen = fixture.screen(size)
        var trail: [String] = []
        let commands: [Command] = [
            .moveUp, .moveDown, .pageUp, .pageDown, .halfPageUp, .halfPageDown, .moveToStart, .moveToEnd, .previousSection,
            .nextSection,
        ]
        for _ in 0..<100 {
            let before = (cursor: screen.cursor, top: screen.top)
            switch Int.random(in: 0..<6, using: &random) {
            case 0:
                size = Size(rows: Int.random(in: 1...20, using: &random), columns: Int.random(in: 1...90, using: &random))
                trail.append("\(size)")
                screen.resize(to: size)
            case 1:
                let actions: [MouseEvent.Action] = [.press, .wheelUp, .wheelDown, .drag, .release]
                let event = MouseEvent(
                    actions.randomElement(using: &random) ?? .press,
                    at: Position(
                        row: Int.random(in: -1...(size.rows + 1), using: &random),
                        column: Int.random(in: -1...(size.columns + 1), using: &random)))
                trail.append("\(event)")
                let line = screen.top + event.position.row - screen.window.row
                let stops = Self.stops(of: screen.layout)
                _ = screen.handle(event)
                if event.action == .press, screen.window.contains(event.position), stops.indices.contains(line),
                    let stop = stops[line]
                {
                    #expect(screen.cursor == stop, "\(trail)")
                }
            default:
                let command = commands.randomElement(using: &random) ?? .moveDown
                trail.append(command.rawValue)
                _ = screen.perform(command)
                switch command {
                case .moveDown, .pageDown, .halfPageDown, .nextSection, .moveToEnd:
                    #expect(screen.cursor >= before.cursor, "\(trail)")
                case .moveUp, .pageUp, .halfPageUp, .previousSection, .moveToStart:
                    #expect(screen.cursor <= before.cursor, "\(trail)")
                default: break
                }
            }
            fixture.answer(&screen)
            let lines = screen.layout.lines(ofStop: screen.cursor)
            let height = max(1, screen.window.rows)
            #expect(screen.top >= 0 && screen.top <= max(0, screen.layout.lineCount - height), "\(trail)")
            guard screen.layout.stopCount > 0 else { continue }
            #expect(!lines.isEmpty && lines.lowerBound < screen.top + height && lines.upperBound > screen.top, "\(trail)")
            if lines.count < height {
                #expect(lines.lowerBound >= screen.top && lines.upperBound <= screen.top + height, "\(trail)")
            }
            let frame = screen.frame(size)
            let marked = (0..<size.rows).filter { frame[$0, 0]?.style.isCursor == true }
            let shown = lines.clamped(to: screen.top..<(screen.top + screen.window.rows))
            #expect(marked == shown.map { $0 - screen.top + screen.window.row }, "\(trail)")
        }
    }

    /// Whatever the height, each way of moving gets from one end to the other.
    @Test(arguments: 0..<40) func everyWayLeadsToTheEnd(seed: Int) {
        var random = SeededGenerator(seed: UInt64(1_000 + seed))
        let fixture = Self.randomFixture(&random)
        for rows in 1...9 {
            for (down, up) in [
                (Command.moveDown, Command.moveUp), (.pageDown, .pageUp), (.halfPageDown, .halfPageUp),
                (.nextSection, .previousSection),
            ] {
                var screen = fixture.screen(Size(rows: rows, columns: 30))
                let most = screen.layout.lineCount + 2
                for _ in 0..<most { _ = screen.perform(down) }
                #expect(screen.cursor == max(0, screen.layout.stopCount - 1), "\(down) in \(rows) rows")
                for _ in 0..<most { _ = screen.perform(up) }
                #expect(screen.cursor == 0, "\(up) in \(rows) rows")
                if rows >= 4, up != .previousSection { #expect(screen.top == 0, "\(up) in \(rows) rows") }
            }
        }
    }

    // MARK: What lines lead to

    @Test func opening() {
        let size = Size(80, 40)
        var screen = DetailFixture.person.screen(size)
        var opened: [[Effect]] = []
        for _ in 0..<screen.layout.stopCount {
            opened.append(screen.perform(.open))
            _ = screen.perform(.moveDown)
        }
        let targets = opened.map { effects -> String in
            guard case .open(let object, nil)? = effects.first else { return "" }
            return "\(object.entityName) \(object.key)"
        }
        #expect(targets.filter { !$0.isEmpty } == ["Town 7", "Thing 3", "Thing 4", "Thing 5"])
        #expect(opened[0] == [.message("nothing to open here")])
        #expect(screen.perform(.openAsList) == [.openList(of: DetailFixture.id, through: "things")])
        _ = screen.perform(.moveToStart)
        #expect(screen.perform(.openAsList) == [.message("only a to-many relationship opens as a list")])
        #expect(screen.perform(.copy) == [.copy("Ada Lovelace", label: "value")])
        _ = screen.perform(.moveDown)
        #expect(screen.perform(.copy) == [.copy("Ada", label: "Name")])
        #expect(screen.perform(.nextObject) == [.openNeighbour(1)] && screen.perform(.previousObject) == [.openNeighbour(-1)])
        #expect(screen.perform(.back) == [.back] && screen.perform(.moveLeft) == [.back])
    }

    @Test func rowOpensThePlistThatItNames() {
        var row = DetailFixture.row(.relationship, "Town", PresentedText("Ulm"))
        row.destination = ObjectID(entityName: "Town", key: 7)
        row.detailViewPropertyListFile = "TownDetail"
        var related = DetailFixture.related([5])
        related.detailViewPropertyListFile = "ThingDetail"
        let fixture = DetailFixture([
            DetailSection(title: nil, body: .rows([row])), DetailSection(title: nil, body: .related(related)),
        ])
        var screen = fixture.screen(Size(40, 12))
        #expect(screen.perform(.moveRight) == [.open(ObjectID(entityName: "Town", key: 7), detail: "TownDetail")])
        _ = screen.handle(MouseEvent(.doublePress, at: Position(row: 4, column: 5)))
        #expect(screen.perform(.open) == [.open(ObjectID(entityName: "Thing", key: 5), detail: "ThingDetail")])
    }

    @Test func rawValuesAreAskedForAnew() {
        var screen = DetailFixture.person.screen(Size(80, 40))
        #expect(screen.perform(.toggleRawValues) == [.message("values as stored")])
        let requests = screen.takeRequests()
        #expect(requests.first?.kind == .detail && requests.allSatisfy { $0.form == .stored && $0.generation == 1 })
        // An answer to what was asked before is dropped.
        _ = screen.receive(DataReply(.detail(nil), generation: 0))
        #expect(screen.notice == nil && screen.contents != nil)
        #expect(screen.frame(Size(80, 40)).text(row: 39).contains("(values as stored)"))
    }

    /// Of a million lines only those in sight are asked for.
    @Test func linesOfAHugeRelationshipComeAsTheyAreSeen() {
        let fixture = DetailFixture([DetailSection(title: "All", body: .related(DetailFixture.related(Array(1...100_000))))])
        var screen = fixture.screen(Size(40, 12))
        _ = screen.perform(.moveToEnd)
        let asked = screen.takeRequests().flatMap { request -> [ObjectKey] in
            if case .related(0, let keys) = request.kind { keys } else { [] }
        }
        #expect(asked == Array(99_986...100_000))
        fixture.answer(&screen)
        #expect(screen.takeRequests().isEmpty)
    }

    /// A to-many of a hundred thousand: only what comes into sight is asked for.
    @Test func aHugeToManyIsReadAsItIsSeen() {
        let fixture = DetailFixture([DetailSection(title: "things", body: .related(DetailFixture.related(Array(1...100_000))))])
        let size = Size(rows: 24, columns: 80)
        var screen = DetailScreen(DetailFixture.id, breadcrumb: [])
        screen.resize(to: size)
        var statements = 0
        var keys = 0
        func answer() {
            for request in screen.takeRequests() {
                switch request.kind {
                case .detail: _ = screen.receive(DataReply(.detail(fixture.contents), generation: request.generation))
                case .related(let section, let wanted):
                    statements += 1
                    keys += wanted.count
                    let rows = Dictionary(uniqueKeysWithValues: wanted.map { ($0, fixture.related($0)) })
                    _ = screen.receive(DataReply(.related(section: section, rows: rows), generation: request.generation))
                default: Issue.record("\(request.kind)")
                }
            }
        }
        answer()
        answer()
        #expect(statements == 1 && keys <= 2 * size.rows)
        _ = screen.perform(.moveToEnd)
        answer()
        #expect(statements == 2 && keys <= 4 * size.rows)
        #expect(screen.frame(size).snapshot().contains("Object 100000 "))
        for _ in 0..<100 {
            _ = screen.perform(.pageUp)
            answer()
        }
        #expect(statements <= 102 && keys <= 104 * size.rows)
    }

    /// Lines count as the last line of the screen counts them.
    @Test func aNumberGoesToItsLine() {
        var random = SeededGenerator(seed: 9)
        for _ in 0..<50 {
            let fixture = Self.randomFixture(&random)
            var screen = fixture.screen(Size(40, 12))
            let stops = Self.stops(of: screen.layout)
            for number in 1...(stops.count + 2) {
                _ = screen.perform(.goToRow)
                for key in KeyScript.keys("\(number)<Enter>") { _ = screen.handle(key) }
                let expected =
                    stops.dropFirst(max(0, min(number, stops.count) - 1)).lazy.compactMap { $0 }.first
                    ?? max(0, screen.layout.stopCount - 1)
                #expect(screen.cursor == (stops.isEmpty ? 0 : expected))
                if stops.indices.contains(number - 1), stops[number - 1] != nil {
                    #expect((screen.top..<(screen.top + screen.window.rows)).contains(number - 1))
                }
            }
        }
    }
}

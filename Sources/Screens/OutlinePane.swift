import Fetching
import Foundation
import ObjectStore
import PropertyLists
import TerminalUI

/// A foldable outline.
struct OutlinePane: ViewerPane {
    var table: OutlineTable
    var lines = LineWindow()
    private var columns = 80

    init(_ root: OutlineNode) {
        table = OutlineTable(root)
        lines.count = table.rows.count
    }

    mutating func resize(rows: Int, columns: Int) {
        self.columns = columns
        lines.height = max(1, rows)
    }

    /// Number of the cursor's entry in the table.
    var cursor: Int { table.rows.indices.contains(lines.cursor) ? table.rows[lines.cursor] : 0 }

    private mutating func moveCursor(toEntry number: Int) {
        lines.count = table.rows.count
        if let row = table.row(of: number) { lines.moveCursor(to: row) }
    }

    // MARK: Commands

    mutating func perform(_ command: Command) -> PaneOutcome {
        if lines.perform(command) { return .done }
        let entry = table.entries[cursor]
        switch command {
        case .toggleSection:
            guard entry.isFoldable else {
                _ = lines.perform(.pageDown)
                return .done
            }
            setUnfolded(!table.isUnfolded(cursor))
        case .open:
            guard entry.isFoldable else { return openLeaf(entry) }
            setUnfolded(!table.isUnfolded(cursor))
        case .moveRight:
            guard entry.isFoldable else { return openLeaf(entry) }
            setUnfolded(true)
        case .moveLeft: return moveLeft(entry)
        case .expandAll:
            let here = cursor
            let isComplete = table.unfoldAll()
            moveCursor(toEntry: here)
            if !isComplete { return .message("too much to unfold at once; what is left opens one by one") }
        case .collapseAll:
            // The cursor goes to what is left of its branch.
            var here = cursor
            while table.entries[here].level > 1, let parent = table.entries[here].parent { here = parent }
            table.foldAll()
            moveCursor(toEntry: here)
        case .nextSection: moveToBranch(forward: true)
        case .previousSection: moveToBranch(forward: false)
        default: return .ignored
        }
        return .done
    }

    private mutating func setUnfolded(_ unfolds: Bool) {
        if unfolds { table.unfold(cursor) } else { table.fold(cursor) }
        lines.count = table.rows.count
        guard unfolds else { return }
        // As much as fits of what came out is visible, the branch first.
        let end = table.rows[(lines.cursor + 1)...].firstIndex { table.entries[$0].level <= table.entries[cursor].level }
        let wanted = (end ?? table.rows.count) - (lines.top + lines.height)
        let here = lines.cursor
        if wanted > 0 { lines.scroll(by: min(wanted, here - lines.top)) }
        lines.moveCursor(to: here)
    }

    private mutating func moveLeft(_ entry: OutlineTable.Entry) -> PaneOutcome {
        if table.isUnfolded(cursor), entry.parent != nil {
            setUnfolded(false)
        } else if let parent = entry.parent {
            moveCursor(toEntry: parent)
        } else {
            return .back
        }
        return .done
    }

    /// A leaf that holds more than its line shows is opened by itself.
    private func openLeaf(_ entry: OutlineTable.Entry) -> PaneOutcome {
        switch entry.node.value {
        case .data(let bytes) where !bytes.isEmpty: .open(.data(bytes), title: entry.node.label)
        case .string(let text) where text.count > 40 || text.contains(where: \.isNewline):
            .open(.string(text), title: entry.node.label)
        default: .message("nothing to unfold here")
        }
    }

    /// What a section is to other screens is a branch of the first level here.
    private mutating func moveToBranch(forward: Bool) {
        let rows = table.rows
        let target =
            forward
            ? rows.indices.first { $0 > lines.cursor && table.entries[rows[$0]].level <= 1 } ?? rows.count - 1
            : rows.indices.last { $0 < lines.cursor && table.entries[rows[$0]].level <= 1 } ?? 0
        lines.moveCursor(to: target)
    }

    mutating func scroll(by rows: Int) { lines.scroll(by: rows) }

    mutating func click(row: Int, column: Int, isDouble: Bool) {
        guard lines.top + row < table.rows.count else { return }
        lines.moveCursor(to: lines.top + row)
        let mark = indent(table.entries[cursor].level)
        if isDouble ? column > mark + 1 : (mark...mark + 1).contains(column) { setUnfolded(!table.isUnfolded(cursor)) }
    }

    mutating func goTo(_ typed: String) -> String? {
        guard let number = Self.number(typed) else { return "“\(typed)” is no line number" }
        lines.moveCursor(to: max(0, number - 1))
        return nil
    }

    // MARK: Finding

    /// So many nodes one search looks at.
    private static let searched = 50_000

    mutating func find(_ text: String, forward: Bool, includesCursor: Bool) -> Bool {
        let query = SearchQuery(text)
        guard !query.isEmpty, let path = hit(query, forward: forward, includesCursor: includesCursor) else { return false }
        // Only what leads to the hit is kept in the table.
        var number = 0
        for step in path {
            let children = table.children(of: number)
            guard step < children.count else { return false }
            number = children.lowerBound + step
        }
        table.reveal(number)
        moveCursor(toEntry: number)
        return true
    }

    /// Where a hit is, as the place of each branch among its siblings; folded branches are looked into, cycles gone through once.
    private func hit(_ query: SearchQuery, forward: Bool, includesCursor: Bool) -> [Int]? {
        let here = path(of: cursor)
        var walk = OutlineWalk(table.entries[0])
        var first: [Int]?
        var last: [Int]?
        var before: [Int]?
        var looked = 0
        while looked < Self.searched, let entry = walk.next() {
            looked += 1
            guard entry.part == nil, Self.matches(entry.node, query) else { continue }
            let order = Self.order(walk.path, here)
            if forward, order > 0 || (order == 0 && includesCursor) { return walk.path }
            if order < 0 { before = walk.path }
            if first == nil { first = walk.path }
            last = walk.path
        }
        return forward ? first : before ?? last
    }

    private static func matches(_ node: OutlineNode, _ query: SearchQuery) -> Bool {
        query.matches(node.label + " " + node.summary)
    }

    private func path(of number: Int) -> [Int] {
        var path: [Int] = []
        var place = number
        while let parent = table.entries[place].parent, let siblings = table.entries[parent].children {
            path.append(place - siblings.lowerBound)
            place = parent
        }
        return path.reversed()
    }

    /// Below 0 if the first path comes before the second one in the outline.
    private static func order(_ left: [Int], _ right: [Int]) -> Int {
        for (one, other) in zip(left, right) where one != other { return one - other }
        return left.count - right.count
    }

    // MARK: Looks

    private func indent(_ level: Int) -> Int { (columns > 10 ? 1 : 0) + min(level * 2, columns / 2) }

    func draw(in body: Rect, marking text: String, into buffer: inout CellBuffer) {
        let query = SearchQuery(text)
        for line in lines.visible {
            let row = body.row + line - lines.top
            draw(table.rows[line], row: row, query, into: &buffer)
            if line == lines.cursor { buffer.markCursorRow(row) }
        }
    }

    private func draw(_ number: Int, row: Int, _ query: SearchQuery, into buffer: inout CellBuffer) {
        let entry = table.entries[number]
        var column = indent(entry.level)
        let end = columns - (columns > 10 ? 1 : 0)
        if entry.isFoldable {
            buffer.write(table.isUnfolded(number) ? "▾" : "▸", row: row, column: column, columns: 1, style: Style(.dimmed))
        }
        column += 2
        func write(_ text: String, _ style: Style) {
            let used = buffer.write(text, row: row, column: column, columns: end - column, style: style)
            Self.mark(query, in: text, row: row, column: column, columns: used, into: &buffer)
            column += used
        }
        if let part = entry.part { return write("\(part.lowerBound) … \(part.upperBound - 1)", Style(.dimmed)) }
        if !entry.node.label.isEmpty {
            write(entry.node.label, Style(.accent))
            column += 2
        }
        write(Self.text(of: entry.node), Style(Self.role(of: entry.node.kind)))
        if table.closesCycle(number) {
            column += 2
            write("(stands above already)", Style(.dimmed))
        }
    }

    /// Strings are quoted, so that "1" and 1 look different.
    private static func text(of node: OutlineNode) -> String {
        node.kind == .string ? "\"\(node.summary)\"" : node.summary
    }

    private static func role(of kind: OutlineNode.Kind) -> Style.Role {
        switch kind {
        case .null, .array, .set, .dictionary, .data: .dimmed
        case .unreadable: .failure
        case .boolean, .number, .string, .date, .object: .text
        }
    }

    /// The value itself where the line shows one, else what the line says.
    var lineText: String {
        let entry = table.entries[cursor]
        if let part = entry.part { return "\(part.lowerBound) … \(part.upperBound - 1)" }
        if case .string(let text)? = entry.node.value { return text }
        return [entry.node.label, entry.node.summary].filter { !$0.isEmpty }.joined(separator: "  ")
    }

    var positionText: String {
        guard table.rows.count > lines.height else { return "" }
        return "lines \(lines.visible.lowerBound + 1)–\(lines.visible.upperBound) of \(Chrome.grouped(table.rows.count))"
    }
}

/// All nodes of an outline, depth first, each branch's children made as it is reached; what closes a cycle has none.
struct OutlineWalk {
    private struct Level {
        var entries: [OutlineTable.Entry]
        var place: Int
        /// Identity of the node whose children these are.
        let identity: Int?
    }

    private var levels: [Level]
    private var mayDescend = false

    init(_ root: OutlineTable.Entry) { levels = [Level(entries: [root], place: -1, identity: nil)] }

    /// The place of each branch among its siblings, from the root's children on.
    var path: [Int] { levels.dropFirst().map(\.place) }

    mutating func next() -> OutlineTable.Entry? {
        if mayDescend, let current = levels.last?.entries[levels[levels.count - 1].place] {
            let identity = current.part == nil ? current.node.identity : nil
            let closesCycle = identity != nil && levels.contains { $0.identity == identity }
            if current.isFoldable, !closesCycle, levels.count <= OutlineTable.deepestLevel {
                var table = OutlineTable(only: current)
                let children = table.children(of: 0)
                levels.append(Level(entries: Array(table.entries[children]), place: -1, identity: identity))
            }
        }
        while let level = levels.last {
            if level.place + 1 < level.entries.count {
                levels[levels.count - 1].place += 1
                mayDescend = true
                return level.entries[level.place + 1]
            }
            levels.removeLast()
        }
        return nil
    }
}

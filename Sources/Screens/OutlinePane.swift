import Fetching
import Foundation
import ObjectStore
import PropertyLists
import TerminalUI

/// A foldable outline.
struct OutlinePane: ViewerPane {
    private(set) var model: OutlineModel
    private var lines = LineWindow()
    private var columns = 80
    /// A search that has not seen all yet.
    private var unfinished: UnfinishedSearch?

    init(_ root: OutlineNode) {
        model = OutlineModel(root)
        lines.count = model.rowCount
    }

    mutating func resize(rows: Int, columns: Int) {
        self.columns = columns
        lines.height = max(1, rows)
    }

    /// The cursor's entry.
    private var cursor: OutlineEntry { model.entry(atRow: lines.cursor) ?? model.root }

    private mutating func moveCursor(to entry: OutlineEntry) {
        lines.count = model.rowCount
        if let row = model.row(of: entry) { lines.moveCursor(to: row) }
    }

    // MARK: Commands

    mutating func perform(_ command: Command) -> PaneOutcome {
        if lines.perform(command) { return .done }
        let entry = cursor
        switch command {
        case .toggleSection:
            guard entry.isFoldable else {
                _ = lines.perform(.pageDown)
                return .done
            }
            setUnfolded(!model.isUnfolded(entry))
        case .open:
            guard entry.isFoldable else { return openLeaf(entry) }
            setUnfolded(!model.isUnfolded(entry))
        case .moveRight:
            guard entry.isFoldable else { return openLeaf(entry) }
            setUnfolded(true)
        case .moveLeft: return moveLeft(entry)
        case .expandAll:
            let isComplete = model.unfoldAll()
            moveCursor(to: entry)
            if !isComplete { return .message("too much to unfold at once; what is left opens one by one") }
        case .collapseAll:
            // The cursor goes to what is left of its branch.
            var row = lines.cursor
            while model.level(atRow: row) > 1, let parent = model.parentRow(ofRow: row) { row = parent }
            let branch = model.entry(atRow: row) ?? model.root
            model.foldAll()
            moveCursor(to: branch)
        case .nextSection: moveToBranch(forward: true)
        case .previousSection: moveToBranch(forward: false)
        default: return .ignored
        }
        return .done
    }

    private mutating func setUnfolded(_ unfolds: Bool) {
        if unfolds { model.unfold(cursor) } else { model.fold(cursor) }
        lines.count = model.rowCount
        guard unfolds else { return }
        // As much as fits of what came out is visible, the branch first.
        let here = lines.cursor
        let level = model.level(atRow: here)
        let most = min(model.rowCount, here + 1 + lines.height)
        let end = (min(here + 1, most)..<most).first { model.level(atRow: $0) <= level } ?? most
        let wanted = end - (lines.top + lines.height)
        if wanted > 0 { lines.scroll(by: min(wanted, here - lines.top)) }
        lines.moveCursor(to: here)
    }

    private mutating func moveLeft(_ entry: OutlineEntry) -> PaneOutcome {
        let parent = model.parentRow(ofRow: lines.cursor)
        if model.isUnfolded(entry), parent != nil {
            setUnfolded(false)
        } else if let parent {
            lines.moveCursor(to: parent)
        } else {
            return .back
        }
        return .done
    }

    /// A leaf that holds more than its line shows is opened by itself.
    private func openLeaf(_ entry: OutlineEntry) -> PaneOutcome {
        let place = OutlinePlace(of: entry, below: model.root)
        switch entry.node.value {
        case .data(let bytes) where !bytes.isEmpty: return .open(.data(bytes), title: entry.node.label, place: place)
        case .string(let text) where text.count > 40 || text.contains(where: \.isNewline):
            return .open(.string(text), title: entry.node.label, place: place)
        default: return .message("nothing to unfold here")
        }
    }

    /// What a section is to other screens is a branch of the first level here.
    private mutating func moveToBranch(forward: Bool) {
        let target =
            forward
            ? (lines.cursor + 1..<max(lines.cursor + 1, model.rowCount)).first { model.level(atRow: $0) <= 1 } ?? model.rowCount
                - 1
            : (0..<lines.cursor).last { model.level(atRow: $0) <= 1 } ?? 0
        lines.moveCursor(to: target)
    }

    mutating func scroll(by rows: Int) { lines.scroll(by: rows) }

    mutating func click(row: Int, column: Int, isDouble: Bool) {
        guard lines.top + row < model.rowCount else { return }
        lines.moveCursor(to: lines.top + row)
        let entry = cursor
        let mark = indent(entry.level)
        if isDouble ? column > mark + 1 : (mark...mark + 1).contains(column) { setUnfolded(!model.isUnfolded(entry)) }
    }

    mutating func goTo(_ typed: String) -> String? {
        guard let number = Self.number(typed) else { return "“\(typed)” is no line number" }
        lines.moveCursor(to: max(0, number - 1))
        return nil
    }

    // MARK: Finding

    /// A search that has looked at as many nodes as it may at once.
    private struct UnfinishedSearch: Sendable {
        let text: String
        let forward: Bool
        /// The cursor's path; elsewhere a search begins anew.
        let origin: [Int]
        let path: [Int]
        let hasWrapped: Bool
    }

    /// So many nodes are looked at before the reader is asked to go on.
    var searched = 100_000
    /// So many while words are typed, since each letter is a search of its own.
    var searchedWhileTyping = 20_000

    /// Folded branches are looked into, cycles gone through once.
    mutating func find(_ text: String, forward: Bool, includesCursor: Bool) -> FindOutcome {
        let query = SearchQuery(text)
        let origin = cursor.path
        let earlier = unfinished
        unfinished = nil
        guard !query.isEmpty else { return .none }
        if includesCursor, cursor.part == nil, Self.matches(cursor.node, query) { return .found }
        var walk = OutlineWalk(model.root, at: origin)
        var hasWrapped = false
        if let earlier, !includesCursor, earlier.text == text, earlier.forward == forward, earlier.origin == origin {
            walk = OutlineWalk(model.root, at: earlier.path)
            hasWrapped = earlier.hasWrapped
        }
        let most = includesCursor ? searchedWhileTyping : searched
        for _ in 0..<most {
            if !(forward ? walk.moveForward() : walk.moveBackward()) {
                guard !hasWrapped else { return .none }
                hasWrapped = true
                walk = forward ? OutlineWalk(model.root) : OutlineWalk.end(of: model.root)
            }
            let entry = walk.current
            if entry.part == nil, Self.matches(entry.node, query) {
                // Only what leads to the hit is kept.
                guard let found = model.reveal(entry.path) else { return .none }
                moveCursor(to: found)
                return .found
            }
            // All the way round: what lies deeper than the walk goes ends it, too.
            if hasWrapped {
                let order = Self.order(entry.path, origin)
                if forward ? order >= 0 : order <= 0 { return .none }
            }
        }
        unfinished = UnfinishedSearch(
            text: text, forward: forward, origin: origin, path: walk.current.path, hasWrapped: hasWrapped)
        return .unfinished(lookedAt: most)
    }

    private static func matches(_ node: OutlineNode, _ query: SearchQuery) -> Bool {
        query.matches(node.label + " " + node.summary)
    }

    /// Below 0 if the first path comes before the second one in the outline.
    private static func order(_ left: [Int], _ right: [Int]) -> Int {
        for (one, other) in zip(left, right) where one != other { return one - other }
        return left.count - right.count
    }

    // MARK: Looks

    private func indent(_ level: Int) -> Int { Chrome.margin(columns: columns) + min(level * 2, columns / 2) }

    func draw(in body: Rect, marking text: String, into buffer: inout CellBuffer) {
        let query = SearchQuery(text)
        for line in lines.visible {
            let row = body.row + line - lines.top
            if let entry = model.entry(atRow: line) { draw(entry, row: row, query, into: &buffer) }
            if line == lines.cursor { buffer.markCursorRow(row) }
        }
    }

    private func draw(_ entry: OutlineEntry, row: Int, _ query: SearchQuery, into buffer: inout CellBuffer) {
        var column = indent(entry.level)
        let end = columns - Chrome.margin(columns: columns)
        if entry.isFoldable {
            buffer.write(model.isUnfolded(entry) ? "▾" : "▸", row: row, column: column, columns: 1, style: Style(.dimmed))
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
        if entry.closesCycle {
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
        let entry = cursor
        if let part = entry.part { return "\(part.lowerBound) … \(part.upperBound - 1)" }
        if case .string(let text)? = entry.node.value { return text }
        return [entry.node.label, entry.node.summary].filter { !$0.isEmpty }.joined(separator: "  ")
    }

    var hitMark: [Int] { cursor.path }

    var positionText: String {
        guard model.rowCount > lines.height else { return "" }
        return "lines \(lines.visible.lowerBound + 1)–\(lines.visible.upperBound) of \(Chrome.grouped(model.rowCount))"
    }
}

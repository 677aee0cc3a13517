package import Fetching
package import PlistConfig
package import TerminalUI

/// A choice of key paths: what to sort a list by, or what to group it by.
package struct MenuScreen: Screen {
    package enum Purpose: Sendable, Equatable {
        /// Several keys with directions, in the order in which they were chosen.
        case sort([ListArrangement.SortKey])
        /// One key path, or none.
        case group(String?)
    }

    private var purpose: Purpose
    private let choices: [String]
    package private(set) var size = Size(rows: 24, columns: 80)
    package var keyLabels = KeyLabels()
    var cursor = 0
    var top = 0
    package var finding = Finding<RowPlace>()

    /// - Parameter choices: key paths as plists spell them.
    package init(_ purpose: Purpose, choices: [String]) {
        self.purpose = purpose
        switch purpose {
        case .sort(let keys):
            // A key of the list's plist may be none of the usual ones.
            self.choices = keys.map(\.keyPath).filter { !choices.contains($0) } + choices
            cursor = keys.first.flatMap { self.choices.firstIndex(of: $0.keyPath) } ?? 0
        case .group(let current):
            self.choices = (current.map { choices.contains($0) ? [] : [$0] } ?? []) + choices
            cursor = current.flatMap { self.choices.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        }
    }

    package var context: KeyContext { .menu }

    /// Rows of the menu; grouping has a first one for no grouping.
    private var rowCount: Int { choices.count + firstChoice }
    private var firstChoice: Int { if case .group = purpose { 1 } else { 0 } }

    private func choice(at row: Int) -> String? {
        choices.indices.contains(row - firstChoice) ? choices[row - firstChoice] : nil
    }

    private func label(ofRow row: Int) -> String { choice(at: row) ?? "no sections" }

    package mutating func resize(to size: Size) {
        self.size = size
        settle()
    }

    package mutating func perform(_ command: Command) -> [Effect] {
        let page = max(1, Chrome.body(of: size).rows - 1)
        switch command {
        case .moveUp: cursor -= 1
        case .moveDown: cursor += 1
        case .pageUp: cursor -= page
        case .pageDown: cursor += page
        case .halfPageUp: cursor -= max(1, page / 2)
        case .halfPageDown: cursor += max(1, page / 2)
        case .moveToStart, .previousSection: cursor = 0
        case .moveToEnd, .nextSection: cursor = rowCount - 1
        case .mark: mark()
        case .open: return choose()
        case .find: beginFind()
        case .nextHit, .previousHit: return moveToHit(forward: command == .nextHit)
        case .goToRow: finding.prompt = Prompt(.goToRow)
        case .moveLeft, .back: return [.back]
        default: break
        }
        settle()
        return []
    }

    /// Puts the key at the end of the sort keys; again turns its direction over; again takes it out.
    private mutating func mark() {
        guard case .sort(var keys) = purpose, let choice = choice(at: cursor) else { return }
        if let place = keys.firstIndex(where: { $0.keyPath == choice }) {
            if keys[place].ascending { keys[place].ascending = false } else { keys.remove(at: place) }
        } else {
            keys.append(ListArrangement.SortKey(keyPath: choice, ascending: true))
        }
        purpose = .sort(keys)
        isMarked = true
    }

    /// Whether keys were marked one by one; else Enter chooses the cursor's alone.
    private var isMarked = false

    private func choose() -> [Effect] {
        switch purpose {
        case .group:
            return [.arrange(ListArrangement(grouping: choice(at: cursor).map { .keyPath($0) } ?? ListArrangement.Grouping.none))]
        case .sort(let keys):
            if isMarked, !keys.isEmpty { return [.arrange(ListArrangement(sort: keys))] }
            guard let choice = choice(at: cursor) else { return [.back] }
            // A key that the list is sorted by already is turned over; the others stay.
            if let place = keys.firstIndex(where: { $0.keyPath == choice }) {
                var turned = keys
                turned[place].ascending.toggle()
                return [.arrange(ListArrangement(sort: turned))]
            }
            return [.arrange(ListArrangement(sort: [ListArrangement.SortKey(keyPath: choice, ascending: true)]))]
        }
    }

    package mutating func handle(_ mouse: MouseEvent) -> [Effect] {
        let body = Chrome.body(of: size)
        switch mouse.action {
        case .wheelUp: cursor -= 3
        case .wheelDown: cursor += 3
        case .press, .doublePress:
            let row = top + mouse.position.row - body.row
            guard body.contains(mouse.position), row < rowCount else { return [] }
            cursor = row
            if mouse.action == .doublePress { return choose() }
        case .drag, .release: break
        }
        settle()
        return []
    }

    mutating func settle() {
        let rows = max(1, Chrome.body(of: size).rows)
        cursor = max(0, min(cursor, rowCount - 1))
        top = max(0, min(top, rowCount - rows))
        top = min(max(top, cursor - rows + 1), cursor)
    }

    package func render(into buffer: inout CellBuffer, status: Status) {
        let isSort = firstChoice == 0
        Chrome.drawTitle(isSort ? "Sort by" : "Group by", trailing: "", into: &buffer)
        let body = Chrome.body(of: size)
        for offset in 0..<max(0, min(body.rows, rowCount - top)) {
            let row = top + offset
            let isChosen = mark(ofRow: row)
            buffer.write(isChosen, row: body.row + offset, column: 1, columns: 4, style: Style(.accent))
            buffer.write(
                label(ofRow: row), row: body.row + offset, column: 6, columns: size.columns - 6,
                style: Style(choice(at: row) == nil ? .dimmed : .text))
            buffer.markHits(of: finding.query, row: body.row + offset)
            if row == cursor { buffer.markCursorRow(body.row + offset) }
        }
        if let prompt = finding.prompt { return Chrome.drawPrompt(prompt, into: &buffer) }
        let hints =
            isSort
            ? [keyLabels.hint(.open, sortHint), keyLabels.hint(.mark, "adds a key or turns it over")]
            : [keyLabels.hint(.open, "groups by this")]
        let quiet = hints.filter { !$0.isEmpty }.joined(separator: ", ")
        Chrome.drawStatus(status, quiet: quiet, hint: keyLabels.hint(.cancel, "back"), into: &buffer)
    }

    /// What Enter does now.
    private var sortHint: String {
        guard case .sort(let keys) = purpose, !keys.isEmpty else { return "sorts by this" }
        if isMarked { return keys.count > 1 ? "sorts by these" : "sorts by the key marked" }
        if keys.contains(where: { $0.keyPath == choice(at: cursor) }) { return "turns this order over" }
        return keys.count > 1 ? "sorts by this alone" : "sorts by this"
    }

    private func mark(ofRow row: Int) -> String {
        switch purpose {
        case .sort(let keys):
            guard let choice = choice(at: row), let place = keys.firstIndex(where: { $0.keyPath == choice }) else { return "" }
            return (keys.count > 1 ? "\(place + 1) " : "") + (keys[place].ascending ? "↑" : "↓")
        case .group(let current): return choice(at: row) == current ? "✓" : ""
        }
    }
}

// Finding: the cursor goes to the next key path that holds the words.
extension MenuScreen: RowFindingScreen {
    package mutating func moveCursor(toHitOf query: SearchQuery, forward: Bool, includesCursor: Bool) -> FindOutcome {
        for row in SearchedRows(of: rowCount, from: cursor, forward: forward, includesCursor: includesCursor) {
            guard query.matches(label(ofRow: row)) else { continue }
            let isSame = row == cursor
            cursor = row
            settle()
            return isSame && !includesCursor ? .noOther : .found
        }
        return .none
    }
}
